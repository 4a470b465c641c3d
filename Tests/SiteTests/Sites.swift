import Archive
import Catalogue
import Mustache
import Pages
import Platform
import TestSupport

@testable import Site

/// A site of a few pages with its archive, templates and output in one folder.
struct Sites {
    let scratch: ScratchFolder
    var catalogue = FixedCatalogue()
    private(set) var revision: Revision

    var output: String { "\(scratch.path)/out" }
    var archive: ArchiveFolder { ArchiveFolder("\(scratch.path)/archive") }
    var templates: String { "\(scratch.path)/templates" }
    var folder: SiteFolder { SiteFolder(output: output) }

    init(_ pages: [String: String] = ["index.html": "<p>Hello</p>"]) async throws {
        scratch = try ScratchFolder()
        catalogue.pages = pages
        let writer = try ArchiveWriter(ArchiveFolder("\(scratch.path)/archive"))
        revision = try await Self.makeRevision(
            in: ArchiveFolder("\(scratch.path)/archive"), through: writer, &catalogue)
        try await writer.close()
        try Folder.make("\(output)/.amber")
        try scratch.write(
            """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
            <head><meta charset="utf-8" /><title>T</title><meta name="viewport" content="width=device-width" /><meta name="generator" content="Amber test" /></head>
            <body><h1>T</h1>{{{body}}}</body>
            </html>

            """, to: "templates/page.mustache")
        try scratch.write("p{color:red}", to: "templates/style.css")
    }

    func siteBuild(baseURL: String? = nil, program: String = "", workers: Int = 2) throws -> SiteBuild {
        SiteBuild(
            of: revision, in: archive, catalogue, try TemplateFolder(TemplateSource(templates)),
            generator: "Amber test",
            baseURL: baseURL, program: program, workers: workers)
    }

    @discardableResult
    func build(workers: Int = 2, in folder: SiteFolder? = nil) throws -> BuildReport {
        let folder = folder ?? self.folder
        let program = "\(catalogue.pages.sorted { $0.key < $1.key }) \(catalogue.pictures)"
        let site = try siteBuild(program: program, workers: workers)
        let key = try site.key()
        if let report = try folder.reportIfUpToDate(key: key, from: archive) { return report }
        let prepared = try site.prepare(folder, key: key)
        try prepared.publish()
        return prepared.report
    }

    /// Builds the site even if nothing changed.
    @discardableResult
    func rebuild(program: String = "program") throws -> BuildReport {
        let site = try siteBuild(program: program)
        let prepared = try site.prepare(folder, key: "\(catalogue.pages.sorted { $0.key < $1.key })")
        try prepared.publish()
        return prepared.report
    }

    /// The error of a build; nil if the build succeeds.
    func failure() throws -> String? { errorText { try build() } }

    func published() throws -> [String: String] {
        try contents(of: folder.site).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    private static func makeRevision(
        in folder: ArchiveFolder, through writer: ArchiveWriter, _ catalogue: inout FixedCatalogue
    ) async throws -> Revision {
        let source = Source(catalogue: "made", api: "http://made.example", origin: .live)
        let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
        let exchange = try await revision.accept(
            NewExchange(
                path: "picture", role: .asset, status: 200, headers: [], received: 1,
                body: Array("bytes of a picture".utf8), asset: (.png, width: 1, height: 1)))
        catalogue.asset = exchange.asset
        return try await revision.finish(gaps: []).revision
    }
}

/// A catalogue that is not used for captures.
protocol UncapturedCatalogue: SiteCatalogue {}

extension UncapturedCatalogue {
    var name: String { "made" }
    var lists: [ListEndpoint] { [] }
    var recordsPerRequest: Int { 1 }
    var texts: [TextDeclaration] { [] }

    func page(_ answer: PageAnswer, of list: ListEndpoint) throws -> ListPage {
        throw ContentFault("", "has no lists")
    }
    func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws -> RecordFacts {
        throw ContentFault("", "has no records")
    }
    func path(for keys: [RecordKey]) -> String? { "" }
    func plural(of kind: String) -> String { "\(kind)s" }
    func records(in body: [UInt8], requested keys: [RecordKey]) throws -> [Range<Int>] { [] }
}

/// A catalogue with fixed pages. Each batch has one page, and pages are ordered by path.
struct FixedCatalogue: UncapturedCatalogue {
    var pages: [String: String] = [:]
    /// Additional pages. Their paths may equal paths of other pages.
    var more: [String] = []
    /// Additional paths that are joined from parts, like the paths of records.
    var joined: [String] = []
    var pictures: [String] = []
    var asset: Asset?
    /// The batch whose reading fails.
    var failsAt: Int?
    var isOneBatch = false
    /// Called before a page's model is created.
    var willMake: @Sendable (SitePath) throws -> Void = { _ in }

    var pageTemplates: [PageTemplate] = [("page", Self.shape, nil)]
    var texts: [TextDeclaration] = []
    var languages: [String] = []
    static let shape = Shape("page", [.init("body", .html, "what the page shows")])

    func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let all = pages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + more.map { ($0, "<p>again</p>") }
        let places = pictures.compactMap { path in
            SitePath(path).flatMap { path in asset.map { (path, $0) } }
        }
        let set = Set(
            all: all.compactMap { path, body in SitePath(path).map { ($0, body) } }
                + joined.map { (SitePath(joined: $0), "<p>x</p>") },
            pictures: places, failsAt: failsAt, isOneBatch: isOneBatch, willMake: willMake)
        return ([set], nil)
    }

    private struct Set: PageSet {
        let all: [(path: SitePath, body: String)]
        /// All pictures are in the first batch.
        let pictures: [SitePicture]
        let failsAt: Int?
        let isOneBatch: Bool
        let willMake: @Sendable (SitePath) throws -> Void

        var batchCount: Int { isOneBatch ? 1 : all.count }
        func pagePaths(inBatch batch: Int) -> [SitePath] { pages(inBatch: batch).map(\.path) }
        private func pages(inBatch batch: Int) -> ArraySlice<(path: SitePath, body: String)> {
            isOneBatch ? all[...] : all[batch...batch]
        }
        func picturePaths(inBatch batch: Int) -> [SitePath] { batch == 0 ? pictures.map(\.path) : [] }
        func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
            if batch == failsAt { throw ContentFault("name", "is made to fail") }
            let pages: [DeferredPage] = pages(inBatch: batch).map { path, body in
                {
                    try willMake(path)
                    return (path, "page", Object(FixedCatalogue.shape, [.html(Array(body.utf8))]), 0)
                }
            }
            return PageBatch(pages: pages, pictures: batch == 0 ? pictures : [])
        }
    }
}

/// What catalogues of tests leave out.
extension SiteCatalogue {
    var translatedFields: [String] { [] }
    var filters: [(field: String, label: TextDeclaration)] { [] }
    var languages: [String] { [] }
}
