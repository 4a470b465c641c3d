import Glibc
import HTTPServer
import Platform
package import SampleAPI

/// A server of invented data whose records, answers and connections can have faults.
package final class SampleServer: Sendable {
    private let responder: Responder
    private let server: FaultyServer
    private let state: Locked<Behaviour>

    /// - Parameter port: 0 for any free port.
    package init(_ universe: Universe, port: Int = 0, behaviour: Behaviour = Behaviour()) throws {
        let state = Locked(behaviour)
        let responder = Responder(universe) { record in
            state.withLock { $0.replaced[record] } ?? universe.json(record)
        }
        self.state = state
        self.responder = responder
        server = try FaultyServer(port: port, behaviour.faults) { request in
            let behaviour = state.withLock(\.self)
            usleep(UInt32(behaviour.latency / .microseconds(1)))
            return behaviour.answer(request, responder)
        }
    }

    deinit { stop() }

    package var universe: Universe { responder.universe }
    package var library: MediaLibrary { responder.library }
    package var port: Int { server.port }
    /// The address of the media library: `/search`, `/lookup` and `/artwork` are below it.
    package var rootURL: String { "http://127.0.0.1:\(port)" }
    package var apiURL: String { server.apiURL }

    /// It can be changed at any time. A change applies to the next request.
    package var behaviour: Behaviour {
        get {
            var behaviour = state.withLock(\.self)
            behaviour.faults = server.faults
            return behaviour
        }
        set {
            state.withLock { $0 = newValue }
            server.setFaults(newValue.faults)
        }
    }

    package var log: [LoggedRequest] { server.log }

    package func resetLog() { server.takeLog() }

    /// Closes all connections and the port.
    package func stop() { server.stop() }
}

/// Deviations of a sample server from the behaviour of the live service.
package struct Behaviour: Sendable {
    /// The delay before each answer.
    package var latency: Duration
    package var faults: [Fault]
    /// Records that are not in the lists or their counts, but are answered by id.
    package var hidden: Set<Universe.Reference>
    /// Bytes to serve instead of a record, also in lists. They can be invalid JSON.
    package var replaced: [Universe.Reference: [UInt8]] = [:]
    /// Bytes to serve instead of a portrait, by the character's id.
    package var avatarOverrides: [Int: [UInt8]] = [:]
    /// Bytes to serve instead of a row of the library, by id. They can be invalid JSON.
    package var replacedMedia: [Int64: [UInt8]] = [:]

    package init(latency: Duration = .zero, faults: [Fault] = [], hidden: Set<Universe.Reference> = []) {
        self.latency = latency
        self.hidden = hidden
        self.faults = faults
    }

    /// Simulates a later state of the API: every twentieth record has another name, and every twentieth character
    /// another portrait.
    package mutating func revise(_ universe: Universe) {
        for kind in Universe.Kind.allCases {
            for id in stride(from: 1, through: universe.counts[kind], by: 20) {
                let record = Universe.Reference(kind, id)
                replaced[record] = universe.json(record, renamed: "\(universe.name(of: record)) (2)")
                guard kind == .character else { continue }
                avatarOverrides[id] = universe.portrait(ofCharacter: id % universe.counts.character + 1)
            }
        }
    }
}

extension Behaviour {
    fileprivate func answer(_ request: ServerRequest, _ responder: Responder) -> FaultyServer.Reply {
        let path = request.path.split(separator: "/").map(String.init)
        if path.starts(with: ["api", "character", "avatar"]), path.count == 4,
            let bytes = avatarOverrides[Int(path[3].dropLast(".jpeg".count)) ?? 0]
        {
            return Self.reply(to: request, "image/jpeg", bytes)
        }
        if path.count == 2, let kind = Universe.Kind(rawValue: path[1]), hidden.contains(where: { $0.kind == kind }) {
            return page(kind, request, responder)
        }
        let answer = responder.answer(request)
        guard case .bytes(var body) = answer.body else { return FaultyServer.Reply(500) }
        let country = request.query.split(separator: "&").first { $0.hasPrefix("country=") }?.suffix(2) ?? "US"
        for (id, bytes) in replacedMedia {
            guard let row = responder.library.row(id, country: String(country)), let start = body.offset(of: row) else {
                continue
            }
            body.replaceSubrange(start..<(start + row.count), with: bytes)
        }
        return FaultyServer.Reply(answer.status, answer.headers, body)
    }

    /// A list page without the hidden records.
    private func page(_ kind: Universe.Kind, _ request: ServerRequest, _ responder: Responder) -> FaultyServer.Reply {
        let universe = responder.universe
        let ids = (1...universe.counts[kind]).filter { !hidden.contains(Universe.Reference(kind, $0)) }
        let (page, pages) = (Int(request.query.dropFirst("page=".count)) ?? 1, (ids.count + 19) / 20)
        guard page <= pages else { return FaultyServer.Reply(404) }
        func link(_ page: Int) -> String {
            (1...pages).contains(page) ? "\"\(Universe.canonicalBase)/\(kind)?page=\(page)\"" : "null"
        }
        let records = ids.dropFirst((page - 1) * 20).prefix(20).compactMap { id in
            let record = Universe.Reference(kind, id)
            return replaced[record] ?? universe.json(record)
        }
        let info = #"{"count":\#(ids.count),"pages":\#(pages),"next":\#(link(page + 1)),"prev":\#(link(page - 1))}"#
        let body = Array(#"{"info":\#(info),"results":["#.utf8) + records.joined(separator: ",".utf8) + "]}".utf8
        return Self.reply(to: request, "application/json; charset=utf-8", body)
    }

    private static func reply(to request: ServerRequest, _ type: String, _ body: [UInt8]) -> FaultyServer.Reply {
        let tag = "\"\(body.count)-\(body.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })\""
        guard !request.matches(entityTag: tag) else { return FaultyServer.Reply(304, [("ETag", tag)]) }
        return FaultyServer.Reply(200, [("Content-Type", type), ("ETag", tag)], body)
    }
}
