import Archive
import Catalogue
import HTMLCheck
import Mustache
import Platform

/// Renders, checks and writes batches of pages on one thread, with one buffer, one renderer, one checker, one reader.
struct PageWorker: ~Copyable {
    struct Result: Sendable {
        var faults = FaultTally()
        var anchors: Set<SitePageChecker.Anchor> = []
        var report = BuildReport()
    }

    private let build: SiteBuild
    private let reader: RevisionReader
    private let output: any SiteOutput
    private let previous: PreviousTrees
    /// Where it is noted what was made; nil where nobody asks.
    private let manifest: ManifestWriter?
    private let checker: SitePageChecker
    /// One for each edition.
    private let renderers: [EditionRenderer]
    private var result = Result()

    /// The batch at hand, and what is known of its files from before.
    private var segment = ManifestSegment(from: nil)
    private var known: [String: Manifest.Entry] = [:]

    init(
        _ build: SiteBuild, _ output: any SiteOutput, _ index: PathIndex, _ previous: PreviousTrees,
        _ manifest: ManifestWriter?
    ) throws(SiteError) {
        do {
            reader = try RevisionReader(build.revision, in: build.archive)
        } catch {
            throw .archive(error)
        }
        self.build = build
        self.previous = previous
        self.manifest = manifest
        renderers = build.templates.libraries.map(EditionRenderer.init)
        checker = SitePageChecker(index)
        self.output = output
    }
}

extension PageWorker {
    /// Works until the queue is empty.
    consuming func run(_ queue: BatchQueue, progress: (Int, Int) -> Void) throws(SiteError) -> Result {
        var buffer: [UInt8] = []
        do {
            while let (set, number) = queue.pop() {
                let id = Manifest.SegmentID(set: set.name, batch: number)
                let inputs = try build.inputs(of: set, number, from: reader)
                let start = ContinuousClock.now
                if let inputs, let kept = try previous.keep(id, inputs, at: set.paths(inBatch: number)) {
                    let pages = result.report.count(kept)
                    try manifest?.append(kept, id)
                    spend("publish", since: start)
                    progress(queue.finish(pages), queue.pageCount)
                    continue
                }
                segment = ManifestSegment(from: inputs)
                known = try previous.known(id)
                let batch = try set.batch(number, from: reader)
                spend("render", since: start)
                var rest = batch.pages[...]
                while !rest.isEmpty {
                    let start = ContinuousClock.now
                    let pages = try rest.prefix(batch.pagesAtOnce).map { try $0() }
                    rest.removeFirst(pages.count)
                    spend("render", since: start)
                    for page in pages {
                        precondition(
                            inputs == nil || set.templates.contains(page.template),
                            "\(set.name) does not say that it uses \(page.template)"
                        )
                        try write(page, &buffer, queue)
                    }
                }
                try link(batch.pictures)
                try write(batch.files)
                try write(batch.streams)
                try manifest?.append(segment, id)
                progress(queue.finish(batch.pages.count), queue.pageCount)
            }
        } catch {
            queue.stop()
            throw SiteError(error)
        }
        result.anchors = checker.anchors
        return result
    }

    private mutating func write(_ page: Page, _ buffer: inout [UInt8], _ queue: BatchQueue) throws {
        let start = ContinuousClock.now
        buffer.removeAll(keepingCapacity: true)
        let steps = try renderers[page.edition].render(page.template, page.model, into: &buffer)
        try queue.take(bytes: buffer.count, steps: steps)
        let rendered = spend("render", since: start)
        let faults = checker.faults(in: buffer, at: page.path.text)
        let checked = spend("check", since: rendered)
        result.report.pages += 1
        guard faults.isEmpty else {
            result.faults.add(
                faults, of: buffer,
                templates: [page.template]
                    + build.templates.libraries[page.edition].reach(of: page.template).filter { $0 != page.template })
            return
        }
        take(try output.write(buffer, to: page.path, known: known[page.path.text]), page.path)
        spend("publish", since: checked)
    }

    /// Notes a file that has come to its place.
    private mutating func take(_ file: (Manifest.Entry, TreeWriter.Outcome), _ path: SitePath) {
        segment.append(path, file.0)
        result.report.count(file)
    }

    private mutating func link(_ pictures: [SitePicture]) throws {
        let start = ContinuousClock.now
        for picture in pictures {
            take(try output.link(picture.asset, to: picture.path, known: known[picture.path.text]), picture.path)
        }
        spend("publish", since: start)
    }

    private mutating func write(_ files: [SiteFile]) throws {
        let start = ContinuousClock.now
        for file in files {
            take(try output.write(file.bytes, to: file.path, known: known[file.path.text]), file.path)
        }
        spend("publish", since: start)
    }

    private mutating func write(_ streams: [SiteStream]) throws {
        let start = ContinuousClock.now
        for stream in streams {
            take(try output.write(stream, known: known[stream.path.text]), stream.path)
        }
        spend("publish", since: start)
    }

    @discardableResult
    private mutating func spend(_ stage: String, since start: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        result.report.seconds[stage, default: 0] += start.duration(to: now) / .seconds(1)
        return now
    }
}

/// A renderer that several can be kept of, side by side.
private final class EditionRenderer {
    private var renderer: Renderer

    init(_ library: Library) {
        renderer = library.renderer()
    }

    /// - Returns: how many steps it took.
    func render(_ template: String, _ model: Object, into buffer: inout [UInt8]) throws -> Int {
        try renderer.render(template, model, into: &buffer)
        return renderer.steps
    }
}
