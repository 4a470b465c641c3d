import Archive
import Capture
import Catalogue
import Glibc
import HTTP
import Platform
import SampleAPI
import Site

/// One run of the program on one output folder: the stages, and what is said about them.
struct Run {
    let verb: Verb
    let settings: Settings
    let sample: SampleSettings
    let console: Console
    let archive: ArchiveFolder
    let site: SiteFolder

    init(_ verb: Verb, _ settings: Settings, _ sample: SampleSettings) {
        self.verb = verb
        self.settings = settings
        self.sample = sample
        console = Console(isQuiet: settings.isQuiet, isVerbose: settings.isVerbose)
        archive = ArchiveFolder("\(settings.output)/archive")
        site = SiteFolder(output: settings.output)
    }
}

extension Run {
    /// The whole way: capture, render and check, publish.
    func build() async throws -> ExitCode {
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        // What is wrong with the templates, or with the place, is better known before a long capture.
        try site.refuseForeignSite(for: settings.catalogue.name)
        let templates = try settings.source == .archive ? readTemplates() : readTemplates().compiled()
        let (revision, captured) = try await obtainRevision()
        return finish(try render(revision, templates, captured), place: site.site)
    }

    /// The first stage alone.
    func captureOnly() async throws -> ExitCode {
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        guard settings.source != .archive else {
            throw Failure(
                .wrongUsage, "capture brings something into the archive; --source archive has nothing to bring")
        }
        var (revision, summary) = try await obtainRevision()
        summary.rootHash = try rootHash(of: revision)
        return finish(summary, place: nil)
    }

    /// What follows the capture, from the newest revision or from the one named; of a part, all but publishing.
    func renderOnly(_ named: String?, part: String?) throws -> ExitCode {
        if let part { return try renderPart(part, of: named) }
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        guard settings.source != .live else {
            throw Failure(.wrongUsage, "render never asks the network; --source takes auto, archive or sample here")
        }
        let templates = try readTemplates()
        let revision = try revision(named)
        let summary = try archived(revision, as: revision.source.origin == .sample ? "sample" : "archive")
        return finish(try render(revision, templates, summary), place: site.site)
    }

    /// Checks the site that stands.
    func check() throws -> ExitCode {
        guard FileStatus("\(site.site)/index.html") != nil else {
            throw Failure(
                .wrongUsage, "there is no site in \(site.site) yet; make one with: \(settings.next.line(.build))")
        }
        let report = try SiteCheck(site.site).run { console.progress("check", done: $0, of: $1) }
        console.clear()
        for fault in report.faults.firsts { console.warn("\(site.site)/\(fault)") }
        if settings.wantsJSON {
            Console.output(
                json: "{\"faults\":\(report.faults.count),\"files\":\(report.files),\"pages\":\(report.pages)}")
        } else {
            console.say(
                "\(report.pages) pages and \(report.files) files checked in \(site.site): \(report.faults.count) faults"
            )
        }
        return report.faults.count == 0 ? .done : .pageFails
    }
}

extension Run {
    /// What a person sees of the work, in order.
    enum Stage: String {
        case capture
        case render = "render and check"
        case publish
    }

    /// A stage with its place among those of the verb: "[2/3] render and check".
    func label(_ stage: Stage) -> String {
        let stages: [Stage] =
            switch verb {
            case .build: [.capture, .render, .publish]
            case .render: [.render, .publish]
            default: [.capture]
            }
        let place = (stages.firstIndex(of: stage) ?? 0) + 1
        return "[\(place)/\(stages.count)] \(stage.rawValue)"
    }

    /// - Parameter name: of the lock: parts of a site may be made side by side.
    func lockOutput(_ name: String = "lock") throws -> FileLock {
        try Folder.make(settings.output)
        let output = try Folder.open(settings.output)
        // The output may be a link, and its archive; what else is there belongs to Amber, which follows no links there.
        for name in ["site", "cards", "parts", "snapshots"] where FileStatus(name, in: output)?.isLink == true {
            throw SystemError("use", "\(settings.output)/\(name)", code: ELOOP)
        }
        try output.make(".amber")
        guard let lock = try FileLock(".amber/\(name)", in: output) else {
            throw Failure(
                .outputInUse,
                "another amber is at work in \(settings.output); wait until it ends, or choose another --output")
        }
        return lock
    }

    /// Templates that were read, and compiled as soon as they are needed.
    struct Templates {
        let source: TemplateSource
        fileprivate let catalogue: any Catalogue
        fileprivate var folder: TemplateFolder?

        fileprivate func compiled() throws(Failure) -> Templates {
            Templates(source: source, catalogue: catalogue, folder: try compiledFolder())
        }

        func compiledFolder() throws(Failure) -> TemplateFolder {
            if let folder { return folder }
            do {
                let folder = try TemplateFolder(source)
                try folder.check(for: catalogue)
                return folder
            } catch {
                throw Failure(.pageFails, lines: Failure(error).lines)
            }
        }
    }

    func readTemplates() throws(Failure) -> Templates {
        let folder = try templatesFolder()
        do {
            return Templates(
                source: try TemplateSource(folder, language: settings.language), catalogue: settings.catalogue,
                folder: nil)
        } catch {
            throw Failure(.pageFails, lines: Failure(error).lines)
        }
    }

    func loadTemplates() throws(Failure) -> TemplateFolder { try readTemplates().compiledFolder() }

    /// What is to be said of a revision that was captured before.
    func archived(_ revision: Revision, as source: String) throws -> Summary {
        let reader = try RevisionReader(revision, in: archive)
        var summary = Summary(source: source, of: revision, gaps: try reader.gaps())
        summary.plural = settings.catalogue.plural
        summary.records = try reader.recordCounts()
        summary.assets = try reader.pictureCount()
        return summary
    }

    func finish(_ summary: Summary, place: String?) -> ExitCode {
        console.clear()
        if settings.wantsJSON {
            Console.output(json: summary.json)
        } else if !settings.isQuiet {
            Console.output(lines: summary.lines(place: place, next: settings.next.line(.serve)))
        }
        return summary.gaps.isEmpty ? .done : .publishedWithGaps
    }

    /// Renders and checks into the hidden tree, then publishes; nothing to do is found out first.
    func render(_ revision: Revision, _ templates: Templates, _ before: Summary) throws -> Summary {
        let key = try SiteBuild.key(
            of: revision, in: archive, settings.catalogue, templates: templates.source.digest,
            generator: AmberCommand.software, baseURL: settings.baseURL, program: Self.program)
        if let standing = try site.standing(key: key, from: archive) {
            console.detail("nothing has changed since \(site.site) was built")
            return Self.summary(before, of: standing)
        }
        let build = siteBuild(revision, try templates.compiledFolder())
        console.say(label(.render))
        let prepared = try build.prepare(
            site, key: key, progress: { done, all in console.progress(label(.render), done: done, of: all) },
            isCancelled: { Interruption.code != nil })
        console.clear()
        console.say(label(.publish))
        try prepared.publish()
        return Self.summary(before, of: prepared.report)
    }

    static func summary(_ before: Summary, of report: BuildReport) -> Summary {
        var summary = before
        summary.pages = report.pages
        summary.written = report.written
        summary.bytes = report.bytes
        summary.rootHash = report.rootHash ?? before.rootHash
        summary.seconds.merge(report.seconds) { $1 }
        return summary
    }

    /// Tells builds of one version apart: a site is as new as the program that made it.
    static let program: String =
        FileStatus(Folder.realPath("/proc/self/exe") ?? "").map { "\($0.size) \($0.modified)" } ?? ""
}
