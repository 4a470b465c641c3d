import CCrypto
import HTTPServer
import Platform

/// Answers requests like the live services. Source of all statuses and texts: observed answers (docs/apis.md).
final class Responder: Sendable {
    let universe: Universe
    let behaviour: Locked<Behaviour>
    let log = RequestLog()
    private let cachedLibrary = Locked<MediaLibrary?>(nil)
    private let pictures = PictureCache()

    init(_ universe: Universe, _ behaviour: Behaviour = Behaviour()) {
        self.universe = universe
        self.behaviour = Locked(behaviour)
    }

    var library: MediaLibrary {
        cachedLibrary.withLock { cached in
            let library = cached ?? MediaLibrary(seed: universe.seed)
            cached = library
            return library
        }
    }

    /// The maximum length of a request's path and query in bytes. It limits the time for an answer. A lookup of 200 ids
    /// needs half of it.
    private static let maxTargetLength = 4_096

    func answer(_ request: ServerRequest) -> ServerAnswer {
        guard request.target.utf8.count <= Self.maxTargetLength else {
            return .text(
                414, "The address has more than \(Self.maxTargetLength) bytes; request fewer records in one request.\n")
        }
        let behaviour = behaviour.withLock { $0 }
        var (kind, answer) = route(request, behaviour)
        behaviour.filter?.change(&answer, to: request)
        if behaviour.latency > .zero { answer.delay = behaviour.latency }
        guard behaviour.keepsLog else { return answer }
        let recordEnd = log.begin(request, kind)
        let status =
            switch answer.misbehaviour {
            case .hang, .reset: 0
            case .slow, .truncated, nil: answer.status
            }
        answer.onFinish = { recordEnd(status) }
        return answer
    }
}

extension Responder {
    /// The answer, and the kind for the log. As in Express, the case of a path and a slash at its end are ignored.
    private func route(_ request: ServerRequest, _ behaviour: Behaviour) -> (kind: String, answer: ServerAnswer) {
        let notFound = Self.notFound
        if request.method == "OPTIONS" {
            return ("other", ServerAnswer(status: 204, headers: [("Access-Control-Allow-Origin", "*")]))
        }
        guard request.method == "GET" || request.method == "HEAD" else { return notFound }
        let segments = request.path.lowercased().split(separator: "/").map(String.init)
        let slash = request.path.hasSuffix("/")
        let lists = Lists(universe: universe, behaviour: behaviour)
        switch (segments.first, segments.count) {
        case ("api", 1): return ("other", jsonAnswer(lists.root, request))
        case ("api", 2...):
            guard let kind = Universe.Kind(rawValue: segments[1]) else { return notFound }
            if kind == .character, segments.count > 2, segments[2] == "avatar" {
                return avatar(segments.dropFirst(3), slash, behaviour, request) ?? notFound
            }
            if segments.count == 2 {
                let page = lists.page(kind, query: request.query, slash: slash ? "/" : "")
                return ("\(kind)_page", page.map { jsonAnswer($0, request) } ?? .error(404, "There is nothing here"))
            }
            guard segments.count == 3 else { return notFound }
            return (kind.rawValue, records(kind, Percent.decoded(segments[2].utf8), lists, request))
        case ("search", 1), ("lookup", 1):
            return (segments[0], media(MediaSearch(request.query, isLookup: segments[0] == "lookup"), behaviour))
        case ("artwork", 3):
            // The path ends with the maximum size, as in /artwork/0123456789abcdef/600x600bb.jpg.
            guard let size = segments[2].wholeMatch(of: /([+]?[0-9]+)x([+]?[0-9]+)bb\.(jpg|png|webp)/),
                let width = Int(size.1), let height = Int(size.2), width > 0, height > 0
            else { return notFound }
            guard let bytes = artwork(segments[1], width, height) else { return ("artwork", notFound.answer) }
            return ("artwork", picture(bytes, changed: Self.firstDay, tag: Self.entityTag(bytes), request))
        default: return notFound
        }
    }

    private static let notFound = (kind: "other", answer: ServerAnswer.error(404, "There is nothing here."))

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
            // The answer is sorted by id and has no duplicates. Unknown ids are left out.
            return jsonAnswer(lists.records(kind, Set(parts.compactMap { Int($0) }).sorted()).json, request)
        }
        guard let id = Percent.leadingInteger(text) else { return .error(500, "Hey! you must provide an id") }
        return lists.record(kind, id).map { jsonAnswer($0, request) }
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
        let number = universe.portraitNumber(ofCharacter: id)
        let bytes =
            behaviour.avatarOverrides[id] ?? pictures.picture("\(number)") { universe.portrait(ofCharacter: number) }
        let tag = "W/\"\(String(bytes.count, radix: 16))-\(String((Self.firstDay + id) * 1000, radix: 16))\""
        return ("avatar", picture(bytes, changed: Self.firstDay, tag: tag, isDated: true, request))
    }

    func artwork(_ name: String, _ width: Int, _ height: Int) -> [UInt8]? {
        guard let kind = library.artworks[name] else { return nil }
        // The key has the size of the picture, which is the same for many requested sizes.
        let size = MediaLibrary.size(of: kind, width: width, height: height)
        return pictures.picture("\(name) \(size)") { library.artwork(name, width: width, height: height) ?? [] }
    }
}

/// A cache of up to 1,000 pictures. Drawing a picture takes 10 MB of memory, so at most four are drawn at the same
/// time. Simultaneous requests for a picture draw it once.
struct PictureCache: Sendable {
    private let parts = (0..<4).map { _ in Locked<[String: [UInt8]]>([:]) }

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
    /// The modification time of all pictures, in seconds since 1970.
    private static let firstDay = 1_672_617_600
    private static let cacheControl = "public, max-age=7776000, immutable"

    /// An answer with a PNG picture and the content type of JPEG, like many answers of the live service.
    /// - Parameter isDated: whether If-Modified-Since alone can make the answer 304.
    private func picture(
        _ bytes: [UInt8], changed: Int, tag: String, isDated: Bool = false, _ request: ServerRequest
    ) -> ServerAnswer {
        let date = HTTPDate.text(changed)
        let isUnchanged =
            isDated && request.header("If-None-Match") == nil && request.header("If-Modified-Since") == date
        return ServerAnswer(
            status: isUnchanged || request.matches(entityTag: tag) ? 304 : 200, type: "image/jpeg", body: bytes,
            ("Cache-Control", Self.cacheControl), ("Last-Modified", date), ("ETag", tag))
    }

    private func jsonAnswer(_ body: [UInt8], _ request: ServerRequest) -> ServerAnswer {
        let tag = Self.entityTag(body)
        return ServerAnswer(
            status: request.matches(entityTag: tag) ? 304 : 200, type: ServerAnswer.json, body: body, ("ETag", tag),
            ("Cache-Control", Self.cacheControl))
    }

    /// An entity tag as in Express: the length in hexadecimal, and 27 characters of the SHA-1 digest in base64.
    private static func entityTag(_ body: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = SHA1(body, body.count, &digest)
        // EVP_EncodeBlock writes four characters for each three bytes, and a zero at the end.
        var text = [UInt8](repeating: 0, count: 29)
        EVP_EncodeBlock(&text, digest, SHA_DIGEST_LENGTH)
        return "W/\"\(String(body.count, radix: 16))-\(String(decoding: text[..<27], as: UTF8.self))\""
    }
}

extension ServerAnswer {
    static let json = "application/json; charset=utf-8"

    /// An answer that scripts of any origin can read. A 304 has no body.
    init(status: Int, type: String, body: [UInt8], _ more: (name: String, value: String)...) {
        self.init(
            status: status, headers: [("Content-Type", type), ("Access-Control-Allow-Origin", "*")] + more,
            body: .bytes(status == 304 ? [] : body))
    }

    /// An error in the service's format.
    static func error(_ status: Int, _ text: String) -> ServerAnswer {
        ServerAnswer(status: status, type: json, body: (["error": text] as JSONObject).json)
    }
}
