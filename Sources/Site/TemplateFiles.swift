import Archive
import Catalogue

/// The templates' own files: style, scripts, pictures; they stand in the site as they are.
struct TemplateFiles: PageSet {
    private let files: [SiteFile]

    init(_ templates: TemplateFolder) {
        files = templates.files
    }

    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    func filePaths(inBatch batch: Int) -> [SitePath] { files.map(\.path) }

    func batch(_ batch: Int, from reader: RevisionReader) -> PageBatch { PageBatch(files: files) }
}
