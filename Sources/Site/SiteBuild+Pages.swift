import Archive
import Catalogue
import Mustache
import Pages
import Platform

extension SiteBuild {
    /// Renders all files of the site on `workers` threads. Then checks the links to fragments of other pages.
    /// - Parameter folder: the folder with the files of the output.
    /// - Returns: the report, and the links to fragments of pages of other shards, which are not checked.
    /// - Throws: `SiteError.pages` if a page has a fault.
    func renderFiles(
        of plan: RenderPlan, _ shard: Shard = .whole, in folder: OpenFolder, to output: any SiteOutput
    ) throws -> (report: BuildReport, unchecked: SitePageChecker.Anchors) {
        // The size of the database is used as the size of its records.
        let recordBytes = Int(FileStatus(archive.database)?.size ?? 0) * max(1, templates.editions.count)
        let queue = BatchQueue(
            plan.sets, shard, pages: plan.pages / shard.count, recordBytes: recordBytes, isCancelled: isCancelled)
        let threads = max(1, min(workers, queue.count))
        let results = resultsOnAllCores(Array(0..<threads)) { _ in try render(queue, plan.index, to: output) }
        if isCancelled() { throw SiteError.cancelled }
        var report = output.report
        (report.pages, report.rootHash, report.note) = (queue.finishedPages, plan.rootHash, plan.note)
        var faults = FaultTally()
        var anchors: SitePageChecker.Anchors = [:]
        let parts = try results.map { try $0.get() }
        for part in parts {
            faults.add(part.faults)
            anchors.merge(part.anchors) { $0.merging($1) { first, _ in first } }
        }
        if faults.count == 0, parts.contains(where: \.hasLostIDs) { (faults, anchors) = try checkAll(plan, in: folder) }
        let unchecked = shard == .whole ? [:] : anchors.filter { FileStatus($0.key, in: folder) == nil }
        let missingFragments = try SitePageChecker.faults(in: anchors.filter { unchecked[$0.key] == nil }) { page in
            plan.index.contains(page.utf8) && FileStatus(page, in: folder) != nil
                ? try File.read(page, in: folder) : nil
        }
        faults.add(missingFragments)
        guard faults.count == 0 else { throw SiteError.pages(faults) }
        return (report, unchecked)
    }

    /// Renders, checks and writes batches of pages on one thread.
    /// - Returns: the faults, the links to fragments of other pages, and whether a page may lack an id that its
    ///   published version had.
    private func render(
        _ queue: BatchQueue, _ index: PathIndex, to output: any SiteOutput
    ) throws -> (faults: FaultTally, anchors: SitePageChecker.Anchors, hasLostIDs: Bool) {
        let reader = try RevisionReader(revision, in: archive)
        let renderers = templates.libraries.map(EditionRenderer.init)
        let checker = SitePageChecker(index)
        var buffer: [UInt8] = []
        var faults = FaultTally()
        func write(_ page: Page) throws {
            buffer.removeAll(keepingCapacity: true)
            let edition = renderers[page.edition]
            try edition.renderer.render(page.template, .object(page.model), into: &buffer)
            try queue.add(bytes: buffer.count, steps: edition.renderer.steps)
            let published = output.checkedPage(at: page.path)
            // A page that is equal to its published version has no faults, and the same links and ids.
            let isPublished = published?.equals(buffer) == true
            let found = isPublished ? [] : checker.faults(in: buffer, at: page.path.text, after: published)
            guard found.isEmpty else {
                let included = templates.libraries[page.edition].reachableTemplates(from: page.template)
                return faults.add(
                    found, of: buffer, templates: [page.template] + included.filter { $0 != page.template })
            }
            try output.write(buffer, to: page.path, isPublished: isPublished)
        }
        // After an error the other workers have no more batches.
        defer { queue.stop() }
        while let (set, number) = queue.pop() {
            let batch = try set.batch(number, from: reader)
            for page in batch.pages { try write(page()) }
            for (path, asset) in batch.pictures { try output.link(asset.sha256, size: asset.size, to: path) }
            for file in batch.files { try output.write(file.bytes, to: file.path) }
            for stream in batch.streams { try output.write(stream) }
            progress(queue.finishedPages, queue.pageCount)
        }
        return (faults, checker.anchors, checker.hasLostIDs)
    }

    /// Checks all written pages, because an unchanged page may have a link to an id that no longer exists.
    private func checkAll(_ plan: RenderPlan, in folder: OpenFolder) throws -> (FaultTally, SitePageChecker.Anchors) {
        let checker = SitePageChecker(plan.index)
        var faults = FaultTally()
        for (set, number) in Shard.whole.batches(of: plan.sets) {
            for path in set.pagePaths(inBatch: number) {
                faults.add(checker.faults(in: try File.read(path.text, in: folder), at: path.text))
            }
        }
        return (faults, checker.anchors)
    }
}

/// Distributes the batches of all page sets to workers. Each batch is returned once.
final class BatchQueue: Sendable {
    /// The batches of the shard.
    private let batches: [(set: any PageSet, number: Int)]
    private let state = Locked((next: 0, pages: 0, bytes: 0, steps: 0))
    private let isCancelled: @Sendable () -> Bool
    let pageCount: Int
    private let maximumMiB: Int
    var count: Int { batches.count }
    var finishedPages: Int { state.withLock { $0.pages } }

    /// - Parameters:
    ///   - recordBytes: the size of all records in bytes, multiplied by the number of languages.
    ///   - isCancelled: called before each batch. After it returns true, there are no more batches.
    init(
        _ sets: [any PageSet], _ shard: Shard, pages: Int, recordBytes: Int, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.isCancelled = isCancelled
        batches = shard.batches(of: sets)
        pageCount = pages
        maximumMiB = 1_024 + min(pages, 32 * recordBytes >> 20)
    }

    /// Removes all batches.
    func stop() { state.withLock { $0.next = count } }

    func pop() -> (set: any PageSet, number: Int)? {
        if isCancelled() { return nil }
        let index = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        return index < count ? batches[index] : nil
    }

    /// Adds a finished page with its bytes and rendering steps to the totals, and checks the totals.
    ///
    /// The limit of bytes is 1 GiB, plus the smaller of 1 MiB for each page and 32 times the size of the records. The
    /// limit of steps is 10^9, plus 10^5 for each page. Without these limits, a malicious API, archive or template
    /// could fill the disk or take hours, although each page is within its own limits.
    func add(bytes: Int, steps: Int) throws {
        let totals = state.withLock { state in
            state.pages += 1
            state.bytes += bytes
            state.steps += steps
            return state
        }
        let millionSteps = 1_000 + pageCount / 10
        var excess: String?
        if totals.bytes >> 20 > maximumMiB { excess = "have more than \(maximumMiB) MiB" }
        if totals.steps / 1_000_000 > millionSteps { excess = "take more than \(millionSteps) million steps" }
        guard let excess else { return }
        throw SiteError.refused(
            "all pages together \(excess), which is far more than normal; look for a template or records that repeat "
                + "too much")
    }
}

/// A renderer in a class. A renderer cannot be copied, so an array cannot contain it directly.
private final class EditionRenderer {
    var renderer: Renderer

    init(_ library: Library) { renderer = Renderer(library) }
}
