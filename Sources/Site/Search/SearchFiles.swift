import Archive
import Catalogue
import Pages
import Platform

/// The files of a site's search index. A small index is only `search-index.js`. A large index also has a file
/// `search/….js` for each prefix. The bytes of a file are computed when they are requested, on any thread.
struct SearchFiles: Sendable {
    let paths: [SitePath]
    private let encoder: SearchEncoder
    private let tree: PrefixTree?

    init(of table: SearchTable, oneFileLimit: Int = SearchTable.maxRowsInOneFile) {
        encoder = SearchEncoder(table)
        let index = SitePath(fixed: "search-index.js")
        guard table.count > oneFileLimit else {
            tree = nil
            paths = [index]
            return
        }
        let tree = PrefixTree(encoder)
        self.tree = tree
        // A limited number of hexadecimal digits (`PrefixTree.maximumPrefixLength`) is always a valid path.
        paths = [index] + tree.nodes.map { SitePath(joined: "search/\(tree.prefix(of: $0).hex).js") }
    }

    /// The files as a page set.
    ///
    /// The index uses a lot of memory, so it is freed when every file has been requested once. A later request creates the
    /// index again.
    static func set(_ table: SearchTable) -> FileSet {
        let files = SearchFiles(of: table)
        let paths = files.paths
        let state = Locked((files: Optional(files), remaining: paths.count))
        return FileSet(paths) { index in
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
        let total = ScriptValue.number(Int64(encoder.table.count))
        guard let tree else { return encoder.file([("total", total)], rows: nil) }
        guard index > 0 else {
            return encoder.file([("total", total), ("next", .text(tree.letters(after: nil)))], rows: [])
        }
        let node = tree.nodes[index - 1]
        let next = node.isLeaf ? [] : [("next", ScriptValue.text(tree.letters(after: node)))]
        let prefix = String(decoding: tree.prefix(of: node), as: UTF8.self)
        return encoder.file(
            [("prefix", .text(prefix)), ("total", .number(Int64(node.total)))] + next, rows: tree.rows(of: node))
    }
}
