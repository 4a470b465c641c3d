import Archive
import Capture
import Catalogue
import CatalogueEngine
import Evidence
import HTTP
import KnownCatalogues
import TestSupport
import Testing

/// Captures a fake API or a server into one archive.
struct Captures: Sendable {
    let api: FakeAPI
    private let scratch: ScratchFolder
    var settings = CaptureSettings(api: FakeAPI.base)
    var catalogue: any Catalogue
    var client: Client
    var attempts = 2
    var clock = Clock.system
    /// The reported free disk space; nil for the real one.
    var freeSpace: (@Sendable () -> Int?)?

    var folder: ArchiveFolder { ArchiveFolder("\(scratch.path)/archive") }
    var source = Source(catalogue: "rickandmorty", api: "test", origin: .live)

    init(_ api: FakeAPI = FakeAPI()) throws {
        self.api = api
        catalogue = try DeclaredCatalogue.rickAndMorty()
        client = api.client
        scratch = try ScratchFolder()
        // A hanging capture fails after 20 seconds.
        settings.patience = 20
    }

    func run(progress: CaptureProgress = CaptureProgress(), card: RecordKey? = nil) async throws -> CaptureReport {
        var policy = RetryPolicy()
        policy.attempts = attempts
        policy.baseDelay = 0.001
        let writer = try ArchiveWriter(folder)
        let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
        let run = CaptureRun(
            of: catalogue, settings, into: revision, through: client, retry: policy, clock: clock,
            progress: progress,
            freeSpace: freeSpace)
        let result: Result<CaptureReport, any Error>
        do {
            if let card { result = .success(try await run.card(card)) } else { result = .success(try await run.run()) }
        } catch {
            result = .failure(error)
        }
        try await writer.close()
        return try result.get()
    }

    /// The error of a capture that fails; nil if it succeeds.
    func failure(card: RecordKey? = nil) async throws -> String? {
        do {
            _ = try await run(card: card)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The numbers of pictures and of other files in the newest revision.
    func assetCounts() throws -> [Int] {
        let revision = try #require(try RevisionReader.newest(in: folder) { _ in true })
        let (pictures, files) = try RevisionReader(revision, in: folder).assetCounts()
        return [pictures, files]
    }

    func numbers(of kind: String) throws -> [Int64] {
        guard let revision = try RevisionReader.newest(in: folder, where: { _ in true }) else { return [] }
        return try RevisionReader(revision, in: folder).records(of: kind, at: 0..<Int.max).map(\.key.id)
    }
}

extension Captures {
    /// The mirror and the completeness report of the newest revision.
    func evidence() throws -> (mirror: APIMirror, proof: Completeness) {
        let revision = try #require(try RevisionReader.newest(in: folder) { _ in true })
        let reader = try RevisionReader(revision, in: folder)
        let mirror = try APIMirror(of: reader, catalogue)
        return (mirror, try Completeness(of: mirror, RootHash(of: mirror, reader), reader))
    }

    /// Whether all pages have paths in the mirror, and all proofs confirm these numbers of records.
    func expectComplete(
        _ records: [String: Int], _ comment: Comment = "", at location: SourceLocation = #_sourceLocation
    ) throws {
        let (mirror, proof) = try evidence()
        let found = Dictionary(uniqueKeysWithValues: proof.kinds.map { ($0.kind, $0.records) })
        #expect(proof.isComplete && found == records, comment, sourceLocation: location)
        #expect(Set(mirror.pages.map(\.path)).count == mirror.pages.count, comment, sourceLocation: location)
        #expect(folder.proofs().compactMap(\.fault) == [], comment, sourceLocation: location)
    }
}

extension CaptureReport {
    /// The gaps as "url keyPath: reason".
    var gapTexts: [String] { gaps.map { "\($0.url) \($0.keyPath): \($0.reason)" } }
}

extension RevisionReader {
    func answers(as role: AnswerRole) throws -> [Exchange] {
        var answers: [Exchange] = []
        try forEachAnswer(as: role, withHeaders: true) { answers.append($0) }
        return answers
    }
}
