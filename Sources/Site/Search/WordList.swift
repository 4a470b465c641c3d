import Catalogue

/// Distinct words and names as UTF-8 in one buffer with a hash table of numbers, so that a million words take little
/// memory.
struct WordList {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// The numbers of the words plus one; 0 for a free slot. The count is a power of two, and at most half of the slots
    /// are used.
    private(set) var slots = [UInt32](repeating: 0, count: 1 << 10)

    var count: Int { ends.count }

    func word(_ number: Int) -> ArraySlice<UInt8> { bytes[place(of: number)] }

    private func place(of number: Int) -> Range<Int> { (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number]) }

    /// The numbers of the words, sorted by the words' bytes.
    func sorted() -> [UInt32] {
        bytes.withUnsafeBufferPointer { bytes in
            (0..<UInt32(count)).sorted {
                bytes[place(of: Int($0))].lexicographicallyPrecedes(bytes[place(of: Int($1))])
            }
        }
    }

    /// - Returns: the number of the word. A new word receives the next number.
    mutating func number(of word: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var slot = Self.hash(word) & (slots.count - 1)
        while slots[slot] != 0 {
            if self.word(Int(slots[slot] - 1)).elementsEqual(word) { return slots[slot] - 1 }
            slot = (slot + 1) & (slots.count - 1)
        }
        bytes += word
        ends.append(UInt32(bytes.count))
        slots[slot] = UInt32(ends.count)
        if ends.count * 2 > slots.count { grow() }
        return UInt32(ends.count - 1)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for number in 0..<count {
            var slot = word(number).withUnsafeBufferPointer(Self.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// The hash has a random key for each process. Otherwise an API could choose words that all have the same slot.
    private static func hash(_ word: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(word))
        return hasher.finalize()
    }
}

/// The role of a word in a row: the beginning of the name, another word of the name, or a word of a value; and the
/// number of words in the name.
struct WordRole {
    enum Place: UInt8 { case start, name, value }

    private let bits: UInt8

    init(_ place: Place, of count: Int) {
        bits = place.rawValue << 4 | UInt8(min(count, 15))
    }

    /// - Returns: a lower rank for a better match.
    func rank(isWhole: Bool, isExact: Bool) -> UInt8 {
        switch bits >> 4 {
        case Place.start.rawValue where isWhole: bits & 15
        case Place.value.rawValue: (isExact ? 5 : 6) << 4 | bits & 15
        case let place: ((isExact ? 1 : 3) + place) << 4 | bits & 15
        }
    }
}

/// The words of all rows, from the name and the searched values, each followed by a space. The whole name replaces its
/// first word.
struct WordWalk {
    var words = WordList()
    private let encoder: SearchEncoder
    /// The words of the current row by their numbers, with their roles.
    private var found: [(number: UInt32, role: WordRole)] = []

    init(_ encoder: SearchEncoder) { self.encoder = encoder }

    /// Calls the body with the words of each row by their numbers, and their roles.
    mutating func forEachRow(_ body: (_ row: UInt32, _ words: [(number: UInt32, role: WordRole)]) -> Void) {
        var place: UInt32 = 0
        for kind in encoder.table.kinds {
            let columns = kind.columns.filter { $0.uses.contains(.searched) }
            let texts = columns.map { encoder.text(of: $0) }
            var known = columns.map { _ in [Int: (words: [UInt32], size: Int)]() }
            for row in 0..<kind.count {
                found.removeAll(keepingCapacity: true)
                let label = kind.label(row)
                let name = numbersOf(name: label)
                add(name.prefix(1), WordRole(.start, of: name.count))
                add(name.dropFirst(), WordRole(.name, of: name.count))
                var size = ScriptValue.size(of: label)
                for (index, column) in columns.enumerated() {
                    guard let value = column.value(row) else { continue }
                    let text = texts[index](value)
                    let own = known[index][value] ?? (numbersOf(text), ScriptValue.size(of: text))
                    known[index][value] = own
                    add(own.words[...], WordRole(.value, of: name.count))
                    size += own.size
                }
                let most = max(PrefixTree.fewestWords, PrefixTree.copiesLimit / max(size, 1))
                found.removeLast(max(0, found.count - most))
                body(place, found)
                place += 1
            }
        }
    }

    private mutating func add(_ numbers: ArraySlice<UInt32>, _ role: WordRole) {
        for number in numbers where found.count < PrefixTree.rowLimit && !found.contains(where: { $0.number == number })
        {
            found.append((number, role))
        }
    }

    /// - Returns: the number of the name within its length limit, then the numbers of its other words.
    private mutating func numbersOf(name: String) -> [UInt32] {
        var whole: [UInt8] = []
        var found: [UInt32] = []
        Folding.forEachWord(of: name) { word in
            if !whole.isEmpty { found.append(number(of: word)) }
            whole += word
            whole.append(UInt8(ascii: " "))
        }
        if whole.isEmpty { return [] }
        let start = whole.withUnsafeBufferPointer { name in
            words.number(of: UnsafeBufferPointer(rebasing: name[..<Self.length(of: name, PrefixTree.nameLimit)]))
        }
        return [start] + found
    }

    private mutating func numbersOf(_ text: String) -> [UInt32] {
        var found: [UInt32] = []
        Folding.forEachWord(of: text) { found.append(number(of: $0)) }
        return found
    }

    /// The number of a word with its space, or of its beginning if the word is long.
    private mutating func number(of word: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let length = Self.length(of: word, PrefixTree.wordLimit)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + 1) { spaced in
            for index in 0..<length { spaced[index] = word[index] }
            spaced[length] = UInt8(ascii: " ")
            return words.number(
                of: UnsafeBufferPointer(rebasing: spaced[..<(length == word.count ? length + 1 : length)]))
        }
    }

    /// The length in UTF-8 of the first `limit` characters.
    private static func length(of text: UnsafeBufferPointer<UInt8>, _ limit: Int) -> Int {
        var letters = 0
        return text.firstIndex { byte in
            if byte & 0xC0 != 0x80 { letters += 1 }
            return letters > limit
        } ?? text.count
    }
}
