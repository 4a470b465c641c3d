import Archive
import Catalogue
import Platform

/// The files of the search index as a page set. Each file is a batch.
///
/// The index takes much memory while its files are created, so it is released after each file was requested once. A
/// later request creates it again.
struct SearchSet: PageSet {
    private let paths: [SitePath]
    private let table: SearchTable
    private let state: Locked<(files: SearchFiles?, left: Int)>

    init(_ table: SearchTable) {
        let files = SearchFiles(of: table)
        self.table = table
        paths = files.paths
        state = Locked((files, files.paths.count))
    }

    var batchCount: Int { paths.count }

    func filePaths(inBatch batch: Int) -> [SitePath] { [paths[batch]] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let files = state.withLock { state in
            let files = state.files ?? SearchFiles(of: table)
            if state.files == nil { state.left = paths.count }
            state.left -= 1
            state.files = state.left > 0 ? files : nil
            return files
        }
        return PageBatch(files: [SiteFile(path: paths[batch], bytes: files.bytes(of: batch))])
    }
}

/// The files of a site's search index: only `search-index.js`, or also `search/….js` by word prefixes if there are more
/// rows than a page should load. The paths are known at once. Any thread can request the bytes of a file.
struct SearchFiles: Sendable {
    /// The number of rows in a part that leads to other parts: the best ones.
    static let firstRows = 60

    let paths: [SitePath]
    private let encoder: SearchEncoder
    private let tree: PrefixTree?

    init(of table: SearchTable, wholeLimit: Int = SearchTable.maxRowsInOneFile) {
        encoder = SearchEncoder(table)
        let index = SitePath(fixed: "search-index.js")
        guard table.count > wholeLimit else {
            tree = nil
            paths = [index]
            return
        }
        let tree = PrefixTree(encoder)
        self.tree = tree
        // A limited number of hexadecimal digits (`PrefixTree.longest`) is always a valid path.
        paths = [index] + tree.nodes.map { SitePath(joined: "search/\(Self.hex(tree.prefix(of: $0))).js") }
    }

    /// Whether the index is in several parts. Lists cannot be filtered then.
    var isSplit: Bool { tree != nil }

    /// The content of the file at an index of `paths`.
    func bytes(of index: Int) -> [UInt8] {
        guard let tree else { return encoder.whole() }
        guard index > 0 else { return encoder.root(next: tree.letters(after: nil)) }
        let node = tree.nodes[index - 1]
        return encoder.part(
            String(decoding: tree.prefix(of: node), as: UTF8.self), total: node.total,
            next: node.isLeaf ? nil : tree.letters(after: node),
            rows: node.total <= PrefixTree.wordLeafLimit && node.isLeaf
                ? tree.rows(of: node) : tree.bestRows(of: node, node.isLeaf ? PrefixTree.wordLeafLimit : Self.firstRows)
        )
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
