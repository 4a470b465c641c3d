import Archive
import Capture
import Catalogue
import Platform
import SampleAPI
import Site

extension Run {
    /// Captures one character's card live, prints it, and renders its page beside the published site.
    func card(_ operands: [String]) async throws -> ExitCode {
        guard let kind = settings.catalogue.cardKind else {
            throw Failure(
                .wrongUsage, "the catalogue \"\(settings.catalogue.name)\" has no cards that can be captured alone")
        }
        guard operands.count == 1, let id = Int64(operands[0]), id > 0 else {
            throw Failure(.wrongUsage, "say which \(kind), by its number: amber card 42")
        }
        guard settings.source != .archive else {
            throw Failure(.wrongUsage, "card asks the API; --source archive cannot serve it")
        }
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let templates = try loadTemplates()
        let server = settings.source == .sample ? try SampleServer(sample.universe) : nil
        defer { server?.stop() }
        let origin: Source.Origin = server == nil ? .live : .sample
        // The card's answers are no revision of the whole, so they do not go into the archive.
        let folder = ArchiveFolder("\(settings.output)/.amber/card")
        try Folder.remove(folder.path)
        defer { remove(folder) }
        let progress = CaptureProgress()
        let source = Source(
            catalogue: settings.catalogue.name, api: server == nil ? settings.api : settings.known.name(of: sample),
            origin: origin)
        let report = try await recorded(in: folder, source) { (revision) async throws(CaptureError) in
            try await captureRun(
                server.map(settings.known.api) ?? settings.api, into: revision, progress,
                through: client(spillFolder: folder.incoming)
            ).card(RecordKey(kind, id))
        }
        return try showCard(RecordKey(kind, id), report, progress.current, folder, templates)
    }

    private func showCard(
        _ key: RecordKey, _ report: CaptureReport, _ counts: CaptureProgress.Counts, _ folder: ArchiveFolder,
        _ templates: TemplateFolder
    ) throws -> ExitCode {
        let origin = report.revision.source.origin
        let place = "cards/\(key.id)"
        let build = SiteBuild(
            of: report.revision, in: folder, settings.catalogue, templates, generator: AmberCommand.software)
        _ = try build.write(to: place, below: settings.output)
        var summary = Summary(source: origin.rawValue, of: report.revision, gaps: report.gaps)
        summary.plural = settings.catalogue.plural
        summary.take(report, counts)
        if settings.wantsJSON {
            Console.output(json: summary.json)
        } else {
            Console.output(lines: try lines(key.kind, report.revision, folder))
            Console.output(
                lines: ["page      \(settings.output)/\(place)/\(key.kind)/\(key.id).html"]
                    + summary.gaps.map { "gap       \($0.url): \($0.reason)" })
        }
        return summary.gaps.isEmpty ? .done : .publishedWithGaps
    }

    private func lines(_ kind: String, _ revision: Revision, _ folder: ArchiveFolder) throws -> [String] {
        let reader = try RevisionReader(revision, in: folder)
        guard let record = try reader.records(of: kind, at: 0..<1).first else { return [] }
        return try settings.catalogue.cardLines(for: record, from: reader)
    }

    private func remove(_ folder: ArchiveFolder) {
        do throws(SystemError) {
            try Folder.remove(folder.path)
        } catch {
            console.warn("\(error)")
        }
    }
}
