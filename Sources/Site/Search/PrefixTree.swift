import Catalogue

/// The rows of a search table by the prefixes of their words: a prefix that few rows have is a leaf with all of them, a
/// longer list goes on by the next letter. Kept in numbers: about 14 bytes for each word of each row, and the text of
/// each name once.
///
/// A space follows each word, so that "star " leads to the rows that have the very word, not "starling". The first word
/// of a name is followed by the others: where too many rows have the word, "star f" leads on to the names that begin
/// with "Star F".
struct PrefixTree: Sendable {
    /// A prefix that has a file.
    struct Node: Sendable {
        /// The words with the prefix, by their places in the order of all words.
        let words: Range<UInt32>
        /// The prefix's length in UTF-8.
        let length: Int
        /// How many rows have such a word.
        let total: Int
        let isLeaf: Bool
    }

    /// A prefix that at most so many rows have is a leaf.
    static let leafLimit = 1_500
    /// A whole word, with its space, is a leaf with so many rows: nothing leads on from most of them.
    static let wordLeafLimit = 20_000
    /// A prefix of more bytes is a leaf, with the best of its rows: files are named by prefixes in hexadecimal, and
    /// names are limited.
    static let longest = 120
    /// Words count up to so many characters; scripts/finding.js cuts its own likewise.
    static let wordLimit = 16
    /// The most words of a row that are indexed, those of its name first. The whole row is written into the leaf of
    /// each word.
    static let rowLimit = 32
    /// About how many bytes all copies of a row may have. A long row is indexed by fewer words, but always by the first
    /// few.
    static let copiesLimit = 16_384
    static let fewestWords = 8
    /// Names count up to so many characters, with the spaces after their words.
    static let nameLimit = 64

    /// All nodes, each before those that it leads to, in the order of the words.
    private(set) var nodes: [Node] = []
    private let words: WordList
    /// The words' numbers in the order of their bytes.
    private let order: [UInt32]
    /// Where the rows of the word at a place begin in `rows`; ends with their count.
    private let starts: [UInt32]
    /// The rows of each word, ascending.
    private let rows: [UInt32]
    /// What the word is to each of these rows.
    private let roles: [WordRole]

    init(_ encoder: SearchEncoder) {
        // Rows are gone through twice, so that their words are never held beside their order.
        var walk = WordWalk(encoder)
        var counts: [UInt32] = []
        walk.forEachRow { _, numbers, _ in
            for number in numbers {
                while counts.count <= Int(number) { counts.append(0) }
                counts[Int(number)] += 1
            }
        }
        let words = walk.words
        // Words that only rows beyond their limit have lead to nothing.
        while counts.count < words.count { counts.append(0) }
        let order = words.sorted().filter { counts[Int($0)] > 0 }
        var places = [UInt32](repeating: 0, count: words.count)
        for (place, number) in order.enumerated() { places[Int(number)] = UInt32(place) }
        var starts = [UInt32](repeating: 0, count: order.count + 1)
        for (place, number) in order.enumerated() { starts[place + 1] = counts[Int(number)] }
        counts = []
        for place in order.indices { starts[place + 1] += starts[place] }
        var ends = starts
        var rows = [UInt32](repeating: 0, count: Int(starts[order.count]))
        var roles = [WordRole](repeating: WordRole(.value, of: 0), count: rows.count)
        walk.forEachRow { row, numbers, found in
            for (number, role) in zip(numbers, found) {
                let place = Int(places[Int(number)])
                rows[Int(ends[place])] = row
                roles[Int(ends[place])] = role
                ends[place] += 1
            }
        }
        self.words = words
        self.order = order
        self.starts = starts
        self.rows = rows
        self.roles = roles
        var marks = [UInt32](repeating: 0, count: encoder.table.count)
        var mark: UInt32 = 0
        for group in groups(0..<UInt32(order.count), after: 0) { grow(group.words, group.length, &marks, &mark) }
    }

    /// A node's prefix.
    func prefix(of node: Node) -> ArraySlice<UInt8> { word(node.words.lowerBound).prefix(node.length) }

    /// The letters that follow a node's prefix; those that words begin with where it is nil.
    func letters(after node: Node?) -> String {
        groups(node?.words ?? 0..<UInt32(order.count), after: node?.length ?? 0)
            .map {
                String(
                    decoding: word($0.words.lowerBound).prefix($0.length).dropFirst(node?.length ?? 0), as: UTF8.self)
            }.joined()
    }

    /// All rows that have a node's prefix, ascending.
    func rows(of node: Node) -> [UInt32] {
        var found = Array(rows[Int(starts[Int(node.words.lowerBound)])..<Int(starts[Int(node.words.upperBound)])])
        found.sort()
        var count = 0
        for row in found where count == 0 || row != found[count - 1] {
            found[count] = row
            count += 1
        }
        found.removeLast(found.count - count)
        return found
    }

    /// The rows for which a node's prefix says the most, ascending: those that are named so, those that have the word
    /// in their name, those with longer words there, then those with other values; short names before long ones.
    func bestRows(of node: Node, _ limit: Int) -> [UInt32] {
        let prefix = prefix(of: node)
        let isWord = prefix.last == Self.space
        // Each row behind its rank, so that numbers in order are rows in order.
        var found: [UInt64] = []
        var bound = UInt64.max
        for place in node.words {
            let rest = word(place).dropFirst(node.length)
            let isExact = isWord || rest.first == Self.space
            let isWhole = rest.count == (isWord ? 0 : 1) && isExact
            for index in Int(starts[Int(place)])..<Int(starts[Int(place) + 1]) {
                let entry = UInt64(roles[index].rank(isWhole: isWhole, isExact: isExact)) << 32 | UInt64(rows[index])
                if entry < bound { found.append(entry) }
            }
            if found.count > limit + 10_000 {
                found = Self.first(limit, of: found)
                if found.count == limit { bound = found[limit - 1] }
            }
        }
        return Self.first(limit, of: found).map { UInt32(truncatingIfNeeded: $0) }.sorted()
    }
}

extension PrefixTree {
    private func word(_ place: UInt32) -> ArraySlice<UInt8> { words.word(Int(order[Int(place)])) }

    private static let space = UInt8(ascii: " ")

    /// The first entries, one for each row.
    private static func first(_ limit: Int, of entries: [UInt64]) -> [UInt64] {
        var first: [UInt64] = []
        var known: Set<UInt32> = []
        for entry in entries.sorted() where known.insert(UInt32(truncatingIfNeeded: entry)).inserted {
            if first.count == limit { break }
            first.append(entry)
        }
        return first
    }

    private mutating func grow(_ range: Range<UInt32>, _ length: Int, _ marks: inout [UInt32], _ mark: inout UInt32) {
        mark += 1
        var total = 0
        for index in Int(starts[Int(range.lowerBound)])..<Int(starts[Int(range.upperBound)])
        where marks[Int(rows[index])] != mark {
            marks[Int(rows[index])] = mark
            total += 1
        }
        let isWord = word(range.lowerBound).prefix(length).last == Self.space
        let isLeaf = total <= (isWord ? Self.wordLeafLimit : Self.leafLimit) || length > Self.longest
        nodes.append(Node(words: range, length: length, total: total, isLeaf: isLeaf))
        if isLeaf { return }
        for group in groups(range, after: length) { grow(group.words, group.length, &marks, &mark) }
    }

    /// Parts words that share a prefix by the letter that follows it; a word that ends there is in no part.
    private func groups(_ range: Range<UInt32>, after length: Int) -> [(words: Range<UInt32>, length: Int)] {
        var groups: [(words: Range<UInt32>, length: Int)] = []
        var place = range.lowerBound
        while place < range.upperBound {
            guard let lead = word(place).dropFirst(length).first else {
                place += 1
                continue
            }
            let letter = word(place).dropFirst(length).prefix(Self.scalarLength(lead))
            // The words are in order: those with the letter end where the first has another.
            var last = place
            var end = range.upperBound
            while last + 1 < end {
                let middle = last + (end - last) / 2
                if word(middle).dropFirst(length).starts(with: letter) { last = middle } else { end = middle }
            }
            groups.append((place..<end, length + letter.count))
            place = end
        }
        return groups
    }

    private static func scalarLength(_ lead: UInt8) -> Int {
        switch lead {
        case ..<0x80: 1
        case ..<0xE0: 2
        case ..<0xF0: 3
        default: 4
        }
    }
}

/// The words of all rows: of the row's name and of its searched values, a space after each. In the place of a name's
/// first word stands the name.
private struct WordWalk {
    var words = WordList()
    private let encoder: SearchEncoder
    /// The numbers of the words of the row at hand.
    private var numbers: [UInt32] = []
    /// What each of them is to the row.
    private var roles: [WordRole] = []

    init(_ encoder: SearchEncoder) { self.encoder = encoder }

    /// Hands over the words of each row by their numbers, and what each is to the row.
    mutating func forEachRow(_ body: (_ row: UInt32, _ numbers: [UInt32], _ roles: [WordRole]) -> Void) {
        var place: UInt32 = 0
        for kind in encoder.table.kinds {
            let columns = kind.columns.filter { $0.uses.contains(.searched) }
            let texts = columns.map { encoder.text(of: $0) }
            var known = columns.map { _ in [Int: (words: [UInt32], size: Int)]() }
            for row in 0..<kind.count {
                numbers.removeAll(keepingCapacity: true)
                roles.removeAll(keepingCapacity: true)
                let label = kind.label(row)
                let name = numbersOf(name: label)
                add(name.prefix(1), WordRole(.start, of: name.count))
                add(name.dropFirst(), WordRole(.name, of: name.count))
                var size = ScriptWriter.size(of: label)
                for (index, column) in columns.enumerated() {
                    guard let value = column.value(row) else { continue }
                    let found =
                        known[index][value] ?? (
                            numbersOf(texts[index](value)), ScriptWriter.size(of: texts[index](value))
                        )
                    known[index][value] = found
                    add(found.words[...], WordRole(.value, of: name.count))
                    size += found.size
                }
                let most = max(PrefixTree.fewestWords, PrefixTree.copiesLimit / max(size, 1))
                if numbers.count > most {
                    numbers.removeLast(numbers.count - most)
                    roles.removeLast(roles.count - most)
                }
                body(place, numbers, roles)
                place += 1
            }
        }
    }

    private mutating func add(_ found: ArraySlice<UInt32>, _ role: WordRole) {
        for number in found where numbers.count < PrefixTree.rowLimit && !numbers.contains(number) {
            numbers.append(number)
            roles.append(role)
        }
    }

    /// - Returns: the number of the name, as far as it counts, then those of its other words.
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

    /// The number of a word with its space, or of its beginning where it is long.
    private mutating func number(of word: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let length = Self.length(of: word, PrefixTree.wordLimit)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length + 1) { spaced in
            for index in 0..<length { spaced[index] = word[index] }
            spaced[length] = UInt8(ascii: " ")
            return words.number(
                of: UnsafeBufferPointer(rebasing: spaced[..<(length == word.count ? length + 1 : length)]))
        }
    }

    /// The length in UTF-8 of the first so many characters.
    private static func length(of text: UnsafeBufferPointer<UInt8>, _ limit: Int) -> Int {
        var length = 0
        var letters = 0
        while length < text.count, letters < limit {
            length += 1
            while length < text.count, text[length] & 0xC0 == 0x80 { length += 1 }
            letters += 1
        }
        return length
    }
}
