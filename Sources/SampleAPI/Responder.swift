import CCrypto
import HTTPServer
import Platform

/// Answers requests as the live services do. Source of every status and text: the APIs' observed contract.
final class Responder: Sendable {
    let universe: Universe
    let behaviour: Guarded<Behaviour>
    let log = RequestLog()
    private let madeLibrary = Guarded<MediaLibrary?>(nil)
    private let pictures = PictureCache()

    init(_ universe: Universe, _ behaviour: Behaviour = Behaviour()) {
        self.universe = universe
        self.behaviour = Guarded(behaviour)
    }

    var library: MediaLibrary {
        madeLibrary.withLock { made in
            let library = made ?? MediaLibrary(seed: universe.seed)
            made = library
            return library
        }
    }

    /// The most bytes that a request's address may have; 200 ids of media need half of them. The time that an answer
    /// takes depends on it.
    private static let longestTarget = 4_096

    func answer(_ request: ServerRequest) -> ServerAnswer {
        guard request.target.utf8.count <= Self.longestTarget else {
            return .text(414, "The address has more than \(Self.longestTarget) bytes; ask for less at once.\n")
        }
        let behaviour = behaviour.withLock { $0 }
        var (kind, answer) = route(request, behaviour)
        behaviour.filter?.change(&answer, to: request)
        if behaviour.latency > .zero { answer.delay = behaviour.latency }
        guard behaviour.keepsLog else { return answer }
        let ended = log.begin(request, kind)
        let status =
            switch answer.misbehaviour {
            case .hang, .reset: 0
            case .slow, .truncated, nil: answer.status
            }
        answer.finished = { ended(status) }
        return answer
    }
}

extension Responder {
    /// The answer, and the kind under which the request is logged. Case and a trailing slash of a path do not matter,
    /// as in Express.
    private func route(_ request: ServerRequest, _ behaviour: Behaviour) -> (kind: String, answer: ServerAnswer) {
        let nothing = Self.nothing
        if request.method == "OPTIONS" {
            return ("other", ServerAnswer(status: 204, headers: [("Access-Control-Allow-Origin", "*")]))
        }
        guard request.method == "GET" || request.method == "HEAD" else { return nothing }
        let segments = request.path.lowercased().split(separator: "/").map(String.init)
        let slash = request.path.hasSuffix("/")
        let lists = Lists(universe: universe, behaviour: behaviour)
        switch (segments.first, segments.count) {
        case ("api", 1): return ("other", found(lists.root, request))
        case ("api", 2...):
            guard let kind = Universe.Kind(rawValue: segments[1]) else { return nothing }
            if kind == .character, segments.count > 2, segments[2] == "avatar" {
                return avatar(segments.dropFirst(3), slash, behaviour, request) ?? nothing
            }
            if segments.count == 2 {
                let page = lists.page(kind, query: request.query, slash: slash ? "/" : "")
                return ("\(kind)_page", page.map { found($0, request) } ?? .error(404, "There is nothing here"))
            }
            guard segments.count == 3 else { return nothing }
            return (kind.rawValue, records(kind, Percent.decoded(segments[2]), lists, request))
        case ("search", 1), ("lookup", 1):
            return (segments[0], media(MediaSearch(request.query, isLookup: segments[0] == "lookup"), behaviour))
        case ("artwork", 3):
            // The box that it is to fit into, such as /artwork/0123456789abcdef/600x600bb.jpg.
            guard let size = segments[2].wholeMatch(of: /([+]?[0-9]+)x([+]?[0-9]+)bb\.(jpg|png|webp)/),
                let width = Int(size.1), let height = Int(size.2), width > 0, height > 0
            else { return nothing }
            guard let bytes = artwork(segments[1], width, height) else { return ("artwork", nothing.answer) }
            return ("artwork", picture(bytes, changed: Self.firstDay, tag: Self.entityTag(bytes), request))
        default: return nothing
        }
    }

    private static let nothing = (kind: "other", answer: ServerAnswer.error(404, "There is nothing here."))

    private func records(
        _ kind: Universe.Kind, _ text: String, _ lists: Lists, _ request: ServerRequest
    ) -> ServerAnswer {
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
        return lists.one(kind, id).map { found($0, request) }
            ?? .error(404, "\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst()) not found")
    }

    private func avatar(
        _ names: ArraySlice<String>, _ slash: Bool, _ behaviour: Behaviour, _ request: ServerRequest
    ) -> (kind: String, answer: ServerAnswer)? {
        guard let name = names.first else {
            let moved = ServerAnswer(status: 301, headers: [("Location", "/api/character/avatar/")])
            return ("other", slash ? .error(404, "There is nothing here") : moved)
        }
        guard names.count == 1, name.hasSuffix(".jpeg"), let id = Int(name.dropLast(5)),
            universe.has(Universe.Reference(.character, id))
        else { return nil }
        let sitter = universe.sitter(ofCharacter: id)
        let bytes =
            behaviour.avatarOverrides[id] ?? pictures.picture("\(sitter)") { universe.portrait(ofCharacter: sitter) }
        let tag = "W/\"\(String(bytes.count, radix: 16))-\(String((Self.firstDay + id) * 1000, radix: 16))\""
        return ("avatar", picture(bytes, changed: Self.firstDay, tag: tag, isDated: true, request))
    }

    func artwork(_ name: String, _ width: Int, _ height: Int) -> [UInt8]? {
        guard let kind = library.artworks[name] else { return nil }
        // By the size that is drawn: many boxes have the same one.
        let size = MediaLibrary.size(of: kind, width: width, height: height)
        return pictures.picture("\(name) \(size)") { library.artwork(name, width: width, height: height) ?? [] }
    }
}

/// The pictures that were drawn last, a few megabytes. Drawing one takes 10 MB: four are drawn at a time at most. The
/// second request for a picture finds the one that the first request drew.
struct PictureCache: Sendable {
    private let parts = (0..<4).map { _ in Guarded<[String: [UInt8]]>([:]) }

    func picture(_ name: String, _ draw: () -> [UInt8]) -> [UInt8] {
        parts[Int(UInt(bitPattern: name.hashValue) % 4)].withLock { pictures in
            if let bytes = pictures[name] { return bytes }
            if pictures.count >= 250 { pictures.removeAll(keepingCapacity: true) }
            let bytes = draw()
            pictures[name] = bytes
            return bytes
        }
    }
}

extension Responder {
    /// When all pictures were last changed.
    private static let firstDay = 1_672_617_600
    private static let lifetime = "public, max-age=7776000, immutable"

    /// PNG bytes that are called JPEG, as many of the live service's are.
    /// - Parameter isDated: whether the date is enough to hold it by.
    private func picture(
        _ bytes: [UInt8], changed: Int, tag: String, isDated: Bool = false, _ request: ServerRequest
    ) -> ServerAnswer {
        let date = HTTPDate.text(changed)
        let isHeld = isDated && request.header("If-None-Match") == nil && request.header("If-Modified-Since") == date
        return ServerAnswer(
            status: isHeld || request.holds(entityTag: tag) ? 304 : 200, type: "image/jpeg", body: bytes,
            ("Cache-Control", Self.lifetime), ("Last-Modified", date), ("ETag", tag))
    }

    private func found(_ body: [UInt8], _ request: ServerRequest) -> ServerAnswer {
        let tag = Self.entityTag(body)
        return ServerAnswer(
            status: request.holds(entityTag: tag) ? 304 : 200, type: ServerAnswer.json, body: body, ("ETag", tag),
            ("Cache-Control", Self.lifetime))
    }

    /// As Express makes them: length in hexadecimal, and 27 characters of the SHA-1 in base64.
    private static func entityTag(_ body: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = SHA1(body, body.count, &digest)
        // EVP_EncodeBlock writes four characters for three bytes, and a zero.
        var text = [UInt8](repeating: 0, count: 29)
        EVP_EncodeBlock(&text, digest, SHA_DIGEST_LENGTH)
        return "W/\"\(String(body.count, radix: 16))-\(String(decoding: text[..<27], as: UTF8.self))\""
    }
}

extension ServerAnswer {
    static let json = "application/json; charset=utf-8"

    /// An answer that any site may read. The body of a 304 is left out.
    init(status: Int, type: String, body: [UInt8], _ more: (name: String, value: String)...) {
        self.init(
            status: status, headers: [("Content-Type", type), ("Access-Control-Allow-Origin", "*")] + more,
            body: .bytes(status == 304 ? [] : body))
    }

    /// The service's own words for what goes wrong.
    static func error(_ status: Int, _ text: String) -> ServerAnswer {
        ServerAnswer(status: status, type: json, body: (["error": text] as JSONObject).json)
    }
}
