import Archive
import Capture
import Catalogue
import Foundation
import HTTP
import Platform
import RickAndMorty
import SQLite
import SampleAPI
import TestSupport
import Testing

/// One cell of the matrix: an archive of its own, and captures into it of a small universe through a server that fails
/// as told.
struct FaultMatrixCell: Sendable {
    static let universe = Universe(seed: 3, characters: 30)
    /// One location, one episode and three characters that no list brings, so that each is asked for by number, the
    /// three at once.
    static let hidden: Set<Universe.Reference> = [
        .init(.location, 2), .init(.episode, 1), .init(.character, 28), .init(.character, 29), .init(.character, 30),
    ]

    let faulty: FaultyServer
    /// One for all: it draws its pictures once.
    private static let sample = Result { try SampleServer(universe, behaviour: Behaviour(hidden: hidden)) }
    private let scratch: ScratchFolder
    private let time = Guarded(0.0)

    init() throws {
        faulty = try FaultyServer(before: Self.sample.get().port)
        scratch = try ScratchFolder()
    }

    var folder: ArchiveFolder { ArchiveFolder(scratch["archive"]) }
    /// Seconds that were waited, of which next to none passed.
    var waited: Double { time.withLock { $0 } }

    /// Which requests are of a kind.
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

    /// What the server says where nothing is spoilt.
    static func answer(_ target: String) async throws -> FaultyServer.Reply {
        let url = try #require(WebURL("http://127.0.0.1:\(try sample.get().port)\(target)"))
        let response = try await Client.libcurl(agent: "Test/1", spillFolder: "/nowhere").send(Request(url))
        guard case .bytes(let bytes) = response.body else { return FaultyServer.Reply(500) }
        return FaultyServer.Reply(response.status, [("Content-Type", "application/json")], bytes)
    }

    /// Captures once.
    func capture(attempts: Int = 2, asksConditionally: Bool = true) async throws -> CaptureReport {
        var settings = CaptureSettings(api: faulty.apiURL)
        settings.patience = 60
        settings.maximumDocument = 1 << 20
        settings.maximumPicture = 1 << 20
        settings.asksConditionally = asksConditionally
        var limits = Limits()
        limits.connectTimeout = 5
        limits.stallTime = 1
        var policy = RetryPolicy()
        policy.attempts = attempts
        let clock = Clock(
            now: { [time] in time.withLock { $0 } },
            sleep: { [time, faulty] seconds in
                time.withLock { $0 += seconds }
                // A server that goes down for a moment is up again when the wait is over, however busy the machine.
                repeat { try await Task.sleep(for: .milliseconds(5)) } while faulty.isRising
            })
        let writer = try ArchiveWriter(folder)
        let revision = try await RevisionWriter(
            of: Source(catalogue: "rickandmorty", api: "matrix", origin: .live), in: folder, through: writer,
            resumeAfter: 0)
        let run = CaptureRun(
            of: RickAndMorty(bases: [Universe.canonicalBase]), settings, into: revision,
            through: .libcurl(limits: limits, agent: "Test/1", spillFolder: folder.incoming), retry: policy,
            clock: clock)
        let result: Result<CaptureReport, CaptureError>
        do throws(CaptureError) {
            result = .success(try await run.run())
        } catch {
            result = .failure(error)
        }
        try await writer.close()
        return try result.get()
    }

    /// What SQLite says of the database: "ok" where it is whole.
    func integrity() throws -> [String] {
        let db = try Connection(folder.database, .readOnly)
        let foreign = try db.all("PRAGMA foreign_key_check") { $0.text(0) }
        return try db.all("PRAGMA integrity_check") { $0.text(0) } + foreign
    }

    /// The paths whose answers the open or newest revision keeps.
    func kept() throws -> Set<String> {
        let db = try Connection(folder.database, .readOnly)
        return Set(try db.all("SELECT path FROM answer WHERE revision = (SELECT max(id) FROM revision)") { $0.text(0) })
    }

    /// What lies where large bodies wait to be whole.
    func spilled() throws -> [String] { try Folder.names(in: folder.incoming) }
}
