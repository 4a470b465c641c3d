import Archive
import Catalogue
import Evidence
import Mustache
import Platform

/// What a site is to be made of.
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
        let own = TemplateFiles(templates)
        guard let frame = plan.frame else { return Plan(sets: plan.pages + [own], rootHash: nil) }
        let twin = try Twin(of: reader, catalogue)
        let rootHash = try RootHash(of: twin, reader)
        // The index is large, and what was needed for the evidence is gone by now.
        let search = plan.search.map { [SearchSet($0)] } ?? []
        let exports = try ExportFiles(catalogue, reader)
        let shared = SharedPages(frame, rootHash: rootHash, exports: exports.paths)
        let evidence = CompletenessPages(frame, rootHash: rootHash) { [catalogue] reader in
            try Completeness(of: twin, rootHash, reader, catalogue)
        }
        let changes = try ChangeTeller(history, plan.telling ?? UntoldRecords(), reader)
        let told: [any PageSet] = [ChangePages(frame: frame, changes: changes), Feeds(frame, changes)]
        let revisions = changes.revisions.map { RevisionPages(frame: frame, changes: changes, told: $0) }
        let pages: [any PageSet] = search + [evidence] + plan.pages + [shared] + told + revisions
        // The exports take longest one by one, so they come first: no core waits for them at the end.
        let sets: [any PageSet] =
            [exports] + pages + [try TwinFiles(twin, of: reader, catalogue)]
            + [SiteFiles(frame, pages, build: publication(history), style: templates.file("style.css")), own]
        return Plan(sets: sets, rootHash: rootHash.hex)
    }

    /// The places of all files, and how many pages there are.
    func index(_ sets: [any PageSet]) throws(SiteError) -> (index: PathIndex, pages: Int) {
        var index = PathIndex()
        // Paths that have capitals, in small letters: Windows, macOS and FAT take two that differ in nothing else for
        // one.
        var folded = PathIndex()
        var pages = 0
        func insert(_ paths: [SitePath]) throws(SiteError) {
            for path in paths {
                guard !path.isRefused else { throw .refused(path) }
                guard index.insert(path) else { throw .twice(path) }
                if let lower = path.folded {
                    guard !index.contains(lower.text.utf8), folded.insert(lower) else { throw .sameButForCase(path) }
                } else if folded.count > 0 {
                    guard !folded.contains(path.text.utf8) else { throw .sameButForCase(path) }
                }
            }
        }
        for set in sets {
            for batch in 0..<set.batchCount {
                let paths = set.pagePaths(inBatch: batch)
                pages += paths.count
                try insert(paths)
                try insert(set.picturePaths(inBatch: batch))
                try insert(set.filePaths(inBatch: batch))
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
