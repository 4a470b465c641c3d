public import Archive
public import Mustache

/// What a catalogue is told about the site it makes pages for.
public struct SiteContext: Sendable {
    /// Whether the data is the invented universe.
    public let isSample: Bool
    /// The API's address that the revision was captured from.
    public let api: String
    /// The day of the capture in UTC: "2026-11-21".
    public let captured: String
    /// What the revision lacks.
    public let gaps: [Gap]
    /// The program and its version: "Amber 0.1.0".
    public let generator: String
    /// The site's languages, that at its root first.
    public let editions: [Edition]
    /// Where the site will be hosted, without a slash at the end; nil where that is not known.
    public let baseURL: String?
    /// What happened to the source up to this revision; nil where that is of no concern.
    public let history: History?

    /// A context with its parts.
    public init(
        isSample: Bool, api: String, captured: String, gaps: [Gap], generator: String, editions: [Edition],
        baseURL: String? = nil,
        history: History? = nil
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
    public func address(of path: SitePath) -> String? {
        guard let baseURL else { return nil }
        // The root's address is that of its folder: servers answer it with index.html.
        return path.text == "index.html" ? "\(baseURL)/" : "\(baseURL)/\(path)"
    }
}

/// All that a site consists of, but for the templates' own files and the pages that every site has.
public struct SitePlan: Sendable {
    /// The pages and their pictures, in sets that are made independently.
    public let pages: [any PageSet]
    /// What the pages that every site has are made from; nil for a site without them.
    public let frame: PageFrame?
    /// What can be searched; nil for a site without a frame, since one of the pages that every site has is the search.
    public let search: SearchTable?
    /// What pages of changes say of records; nil for a site without such pages.
    public let telling: (any RecordTelling)?

    /// A plan of page sets.
    public init(
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
    public let pages: [DeferredPage]
    /// How many pages are made before the first of them is rendered. More than one saves time where the pages are
    /// small.
    public let pagesAtOnce: Int
    /// The pictures that have their places beside them.
    public let pictures: [SitePicture]
    /// Files that are no pages, such as a search index.
    public let files: [SiteFile]
    /// Files that grow with the data and are never held in memory.
    public let streams: [SiteStream]

    /// A batch of all of them.
    public init(
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
    /// Where it stands.
    public let path: SitePath
    /// Writes it to a new file, given by its path in the file system. Before it writes bytes, it calls `willWrite` with
    /// their number.
    public let write: @Sendable (_ file: String, _ willWrite: @escaping (Int) throws -> Void) throws -> Void

    /// A stream at a place.
    public init(
        path: SitePath,
        write: @escaping @Sendable (_ file: String, _ willWrite: @escaping (Int) throws -> Void) throws -> Void
    ) {
        self.path = path
        self.write = write
    }
}

/// A file of the site that is neither a page nor a picture.
public struct SiteFile: Sendable {
    /// Where it stands.
    public let path: SitePath
    /// What is in it.
    public let bytes: [UInt8]

    /// A file at a place.
    public init(path: SitePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// A picture of the archive at its place in the site.
public struct SitePicture: Sendable {
    /// Where it stands.
    public let path: SitePath
    /// What stands there.
    public let asset: Asset

    /// A picture at a place.
    public init(path: SitePath, asset: Asset) {
        self.path = path
        self.asset = asset
    }
}

/// Pages of one family, made in batches so that memory stays bounded and workers share the load.
public protocol PageSet: Sendable {
    /// How many batches there are.
    var batchCount: Int { get }

    /// The places of a batch's pages, known before anything is rendered.
    func pagePaths(inBatch batch: Int) -> [SitePath]

    /// The places of a batch's pictures, known as well.
    func picturePaths(inBatch batch: Int) -> [SitePath]

    /// The places of a batch's other files; none unless said otherwise.
    func filePaths(inBatch batch: Int) -> [SitePath]

    /// A batch's pages, its pictures and files, each in the order of its paths.
    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch
}

extension PageSet {
    /// None.
    public func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    /// None.
    public func picturePaths(inBatch batch: Int) -> [SitePath] { [] }

    /// None.
    public func filePaths(inBatch batch: Int) -> [SitePath] { [] }
}

/// One page: where it stands, and what is rendered into what.
public struct Page: Sendable {
    /// Where it stands.
    public let path: SitePath
    /// The template's name.
    public let template: String
    /// What the template shows.
    public let model: Object
    /// The edition whose texts the template has.
    public let edition: Int

    /// A page with its parts.
    public init(path: SitePath, template: String, model: Object, edition: Int = 0) {
        self.path = path
        self.template = template
        self.model = model
        self.edition = edition
    }
}

/// A template that pages are rendered from, with the names it can use.
public struct PageTemplate: Sendable {
    /// The template's name: its file name without ".mustache".
    public let name: String
    /// The names and kinds of its model.
    public let shape: Shape

    /// A template with its model's shape.
    public init(_ name: String, _ shape: Shape) {
        self.name = name
        self.shape = shape
    }
}
