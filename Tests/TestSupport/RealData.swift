import Foundation
import HTTP

/// The real data set and the replica that serves it, where they lie beside the project; tests that need them are skipped elsewhere.
public enum RealData {
    /// The folder with the data and the replicas: AMBER_SHARED, or ../shared.
    public static let folder = ProcessInfo.processInfo.environment["AMBER_SHARED"] ?? "\(Program.root)/../shared"

    /// Whether it is there, and Python to run it.
    public static let isHere =
        FileManager.default.fileExists(atPath: "\(folder)/replica/replica.py") && FileManager.default.fileExists(atPath: python)

    /// Why a test is skipped.
    public static let comment = "needs the real data and its replica beside the project (AMBER_SHARED or ../shared)"

    /// One of its three lists, as decoded JSON.
    public static func list(_ name: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/data/rickandmorty/\(name).json"))
        guard let list = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] else { throw CocoaError(.fileReadCorruptFile) }
        return list
    }

    static let python =
        ["/usr/bin/python3", "/usr/local/bin/python3"].first { FileManager.default.fileExists(atPath: $0) }
        ?? "\(ProcessInfo.processInfo.environment["HOME"] ?? "")/.pyenv/shims/python3"
}

/// The replica of the real API on a free port; stops when dropped.
public final class Replica: Sendable {
    /// The API's address.
    public let api: String
    private let process: Running

    /// Starts it with options of its own.
    public init(_ options: String...) throws {
        process = try Running(RealData.python, ["\(RealData.folder)/replica/replica.py", "--port", "0"] + options)
        let line = process.firstLine()
        guard let address = line.split(separator: " ").last, address.hasPrefix("http://") else { throw CocoaError(.executableLoad) }
        api = String(address)
    }

    /// What it was asked so far.
    public func statistics() async throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: try await get("_stats")) as? [String: Any] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return object
    }

    /// Forgets what it was asked.
    public func reset() async throws {
        _ = try await get("_reset")
    }

    private func get(_ path: String) async throws -> Data {
        guard let url = WebURL(String(api.dropLast("api".count)) + path) else { throw CocoaError(.fileReadInvalidFileName) }
        let response = try await Client.libcurl(agent: "test", spillFolder: NSTemporaryDirectory()).send(Request(url))
        guard case .bytes(let bytes) = response.body else { throw CocoaError(.fileReadTooLarge) }
        return Data(bytes)
    }
}
