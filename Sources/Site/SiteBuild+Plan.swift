import Archive
import Catalogue
import Evidence
import Pages
import Platform

struct RenderPlan: Sendable {
    /// All page sets, in the order in which their batches are rendered.
    let sets: [any PageSet]
    /// The root hash in hexadecimal; nil for a site without one.
    let rootHash: String?
    /// A sentence for the builder of the site; nil for none.
    let note: String?
    let index: PathIndex
    let pages: Int

    /// - Throws: `SiteError.refused` for a path that is not allowed or that conflicts with another path.
    init(_ sets: [any PageSet], rootHash: String?, note: String? = nil) throws {
        var index = PathIndex()
        // The lower-case forms of paths with capital letters. Windows, macOS and FAT ignore the case of paths.
        var folded = PathIndex()
        var pages = 0
        func insert(_ path: SitePath) throws {
            try SiteError.require(
                !path.isRefused, "a file of the site has the path \(path), which is not allowed; nothing is published")
            try SiteError.require(index.insert(path), "two pages or files have the path \(path); nothing is published")
            let isUnique =
                if let lower = path.folded {
                    !index.contains(lower.text.utf8) && folded.insert(lower)
                } else {
                    folded.count == 0 || !folded.contains(path.text.utf8)
                }
            try SiteError.require(
                isUnique,
                "the path \(path) differs from the path of another file only in capital letters, and Windows and "
                    + "macOS treat both as one file; rename one of them")
        }
        for (set, number) in Shard.whole.batches(of: sets) {
            let paths = set.pagePaths(inBatch: number)
            pages += paths.count
            try (paths + set.picturePaths(inBatch: number) + set.filePaths(inBatch: number)).forEach(insert)
        }
        for folder in index.folders {
            var path = folder
            while !index.contains(path.utf8), let slash = path.lastIndex(of: "/") { path = path[..<slash] }
            try SiteError.require(
                !index.contains(path.utf8),
                "the site has both a file and a folder with the path \(path); rename one of them")
        }
        (self.sets, self.rootHash, self.note, self.index, self.pages) = (sets, rootHash, note, index, pages)
    }
}

extension SiteBuild {
    /// Plans the page sets: those of the catalogue, and those of every site.
    func plan() throws -> RenderPlan {
        let reader = try RevisionReader(revision, in: archive)
        try reader.refuseRepeatedBodies()
        let history = try History(reader, catalogue)
        let context = SiteContext(
            revision, history, gaps: try reader.gaps(), generator: generator, editions: templates.editions,
            baseURL: baseURL)
        let plan = try catalogue.plan(for: reader, context)
        let own = FileSet(templates.files)
        guard let (frame, table, presenter, moved, feeds, note) = plan.shared else {
            return try RenderPlan(plan.pages + [own], rootHash: nil)
        }
        // Each of the two takes long on one core. A reader must not be used by two threads, so the first opens its own.
        let ((mirror, rootHash), search) = try inParallel {
            let reader = try RevisionReader(revision, in: archive)
            let mirror = try APIMirror(of: reader, catalogue)
            return (mirror, try RootHash(of: mirror, reader))
        } _: {
            SearchFiles.set(table)
        }
        let exports = try exports(reader)
        let shared = SharedPages(
            frame: frame, complete: try CompletenessPages.verdict(frame, mirror, catalogue, reader),
            rootHash: rootHash, exports: exports.map(\.path))
        let evidence = CompletenessPages(frame: frame, rootHash: rootHash, mirror: mirror)
        let changes = try ChangePresenter(frame, presenter, reader, catalogue)
        let pages: [any PageSet] =
            [search, evidence] + plan.pages + [shared, changes.list, Feed.files([nil] + feeds, changes)]
            + changes.revisions.map(changes.pages)
        let maps = baseURL.map { SiteMaps(pages, baseURL: $0, day: context.captured) }
        let style = String(decoding: templates.file("style.css") ?? [], as: UTF8.self)
        let files = shared.files(table, siteMap: maps?.paths.first, build: publication(history), style: style)
        let api = revision.imported == nil ? catalogue.ownFiles(of: revision.source) : []
        // Exports take the longest, so they come first. Otherwise the other cores would wait for them at the end.
        let sets: [any PageSet] =
            [FileSet(streams: exports)] + pages + [
                shared.moved(moved), try MirrorFiles(mirror, of: reader), FileSet(files + api),
            ] + (maps.map { [$0.files] } ?? [])
        return try RenderPlan(sets + [own], rootHash: rootHash.hex, note: note)
    }

    /// An identifier of the publication for scripts. It depends only on the content.
    private func publication(_ history: History) -> String {
        let parts = history.revisions.map(\.digest.hex) + [templates.digest.hex, generator, baseURL ?? ""]
        return SHA256(of: parts.map { "\($0)\n" }.joined().utf8).prefixInHex(bytes: 8)
    }
}
