package import Archive
package import Catalogue
package import Mustache

/// The properties of a site that a catalogue needs to create its pages.
package struct SiteContext: Sendable {
    package let revision: Revision
    package let history: History
    package let gaps: [Gap]
    package let generator: String
    package let editions: [Edition]
    /// The address at which the site will be hosted, without a slash at the end; nil if unknown.
    package let baseURL: String?

    package init(
        _ revision: Revision, _ history: History, gaps: [Gap], generator: String, editions: [Edition], baseURL: String?
    ) {
        self.revision = revision
        self.history = history
        self.gaps = gaps
        self.generator = generator
        self.editions = editions
        self.baseURL = baseURL
    }

    package var isSample: Bool { revision.source.origin == .sample }
    package var api: String { revision.source.api }
    /// The day of the capture in UTC: "2026-11-21".
    package var captured: String { revision.day }

    /// The absolute address of a file of the site; nil without a base URL.
    package func address(of path: SitePath) -> String? {
        guard let baseURL else { return nil }
        // Servers answer the address of the root folder with index.html.
        return path.text == "index.html" ? "\(baseURL)/" : "\(baseURL)/\(path)"
    }
}

/// The pages and data that a catalogue adds to a site. It does not include the files of the templates and the pages
/// that every site has. `shared` is the data for these pages; nil for a site without them.
package typealias SitePlan = (pages: [any PageSet], shared: SharedData?)

/// The data for the pages that every site has. The presenter names and formats records on the pages of changes. A
/// former address of a page is never the address of another page. The note is a sentence for the builder of the site.
package typealias SharedData = (
    frame: PageFrame, search: SearchTable, presenter: any RecordPresenter, moved: [MovedPage], feeds: [RecordFeed],
    note: String?
)

/// The id of a record, its name, its moment (RFC 3339), its page and its text as XHTML.
package typealias FeedEntry = (id: String, title: String, updated: String, page: SitePath, markup: String)

/// A feed of records, their list, and the newest ones, the newest first. Paths are relative to the language's root.
package typealias RecordFeed = (
    path: SitePath, title: TextDeclaration, page: SitePath,
    entries: @Sendable (_ reader: RevisionReader, _ edition: Edition) throws -> [FeedEntry]
)

/// A former address of a page, and its present address, both relative to the language's root.
package typealias MovedPage = (from: SitePath, to: SitePath)

/// Creates one page with its model. A build calls it once.
package typealias DeferredPage = @Sendable () throws -> Page

/// The pages, pictures and other files of one batch.
package struct PageBatch: Sendable {
    /// Each page is created only when it is rendered, because the models of a complete batch can need a gigabyte.
    package let pages: [DeferredPage]
    package let pictures: [SitePicture]
    package let files: [SiteFile]
    /// Files whose size grows with the data. They are never completely in memory.
    package let streams: [SiteStream]

    package init(
        pages: [DeferredPage] = [], pictures: [SitePicture] = [], files: [SiteFile] = [], streams: [SiteStream] = []
    ) {
        self.pages = pages
        self.pictures = pictures
        self.files = files
        self.streams = streams
    }
}

/// A file of the site that is written in pieces.
package struct SiteStream: Sendable {
    package let path: SitePath
    /// Writes a new file at a path of the file system. Calls `willWrite` with a number of bytes before it writes them.
    package let write: @Sendable (_ file: String, _ willWrite: @escaping (Int) throws -> Void) throws -> Void

    package init(
        path: SitePath,
        write: @escaping @Sendable (_ file: String, _ willWrite: @escaping (Int) throws -> Void) throws -> Void
    ) {
        self.path = path
        self.write = write
    }
}

/// Pages of one type. They are created in batches, to limit memory and to share the work among threads.
package protocol PageSet: Sendable {
    var batchCount: Int { get }

    /// The paths of a batch's pages. They are known before anything is rendered.
    func pagePaths(inBatch batch: Int) -> [SitePath]

    func picturePaths(inBatch batch: Int) -> [SitePath]

    func filePaths(inBatch batch: Int) -> [SitePath]

    /// A batch's pages, pictures and files, each in the order of the paths above.
    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch
}

extension PageSet {
    package func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    package func picturePaths(inBatch batch: Int) -> [SitePath] { [] }
    package func filePaths(inBatch batch: Int) -> [SitePath] { [] }
}

/// One page: its path, its template, its model and the index of its edition.
package typealias Page = (path: SitePath, template: String, model: Object, edition: Int)

/// A page template: its file name without ".mustache", the names it can use, and the name of the shared template that
/// replaces a missing one; nil if the template is required.
package typealias PageTemplate = (name: String, shape: Shape, standard: String?)

/// The site in one language: the first one is at the site's root, others are in folders with their names.
package final class Edition: Sendable {
    package let texts: Texts
    /// The folder of its pages, with a slash at the end: "" or "ru/".
    private let folder: String
    package let index: Int

    package init(_ texts: Texts, index: Int) {
        self.texts = texts
        self.index = index
        folder = index == 0 ? "" : "\(texts.language)/"
    }

    package func path(_ path: SitePath) -> SitePath { index == 0 ? path : SitePath(joined: folder + path.text) }
}
