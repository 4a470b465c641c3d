public import Archive
public import Catalogue
import Dispatch
import Evidence
import HTMLCheck
import Mustache
public import Platform

/// Builds a revision's site: rendered, checked and written into the hidden tree, then published by one exchange.
public struct SiteBuild: Sendable {
    let catalogue: any Catalogue
    let templates: TemplateFolder
    let revision: Revision
    let archive: ArchiveFolder
    let generator: String
    let baseURL: String?
    let program: String
    let workers: Int

    /// A build of a revision with templates.
    /// - Parameters:
    ///   - generator: the program and its version, as pages name it.
    ///   - baseURL: where the site will be hosted, without a slash at the end; nil where that is not known.
    ///   - program: tells builds of one version of the program apart.
    public init(
        of revision: Revision, in archive: ArchiveFolder, _ catalogue: any Catalogue, _ templates: TemplateFolder,
        generator: String,
        baseURL: String? = nil, program: String = "", workers: Int = processorCount
    ) {
        self.catalogue = catalogue
        self.templates = templates
        self.revision = revision
        self.archive = archive
        self.generator = generator
        self.baseURL = baseURL
        self.program = program
        self.workers = workers
    }
}

extension SiteBuild {
    /// The files of the templates that its pages are made from, by their paths in the folder, whatever stands there by
    /// now.
    public var templateFiles: [(path: String, bytes: [UInt8])] { templates.source.contents }

    /// The digest over everything that the site is a function of.
    public func key() throws(SiteError) -> String {
        try Self.key(
            of: revision, in: archive, catalogue, templates: templates.digest, generator: generator, baseURL: baseURL,
            program: program)
    }

    /// The same before anything is compiled; the parts are those of a build.
    public static func key(
        of revision: Revision, in archive: ArchiveFolder, _ catalogue: any Catalogue, templates: SHA256,
        generator: String,
        baseURL: String?,
        program: String
    ) throws(SiteError) -> String {
        var hasher = SHA256Hasher()
        for part in [
            revision.source.api, revision.source.origin.rawValue, templates.hex, generator, baseURL ?? "", program,
        ] {
            hasher.update("\(part)\n")
        }
        // As configured; records may be called by it.
        for root in catalogue.roots { hasher.update("\(root)\n") }
        do {
            for state in try RevisionReader(revision, in: archive).history() {
                hasher.update("\(state.number) \(state.digest.hex) \(state.finished) \(state.imported == nil)\n")
            }
        } catch {
            throw SiteError(error)
        }
        return hasher.finish().hex
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

    /// Renders, checks and writes every page into the hidden tree that is not there already; what readers see stays as
    /// it is.
    /// - Parameters:
    ///   - progress: told how many of all pages are done.
    ///   - isCancelled: asked now and then, by all workers; once it says so, the build ends with `cancelled`.
    public func prepare(
        _ site: SiteFolder, key: String, progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(SiteError) -> PreparedSite {
        do {
            try site.refuseForeignSite(for: catalogue.name)
            let plan = try plan()
            let (index, pages) = try index(plan.sets)
            let published = try site.publishedManifest()
            let (target, hidden) = try site.openHidden(for: revision.source)
            let standing = try site.openSite()
            let previous = try PreviousTrees(
                hidden: hidden.map { PreviousTrees.Tree(manifest: $0, folder: target) },
                published: published.flatMap { manifest in
                    standing.map { PreviousTrees.Tree(manifest: manifest, folder: $0) }
                },
                target: target, index, try OpenArchive(archive))
            for folder in index.folders.sorted() { try target.makeAll(String(folder)) }
            let job = Job(
                sets: plan.sets, index: index, pages: pages, folder: target, progress: progress,
                isCancelled: isCancelled)
            let output = TreeWriter(folder: target, archive: try Folder.open(archive.path))
            var manifest = try site.manifestDraft()
            var (facts, report): (Manifest.Facts, BuildReport)
            do {
                (facts, report) = try make(job, output, previous, manifest)
            } catch is KeptPagesFail {
                manifest = try site.manifestDraft()
                (facts, report) = try make(job, output, previous.comparedOnly, manifest)
            }
            // A tree that was empty a moment ago holds nothing else.
            if previous.holdsFiles { try removeLeftovers(in: target, index) }
            facts.key = key
            facts.rootHash = plan.rootHash
            report.rootHash = plan.rootHash
            if isCancelled() { throw SiteError.cancelled }
            return PreparedSite(site: site, manifest: manifest, facts: facts, report: report)
        } catch {
            throw SiteError(error)
        }
    }

    /// Builds the site, or a part of it, into a folder of its own, without publishing.
    /// - Parameters:
    ///   - path: the folder, which is made; what is there is removed.
    ///   - output: the folder that it is below: links are followed on the way to that one only. By default the one
    ///     that it lies in.
    ///   - limit: the most bytes of its files, pictures aside; the build fails once they have more.
    ///
    /// Of a part, links are looked for in the whole site; the fragments that they name on pages of other parts are not.
    public func write(
        to path: String, below output: String? = nil, part: Part = .whole, limit: Int64? = nil,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(SiteError) -> BuildReport {
        do {
            let plan = try plan()
            let (index, pages) = try index(plan.sets)
            let folder = try Self.emptyFolder(path, below: output)
            for below in index.folders.sorted() { try folder.makeAll(String(below)) }
            let job = Job(
                sets: plan.sets, part: part, index: index, pages: pages / part.count, folder: folder,
                progress: progress,
                isCancelled: isCancelled
            )
            let output = TreeWriter(folder: folder, archive: try Folder.open(archive.path), limit: limit)
            var report = try make(job, output, PreviousTrees(), nil).report
            report.rootHash = plan.rootHash
            return report
        } catch {
            throw SiteError(error)
        }
    }
}

extension SiteBuild {
    private static func emptyFolder(_ path: String, below output: String?) throws(SystemError) -> OpenFolder {
        let slash = path.lastIndex(of: "/")
        let above = output ?? slash.map { path.startIndex == $0 ? "/" : String(path[..<$0]) } ?? "."
        let name = output == nil ? slash.map { String(path[path.index(after: $0)...]) } ?? path : path
        try Folder.make(above)
        let root = try Folder.open(above)
        try root.remove(name)
        try root.makeAll(name)
        return try root.folder(name)
    }

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
        let search = plan.search.map { [SearchSet($0, plan.inputs)] } ?? []
        let exports = try ExportFiles(catalogue, reader)
        let shared = SharedPages(frame, rootHash: rootHash, exports: exports.paths)
        let evidence = CompletenessPages(frame, of: revision, rootHash: rootHash) { [catalogue] reader in
            try Completeness(of: twin, rootHash, reader, catalogue)
        }
        let changes = try ChangeTeller(history, plan.telling ?? UntoldRecords(), reader)
        let told: [any PageSet] = [ChangePages(frame: frame, changes: changes), Feeds(frame, changes)]
        let revisions = changes.revisions.map {
            RevisionPages(frame: frame, changes: changes, told: $0, records: plan.inputs)
        }
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

    /// What a batch is made from; nil where nobody knows, so that it is made every time.
    func inputs(of set: any PageSet, _ batch: Int, from reader: RevisionReader) throws -> Inputs? {
        guard let own = try set.inputs(ofBatch: batch, from: reader) else { return nil }
        var hasher = InputsHasher()
        hasher.add(program)
        hasher.add(generator)
        hasher.add(baseURL)
        hasher.add(revision.source.api)
        hasher.add(revision.source.origin.rawValue)
        hasher.add(templates.texts)
        for root in catalogue.roots { hasher.add(root.id) }
        for name in set.templates { hasher.add(templates.digests[name] ?? templates.texts) }
        hasher.add(set.name)
        hasher.add(batch)
        hasher.add(own)
        return hasher.finish()
    }

    /// What is to be made, and where it goes.
    struct Job: Sendable {
        let sets: [any PageSet]
        var part = Part.whole
        let index: PathIndex
        /// How many pages there are in all.
        let pages: Int
        /// Where the files are.
        let folder: OpenFolder
        var progress: @Sendable (Int, Int) -> Void = { _, _ in }
        var isCancelled: @Sendable () -> Bool = { false }
    }

    /// Makes all files of the site that are not kept from before, on as many threads as there are workers, and hands
    /// them to the output.
    func make(
        _ job: Job, _ output: any SiteOutput, _ previous: PreviousTrees, _ manifest: ManifestWriter?
    ) throws -> (facts: Manifest.Facts, report: BuildReport) {
        // The archive's database is little more than its records.
        let records = Int(FileStatus(archive.database)?.size ?? 0) * max(1, templates.editions.count)
        let queue = BatchQueue(
            job.sets, part: job.part, pages: job.pages, records: records, isCancelled: job.isCancelled)
        let results = Guarded<[Result<PageWorker.Result, SiteError>]>([])
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, queue.count))) { _ in
            let result = Result { () throws(SiteError) in
                try PageWorker(self, output, job.index, previous, manifest).run(queue, progress: job.progress)
            }
            results.withLock { $0.append(result) }
        }
        if job.isCancelled() { throw SiteError.cancelled }
        var report = BuildReport()
        var faults = FaultTally()
        var anchors: Set<SitePageChecker.Anchor> = []
        for result in results.withLock({ $0 }) {
            let part = try result.get()
            report.add(part.report, workers: min(workers, queue.count))
            faults.add(part.faults)
            anchors.formUnion(part.anchors)
        }
        func lost(_ anchors: Set<SitePageChecker.Anchor>) throws -> [PageFault] {
            try SitePageChecker.faults(in: anchors) { page in
                job.index.contains(page.utf8) && FileStatus(page, in: job.folder) != nil
                    ? try File.read(page, in: job.folder) : nil
            } isElsewhere: { page in
                job.part != .whole && job.index.contains(page.utf8) && FileStatus(page, in: job.folder) == nil
            }
        }
        faults.add(try lost(anchors))
        guard faults.count == 0 else { throw SiteError.pages(faults) }
        // Kept pages may name fragments; where one of these is gone, all pages are made, to tell which of them does.
        let inherited = previous.anchors.subtracting(anchors)
        guard try lost(inherited).isEmpty else { throw KeptPagesFail() }
        var facts = Manifest.Facts(
            key: nil, catalogue: revision.source.catalogue, origin: revision.source.origin, places: job.index.digest,
            pages: report.pages)
        facts.anchors = anchors.union(inherited)
        return (facts, report)
    }

    /// Removes what the new site does not have: pages no longer made, and files that Amber never made.
    private func removeLeftovers(in folder: OpenFolder, _ index: PathIndex) throws {
        var isLess = false
        try folder.forEachFile { file throws(SystemError) in
            guard !index.contains(file.utf8) else { return }
            try File.remove(file, in: folder)
            isLess = true
        }
        guard isLess else { return }
        // Folders that nothing of the site lies in any more.
        var needed: Set<Substring> = []
        for place in index.folders {
            needed.insert(place)
            for slash in place.indices where place[slash] == "/" { needed.insert(place[..<slash]) }
        }
        for below in try folder.folders() where !needed.contains(below[...]) { try folder.remove(below) }
    }
}

/// A page that was kept names a fragment that is gone.
private struct KeptPagesFail: Error {}

/// What a site is to be made of.
struct Plan: Sendable {
    /// Everything, in the order in which it is begun.
    let sets: [any PageSet]
    /// The digest of all answers, in hexadecimal; nil for a site that does not tell it.
    let rootHash: String?
}

/// A site that is whole and checked, and waits to be seen.
public struct PreparedSite: Sendable {
    let site: SiteFolder
    let manifest: ManifestWriter
    let facts: Manifest.Facts
    /// What preparing it took.
    public let report: BuildReport

    /// Publishes it in one step: who looks sees the old site or this one.
    public func publish() throws(SiteError) {
        do {
            try site.exchange(manifest, facts)
        } catch {
            throw SiteError(error)
        }
    }
}
