import Archive
import Catalogue

/// The search index's files among the site's; each is a batch of its own.
struct SearchSet: PageSet {
    private let files: SearchFiles

    private let records: Inputs?

    /// - Parameter records: what the table is made from; nil where nobody knows.
    init(_ table: SearchTable, _ records: Inputs?) {
        files = SearchFiles(of: table)
        self.records = records
    }

    var name: String { "search" }

    var batchCount: Int { files.paths.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    func filePaths(inBatch batch: Int) -> [SitePath] { [files.paths[batch]] }

    func inputs(ofBatch batch: Int, from reader: RevisionReader) -> Inputs? { records }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(files: [SiteFile(path: files.paths[batch], bytes: files.bytes(of: batch))])
    }
}
