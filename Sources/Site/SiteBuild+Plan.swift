import Archive
import Catalogue
import Evidence
import Mustache
import Platform

struct Plan: Sendable {
    /// Everything, in the order in which it is begun.
    let sets: [any PageSet]
    /// The digest of all answers, in hexadecimal; nil for a site that does not tell it.
    let rootHash: String?
}

extension SiteBuild {
    /// The catalogue's page sets, and those that every site has.
    func plan() throws -> Plan {
        let reader = try RevisionReader(revision, in: archive)
        try reader.refuseRepeatedBodies()
        let history = try History(reader, catalogue)
        let context = SiteContext(
            isSample: revision.source.origin == .sample, api: revision.source.api,
            captured: String(timestamp(milliseconds: revision.finished).prefix(10)), gaps: try reader.gaps(),
            generator: generator,
            editions: templates.editions, baseURL: baseURL,
            history: history)
        let plan = try catalogue.plan(for: reader, context)
        let own = FileSet(files: templates.files)
        guard let frame = plan.frame else { return Plan(sets: plan.pages + [own], rootHash: nil) }
        let twin = try Twin(of: reader, catalogue)
        let rootHash = try RootHash(of: twin, reader, catalogue)
        // The index is large, and what was needed for the evidence is gone by now.
        let search = plan.search.map { [SearchSet($0)] } ?? []
        let exports = try ExportFiles(catalogue, reader)
        let shared = SharedPages(frame: frame, rootHash: rootHash, exports: exports.paths)
        let evidence = CompletenessPages(frame: frame, rootHash: rootHash, twin: twin, catalogue: catalogue)
        let changes = try ChangeTeller(history, plan.telling ?? UntoldRecords(), reader)
        let told: [any PageSet] = [ChangePages(frame: frame, changes: changes), Feeds(frame, changes)]
        let revisions = changes.revisions.map { RevisionPages(frame: frame, changes: changes, told: $0) }
        let pages: [any PageSet] = search + [evidence] + plan.pages + [shared] + told + revisions
        let maps = baseURL.map { SiteMaps(pages, baseURL: $0, day: context.captured) }
        let style = String(decoding: templates.file("style.css"), as: UTF8.self)
        let files = SiteFiles(frame: frame, siteMap: maps?.paths.first, build: publication(history), style: style).files
        let api = revision.imported == nil ? TwinFiles.ownFiles(revision.source, catalogue) : []
        // The exports take longest one by one, so they come first: no core waits for them at the end.
        let sets: [any PageSet] = [exports] + pages + [try TwinFiles(twin, of: reader), FileSet(files: files + api)]
        return Plan(sets: sets + (maps.map { [$0] } ?? []) + [own], rootHash: rootHash.hex)
    }

    /// The places of all files, and how many pages there are.
    func index(_ sets: [any PageSet]) throws -> (index: PathIndex, pages: Int) {
        var index = PathIndex()
        // Paths that have capitals, in small letters: Windows, macOS and FAT take two that differ in nothing else for
        // one.
        var folded = PathIndex()
        var pages = 0
        func insert(_ path: SitePath) throws {
            guard !path.isRefused else {
                throw SiteError.refused(
                    "a file of the site would be called \(path), which is not allowed as a path; nothing is published")
            }
            guard index.insert(path) else {
                throw SiteError.refused("two pages or files would stand at \(path); nothing is published")
            }
            let isAlone =
                if let lower = path.folded {
                    !index.contains(lower.text.utf8) && folded.insert(lower)
                } else {
                    folded.count == 0 || !folded.contains(path.text.utf8)
                }
            guard isAlone else {
                throw SiteError.refused(
                    "two files of the site differ in capital letters only, at \(path): Windows and macOS take them for "
                        + "one; rename one of them")
            }
        }
        for set in sets {
            for batch in 0..<set.batchCount {
                let paths = set.pagePaths(inBatch: batch)
                pages += paths.count
                for path in paths { try insert(path) }
                for path in set.picturePaths(inBatch: batch) { try insert(path) }
                for path in set.filePaths(inBatch: batch) { try insert(path) }
            }
        }
        return (index, pages)
    }

    /// Tells scripts one publication from another: equal content has equal names, whenever and from wherever it was
    /// captured.
    private func publication(_ history: History) -> String {
        var hasher = SHA256Hasher()
        for part in history.revisions.map(\.digest.hex) + [templates.digest.hex, generator, baseURL ?? ""] {
            hasher.update("\(part)\n")
        }
        return hasher.finish().prefixInHex(bytes: 8)
    }
}
