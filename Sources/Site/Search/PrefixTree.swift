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

    /// The most rows of a leaf, which is a prefix without longer ones.
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
        walk.forEachRow { _, words in
            for (number, _) in words {
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
        walk.forEachRow { row, words in
            for (number, role) in words {
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
        let found = rows[Int(starts[Int(node.words.lowerBound)])..<Int(starts[Int(node.words.upperBound)])].sorted()
        return zip(found.indices, found).filter { $0 == 0 || found[$0 - 1] != $1 }.map(\.1)
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
        for row in rows[Int(starts[Int(range.lowerBound)])..<Int(starts[Int(range.upperBound)])]
        where marks[Int(row)] != mark {
            marks[Int(row)] = mark
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
            let letter = [lead] + word(place).dropFirst(length + 1).prefix { $0 & 0xC0 == 0x80 }
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
}
