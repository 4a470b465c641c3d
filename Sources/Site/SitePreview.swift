import Archive
import Catalogue
import Mustache

/// Single files of a site before it is built: who changes a template sees the page at hand while the others are still
/// to be made.
public struct SitePreview: Sendable {
    /// The build that makes the whole site.
    public let build: SiteBuild
    private let sets: [any PageSet]
    /// The paths of all pages and files that the sets make; pictures are not among them.
    private let paths: PathIndex

    /// A look at what a build would make.
    /// - Parameter earlier: one of the templates before; what does not depend on them is not made again.
    public init(_ build: SiteBuild, after earlier: SitePreview? = nil) throws(SiteError) {
        self.build = build
        if let earlier, earlier.build.revision.number == build.revision.number,
            earlier.build.templates.hasSameTexts(as: build.templates)
        {
            sets = earlier.sets
            paths = earlier.paths
        } else {
            do {
                sets = try build.plan().sets
            } catch {
                throw SiteError(error)
            }
            var paths = PathIndex()
            for set in sets {
                for batch in 0..<set.batchCount {
                    for path in set.pagePaths(inBatch: batch) { _ = paths.insert(path) }
                    for path in set.filePaths(inBatch: batch) { _ = paths.insert(path) }
                }
            }
            self.paths = paths
        }
    }

    /// Whether `file(at:)` has something to make for a path. This takes one lookup.
    public func contains(_ path: String) -> Bool {
        paths.contains(path.utf8) || build.templates.files.contains { $0.path.text == path }
    }

    /// A page as it will be, or a file that is as small; nil for all others.
    /// - Parameter path: in the site: "character/1.html".
    public func file(at path: String) throws(SiteError) -> [UInt8]? {
        if let own = build.templates.files.first(where: { $0.path.text == path }) { return own.bytes }
        do {
            for set in sets {
                for number in 0..<set.batchCount {
                    if set.pagePaths(inBatch: number).contains(where: { $0.text == path }) {
                        return try page(path, of: try batch(number, of: set))
                    }
                    if set.filePaths(inBatch: number).contains(where: { $0.text == path }) {
                        return try batch(number, of: set).files.first { $0.path.text == path }?.bytes
                    }
                }
            }
            return nil
        } catch {
            throw SiteError(error)
        }
    }

    private func batch(_ number: Int, of set: any PageSet) throws -> PageBatch {
        try set.batch(number, from: try RevisionReader(build.revision, in: build.archive))
    }

    private func page(_ path: String, of batch: PageBatch) throws -> [UInt8]? {
        for make in batch.pages {
            let page = try make()
            guard page.path.text == path else { continue }
            var bytes: [UInt8] = []
            var renderer = build.templates.libraries[page.edition].renderer()
            try renderer.render(page.template, page.model, into: &bytes)
            return bytes
        }
        return nil
    }
}
