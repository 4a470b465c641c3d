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
    let workers: Int

    /// A build of a revision with templates.
    /// - Parameters:
    ///   - generator: the program and its version, as pages name it.
    ///   - baseURL: where the site will be hosted, without a slash at the end; nil where that is not known.
    public init(
        of revision: Revision, in archive: ArchiveFolder, _ catalogue: any Catalogue, _ templates: TemplateFolder, generator: String,
        baseURL: String? = nil, workers: Int = processorCount
    ) {
        self.catalogue = catalogue
        self.templates = templates
        self.revision = revision
        self.archive = archive
        self.generator = generator
        self.baseURL = baseURL
        self.workers = workers
    }
}

extension SiteBuild {
    /// The digest over everything that the site is a function of; `program` tells builds of the same version apart.
    public func key(program: String) throws(SiteError) -> String {
        var hasher = SHA256Hasher()
        for part in [revision.source.api, revision.source.origin.rawValue, templates.digest.hex, generator, baseURL ?? "", program] {
            hasher.update("\(part)\n")
        }
        do throws(ArchiveError) {
            for state in try RevisionReader(revision, in: archive).history() {
                hasher.update("\(state.number) \(state.digest.hex) \(state.finished) \(state.imported == nil)\n")
            }
        } catch {
            throw .archive(error)
        }
        return hasher.finish().hex
    }

    /// Tells scripts one publication from another: equal content has equal names, whenever and from wherever it was captured.
    private func publication(_ history: History) -> String {
        var hasher = SHA256Hasher()
        for part in history.revisions.map(\.digest.hex) + [templates.digest.hex, generator, baseURL ?? ""] { hasher.update("\(part)\n") }
        return hasher.finish().prefixInHex(bytes: 8)
    }

    /// The published site, where it is the one that this build would make, and nobody has touched it.
    public func standing(in site: SiteFolder, key: String) throws(SiteError) -> BuildReport? {
        do {
            guard let manifest = try site.publishedManifest(), manifest.key == key else { return nil }
            let folder = try Folder.open(site.site)
            var report = BuildReport()
            for (path, entry) in manifest.entries {
                let status = FileStatus(path, in: folder)
                let holds =
                    entry.picture.map { entry.holds(for: status, madeFrom: FileStatus(archive.assetPath(hex: $0.hex))) }
                    ?? entry.holds(for: status)
                guard holds else { return nil }
                report.count((entry, .kept))
                if path.hasSuffix(".html") { report.pages += 1 }
            }
            return report
        } catch {
            throw .system(error)
        }
    }

    /// Renders, checks and writes every page into the hidden tree; what readers see stays as it is.
    /// - Parameters:
    ///   - progress: told how many of all pages are done.
    ///   - isCancelled: asked now and then, by all workers; once it says so, the build ends with `cancelled`.
    public func prepare(
        _ site: SiteFolder, key: String, progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(SiteError) -> PreparedSite {
        do {
            try site.refuseForeignSite()
            let sets = try plan()
            let index = try index(sets)
            let before = try site.openHidden(origin: revision.source.origin)
            var (manifest, report) = try write(sets, index, into: site.hidden, before: before, progress, isCancelled)
            // A tree that was empty a moment ago holds nothing else.
            if !before.entries.isEmpty { try removeLeftovers(in: site.hidden, after: manifest) }
            manifest.key = key
            if isCancelled() { throw SiteError.cancelled }
            return PreparedSite(site: site, manifest: manifest, report: report)
        } catch {
            throw SiteError(error)
        }
    }

    /// Builds the site into a folder of its own, without publishing.
    public func write(to folder: String) throws(SiteError) -> BuildReport {
        do {
            let sets = try plan()
            let index = try index(sets)
            try Folder.remove(folder)
            try Folder.make(folder)
            let nothing = Manifest(key: nil, origin: revision.source.origin)
            return try write(sets, index, into: folder, before: nothing, { _, _ in }, { false }).report
        } catch {
            throw SiteError(error)
        }
    }
}

extension SiteBuild {
    /// The catalogue's page sets, and those that every site has.
    func plan() throws -> [any PageSet] {
        let reader = try RevisionReader(revision, in: archive)
        let history = try History(reader, catalogue)
        let context = SiteContext(
            isSample: revision.source.origin == .sample, api: revision.source.api,
            captured: String(timestamp(milliseconds: revision.finished).prefix(10)), gaps: try reader.gaps(), generator: generator,
            editions: templates.editions, baseURL: baseURL,
            history: history)
        let plan = try catalogue.plan(for: reader, context)
        guard let frame = plan.frame else { return plan.pages }
        let search = plan.search.map { [SearchSet($0)] } ?? []
        let twin = try Twin(of: reader, catalogue)
        let rootHash = try RootHash(of: twin, reader)
        let found = try Completeness(of: twin, rootHash, reader, catalogue, workers: workers)
        let shared = SharedPages(frame, rootHash: rootHash, exports: ExportFiles.paths(of: catalogue))
        let changes = try ChangeTeller(history, plan.telling ?? UntoldRecords(), reader)
        let told: [any PageSet] = [CompletenessPages(frame, found), ChangePages(frame: frame, changes: changes), Feeds(frame, changes)]
        let revisions = changes.revisions.map { RevisionPages(frame: frame, changes: changes, told: $0) }
        let pages: [any PageSet] = plan.pages + search + [shared] + told + revisions
        // The exports take longest one by one, so they come first: no core waits for them at the end.
        return [ExportFiles(catalogue, reader)] + pages + [TwinFiles(twin, of: revision, catalogue)]
            + [SiteFiles(frame, pages, build: publication(history))]
    }

    func index(_ sets: [any PageSet]) throws(SiteError) -> PathIndex {
        var index = PathIndex()
        func insert(_ path: SitePath) throws(SiteError) {
            guard index.insert(path) else { throw .twice(path) }
        }
        for set in sets {
            for batch in 0..<set.batchCount {
                for path in set.pagePaths(inBatch: batch) + set.picturePaths(inBatch: batch) + set.filePaths(inBatch: batch) {
                    try insert(path)
                }
            }
        }
        for file in templates.files { try insert(file.path) }
        return index
    }

    private func write(
        _ sets: [any PageSet], _ index: PathIndex, into path: String, before: Manifest,
        _ progress: @escaping @Sendable (Int, Int) -> Void, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws -> (manifest: Manifest, report: BuildReport) {
        for folder in index.folders.sorted() { try Folder.make("\(path)/\(folder)") }
        return try make(sets, index, at: path, TreeWriter(folder: try Folder.open(path), before: before), progress, isCancelled)
    }

    /// Makes all files of the site, on as many threads as there are workers, and hands them to the output.
    func make(
        _ sets: [any PageSet], _ index: PathIndex, at path: String, _ output: any SiteOutput,
        _ progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }, _ isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> (manifest: Manifest, report: BuildReport) {
        let queue = BatchQueue(sets, isCancelled: isCancelled)
        let results = Guarded<[Result<PageWorker.Result, SiteError>]>([])
        DispatchQueue.concurrentPerform(iterations: max(1, min(workers, queue.count))) { _ in
            let result = Result { () throws(SiteError) in
                try PageWorker(self, output, index).run(queue, progress: progress)
            }
            results.withLock { $0.append(result) }
        }
        if isCancelled() { throw SiteError.cancelled }
        var report = BuildReport()
        var manifest = Manifest(key: nil, origin: revision.source.origin)
        var faults: [PageFault] = []
        var faultCount = 0
        var anchors: Set<SitePageChecker.Anchor> = []
        for result in results.withLock({ $0 }) {
            let part = try result.get()
            manifest.entries.merge(part.entries) { _, new in new }
            report.add(part.report, workers: min(workers, queue.count))
            faults += part.faults
            faultCount += part.faultCount
            anchors.formUnion(part.anchors)
        }
        let lost = try SitePageChecker.faults(in: anchors) { page in
            manifest.entries[page] == nil ? nil : try File.read("\(path)/\(page)")
        }
        faults += lost
        faultCount += lost.count
        guard faults.isEmpty else {
            let sorted = faults.sorted { ($0.page, $0.line, $0.message) < ($1.page, $1.line, $1.message) }
            throw SiteError.pages(Array(sorted.prefix(20)), count: faultCount)
        }
        let start = ContinuousClock.now
        for file in templates.files { report.take(try output.write(file.bytes, to: file.path), file.path, into: &manifest) }
        report.seconds["publish", default: 0] += start.duration(to: .now) / .seconds(1)
        return (manifest, report)
    }

    /// Removes what the new site does not have: pages no longer made, and files that Amber never made.
    private func removeLeftovers(in path: String, after manifest: Manifest) throws(SystemError) {
        let folder = try Folder.open(path)
        for file in try Folder.files(below: path) where manifest.entries[file] == nil { try File.remove(file, in: folder) }
    }
}

/// A site that is whole and checked, and waits to be seen.
public struct PreparedSite: Sendable {
    let site: SiteFolder
    let manifest: Manifest
    /// What preparing it took.
    public let report: BuildReport

    /// Publishes it in one step: who looks sees the old site or this one.
    public func publish() throws(SiteError) {
        do {
            try site.exchange(manifest)
        } catch {
            throw SiteError(error)
        }
    }
}
