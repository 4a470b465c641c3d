public import Archive
package import Mustache

/// What a catalogue is told about the site it makes pages for.
public struct SiteContext: Sendable {
    package let isSample: Bool
    package let api: String
    /// The day of the capture in UTC: "2026-11-21".
    package let captured: String
    package let gaps: [Gap]
    package let generator: String
    package let editions: [Edition]
    /// Where the site will be hosted, without a slash at the end; nil where that is not known.
    package let baseURL: String?
    package let history: History?

    package init(
        isSample: Bool, api: String, captured: String, gaps: [Gap], generator: String, editions: [Edition],
        baseURL: String? = nil, history: History? = nil
    ) {
        self.isSample = isSample
        self.api = api
        self.captured = captured
        self.gaps = gaps
        self.generator = generator
        self.editions = editions
        self.baseURL = baseURL
        self.history = history
    }

    /// The absolute address of a file of the site; nil where it is not known where the site will be.
    package func address(of path: SitePath) -> String? {
        guard let baseURL else { return nil }
        // The root's address is that of its folder: servers answer it with index.html.
        return path.text == "index.html" ? "\(baseURL)/" : "\(baseURL)/\(path)"
    }
}

/// All that a site consists of, but for the templates' own files and the pages that every site has.
public struct SitePlan: Sendable {
    package let pages: [any PageSet]
    package let frame: PageFrame?
    package let search: SearchTable?
    /// What pages of changes say of records; nil for a site without such pages.
    package let telling: (any RecordTelling)?

    package init(
        pages: [any PageSet], frame: PageFrame? = nil, search: SearchTable? = nil, telling: (any RecordTelling)? = nil
    ) {
        precondition(frame == nil || search != nil, "the pages that every site has search it")
        self.pages = pages
        self.frame = frame
        self.search = search
        self.telling = telling
    }
}

/// Makes one page with its model; called once in a build.
public typealias DeferredPage = @Sendable () throws -> Page

/// Pages, pictures and other files that are made together.
public struct PageBatch: Sendable {
    /// The pages, each made only when it is rendered: the models of a whole batch can take a gigabyte.
    package let pages: [DeferredPage]
    /// How many pages are made before the first of them is rendered. More than one saves time where the pages are
    /// small.
    package let pagesAtOnce: Int
    package let pictures: [SitePicture]
    package let files: [SiteFile]
    /// Files that grow with the data and are never held in memory.
    package let streams: [SiteStream]

    package init(
        pages: [DeferredPage] = [], pagesAtOnce: Int = 1, pictures: [SitePicture] = [], files: [SiteFile] = [],
        streams: [SiteStream] = []
    ) {
        self.pages = pages
        self.pagesAtOnce = pagesAtOnce
        self.pictures = pictures
        self.files = files
        self.streams = streams
    }
}

/// A file of the site that is written piece by piece.
public struct SiteStream: Sendable {
    package let path: SitePath
    /// Writes it to a new file, given by its path in the file system. Before it writes bytes, it calls `willWrite` with
    /// their number.
    package let write: @Sendable (_ file: String, _ willWrite: @escaping (Int) throws -> Void) throws -> Void

    package init(
        path: SitePath,
        write: @escaping @Sendable (_ file: String, _ willWrite: @escaping (Int) throws -> Void) throws -> Void
    ) {
        self.path = path
        self.write = write
    }
}

/// A file of the site that is neither a page nor a picture.
public struct SiteFile: Sendable {
    package let path: SitePath
    package let bytes: [UInt8]

    package init(path: SitePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// A picture of the archive at its place in the site.
public struct SitePicture: Sendable {
    package let path: SitePath
    package let asset: Asset

    package init(path: SitePath, asset: Asset) {
        self.path = path
        self.asset = asset
    }
}

/// Pages of one family, made in batches so that memory stays bounded and workers share the load.
public protocol PageSet: Sendable {
    var batchCount: Int { get }

    /// The places of a batch's pages, known before anything is rendered.
    func pagePaths(inBatch batch: Int) -> [SitePath]

    func picturePaths(inBatch batch: Int) -> [SitePath]

    func filePaths(inBatch batch: Int) -> [SitePath]

    /// A batch's pages, its pictures and files, each in the order of its paths.
    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch
}

extension PageSet {
    package func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    package func picturePaths(inBatch batch: Int) -> [SitePath] { [] }
    package func filePaths(inBatch batch: Int) -> [SitePath] { [] }
}

/// One page: where it stands, and what is rendered into what.
public struct Page: Sendable {
    package let path: SitePath
    package let template: String
    package let model: Object
    package let edition: Int

    package init(path: SitePath, template: String, model: Object, edition: Int = 0) {
        self.path = path
        self.template = template
        self.model = model
        self.edition = edition
    }
}

/// A template that pages are rendered from, with the names it can use.
public struct PageTemplate: Sendable {
    /// The template's name: its file name without ".mustache".
    package let name: String
    package let shape: Shape

    package init(_ name: String, _ shape: Shape) {
        self.name = name
        self.shape = shape
    }
}

/// The site in one language: at the site's root, or in a folder named for the language.
public struct Edition: Sendable {
    package let texts: Texts
    /// The folder that its pages are in, with a slash at the end: "" or "ru/".
    package let folder: String
    package let index: Int

    package init(_ texts: Texts, index: Int) {
        self.texts = texts
        self.index = index
        folder = index == 0 ? "" : "\(texts.language)/"
    }

    /// Where a page of all editions stands in this one.
    package func path(_ path: SitePath) -> SitePath { path.below(folder) }
}
