import Archive
import Capture
import Catalogue
import CatalogueEngine
import Evidence
import Platform
import Site

extension Run {
    /// The complete revisions of the chosen source, by date. For `auto`, it is this run's API, or else the sample.
    func revisions() throws -> [Revision] {
        let all = try allRevisions()
        let live = all.filter { $0.source.origin == .live }
        let isOnly = settings.usesAPIOfArchive && Set(live.map(\.source)).count == 1
        let real = isOnly ? live : live.filter { $0.source.api == settings.api }
        let samples = all.filter { $0.source.origin == .sample }
        // Samples with different settings are different sources. The sample of the newest revision is used.
        let sample = samples.filter { $0.source == samples.last?.source }
        let revisions = settings.source == .sample || settings.source == .auto && real.isEmpty ? sample : real
        for source in Set(revisions.map(\.source)) { try refuseChangedIDs(of: source, in: archive) }
        return revisions
    }

    private func allRevisions() throws -> [Revision] {
        let name = settings.catalogue.name
        return try RevisionReader.all(in: archive) { $0.catalogue == name }
    }

    /// The error for a source without a revision. It lists the sources that have revisions.
    func noRevision() throws -> Failure {
        let wanted = settings.source == .sample ? "the sample" : settings.api
        let available = try allRevisions().map(\.source).map { source in
            source.origin == .sample ? "the sample (--source sample)" : "\(source.api) (--api)"
        }.unique()
        let named = try RevisionReader.all(in: archive) { $0.api == settings.api }.last?.source.catalogue
        let others: String
        if !available.isEmpty {
            others = "it has revisions of \(available.joined(separator: ", "))"
        } else if let named {
            others =
                "it has one of the catalogue \(named.quoted), not of \(settings.catalogue.name.quoted); set \"name\" "
                + "in catalogue.json to \(named.quoted), or choose another --output"
        } else {
            others = "create one with: \(settings.command(.build))"
        }
        return Failure(.notCaptured, "the archive in \(archive.path) has no complete revision of \(wanted); \(others)")
    }

    /// The revision with a number; the last one up to the end of a day; or the newest one, for nil.
    func revision(_ name: String?) throws -> Revision {
        let revisions = try revisions()
        guard let newest = revisions.last else { throw try noRevision() }
        guard let name else { return newest }
        func failure(_ reason: String) -> Failure { Failure.usage("\(reason); amber log lists them") }
        if let number = Int64(name) {
            if let revision = revisions.first(where: { $0.number == number }) { return revision }
            let known = revisions.suffix(10).map { "\($0.number)" }.joined(separator: ", ")
            throw failure("there is no revision \(number); the newest are: \(known)")
        }
        guard let day = Day(name.utf8)?.start else {
            throw failure("a revision is a number or a day such as 2018-05-01, not \"\(name)\"")
        }
        guard let revision = revisions.last(where: { $0.finished < day + 86_400_000 }) else {
            throw failure("there is no revision up to \(name); the first one is of \(revisions[0].day)")
        }
        return revision
    }

    /// Refuses a declaration that forms ids or kinds differently from a source's revisions: history depends on ids.
    func refuseChangedIDs(of source: Source, in archive: ArchiveFolder) throws {
        let declaration = settings.catalogue.declaration
        let own = declaration.stored.captureDigest
        for revision in try RevisionReader.all(in: archive, where: { $0 == source }) {
            guard let digest = revision.captureDigest, digest != own else { continue }
            let reader = try RevisionReader(revision, in: archive)
            let kinds = try reader.recordCounts().keys
            let stored = try reader.declaration()
            let changed: ContentFault?
            do {
                changed = try declaration.change(ofKinds: kinds, since: stored)
            } catch {
                throw ArchiveError.damaged("the declaration of revision \(revision.number): \(error)")
            }
            guard let change = changed else { continue }
            throw Failure.usage(
                "\(settings.catalogueFolder.path)/\(TemplateSource.declaration): \(change), but revision "
                    + "\(revision.number) in \(archive.path) has such records; undo the change, or choose another "
                    + "--output to capture into a new archive")
        }
    }

    func rootHash(of revision: Revision) throws -> String {
        try RootHash(of: try RevisionReader(revision, in: archive), settings.catalogue).hex
    }

    func importState() async throws -> ExitCode {
        let operands = arguments.operands
        try Failure.require(operands.count == 1, "import requires one folder: amber import DIR --date 2018-05-01")
        let date = try Failure.require(arguments[.date], "import requires the date of the state: --date 2018-05-01")
        let day = try Failure.require(Day(date.utf8)?.start, "--date takes a day such as 2018-05-01, not \"\(date)\"")
        try Failure.require(day <= millisecondsSince1970(), "--date \(date) is in the future")
        try Failure.require(
            !settings.catalogue.lists.isEmpty,
            "import reads lists, but the catalogue \"\(settings.catalogue.name)\" has none")
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let source = settings.liveSource
        try refuseChangedIDs(of: source, in: archive)
        let (files, gaps) = try ImportedState.read(operands[0], of: settings.catalogue, base: settings.api)
        let writer = try ArchiveWriter(archive)
        let (revision, isNew) = try await writer.importState(
            of: source, date: day, files, gaps: gaps, declaration: settings.catalogue.declaration.stored)
        try await writer.close()
        let summary = Summary(
            source: "import", revision: revision, gaps: isNew ? gaps : [], rootHash: try rootHash(of: revision),
            isUnchanged: !isNew,
            records: Dictionary(zip(settings.catalogue.listedKinds, files.map(\.records.count))) { $1 })
        if !isNew {
            console.say(
                "the state of \(date) equals revision \(revision.number) of \(revision.day); nothing was imported")
        }
        return finish(summary)
    }
}
