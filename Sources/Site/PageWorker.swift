import Archive
import Catalogue
import HTMLCheck
import Mustache
import Platform

/// Renders, checks and writes batches of pages on one thread, with one buffer, one renderer, one checker, one reader.
struct PageWorker: ~Copyable {
    struct Result: Sendable {
        var entries: [String: Manifest.Entry] = [:]
        /// The first faults found.
        var faults: [PageFault] = []
        var faultCount = 0
        var anchors: Set<SitePageChecker.Anchor> = []
        var report = BuildReport()
    }

    /// Faults beyond this many are counted only: the first ones say enough.
    private static let faultLimit = 1_000

    private let reader: RevisionReader
    private let output: any SiteOutput
    private let checker: SitePageChecker
    /// One for each edition.
    private let renderers: [EditionRenderer]
    private var result = Result()

    init(_ build: SiteBuild, _ output: any SiteOutput, _ index: PathIndex) throws(SiteError) {
        do {
            reader = try RevisionReader(build.revision, in: build.archive)
        } catch {
            throw .archive(error)
        }
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
            while let (set, batch) = queue.pop() {
                let start = ContinuousClock.now
                let batch = try set.batch(batch, from: reader)
                spend("render", since: start)
                for page in batch.pages { try make(page, &buffer) }
                try link(batch.pictures)
                try write(batch.files)
                try write(batch.streams)
                progress(queue.finish(batch.pages.count), queue.pageCount)
            }
        } catch {
            queue.stop()
            throw SiteError(error)
        }
        result.anchors = checker.anchors
        return result
    }

    private mutating func make(_ page: Page, _ buffer: inout [UInt8]) throws {
        buffer.removeAll(keepingCapacity: true)
        let start = ContinuousClock.now
        try renderers[page.edition].render(page.template, page.model, into: &buffer)
        let rendered = spend("render", since: start)
        let faults = checker.faults(in: buffer, at: page.path.text)
        let checked = spend("check", since: rendered)
        result.report.pages += 1
        guard faults.isEmpty else {
            result.faultCount += faults.count
            if result.faults.count < Self.faultLimit { result.faults += faults }
            return
        }
        let file = try output.write(buffer, to: page.path)
        result.entries[page.path.text] = file.0
        result.report.count(file)
        spend("publish", since: checked)
    }

    private mutating func link(_ pictures: [SitePicture]) throws {
        let start = ContinuousClock.now
        for picture in pictures {
            let file = try output.link(picture.asset, from: reader.path(of: picture.asset), to: picture.path)
            result.entries[picture.path.text] = file.0
            result.report.count(file)
        }
        spend("publish", since: start)
    }

    private mutating func write(_ files: [SiteFile]) throws {
        let start = ContinuousClock.now
        for file in files {
            let written = try output.write(file.bytes, to: file.path)
            result.entries[file.path.text] = written.0
            result.report.count(written)
        }
        spend("publish", since: start)
    }

    private mutating func write(_ streams: [SiteStream]) throws {
        let start = ContinuousClock.now
        for stream in streams {
            let written = try output.write(stream)
            result.entries[stream.path.text] = written.0
            result.report.count(written)
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

    func render(_ template: String, _ model: Object, into buffer: inout [UInt8]) throws(TemplateError) {
        try renderer.render(template, model, into: &buffer)
    }
}
