import Catalogue
import Pages
import Platform

/// The files of a site's search index. A small index is only `search-index.js`. A large index also has a file
/// `search/….js` for each prefix, and if lists can be filtered, a file with all rows for the prefix "*", which no word
/// has. The bytes of a file are computed when they are requested, on any thread.
struct SearchFiles: Sendable {
    let paths: [SitePath]
    private let table: SearchTable
    private let tree: PrefixTree?
    /// Whether there is a file with all rows.
    private let hasWhole: Bool

    init(of table: SearchTable, oneFileLimit: Int = SearchTable.maxRowsInOneFile) {
        self.table = table
        let hasWhole = table.rowCount > SearchTable.maxRowsInOneFile && table.canBeFiltered
        let tree = table.rowCount > oneFileLimit ? PrefixTree(table) : nil
        let names = tree.map { tree in
            tree.nodes.map { tree.prefix(of: $0).hex } + (hasWhole ? [Self.whole.utf8.hex] : [])
        }
        (self.hasWhole, self.tree) = (hasWhole, tree)
        // A limited number of hexadecimal digits (`PrefixTree.maximumPrefixLength`) is always a valid path.
        paths = [SitePath(fixed: "search-index.js")] + (names ?? []).map { SitePath(joined: "search/\($0).js") }
    }

    private static let whole = "*"

    /// The files as a page set.
    ///
    /// The index uses much memory, so it is freed when every file was requested once. A later request creates it again.
    static func set(_ table: SearchTable) -> FileSet {
        let files = SearchFiles(of: table)
        let paths = files.paths
        let state = Locked((files: Optional(files), remaining: paths.count))
        return FileSet(paths) { index, _ in
            let files = state.withLock { state in
                let files = state.files ?? SearchFiles(of: table)
                if state.files == nil { state.remaining = paths.count }
                state.remaining -= 1
                state.files = state.remaining > 0 ? files : nil
                return files
            }
            return files.bytes(of: index)
        }
    }

    /// The content of the file at an index of `paths`.
    func bytes(of index: Int) -> [UInt8] {
        let total = table.rowCount
        guard let tree else { return table.file(total: total, rows: nil) }
        guard index > 0 else {
            let letters = tree.letters(after: nil) + (hasWhole ? Self.whole : "")
            return table.file(total: total, next: letters, rows: table.examples)
        }
        guard index <= tree.nodes.count else { return table.file(prefix: Self.whole, total: total, rows: nil) }
        let node = tree.nodes[index - 1]
        let prefix = String(decoding: tree.prefix(of: node), as: UTF8.self)
        let next = node.isLeaf ? nil : tree.letters(after: node)
        return table.file(prefix: prefix, total: node.total, next: next, rows: tree.rows(of: node))
    }
}

/// The rows of a search table by the prefixes of their words. A prefix with few rows is a leaf with all these rows. A
/// prefix with more rows has longer prefixes as children. The tree takes about 14 bytes for each word of each row.
///
/// A space follows each word, so that "star " finds the rows with exactly this word and not "starling". The other words
/// of a name follow its first word, so that "star f" finds the names that begin with "Star F".
struct PrefixTree: Sendable {
    /// A prefix that has a file.
    struct Node: Sendable {
        /// The words with the prefix, as a range of indexes in the sorted words.
        let words: Range<UInt32>
        /// The length of the prefix in UTF-8.
        let length: Int
        /// The number of rows that have such a word.
        let total: Int
        let isLeaf: Bool
    }

    /// The maximum number of rows of a leaf. A leaf has no longer prefixes. Its file has about 20 KB when compressed.
    static let leafLimit = 1_500
    /// The number of rows of a prefix that is not a leaf. They are its best rows. A complete word with its space has
    /// more rows, because a search for two frequent words looks for both words in them.
    static let bestRows = 30
    static let bestRowsOfWord = 750
    /// A prefix with more bytes is a leaf in any case, with at most `longestLeafLimit` rows, the best ones. The reason
    /// is that file names contain the prefix in hexadecimal, and the length of file names is limited.
    static let maximumPrefixLength = 120
    static let longestLeafLimit = 20_000
    /// The maximum number of characters of a word that are indexed. scripts/finding.js shortens words in the same way.
    static let wordLimit = 16
    /// The maximum number of indexed words of a row, its name first. The leaf of each word has a copy of the row.
    static let rowLimit = 32
    /// The approximate maximum size of all copies of a row in bytes. Long rows are indexed by fewer words.
    static let copiesLimit = 16_384
    static let minimumWords = 8
    /// The maximum number of characters of a name that are indexed, including the spaces after its words.
    static let nameLimit = 64

    /// All nodes in the order of the words, each before its children.
    private(set) var nodes: [Node] = []
    private let words: WordList
    /// The numbers of the words, sorted by the words' bytes.
    private let order: [UInt32]
    /// The start of each word's rows in `rows`. The last element is the number of rows.
    private let starts: [UInt32]
    /// The rows of each word, in ascending order.
    private let rows: [UInt32]
    /// The role of the word in each of these rows.
    private let roles: [WordRole]

    init(_ table: SearchTable) {
        // There are two passes over the rows, because the words of all rows would need too much memory.
        var walk = WordWalk(table)
        var counts: [UInt32] = []
        walk.forEachRow { _, words in
            for (number, _) in words {
                while counts.count <= Int(number) { counts.append(0) }
                counts[Int(number)] += 1
            }
        }
        // A word is left out if it is beyond the limit of words in all its rows.
        order = walk.words.sorted().filter { $0 < counts.count && counts[Int($0)] > 0 }
        var indexes = [UInt32](repeating: 0, count: walk.words.count)
        var starts = [UInt32](repeating: 0, count: order.count + 1)
        for (index, number) in order.enumerated() {
            indexes[Int(number)] = UInt32(index)
            starts[index + 1] = starts[index] + counts[Int(number)]
        }
        counts = []
        var ends = starts
        var rows = [UInt32](repeating: 0, count: Int(starts[order.count]))
        var roles = [WordRole](repeating: WordRole(.value, of: 0), count: rows.count)
        walk.forEachRow { row, words in
            for (number, role) in words {
                let index = Int(indexes[Int(number)])
                rows[Int(ends[index])] = row
                roles[Int(ends[index])] = role
                ends[index] += 1
            }
        }
        walk.words.finish()
        (words, self.starts, self.rows, self.roles) = (walk.words, starts, rows, roles)
        var lastNodes = [UInt32](repeating: .max, count: table.rowCount)
        addNodes(of: 0..<UInt32(order.count), after: 0, &lastNodes)
    }

    func prefix(of node: Node) -> ArraySlice<UInt8> { word(node.words.lowerBound).prefix(node.length) }

    /// The letters that follow a node's prefix, or the first letters of all words if it is nil.
    func letters(after node: Node?) -> String {
        let length = node?.length ?? 0
        return groups(node?.words ?? 0..<UInt32(order.count), after: length).map {
            String(decoding: word($0.words.lowerBound).prefix($0.length).dropFirst(length), as: UTF8.self)
        }.joined()
    }

    /// The rows in a node's file, in ascending order: all rows of a leaf, or the best ones. Rows with exactly this name
    /// are best, then those with the word in their name, then those with a longer word, then those with other values.
    /// Short names are better.
    func rows(of node: Node) -> [UInt32] {
        if node.isLeaf, node.total <= Self.longestLeafLimit { return Set(rows(of: node.words)).sorted() }
        let isWord = prefix(of: node).last == Self.space
        let limit = node.isLeaf ? Self.longestLeafLimit : isWord ? Self.bestRowsOfWord : Self.bestRows
        // The rank is in the upper bits, so that entries are sorted by rank and then by row.
        var entries: [UInt64] = []
        var bound = UInt64.max
        for wordIndex in node.words {
            let rest = word(wordIndex).dropFirst(node.length)
            let isExact = isWord || rest.first == Self.space
            let isWhole = rest.count == (isWord ? 0 : 1) && isExact
            for index in Int(starts[Int(wordIndex)])..<Int(starts[Int(wordIndex) + 1]) {
                let entry = UInt64(roles[index].rank(isWhole: isWhole, isExact: isExact)) << 32 | UInt64(rows[index])
                if entry < bound { entries.append(entry) }
            }
            if entries.count > limit + 10_000 {
                entries = Self.first(limit, of: entries)
                if entries.count == limit { bound = entries[limit - 1] }
            }
        }
        return Self.first(limit, of: entries).map { UInt32(truncatingIfNeeded: $0) }.sorted()
    }
}

extension PrefixTree {
    private func word(_ index: UInt32) -> ArraySlice<UInt8> { words.word(Int(order[Int(index)])) }

    private func rows(of words: Range<UInt32>) -> ArraySlice<UInt32> {
        rows[Int(starts[Int(words.lowerBound)])..<Int(starts[Int(words.upperBound)])]
    }

    private static let space: UInt8 = " "

    /// The lowest entries, without entries that repeat a row.
    private static func first(_ limit: Int, of entries: [UInt64]) -> [UInt64] {
        var first: [UInt64] = []
        var known: Set<UInt32> = []
        for entry in entries.sorted() where known.insert(UInt32(truncatingIfNeeded: entry)).inserted {
            if first.count == limit { break }
            first.append(entry)
        }
        return first
    }

    /// Adds the nodes of longer prefixes, in the order of the words.
    /// - Parameter lastNodes: for each row, the index of the last node that has it. This counts the rows of a node.
    private mutating func addNodes(of range: Range<UInt32>, after length: Int, _ lastNodes: inout [UInt32]) {
        for (words, length) in groups(range, after: length) {
            let node = UInt32(nodes.count)
            var total = 0
            for row in rows(of: words) where lastNodes[Int(row)] != node {
                lastNodes[Int(row)] = node
                total += 1
            }
            let isLeaf = total <= Self.leafLimit || length > Self.maximumPrefixLength
            nodes.append(Node(words: words, length: length, total: total, isLeaf: isLeaf))
            if !isLeaf { addNodes(of: words, after: length, &lastNodes) }
        }
    }

    /// Groups words that share a prefix by the letter after it. A word that ends with the prefix is in no group.
    private func groups(_ range: Range<UInt32>, after length: Int) -> [(words: Range<UInt32>, length: Int)] {
        var groups: [(words: Range<UInt32>, length: Int)] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard let lead = word(index).dropFirst(length).first else {
                index += 1
                continue
            }
            let letter = [lead] + word(index).dropFirst(length + 1).prefix { $0 & 0xC0 == 0x80 }
            let end = (index..<range.upperBound).lowest { !word($0).dropFirst(length).starts(with: letter) }
            groups.append((index..<end, length + letter.count))
            index = end
        }
        return groups
    }
}
