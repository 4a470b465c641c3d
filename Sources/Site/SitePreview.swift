import Archive
import Catalogue
import Mustache
import Pages

/// Renders single files of a site before the site is built, so that a changed template is visible immediately.
package struct SitePreview: Sendable {
    package let build: SiteBuild
    private let sets: [any PageSet]
    /// The paths of all pages and files, without pictures.
    private let paths: PathIndex

    /// - Parameter earlier: an earlier preview, whose data is reused if the revision and the texts are the same.
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
        for (set, number) in Shard.whole.batches(of: sets) {
            for path in set.pagePaths(inBatch: number) + set.filePaths(inBatch: number) { _ = paths.insert(path) }
        }
        self.paths = paths
    }

    /// Whether `file(at:)` can return a file. This is fast.
    package func contains(_ path: String) -> Bool { paths.contains(path.utf8) || build.templates.file(path) != nil }

    /// Renders a page or a small file as it will be published; nil for other paths.
    /// - Parameter path: the path in the site, such as "character/1.html".
    package func file(at path: String) throws -> [UInt8]? {
        if let own = build.templates.file(path) { return own }
        let reader = try RevisionReader(build.revision, in: build.archive)
        for (set, number) in Shard.whole.batches(of: sets) {
            if let index = set.pagePaths(inBatch: number).firstIndex(where: { $0.text == path }) {
                let page = try set.batch(number, from: reader).pages[index]()
                var bytes: [UInt8] = []
                var renderer = Renderer(build.templates.libraries[page.edition])
                try renderer.render(page.template, .object(page.model), into: &bytes)
                return bytes
            }
            if set.filePaths(inBatch: number).contains(where: { $0.text == path }) {
                return try set.batch(number, from: reader).files.first { $0.path.text == path }?.bytes
            }
        }
        return nil
    }
}
