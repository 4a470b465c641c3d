import Archive
import Catalogue

/// The search index's files among the site's; each is a batch of its own.
struct SearchSet: PageSet {
    private let files: SearchFiles

    init(_ table: SearchTable) {
        files = SearchFiles(of: table)
    }

    var batchCount: Int { files.paths.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    func filePaths(inBatch batch: Int) -> [SitePath] { [files.paths[batch]] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(files: [SiteFile(path: files.paths[batch], bytes: files.bytes(of: batch))])
    }
}
