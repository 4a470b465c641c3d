import Archive
import Catalogue
import Platform

/// The search index's files among the site's; each is a batch of its own.
struct SearchSet: PageSet {
    private let paths: [SitePath]
    private let files: LastingFiles

    init(_ table: SearchTable) {
        let files = SearchFiles(of: table)
        paths = files.paths
        self.files = LastingFiles(files, of: table)
    }

    var batchCount: Int { paths.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    func filePaths(inBatch batch: Int) -> [SitePath] { [paths[batch]] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(files: [SiteFile(path: paths[batch], bytes: files.bytes(of: batch))])
    }
}

/// The index as it is needed to make its files: large, so it is let go when each has been made once, and made again
/// where one is asked for after that.
private final class LastingFiles: Sendable {
    private let table: SearchTable
    private let state: Guarded<(files: SearchFiles?, left: Int)>

    init(_ files: SearchFiles, of table: SearchTable) {
        self.table = table
        state = Guarded((files, files.paths.count))
    }

    func bytes(of place: Int) -> [UInt8] {
        let files = state.withLock { state in
            let files = state.files ?? SearchFiles(of: table)
            if state.files == nil { state.left = files.paths.count }
            state.left -= 1
            state.files = state.left > 0 ? files : nil
            return files
        }
        return files.bytes(of: place)
    }
}
