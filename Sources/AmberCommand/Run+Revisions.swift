import Archive
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

    /// That there is no revision of what is asked for, and what there is, so that it is not looked for elsewhere.
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

    /// The revision that a number or a day names, or the newest one. A day names the state that stood at its end.
    func revision(_ name: String?) throws -> Revision {
        let revisions = try revisions()
        guard let newest = revisions.last else {
            throw try noRevision()
        }
        guard let name else { return newest }
        if let number = Int64(name) {
            if let revision = revisions.first(where: { $0.number == number }) { return revision }
            let known = revisions.suffix(10).map { "\($0.number)" }.joined(separator: ", ")
            throw Failure(.wrongUsage, "there is no revision \(number); there are: \(known); amber log lists them")
        }
        guard let day = milliseconds(ofDay: name) else {
            throw Failure(
                .wrongUsage,
                "a revision is named by its number or by a day as 2018-05-01, not \"\(name)\"; amber log lists them")
        }
        guard let revision = revisions.last(where: { $0.finished < day + 86_400_000 }) else {
            throw Failure(
                .wrongUsage, "the first revision is of \(revisions[0].day), after \(name); amber log lists them")
        }
        return revision
    }

    /// Reads a revision.
    func read<Value>(_ revision: Revision, _ body: (RevisionReader) throws -> Value) throws -> Value {
        do {
            return try body(RevisionReader(revision, in: archive))
        } catch let error as ContentFault {
            throw Failure(.notCaptured, "a record of revision \(revision.number) cannot be read: \(error)")
        }
    }

    /// The digest of all that the revision holds, in hexadecimal.
    func rootHash(of revision: Revision) throws -> String {
        try RootHash(of: try RevisionReader(revision, in: archive), settings.catalogue).hex
    }
}
