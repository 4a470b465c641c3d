import Catalogue

/// The rows of a search table by the prefixes of their words: a prefix that few rows have is a leaf with all of them, a longer list
/// goes on by the next letter. Kept in numbers only: about 12 bytes for each word of each row.
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
    /// Words count up to so many characters; scripts/records.js cuts its own likewise.
    static let wordLimit = 16

    /// All nodes, each before those that it leads to, in the order of the words.
    private(set) var nodes: [Node] = []
    private let words: WordList
    /// The words' numbers in the order of their bytes.
    private let order: [UInt32]
    /// Where the rows of the word at a place begin in `rows`; ends with their count.
    private let starts: [UInt32]
    /// The rows of each word, ascending.
    private let rows: [UInt32]

    init(_ encoder: SearchEncoder) {
        let found = FoundWords(encoder)
        let words = found.words
        let order = (0..<UInt32(words.count)).sorted { words.word(Int($0)).lexicographicallyPrecedes(words.word(Int($1))) }
        var places = [UInt32](repeating: 0, count: order.count)
        for (place, number) in order.enumerated() { places[Int(number)] = UInt32(place) }
        var starts = [UInt32](repeating: 0, count: order.count + 1)
        for number in found.numbers { starts[Int(places[Int(number)]) + 1] += 1 }
        for place in order.indices { starts[place + 1] += starts[place] }
        var ends = starts
        var rows = [UInt32](repeating: 0, count: found.numbers.count)
        var start = 0
        for (row, end) in found.ends.enumerated() {
            for number in found.numbers[start..<Int(end)] {
                let place = Int(places[Int(number)])
                rows[Int(ends[place])] = UInt32(row)
                ends[place] += 1
            }
            start = Int(end)
        }
        self.words = words
        self.order = order
        self.starts = starts
        self.rows = rows
        var marks = [UInt32](repeating: 0, count: found.ends.count)
        var mark: UInt32 = 0
        for group in groups(0..<UInt32(order.count), after: 0) { grow(group.words, group.length, &marks, &mark) }
    }

    /// A node's prefix.
    func prefix(of node: Node) -> ArraySlice<UInt8> { word(node.words.lowerBound).prefix(node.length) }

    /// The letters that follow a node's prefix; those that words begin with where it is nil.
    func letters(after node: Node?) -> String {
        groups(node?.words ?? 0..<UInt32(order.count), after: node?.length ?? 0)
            .map { String(decoding: word($0.words.lowerBound).prefix($0.length).dropFirst(node?.length ?? 0), as: UTF8.self) }.joined()
    }

    /// The first rows that have a node's prefix, ascending.
    func rows(of node: Node, first limit: Int) -> [UInt32] {
        var found: [UInt32] = []
        for place in node.words {
            let own = rows[Int(starts[Int(place)])..<Int(starts[Int(place) + 1])]
            found += own.prefix(limit)
            if found.count > limit + 10_000 { found = Self.first(limit, of: found) }
        }
        return Self.first(limit, of: found)
    }
}

extension PrefixTree {
    private func word(_ place: UInt32) -> ArraySlice<UInt8> { words.word(Int(order[Int(place)])) }

    private static func first(_ limit: Int, of rows: [UInt32]) -> [UInt32] {
        var first: [UInt32] = []
        for row in rows.sorted() where row != first.last {
            if first.count == limit { break }
            first.append(row)
        }
        return first
    }

    private mutating func grow(_ range: Range<UInt32>, _ length: Int, _ marks: inout [UInt32], _ mark: inout UInt32) {
        mark += 1
        var total = 0
        for index in Int(starts[Int(range.lowerBound)])..<Int(starts[Int(range.upperBound)]) where marks[Int(rows[index])] != mark {
            marks[Int(rows[index])] = mark
            total += 1
        }
        let isLeaf = total <= Self.leafLimit
        nodes.append(Node(words: range, length: length, total: total, isLeaf: isLeaf))
        if isLeaf { return }
        for group in groups(range, after: length) { grow(group.words, group.length, &marks, &mark) }
    }

    /// Parts words that share a prefix by the letter that follows it; a word that ends there is in no part.
    private func groups(_ range: Range<UInt32>, after length: Int) -> [(words: Range<UInt32>, length: Int)] {
        var groups: [(words: Range<UInt32>, length: Int)] = []
        var letter: ArraySlice<UInt8> = []
        for place in range {
            let rest = word(place).dropFirst(length)
            guard let lead = rest.first else { continue }
            if let last = groups.indices.last, rest.starts(with: letter) {
                groups[last].words = groups[last].words.lowerBound..<place + 1
            } else {
                letter = rest.prefix(Self.scalarLength(lead))
                groups.append((place..<place + 1, length + letter.count))
            }
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

/// The words of all rows: of the row's name and of its searched values.
private struct FoundWords {
    var words = WordList()
    /// The numbers of the rows' words, row after row.
    var numbers: [UInt32] = []
    /// Where each row's numbers end.
    var ends: [UInt32] = []

    init(_ encoder: SearchEncoder) {
        ends.reserveCapacity(encoder.table.count)
        for kind in encoder.table.kinds {
            let columns = kind.columns.filter { $0.uses.contains(.searched) }
            let texts = columns.map { encoder.text(of: $0) }
            var known = columns.map { _ in [Int: [UInt32]]() }
            for row in 0..<kind.count {
                let start = numbers.count
                add(numbersOf(kind.label(row)), since: start)
                for (index, column) in columns.enumerated() {
                    guard let value = column.value(row) else { continue }
                    if known[index][value] == nil { known[index][value] = numbersOf(texts[index](value)) }
                    add(known[index][value] ?? [], since: start)
                }
                ends.append(UInt32(numbers.count))
            }
        }
    }

    private mutating func add(_ found: [UInt32], since start: Int) {
        for number in found where !numbers[start...].contains(number) { numbers.append(number) }
    }

    private mutating func numbersOf(_ text: String) -> [UInt32] {
        var found: [UInt32] = []
        Folding.forEachWord(of: text) { word in
            var length = 0
            var letters = 0
            while length < word.count, letters < PrefixTree.wordLimit {
                length += 1
                while length < word.count, word[length] & 0xC0 == 0x80 { length += 1 }
                letters += 1
            }
            found.append(words.number(of: UnsafeBufferPointer(rebasing: word[..<length])))
        }
        return found
    }
}
