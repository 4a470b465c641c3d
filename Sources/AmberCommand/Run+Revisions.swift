import Archive
import Capture
import Catalogue
import Evidence
import Platform

extension Run {
    /// The complete revisions that this run is about, in the order of their dates: the API's, or, where there are none,
    /// the sample's.
    func revisions() throws -> [Revision] {
        let all = try allRevisions()
        let real = all.filter { $0.source.origin == .live && $0.source.api == settings.api }
        let samples = all.filter { $0.source.origin == .sample }
        // Samples of other sizes are other sources; the newest one is meant.
        let sample = samples.filter { $0.source == samples.last?.source }
        switch settings.source {
        case .sample: return sample
        case .archive, .live: return real
        case .auto: return real.isEmpty ? sample : real
        }
    }

    private func allRevisions() throws -> [Revision] {
        let name = settings.catalogue.name
        return try RevisionReader.all(in: archive) { $0.catalogue == name }
    }

    /// The error for a missing revision. It lists the sources that have revisions.
    func noRevision() throws -> Failure {
        let wanted = settings.source == .sample ? "the sample" : settings.api
        var there: [String] = []
        for source in try allRevisions().map(\.source) {
            let named = source.origin == .sample ? "the sample (--source sample)" : "\(source.api) (--api)"
            if !there.contains(named) { there.append(named) }
        }
        let others =
            there.isEmpty
            ? "make one with: \(settings.next.line(.build))" : "it has those of \(there.joined(separator: ", "))"
        return Failure(.notCaptured, "the archive in \(archive.path) has no complete revision of \(wanted); \(others)")
    }

    /// The revision that a number or a day names, or the newest one. A day names the last state before its end.
    func revision(_ name: String?) throws -> Revision {
        let revisions = try revisions()
        guard let newest = revisions.last else { throw try noRevision() }
        guard let name else { return newest }
        func failure(_ reason: String) -> Failure { Failure(.wrongUsage, "\(reason); amber log lists them") }
        if let number = Int64(name) {
            if let revision = revisions.first(where: { $0.number == number }) { return revision }
            let known = revisions.suffix(10).map { "\($0.number)" }.joined(separator: ", ")
            throw failure("there is no revision \(number); there are: \(known)")
        }
        guard let day = milliseconds(ofDay: name) else {
            throw failure("a revision is named by its number or by a day as 2018-05-01, not \"\(name)\"")
        }
        guard let revision = revisions.last(where: { $0.finished < day + 86_400_000 }) else {
            throw failure("the first revision is of \(revisions[0].day), after \(name)")
        }
        return revision
    }

    func read<Value>(_ revision: Revision, _ body: (RevisionReader) throws -> Value) throws -> Value {
        do {
            return try body(RevisionReader(revision, in: archive))
        } catch let error as ContentFault {
            throw Failure(.notCaptured, "a record of revision \(revision.number) cannot be read: \(error)")
        }
    }

    func rootHash(of revision: Revision) throws -> String {
        try RootHash(of: try RevisionReader(revision, in: archive), settings.catalogue).hex
    }
}

extension Run {
    func importState(_ operands: [String], date: String?) async throws -> ExitCode {
        guard operands.count == 1 else {
            throw Failure(.wrongUsage, "import takes one folder: amber import DIR --date 2018-05-01")
        }
        guard let date else {
            throw Failure(.wrongUsage, "import needs the day that the state is of: --date 2018-05-01")
        }
        guard let day = milliseconds(ofDay: date) else {
            throw Failure(.wrongUsage, "--date takes a day of the calendar as 2018-05-01, not \"\(date)\"")
        }
        guard day <= millisecondsSince1970() else { throw Failure(.wrongUsage, "--date \(date) lies in the future") }
        guard !settings.catalogue.lists.isEmpty else {
            throw Failure(.wrongUsage, "import takes lists, and the catalogue \"\(settings.catalogue.name)\" has none")
        }
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let state = try ImportedState(operands[0], of: settings.catalogue, base: settings.api)
        let source = Source(catalogue: settings.catalogue.name, api: settings.api, origin: .live)
        let writer = try ArchiveWriter(archive)
        let outcome = try await writer.importState(of: source, date: day, state.files, gaps: state.gaps)
        try await writer.close()
        let (revision, isNew) =
            switch outcome {
            case .new(let revision): (revision, true)
            case .unchanged(let revision): (revision, false)
            }
        var summary = Summary(source: "import", of: revision, settings.catalogue, gaps: isNew ? state.gaps : [])
        summary.records = state.counts
        summary.unchanged = !isNew
        summary.rootHash = try rootHash(of: revision)
        if !isNew {
            console.say("the state of \(date) equals revision \(revision.number) of \(revision.day); nothing is new")
        }
        return finish(summary)
    }
}
