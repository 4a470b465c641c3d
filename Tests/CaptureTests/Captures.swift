import Archive
import Capture
import Catalogue
import CatalogueEngine
import HTTP
import KnownCatalogues
import TestSupport

/// Captures a fake API or a server into one archive.
struct Captures: Sendable {
    let api: FakeAPI
    private let scratch: ScratchFolder
    var settings = CaptureSettings(api: FakeAPI.base)
    var catalogue: any Catalogue
    var client: Client
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
        policy.attempts = 2
        policy.baseDelay = 0.001
        let writer = try ArchiveWriter(folder)
        let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
        let run = CaptureRun(
            of: catalogue, settings, into: revision, through: client, retry: policy, progress: progress,
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

    func numbers(of kind: String) throws -> [Int64] {
        guard let revision = try RevisionReader.newest(in: folder, where: { _ in true }) else { return [] }
        return try RevisionReader(revision, in: folder).records(of: kind, at: 0..<Int.max).map(\.key.id)
    }
}

extension CaptureReport {
    /// The gaps as "url keyPath: reason".
    var gapTexts: [String] { gaps.map { "\($0.url) \($0.keyPath): \($0.reason)" } }
}
