import Archive
import Catalogue
import Platform

/// The search index's files among the site's; each is a batch of its own.
///
/// The index as it is needed to make its files is large, so it is dropped when each has been made once, and made again
/// where one is asked for after that.
struct SearchSet: PageSet {
    private let paths: [SitePath]
    private let table: SearchTable
    private let state: Guarded<(files: SearchFiles?, left: Int)>

    init(_ table: SearchTable) {
        let files = SearchFiles(of: table)
        self.table = table
        paths = files.paths
        state = Guarded((files, files.paths.count))
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

/// The files of a site's search index: `search-index.js` alone, or beside it `search/….js` by the prefixes of words,
/// where there are more rows than a page should load. The places are known first; each file's bytes are made when asked
/// for, by any thread.
struct SearchFiles: Sendable {
    /// A part that leads on to others has so many rows itself, the best ones.
    static let firstRows = 60

    /// Where the files stand.
    let paths: [SitePath]
    private let encoder: SearchEncoder
    private let tree: PrefixTree?

    init(of table: SearchTable, wholeLimit: Int = SearchTable.mostInOneFile) {
        encoder = SearchEncoder(table)
        let index = SitePath(fixed: "search-index.js")
        guard table.count > wholeLimit else {
            tree = nil
            paths = [index]
            return
        }
        let tree = PrefixTree(encoder)
        self.tree = tree
        // Hexadecimal digits, not too many (`PrefixTree.longest`): always a path.
        paths = [index] + tree.nodes.map { SitePath(joined: "search/\(Self.hex(tree.prefix(of: $0))).js") }
    }

    /// Whether the index is in parts, which lists cannot be filtered by.
    var isSplit: Bool { tree != nil }

    /// What stands in the file at a place of `paths`.
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
