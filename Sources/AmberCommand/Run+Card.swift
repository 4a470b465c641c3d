import Archive
import Catalogue
import Pages
import Platform
import Site

extension Run {
    func card(_ operands: [String]) async throws -> ExitCode {
        guard let kind = settings.catalogue.cardKind else {
            throw Failure.usage("the catalogue \"\(settings.catalogue.name)\" does not support the verb card")
        }
        guard operands.count == 1, let id = Int64(operands[0]), id > 0 else {
            throw Failure.usage("card requires the id of one \(kind): amber card 42")
        }
        try Failure.require(
            settings.source != .archive,
            "card requests data from the API; use --source auto, live or sample")
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let templates = try compile(readTemplates())
        // The card's answers are not a complete revision, so they are not stored in the archive.
        let folder = ArchiveFolder("\(settings.output)/.amber/card")
        try Folder.remove(folder.path)
        defer {
            do {
                try Folder.remove(folder.path)
            } catch {
                console.warn("\(error)")
            }
        }
        let client = client(spillFolder: folder.incoming)
        func captured(_ api: String, _ source: Source) async throws -> Summary {
            try await capture(api, source, into: folder, client, card: RecordKey(kind, id))
        }
        let live = Source(catalogue: settings.catalogue.name, api: settings.api, origin: .live)
        let summary =
            settings.source == .sample ? try await withSample(captured) : try await captured(settings.api, live)
        let build = Self.siteBuild(summary.revision, settings.catalogue, templates, in: folder, baseURL: nil)
        _ = try build.write(to: "cards/\(id)", below: settings.output)
        if settings.wantsJSON {
            Console.output(json: summary.json)
        } else {
            let reader = try RevisionReader(summary.revision, in: folder)
            let record = try reader.records(of: kind, at: 0..<1).first
            let lines = try record.map { try settings.catalogue.cardLines(for: $0, from: reader) } ?? []
            Console.output(
                lines: lines + ["page      \(settings.output)/cards/\(id)/\(kind)/\(id).html"]
                    + summary.shownGaps.map { "gap       \($0.url): \($0.reason)" })
        }
        return summary.code
    }
}
