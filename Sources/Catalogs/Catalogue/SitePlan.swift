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

    /// A context with its parts.
    public init(isSample: Bool, api: String, captured: String, gaps: [Gap], generator: String) {
        self.isSample = isSample
        self.api = api
        self.captured = captured
        self.gaps = gaps
        self.generator = generator
    }
}

/// All that a site consists of, but for the templates' own files.
public struct SitePlan: Sendable {
    /// The pages and their pictures, in sets that are made independently.
    public let pages: [any PageSet]

    /// A plan of page sets.
    public init(pages: [any PageSet]) {
        self.pages = pages
    }
}

/// Pages and pictures that are made together.
public struct PageBatch: Sendable {
    /// The pages.
    public let pages: [Page]
    /// The pictures that have their places beside them.
    public let pictures: [SitePicture]

    /// A batch of both.
    public init(pages: [Page], pictures: [SitePicture]) {
        self.pages = pages
        self.pictures = pictures
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

    /// A batch's pages with their models, and its pictures, each in the order of its paths.
    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch
}

/// One page: where it stands, and what is rendered into what.
public struct Page: Sendable {
    /// Where it stands.
    public let path: SitePath
    /// The template's name.
    public let template: String
    /// What the template shows.
    public let model: Object

    /// A page with its parts.
    public init(path: SitePath, template: String, model: Object) {
        self.path = path
        self.template = template
        self.model = model
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
