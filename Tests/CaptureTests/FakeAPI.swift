import Archive
import HTTP
import Platform

/// An API in memory: records, lists of `pageSize`, pictures, entity tags, and faults by path.
final class FakeAPI: Sendable {
    static let base = "http://fake.example/api"
    static let canonical = "https://rickandmortyapi.com/api"

    /// An answer that replaces the normal answer for a path.
    enum Answer: Sendable {
        case body(Int, String)
        case fault(HTTPError.Cause)
        /// No answer until the task is cancelled.
        case silence
    }

    struct ReceivedRequest: Sendable, Equatable {
        let path: String
        let condition: String?
    }

    struct State: Sendable {
        var records: [String: [Int64: String]] = [:]
        /// These records are not in lists and counts, but can be requested by number.
        var hidden: Set<RecordKey> = []
        var answers: [String: Answer] = [:]
        var requests: [ReceivedRequest] = []
        var notModified = 0
        var pageSize = 20
        /// Called before each answer.
        var before: @Sendable (String) async throws -> Void = { _ in }
    }

    private let state = Locked(State())

    func change(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }
    func records(_ kind: String) -> [Int64: String] { state.withLock { $0.records[kind] ?? [:] } }
    var requestedPaths: [String] { state.withLock { $0.requests.map(\.path) } }
    var conditions: [String] { state.withLock { $0.requests.compactMap { $0.condition == nil ? nil : $0.path } } }
    var notModified: Int { state.withLock { $0.notModified } }

    func forgetRequests() {
        change {
            $0.requests = []
            $0.notModified = 0
        }
    }

    var client: Client {
        Client { (request) async throws(HTTPError) in try await self.send(request) }
    }
}

extension FakeAPI {
    /// Adds a character. Its location and episodes are not added.
    func add(character id: Int64, at location: Int64? = nil, in episodes: [Int64] = [], name: String = "somebody") {
        let link = location.map { "\(Self.canonical)/location/\($0)" } ?? ""
        let seen = episodes.map { "\"\(Self.canonical)/episode/\($0)\"" }.joined(separator: ",")
        let json = """
            {"id":\(id),"name":"\(name)","status":"Alive","species":"Human","type":"","gender":"unknown",\
            "origin":{"name":"unknown","url":""},"location":{"name":"somewhere","url":"\(link)"},\
            "image":"\(Self.canonical)/character/avatar/\(id).jpeg","episode":[\(seen)]}
            """
        change { $0.records["character", default: [:]][id] = json }
    }

    func add(location id: Int64, residents: [Int64] = []) {
        let links = residents.map { "\"\(Self.canonical)/character/\($0)\"" }.joined(separator: ",")
        let json = #"{"id":\#(id),"name":"place \#(id)","type":"","dimension":"","residents":[\#(links)]}"#
        change { $0.records["location", default: [:]][id] = json }
    }

    func add(episode id: Int64, characters: [Int64] = []) {
        let links = characters.map { "\"\(Self.canonical)/character/\($0)\"" }.joined(separator: ",")
        let json = #"{"id":\#(id),"name":"episode \#(id)","air_date":"","episode":"S01E01","characters":[\#(links)]}"#
        change { $0.records["episode", default: [:]][id] = json }
    }

    /// An API with characters, and the location and episode to which they refer.
    static func filled(_ characters: Int64) -> FakeAPI {
        let api = FakeAPI()
        api.add(location: 1)
        api.add(episode: 1)
        for id in 1...characters { api.add(character: id, at: 1, in: [1]) }
        return api
    }
}

extension FakeAPI {
    private func send(_ request: Request) async throws(HTTPError) -> Response {
        let path = String(request.url.target.dropFirst("/api/".count))
        let condition = request.headers.first { $0.name == "If-None-Match" }?.value
        let (before, answer) = state.withLock { state in
            state.requests.append(ReceivedRequest(path: path, condition: condition))
            return (state.before, state.answers[path])
        }
        do {
            try await before(path)
            if case .silence = answer { try await Task.sleep(for: .seconds(3_600)) }
            try Task.checkCancellation()
        } catch {
            throw HTTPError(.cancelled, url: request.url.text, reason: "cancelled")
        }
        switch answer {
        case .fault(let cause): throw HTTPError(cause, url: request.url.text, reason: "is made to fail")
        case .body(let status, let text): return response(request, status, Array(text.utf8), condition)
        case .silence, nil: break
        }
        guard let body = state.withLock({ Self.body(path, $0) }) else {
            return response(request, 404, Array(#"{"error":"none"}"#.utf8), nil)
        }
        return response(request, 200, body, condition)
    }

    private func response(_ request: Request, _ status: Int, _ body: [UInt8], _ condition: String?) -> Response {
        let tag = "\"\(SHA256(of: body).hex.prefix(16))\""
        let isUnchanged = status == 200 && condition == tag
        if isUnchanged { change { $0.notModified += 1 } }
        return Response(
            status: isUnchanged ? 304 : status, rawHeaders: Array("HTTP/1.1 \(status) X\r\nETag: \(tag)\r\n\r\n".utf8),
            body: .bytes(isUnchanged ? [] : body), url: request.url, received: millisecondsSince1970())
    }

    private static func body(_ path: String, _ state: State) -> [UInt8]? {
        if path.hasPrefix("character/avatar/") {
            return PictureHeaderTests.png + Array(path.utf8)
        }
        if let mark = path.range(of: "?page=") {
            return page(String(path[..<mark.lowerBound]), Int(path[mark.upperBound...]) ?? 1, state)
        }
        guard let slash = path.firstIndex(of: "/") else { return nil }
        let records = state.records[String(path[..<slash])] ?? [:]
        let ids = path[path.index(after: slash)...].split(separator: ",").compactMap { Int64($0) }
        if ids.count == 1 { return records[ids[0]].map { Array($0.utf8) } }
        return Array("[\(ids.sorted().compactMap { records[$0] }.joined(separator: ","))]".utf8)
    }

    private static func page(_ kind: String, _ number: Int, _ state: State) -> [UInt8]? {
        let listed = (state.records[kind] ?? [:]).filter { !state.hidden.contains(RecordKey(kind, $0.key)) }.sorted {
            $0.key < $1.key
        }
        let pages = max(1, (listed.count + state.pageSize - 1) / state.pageSize)
        guard number <= pages else { return nil }
        let records = listed.dropFirst((number - 1) * state.pageSize).prefix(state.pageSize).map(\.value)
        return Array(
            #"{"info":{"count":\#(listed.count),"pages":\#(pages)},"results":[\#(records.joined(separator: ","))]}"#
                .utf8)
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
