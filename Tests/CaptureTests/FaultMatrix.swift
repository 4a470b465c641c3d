import Archive
import Capture
import Catalogue
import CatalogueEngine
import Foundation
import KnownCatalogues
import Platform
import SQLite
import SampleAPI
import TestSupport
import Testing

@testable import HTTP

/// One combination of a fault and a request: an archive, and captures of a small universe through a faulty server.
struct FaultMatrixCell: Sendable {
    static let universe = Universe(seed: 3, characters: 30)
    /// Records that no list contains: one location, one episode and three characters, requested together.
    static let hidden: Set<Universe.Reference> = [
        .init(.location, 2), .init(.episode, 1), .init(.character, 28), .init(.character, 29), .init(.character, 30),
    ]

    let faulty: FaultyServer
    /// The server is shared, so that its pictures are drawn only once.
    private static let sample = Result { try SampleServer(universe, behaviour: Behaviour(hidden: hidden)) }
    private let scratch: ScratchFolder
    private let time = Locked(0.0)

    init() throws {
        faulty = try FaultyServer(before: Self.sample.get().port)
        scratch = try ScratchFolder()
    }

    var folder: ArchiveFolder { ArchiveFolder(scratch["archive"]) }
    /// The total seconds of all waits. The waits take no real time.
    var waited: Double { time.withLock { $0 } }

    static func target(_ kind: RequestKind) -> String {
        switch kind {
        case .firstPage: "/api/character?page=1"
        case .laterPage: "/api/character?page=2"
        case .location: "/api/location/2"
        case .episode: "/api/episode/1"
        case .several: "/api/character/28,29,30"
        case .avatar: "/api/character/avatar/7.jpeg"
        }
    }

    /// The normal answer.
    static func answer(_ target: String) async throws -> FaultyServer.Reply {
        let url = try #require(WebURL("http://127.0.0.1:\(try sample.get().port)\(target)"))
        let response = try await Client.libcurl(agent: "Test/1", spillFolder: "/nowhere").send(Request(url))
        guard case .bytes(let bytes) = response.body else { return FaultyServer.Reply(500) }
        return FaultyServer.Reply(response.status, [("Content-Type", "application/json")], bytes)
    }

    func capture(attempts: Int = 2, changedLists: Set<String> = []) async throws -> CaptureReport {
        var settings = CaptureSettings(api: faulty.apiURL)
        settings.patience = 60
        settings.maximumDocument = 1 << 20
        settings.maximumPicture = 1 << 20
        settings.changedLists = changedLists
        var limits = Limits()
        limits.connectTimeout = 5
        limits.stallTime = 1
        // The time of retries is artificial, but that of transfers is not.
        limits.maximumPause = 0
        var policy = RetryPolicy()
        policy.attempts = attempts
        let clock = Clock(
            now: { [time] in time.withLock { $0 } },
            sleep: { [time, faulty] seconds in
                time.withLock { $0 += seconds }
                // The server has restarted after the wait, even on a busy machine.
                repeat { try await Task.sleep(for: .milliseconds(5)) } while faulty.isRestarting
            })
        let writer = try ArchiveWriter(folder)
        let revision = try await RevisionWriter(
            of: Source(catalogue: "rickandmorty", api: "matrix", origin: .live), in: folder, through: writer,
            resumeAfter: 0)
        let run = CaptureRun(
            of: try DeclaredCatalogue.rickAndMorty(bases: [Universe.canonicalBase]), settings, into: revision,
            through: .libcurl(limits: limits, agent: "Test/1", spillFolder: folder.incoming), retry: policy,
            clock: clock)
        let result: Result<CaptureReport, any Error>
        do {
            result = .success(try await run.run())
        } catch {
            result = .failure(error)
        }
        try await writer.close()
        return try result.get()
    }

    /// SQLite's check of the database: "ok" if it is intact.
    func integrity() throws -> [String] {
        let db = try Connection(folder.database, .readOnly)
        let foreign = try db.all("PRAGMA foreign_key_check") { $0.text(0) }
        return try db.all("PRAGMA integrity_check") { $0.text(0) } + foreign
    }

    /// The paths with stored answers in the open or newest revision.
    func storedPaths() throws -> Set<String> {
        let db = try Connection(folder.database, .readOnly)
        return Set(try db.all("SELECT path FROM answer WHERE revision = (SELECT max(id) FROM revision)") { $0.text(0) })
    }

    /// The files of large bodies that are still incomplete.
    func incompleteBodies() throws -> [String] { try Folder.names(in: folder.incoming) }
}
