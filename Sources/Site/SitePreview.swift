import Archive
import Catalogue
import Mustache

/// Single files of a site before it is built: who changes a template sees the page at hand while the others are still
/// to be made.
package struct SitePreview: Sendable {
    /// The build that makes the whole site.
    package let build: SiteBuild
    private let sets: [any PageSet]
    /// The paths of all pages and files that the sets make; pictures are not among them.
    private let paths: PathIndex

    /// - Parameter earlier: one of the templates before; what does not depend on them is not made again.
    package init(_ build: SiteBuild, after earlier: SitePreview? = nil) throws {
        self.build = build
        if let earlier, earlier.build.revision.number == build.revision.number,
            earlier.build.templates.hasSameTexts(as: build.templates)
        {
            sets = earlier.sets
            paths = earlier.paths
            return
        }
        sets = try build.plan().sets
        var paths = PathIndex()
        for set in sets {
            for batch in 0..<set.batchCount {
                for path in set.pagePaths(inBatch: batch) + set.filePaths(inBatch: batch) { _ = paths.insert(path) }
            }
        }
        self.paths = paths
    }

    /// Whether `file(at:)` has something to make for a path. This takes one lookup.
    package func contains(_ path: String) -> Bool {
        paths.contains(path.utf8) || build.templates.files.contains { $0.path.text == path }
    }

    /// A page as it will be, or a file that is as small; nil for all others.
    /// - Parameter path: in the site: "character/1.html".
    package func file(at path: String) throws -> [UInt8]? {
        if let own = build.templates.files.first(where: { $0.path.text == path }) { return own.bytes }
        for set in sets {
            for number in 0..<set.batchCount {
                let places = set.pagePaths(inBatch: number) + set.filePaths(inBatch: number)
                guard places.contains(where: { $0.text == path }) else { continue }
                let batch = try set.batch(number, from: try RevisionReader(build.revision, in: build.archive))
                return try page(path, of: batch) ?? batch.files.first { $0.path.text == path }?.bytes
            }
        }
        return nil
    }

    private func page(_ path: String, of batch: PageBatch) throws -> [UInt8]? {
        guard path.hasSuffix(".html") else { return nil }
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
