import Foundation
import HTTP
import SampleAPI
import TestSupport

/// A server with a few invented media, and runs of the program against it.
struct SmallMedia: Outputs {
    static let searches = [
        MediaSearch("love", "music", "US", limit: 6), MediaSearch("море", "ebook", "RU", limit: 3),
        MediaSearch("star", "movie", "US", limit: 3),
    ]

    let server: SampleServer
    let scratch: ScratchFolder
    var api: String { server.rootURL }
    private let client = Client.libcurl(agent: "test", spillFolder: NSTemporaryDirectory())

    init(_ searches: [MediaSearch] = Self.searches, _ behaviour: Behaviour = Behaviour()) throws {
        server = try SampleServer(Universe(seed: 3, characters: 5), behaviour: behaviour)
        scratch = try ScratchFolder()
        try configure(searches)
    }

    /// Writes the configuration. Retries do not wait.
    func configure(_ searches: [MediaSearch]) throws {
        let object: [String: Any] = [
            "catalogue": "itunes", "attempts": 2, "retryDelay": 0.01, "refusalDelay": 0.02,
            "searches": searches.map(\.json),
        ]
        try scratch.write(
            String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self), to: "quick.json")
    }

    func answer(_ path: String) async throws -> [String: Any] {
        guard let url = WebURL("\(server.rootURL)/\(path)"),
            case .bytes(let bytes) = try await client.send(Request(url)).body
        else { throw CocoaError(.fileReadCorruptFile) }
        return try jsonObject(Data(bytes))
    }

    func numbers(_ search: MediaSearch) async throws -> [Int64] {
        let rows = try await answer(search.path)["results"] as? [[String: Any]] ?? []
        return rows.compactMap { ($0["trackId"] as? Int).map(Int64.init) }
    }

    /// A row with another value of one member, or without the member if `value` is nil.
    func row(_ id: Int64, _ member: String, _ value: Any?) throws -> [UInt8] {
        var row = try jsonObject(Data(server.library.row(id) ?? []))
        row[member] = value
        return Array(try JSONSerialization.data(withJSONObject: row, options: .sortedKeys))
    }
}
