public import Foundation
import HTTP

/// The real data and the replicas that serve it. Tests that need them are skipped if they are missing.
public enum RealData {
    /// The folder with the data and the replicas: AMBER_SHARED, or ../shared.
    public static let folder = ProcessInfo.processInfo.environment["AMBER_SHARED"] ?? "\(Program.root)/../shared"

    /// Whether the replica of lists and Python exist.
    public static let isAvailable =
        FileManager.default.fileExists(atPath: "\(folder)/replica/replica.py")
        && FileManager.default.fileExists(atPath: python)

    /// Whether the replica of the media store and Python exist.
    public static let hasMedia =
        FileManager.default.fileExists(atPath: "\(folder)/replica/itunes.py")
        && FileManager.default.fileExists(atPath: python)

    /// Whether the replica of PokeAPI, its data and Python exist.
    public static let hasPokeAPI =
        FileManager.default.fileExists(atPath: "\(folder)/replica/pokeapi.py")
        && FileManager.default.fileExists(atPath: "\(folder)/data/pokeapi")
        && FileManager.default.fileExists(atPath: python)

    /// The reason for a skipped test.
    public static let comment = "needs the real data and its replica (AMBER_SHARED or ../shared)"

    /// One of the three lists, as decoded JSON.
    public static func list(_ name: String) throws -> [[String: Any]] {
        try jsonObject(
            Data(contentsOf: URL(fileURLWithPath: "\(folder)/data/rickandmorty/\(name).json")), as: [[String: Any]].self
        )
    }

    static let python =
        ["/usr/bin/python3", "/usr/local/bin/python3"].first { FileManager.default.fileExists(atPath: $0) }
        ?? "\(ProcessInfo.processInfo.environment["HOME"] ?? "")/.pyenv/shims/python3"
}

/// A replica of a real API on a free port. It stops when it is released.
public final class Replica: Sendable {
    /// The API's address.
    public let api: String
    /// The server's address.
    public let root: String
    private let process: Running
    private let client = Client.libcurl(agent: "test", spillFolder: NSTemporaryDirectory())

    /// Starts the replica of lists.
    public convenience init(_ options: String...) throws {
        try self.init("replica.py", options) { ($0, String($0.dropLast("/api".count))) }
    }

    /// Starts the replica of the media store.
    public convenience init(media options: String...) throws {
        try self.init("itunes.py", options) { address in
            let root = String(address.dropLast("/search".count))
            return (root, root)
        }
    }

    /// Starts the replica of PokeAPI.
    public convenience init(pokeAPI options: String...) throws {
        try self.init("pokeapi.py", options) { address in
            let api = address.hasSuffix("/") ? String(address.dropLast()) : address
            return (api, String(api.dropLast("/api/v2".count)))
        }
    }

    private init(_ script: String, _ options: [String], _ addresses: (String) -> (api: String, root: String)) throws {
        process = try Running(RealData.python, ["\(RealData.folder)/replica/\(script)", "--port", "0"] + options)
        let line = process.firstLine()
        guard let address = line.split(separator: " ").last, address.hasPrefix("http://") else {
            throw CocoaError(.executableLoad)
        }
        (api, root) = addresses(String(address))
    }

    /// The statistics of the requests so far.
    public func statistics() async throws -> [String: Any] { try await object("_stats") }

    /// Resets the statistics.
    public func reset() async throws {
        _ = try await get("_reset")
    }

    /// Stops the server, so that another one can use its port.
    public func stop() async throws {
        // Python may ignore other signals.
        process.send(SIGKILL)
        _ = try await process.wait()
    }

    /// The JSON object at a path.
    public func object(_ path: String) async throws -> [String: Any] {
        try jsonObject(try await get(path))
    }

    /// The bytes at a path.
    public func get(_ path: String) async throws -> Data {
        guard let url = WebURL("\(root)/\(path)") else { throw CocoaError(.fileReadInvalidFileName) }
        let response = try await client.send(Request(url))
        guard case .bytes(let bytes) = response.body else { throw CocoaError(.fileReadTooLarge) }
        return Data(bytes)
    }
}
