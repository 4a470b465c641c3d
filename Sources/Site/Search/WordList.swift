import Catalogue
import Pages
import Platform

/// Distinct words and names, each with a number. They are in one buffer, so that a million need little memory.
struct WordList {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    /// The numbers of the words by their hash, or by the next free number if another word has the same hash.
    private var numbers: [Int: UInt32] = [:]

    var count: Int { ends.count }

    func word(_ number: Int) -> ArraySlice<UInt8> { bytes[range(of: number)] }

    private func range(of number: Int) -> Range<Int> { (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number]) }

    /// The numbers of the words, sorted by the words' bytes.
    func sorted() -> [UInt32] {
        bytes.withUnsafeBufferPointer { bytes in
            (0..<UInt32(count)).sorted {
                bytes[range(of: Int($0))].lexicographicallyPrecedes(bytes[range(of: Int($1))])
            }
        }
    }

    /// Adds the word if it is new.
    /// - Returns: the number of the word.
    mutating func number(of word: UnsafeBufferPointer<UInt8>) -> UInt32 {
        // The hash has a random key in each process, so that a malicious API cannot choose words with the same hash.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(word))
        var hash = hasher.finalize()
        while let number = numbers[hash] {
            if self.word(Int(number)).elementsEqual(word) { return number }
            hash &+= 1
        }
        let number = UInt32(count)
        numbers[hash] = number
        bytes += word
        ends.append(UInt32(bytes.count))
        return number
    }

    /// Frees the memory that only `number` needs.
    mutating func finish() { numbers = [:] }
}

/// The position of a word in a row (start of the name, rest of the name, or a value), and the size of the name.
struct WordRole {
    enum Position: UInt8 { case start, name, value }

    private let bits: UInt8

    init(_ position: Position, of count: Int) { bits = position.rawValue << 4 | UInt8(min(count, 15)) }

    /// - Returns: a lower rank for a better match.
    func rank(isWhole: Bool, isExact: Bool) -> UInt8 {
        switch bits >> 4 {
        case Position.start.rawValue where isWhole: bits & 15
        case Position.value.rawValue: (isExact ? 5 : 6) << 4 | bits & 15
        case let position: ((isExact ? 1 : 3) + position) << 4 | bits & 15
        }
    }
}

/// Iterates over the words of all rows. The words come from the name and the searched values, and each is followed by a
/// space. The complete name takes the place of its first word.
struct WordWalk {
    var words = WordList()
    private let table: SearchTable
    /// The words of the current row by their numbers, with their roles.
    private var rowWords: [(number: UInt32, role: WordRole)] = []

    init(_ table: SearchTable) { self.table = table }

    /// Calls the body with the words of each row by their numbers, and their roles.
    mutating func forEachRow(_ body: (_ row: UInt32, _ words: [(number: UInt32, role: WordRole)]) -> Void) {
        for (kind, start) in zip(table, table.starts) {
            let columns = kind.columns.filter { $0.uses.contains(.searched) }
            let texts = columns.map { table.text(of: $0) }
            for row in 0..<kind.count {
                rowWords.removeAll(keepingCapacity: true)
                let label = kind.label(row)
                let name = numbersOf(name: label)
                for (index, number) in name.enumerated() {
                    add(number, WordRole(index == 0 ? .start : .name, of: name.count))
                }
                var size = JSON.size(of: label)
                for (column, text) in zip(columns, texts) {
                    guard let text = column.value(row).map(text) else { continue }
                    Folding.forEachWord(of: text) { add(number(of: $0), WordRole(.value, of: name.count)) }
                    size += JSON.size(of: text)
                }
                let limit = max(PrefixTree.minimumWords, PrefixTree.copiesLimit / max(size, 1))
                rowWords.removeLast(max(0, rowWords.count - limit))
                body(UInt32(start + row), rowWords)
            }
        }
    }

    private mutating func add(_ number: UInt32, _ role: WordRole) {
        if rowWords.count < PrefixTree.rowLimit, !rowWords.contains(where: { $0.number == number }) {
            rowWords.append((number, role))
        }
    }

    /// - Returns: the number of the name, shortened to its limit, and then the numbers of its words after the first.
    private mutating func numbersOf(name: String) -> [UInt32] {
        var whole: [UInt8] = []
        var numbers: [UInt32] = []
        Folding.forEachWord(of: name) { word in
            if !whole.isEmpty { numbers.append(number(of: word)) }
            whole += word
            whole.append(" ")
        }
        if whole.isEmpty { return [] }
        let start = whole.withUnsafeBufferPointer { name in
            words.number(of: UnsafeBufferPointer(rebasing: name[..<Self.length(of: name, PrefixTree.nameLimit)]))
        }
        return [start] + numbers
    }

    /// The number of a word with a space; for a long word, the number of its beginning without a space.
    private mutating func number(of word: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let length = Self.length(of: word, PrefixTree.wordLimit)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + 1) { spaced in
            for index in 0..<length { spaced[index] = word[index] }
            spaced[length] = " "
            let end = length == word.count ? length + 1 : length
            return words.number(of: UnsafeBufferPointer(rebasing: spaced[..<end]))
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
