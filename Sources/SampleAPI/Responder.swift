import CCrypto
import HTTPServer
import Platform

/// Answers requests as the live service does. Source of every status and text: the API's observed contract.
final class Responder: Sendable {
    let universe: Universe
    let behaviour: Guarded<Behaviour>
    let journal = Journal()
    private let made = Guarded<MediaLibrary?>(nil)
    private let pictures = Guarded<[String: [UInt8]]>([:])
    /// Few threads make an answer at a time: drawing a picture takes 10 MB.
    private let turns = StripedLock()

    init(_ universe: Universe, _ behaviour: Behaviour = Behaviour()) {
        self.universe = universe
        self.behaviour = Guarded(behaviour)
    }

    /// The most bytes that a request's address may have; 200 ids of media need half of them. The time that an answer
    /// takes depends on it.
    private static let longestTarget = 4_096

    func answer(_ request: ServerRequest) -> ServerAnswer {
        guard request.target.utf8.count <= Self.longestTarget else {
            return .text(414, "The address has more than \(Self.longestTarget) bytes; ask for less at once.\n")
        }
        if request.path == "/_stats" {
            return ServerAnswer(headers: [("Content-Type", "application/json")], body: .bytes(journal.report))
        }
        if request.path == "/_reset" { return reset(request) }

        let route = Route(request.path)
        let behaviour = behaviour.withLock { $0 }
        let ended = journal.begin(request, route.word, isKept: behaviour.keepsLog)
        // By path: the second request for a picture finds the one that the first request drew.
        var answer = turns.withLock(for: request.path) { self.answer(request, route, behaviour) }
        behaviour.filter?.change(&answer, to: request)
        if behaviour.latency > .zero { answer.delay = behaviour.latency }
        let status =
            switch answer.misbehaviour {
            case .hang, .reset: 0
            case .slow, .truncated, nil: answer.status
            }
        answer.finished = { ended(status) }
        return answer
    }

    private func reset(_ request: ServerRequest) -> ServerAnswer {
        guard request.method == "POST" else {
            return .text(405, "Send a POST request to clear the log.\n", headers: [("Allow", "POST")])
        }
        // Browsers send it with every POST of a web page.
        guard request.header("Origin") == nil else {
            return .text(403, "A web page cannot clear the log; send the request without Origin.\n")
        }
        journal.reset()
        return ServerAnswer(status: 204)
    }
}

extension Responder {
    static let json = "application/json; charset=utf-8"

    private func answer(_ request: ServerRequest, _ route: Route, _ behaviour: Behaviour) -> ServerAnswer {
        switch request.method {
        case "GET", "HEAD": break
        case "OPTIONS": return ServerAnswer(status: 204, headers: [("Access-Control-Allow-Origin", "*")])
        default: return .error(404, "There is nothing here.")
        }
        let lists = Lists(universe: universe, behaviour: behaviour)
        let slash = request.path.hasSuffix("/")
        switch route {
        case .root: return found(lists.root(), request)
        case .page(let kind):
            let page = lists.page(kind, query: request.query, slash: slash ? "/" : "")
            return page.map { found($0, request) } ?? .error(404, "There is nothing here")
        case .records(let kind, let ids): return records(kind, ids, lists, request)
        case .avatar(let id): return avatar(id, behaviour, request)
        case .avatarFolder where slash: return .error(404, "There is nothing here")
        case .avatarFolder: return ServerAnswer(status: 301, headers: [("Location", "/api/character/avatar/")])
        case .search, .lookup: return media(request.query, isLookup: route.word == "lookup", behaviour)
        case .artwork(let name, let width, let height):
            guard let bytes = artwork(name, width: width, height: height) else { break }
            return picture(bytes, changed: 1_672_617_600, tag: Self.entityTag(bytes), request)
        case .nothing: break
        }
        return .error(404, "There is nothing here.")
    }

    private func records(_ kind: Universe.Kind, _ text: String, _ lists: Lists, _ request: ServerRequest)
        -> ServerAnswer
    {
        if text.hasPrefix("[") || text.hasSuffix("]") || text.contains(",") {
            let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 1
            let parts = (isBracketed ? text.dropFirst().dropLast() : text[...]).split(
                separator: ",", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } }) else {
                return .error(500, "Bad... bad array :/")
            }
            // Not in the order asked, and each once; what there is none of is left out.
            return found(lists.several(kind, Set(parts.compactMap { Int($0) }).sorted()).json, request)
        }
        guard let id = Percent.leadingInteger(text) else { return .error(500, "Hey! you must provide an id") }
        guard let body = lists.one(kind, id) else {
            return .error(404, "\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst()) not found")
        }
        return found(body, request)
    }

    private func avatar(_ id: Int, _ behaviour: Behaviour, _ request: ServerRequest) -> ServerAnswer {
        let reference = Universe.Reference(.character, id)
        guard universe.has(reference) else { return .error(404, "There is nothing here.") }
        let generation = universe.isRevised(reference) ? behaviour.generation : 0
        let sitter = universe.sitter(ofCharacter: id)
        let bytes =
            behaviour.avatarOverrides[id]
            ?? drawn("\(sitter) \(generation)") { universe.portrait(ofCharacter: sitter, generation: generation) }
        let changed = 1_672_617_600 + generation * 86_400
        let tag = "W/\"\(String(bytes.count, radix: 16))-\(String((changed + id) * 1000, radix: 16))\""
        return picture(bytes, changed: changed, tag: tag, isDated: true, request)
    }

    /// PNG bytes that are called JPEG, as many of the live service's are.
    ///
    /// - Parameter isDated: whether the date is enough to hold it by.
    private func picture(_ bytes: [UInt8], changed: Int, tag: String, isDated: Bool = false, _ request: ServerRequest)
        -> ServerAnswer
    {
        let date = HTTPDate.text(changed)
        let isHeld = isDated && request.header("If-None-Match") == nil && request.header("If-Modified-Since") == date
        return ServerAnswer(
            status: isHeld || request.holds(entityTag: tag) ? 304 : 200, type: "image/jpeg", body: bytes,
            ("Cache-Control", Self.lifetime), ("Last-Modified", date), ("ETag", tag))
    }

    private func found(_ body: [UInt8], _ request: ServerRequest) -> ServerAnswer {
        let tag = Self.entityTag(body)
        return ServerAnswer(
            status: request.holds(entityTag: tag) ? 304 : 200, type: Self.json, body: body, ("ETag", tag),
            ("Cache-Control", Self.lifetime))
    }

    private static let lifetime = "public, max-age=7776000, immutable"

    /// As Express makes them: length in hexadecimal, and 27 characters of the SHA-1 in base64.
    private static func entityTag(_ body: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = SHA1(body, body.count, &digest)
        // EVP_EncodeBlock writes four characters for three bytes, and a zero.
        var text = [UInt8](repeating: 0, count: 29)
        EVP_EncodeBlock(&text, digest, SHA_DIGEST_LENGTH)
        return "W/\"\(String(body.count, radix: 16))-\(String(decoding: text[..<27], as: UTF8.self))\""
    }

    /// Of the universe's seed, made when first asked for.
    var library: MediaLibrary {
        made.withLock { made in
            let library = made ?? MediaLibrary(seed: universe.seed)
            made = library
            return library
        }
    }

    func artwork(_ name: String, width: Int, height: Int) -> [UInt8]? {
        guard let kind = library.artworks[name] else { return nil }
        // By the size that is drawn: many boxes have the same one.
        let size = MediaLibrary.size(of: kind, width: width, height: height)
        return drawn("\(name) \(size)") { library.artwork(name, width: width, height: height) ?? [] }
    }

    /// A picture, from among the last that were drawn: a few megabytes.
    private func drawn(_ name: String, _ draw: () -> [UInt8]) -> [UInt8] {
        if let bytes = pictures.withLock({ $0[name] }) { return bytes }
        let bytes = draw()
        pictures.withLock { pictures in
            if pictures.count >= 1000 { pictures.removeAll(keepingCapacity: true) }
            pictures[name] = bytes
        }
        return bytes
    }
}

/// Four locks for any number of keys: at most four bodies run at a time, and those of the same key one after another.
struct StripedLock: Sendable {
    private let locks = (0..<4).map { _ in Guarded(()) }

    func withLock<Result>(for key: some Hashable, _ body: () -> Result) -> Result {
        locks[Int(UInt(bitPattern: key.hashValue) % 4)].withLock { _ in body() }
    }
}

extension ServerAnswer {
    /// An answer that any site may read. The body of a 304 is left out.
    init(status: Int, type: String, body: [UInt8], _ more: (name: String, value: String)...) {
        self.init(
            status: status, headers: [("Content-Type", type), ("Access-Control-Allow-Origin", "*")] + more,
            body: .bytes(status == 304 ? [] : body))
    }

    /// The service's own words for what goes wrong.
    static func error(_ status: Int, _ text: String) -> ServerAnswer {
        ServerAnswer(status: status, type: Responder.json, body: (["error": text] as JSONObject).json)
    }
}
