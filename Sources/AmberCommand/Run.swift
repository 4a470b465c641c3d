import Archive
import Catalogue
import CatalogueEngine
import Glibc
import Platform
import SampleAPI
import Site

/// One run of the program on one output folder.
struct Run {
    var settings: Settings
    let sample: Universe
    let console: Console
    let archive: ArchiveFolder
    let site: SiteFolder

    var arguments: Arguments { settings.arguments }

    init(_ arguments: Arguments) throws {
        settings = try Settings(arguments)
        sample = try Universe(arguments)
        console = Console(isQuiet: arguments.has(.quiet), isVerbose: arguments.has(.verbose))
        archive = ArchiveFolder("\(settings.output)/archive")
        site = SiteFolder(output: settings.output)
    }

    func build() async throws -> ExitCode {
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        // Errors in the output or the templates are reported before a long capture.
        try site.refuseForeignSite(for: settings.catalogue.name)
        let templates = try readTemplates()
        let compiled = settings.source == .archive ? nil : try compile(templates)
        return finish(try render(try await obtainRevision(), templates, compiled), site: site.site)
    }

    func captureOnly() async throws -> ExitCode {
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        try Failure.require(
            settings.source != .archive, "capture stores new data in the archive; use --source auto, live or sample")
        var summary = try await obtainRevision()
        summary.rootHash = try rootHash(of: summary.revision)
        return finish(summary)
    }

    /// Renders and publishes the newest or the named revision, or merges its parts. A part is only rendered.
    func renderOnly() throws -> ExitCode {
        let parts = try arguments.integer(.merge, in: 1...10_000)
        let part = try arguments[.part].map { text in
            try Failure.require(parts == nil, "--part renders a part, and --merge publishes all parts; use one of them")
            return try Failure.require(
                Shard(text), "--part requires a part and the number of parts, such as 2/3, not \"\(text)\"")
        }
        let lock = try lockOutput(part.map { "part-\($0).lock" } ?? "lock")
        defer { withExtendedLifetime(lock) {} }
        try Failure.require(
            settings.source != .live, "render does not use the network; use --source auto, archive or sample")
        let templates = try readTemplates()
        let revision = try revision(arguments[.revision])
        var summary = try archivedSummary(revision)
        guard let part else { return finish(try render(summary, templates, nil, parts: parts), site: site.site) }
        let build = interruptible(siteBuild(revision, try compile(templates)), label(.render))
        console.say("\(label(.render)) part \(part.number) of \(part.count)")
        summary.build = try build.write(part, below: settings.output)
        console.say(
            "part \(part.number) of \(part.count) is in \(settings.output)/parts/\(part); when all parts are there, "
                + "publish the site with --merge \(part.count)")
        return finish(summary)
    }

    func check() throws -> ExitCode {
        guard FileStatus("\(site.site)/index.html") != nil else { throw noSite }
        let report = try SiteCheck.run(site.site) { console.progress("check", done: $0, of: $1) }
        console.clear()
        for fault in report.faults.firstFaults { console.warn("\(site.site)/\(fault)") }
        let (pages, files, faults) = (report.pages, report.files, report.faults.count)
        let checked = "\(Summary.counted(pages, "page", "pages")) and \(Summary.counted(files, "file", "files"))"
        output(
            ["faults": .integer(faults), "files": .integer(files), "pages": .integer(pages)],
            lines: ["\(checked) checked in \(site.site): \(Summary.counted(faults, "fault", "faults"))"])
        return faults == 0 ? .done : .pageFails
    }

    var noSite: Failure {
        Failure.usage("there is no site in \(site.site) yet; create one with: \(settings.command(.build))")
    }

    enum Stage: String {
        case capture
        case render = "render and check"
        case merge = "merge and check"
        case publish
    }

    /// A stage with its number: "[2/3] render and check".
    func label(_ stage: Stage) -> String {
        let stages: [Stage] =
            switch arguments.verb {
            case .build: [.capture, .render, .publish]
            case .render where arguments.has(.part): [.render]
            case .render: [arguments.has(.merge) ? .merge : .render, .publish]
            default: [stage]
            }
        let number = stages.prefix { $0 != stage }.count + 1
        return "[\(number)/\(stages.count)] \(stage.rawValue)"
    }

    /// Creates the output folder and locks it.
    /// - Parameter name: the name of the lock. Each part has its own, so that parts are rendered side by side.
    func lockOutput(_ name: String = "lock") throws -> FileLock {
        try Folder.make(settings.output)
        let output = try Folder.open(settings.output)
        // The output folder and its archive may be symbolic links. Amber follows no other links in the output.
        for name in ["site", "cards", "parts", "snapshots"] where FileStatus(name, in: output)?.isLink == true {
            throw SystemError("use", "\(settings.output)/\(name)", code: ELOOP)
        }
        try output.make(".amber")
        return try Failure.require(
            FileLock(".amber/\(name)", in: output), as: .outputInUse,
            "another amber process uses \(settings.output); wait until it ends, or choose another --output")
    }

    /// - Parameters:
    ///   - folder: the path of the templates, as shown in messages; nil for the folder of the settings.
    ///   - catalogue: the path of the catalogue's folder; nil for the folder of the settings.
    func readTemplates(_ folder: String? = nil, catalogue: String? = nil) throws -> TemplateSource {
        let folder = try folder ?? settings.templates()
        return try Failure.with(.pageFails) {
            try TemplateSource(
                folder, catalogue: catalogue ?? settings.catalogueFolder.path, language: settings.configuration.language
            )
        }
    }

    func compile(_ source: TemplateSource) throws -> TemplateFolder {
        try Failure.with(.pageFails) {
            let folder = try TemplateFolder(source, for: settings.catalogue)
            try folder.check(for: settings.catalogue)
            if let note = try folder.unusedText(for: settings.catalogue) { console.say(note) }
            if let note = folder.unusedTemplate(for: settings.catalogue) { console.say(note) }
            return folder
        }
    }

    func archivedSummary(_ revision: Revision) throws -> Summary {
        let reader = try RevisionReader(revision, in: archive)
        return Summary(
            source: revision.source.origin == .sample ? "sample" : "archive", revision: revision,
            gaps: try reader.gaps(), records: try reader.recordCounts(), assets: try reader.assetCounts())
    }

    func finish(_ summary: Summary, site: String? = nil) -> ExitCode {
        console.clear()
        output(summary.json, lines: summary.lines(site: site, settings))
        return summary.code
    }

    /// Prints a result: as JSON with --json, otherwise as lines, unless --quiet is set.
    func output(_ json: JSON, lines: [String]) {
        if arguments.has(.json) {
            Console.output(json)
        } else if !arguments.has(.quiet) {
            Console.output(lines: lines)
        }
    }

    /// Renders and checks the site in the hidden tree, and publishes it. Does nothing if the site is up to date.
    /// - Parameters:
    ///   - compiled: the templates, if they are already compiled.
    ///   - parts: the number of parts to merge; nil to render the site.
    private func render(
        _ summary: Summary, _ templates: TemplateSource, _ compiled: TemplateFolder?, parts: Int? = nil
    ) throws -> Summary {
        var summary = summary
        let revision = summary.revision
        let key = try SiteBuild.key(
            of: revision, in: archive, settings.catalogue, templates: templates.digest,
            generator: AmberCommand.software, baseURL: settings.baseURL, program: Self.program)
        if let report = try site.reportIfUpToDate(key: key, from: archive) {
            console.detail("nothing has changed since \(site.site) was built")
            summary.build = report
            return summary
        }
        let label = label(parts == nil ? .render : .merge)
        let start = ContinuousClock.now
        let build = interruptible(siteBuild(revision, try compiled ?? compile(templates)), label)
        console.say(label)
        let prepared = try parts.map { try build.merge($0, into: site, key: key) } ?? build.prepare(site, key: key)
        console.say(self.label(.publish))
        try prepared.publish()
        if let note = prepared.report.note { console.say(note) }
        summary.build = prepared.report
        summary.seconds.append(("render", start.duration(to: .now) / .seconds(1)))
        return summary
    }

    /// The same build, which shows its progress, and which a signal cancels.
    private func interruptible(_ build: SiteBuild, _ label: String) -> SiteBuild {
        var build = build
        build.progress = { [console] done, all in console.progress(label, done: done, of: all) }
        build.isCancelled = { Interruption.code != nil }
        return build
    }

    func siteBuild(_ revision: Revision, _ templates: TemplateFolder) -> SiteBuild {
        Self.siteBuild(revision, settings.catalogue, templates, in: archive, baseURL: settings.baseURL)
    }

    /// The build of a revision's site, from any archive.
    static func siteBuild(
        _ revision: Revision, _ catalogue: DeclaredCatalogue, _ templates: TemplateFolder, in archive: ArchiveFolder,
        baseURL: String?
    ) -> SiteBuild {
        SiteBuild(
            of: revision, in: archive, catalogue, templates, generator: AmberCommand.software, baseURL: baseURL,
            program: program)
    }

    /// Identifies the program file, so that another build of the same version renders the site again.
    private static let program: String =
        FileStatus(Folder.realPath("/proc/self/exe") ?? "").map { "\($0.size) \($0.modified)" } ?? ""
}
