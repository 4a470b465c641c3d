import Archive
import Capture
import Catalogue
import Platform

extension Run {
    /// Takes a state that was kept as files into the archive.
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
        return try report(outcome, state, date)
    }

    private func report(_ outcome: RevisionWriter.Outcome, _ state: ImportedState, _ date: String) throws -> ExitCode {
        let (revision, isNew) =
            switch outcome {
            case .new(let revision): (revision, true)
            case .unchanged(let revision): (revision, false)
            }
        var summary = Summary(source: "import", of: revision, gaps: isNew ? state.gaps : [])
        summary.plural = settings.catalogue.plural
        summary.records = state.counts
        summary.unchanged = !isNew
        summary.rootHash = try rootHash(of: revision)
        if !isNew {
            console.say("the state of \(date) equals revision \(revision.number) of \(revision.day); nothing is new")
        }
        return finish(summary, place: nil)
    }
}
