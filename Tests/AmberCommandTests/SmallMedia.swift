import Foundation
import HTTP
import SampleAPI
import TestSupport

/// A server with a few invented media, and runs of the program against it.
struct SmallMedia {
    static let searches = [
        MediaSearch("love", "music", "US", limit: 6), MediaSearch("море", "ebook", "RU", limit: 3),
        MediaSearch("star", "movie", "US", limit: 3),
    ]

    let server: SampleServer
    let scratch: ScratchFolder
    private let client = Client.libcurl(agent: "test", spillFolder: NSTemporaryDirectory())

    init(_ searches: [MediaSearch] = Self.searches, _ behaviour: Behaviour = Behaviour()) throws {
        server = try SampleServer(Universe(seed: 3, characters: 5), behaviour: behaviour)
        scratch = try ScratchFolder()
        try configure(searches)
    }

    var output: String { "\(scratch.path)/out" }
    var site: String { "\(output)/site" }

    /// Writes the configuration. Retries do not wait.
    func configure(_ searches: [MediaSearch]) throws {
        let object: [String: Any] = [
            "catalogue": "itunes", "attempts": 2, "retryDelay": 0.01, "refusalDelay": 0.02,
            "searches": searches.map(\.json),
        ]
        try scratch.write(
            String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self), to: "quick.json")
    }

    func arguments(_ verb: String, _ more: [String] = [], output: String? = nil) -> [String] {
        let folder = output ?? self.output
        return [verb, "--api", server.rootURL, "--output", folder, "--config", scratch["quick.json"]] + more
    }

    func run(_ verb: String, _ more: String...) async throws -> Program.Result {
        try await Program.start(arguments(verb, more)).wait()
    }

    func page(_ path: String) throws -> String { try String(contentsOfFile: "\(site)/\(path)", encoding: .utf8) }

    func hasFile(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(site)/\(path)") }

    func answer(_ path: String) async throws -> [String: Any] {
        guard let url = WebURL("\(server.rootURL)/\(path)"),
            case .bytes(let bytes) = try await client.send(Request(url)).body,
            let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        else { throw CocoaError(.fileReadCorruptFile) }
        return object
    }

    func numbers(_ search: MediaSearch) async throws -> [Int64] {
        let rows = try await answer(search.path)["results"] as? [[String: Any]] ?? []
        return rows.compactMap { ($0["trackId"] as? Int).map(Int64.init) }
    }

    /// A row with another value of one member, or without the member if `value` is nil.
    func row(_ id: Int64, _ member: String, _ value: Any?) throws -> [UInt8] {
        let bytes = server.library.row(id) ?? []
        guard var row = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        row[member] = value
        return Array(try JSONSerialization.data(withJSONObject: row, options: .sortedKeys))
    }
}
