import CCrypto
package import HTTPServer
import Platform

/// Answers requests like the live services: with a universe in the form of the Rick and Morty API, and a media library
/// in the form of the iTunes Search API. All statuses and texts are from observed answers (docs/apis.md).
package final class Responder: Sendable {
    package let universe: Universe
    /// The library has the universe's seed.
    package let library: MediaLibrary
    private let json: @Sendable (Universe.Reference) -> [UInt8]?
    private let pictures = PictureCache()

    /// - Parameter json: returns the bytes of a record, also for lists; nil if the record does not exist.
    package init(_ universe: Universe, json: (@Sendable (Universe.Reference) -> [UInt8]?)? = nil) {
        self.universe = universe
        self.json = json ?? { universe.json($0) }
        library = MediaLibrary(seed: universe.seed)
    }

    /// The maximum length of a path and query in bytes. It limits the time. A lookup of 200 ids needs half of it.
    private static let maxTargetLength = 4_096

    /// As in Express, the case of a path and a slash at its end are ignored.
    package func answer(_ request: ServerRequest) -> ServerAnswer {
        guard request.target.utf8.count <= Self.maxTargetLength else {
            return .text(
                414, "The address has more than \(Self.maxTargetLength) bytes; request fewer records in one request.\n")
        }
        if request.method == "OPTIONS" {
            return ServerAnswer(status: 204, headers: [("Access-Control-Allow-Origin", "*")])
        }
        guard request.method == "GET" || request.method == "HEAD" else { return .notFound }
        let segments = request.path.lowercased().split(separator: "/").map(String.init)
        switch (segments.first, segments.count) {
        case ("api", 1): return answer(request, json: root)
        case ("api", 2...): return Universe.Kind(rawValue: segments[1]).map { api($0, segments, request) } ?? .notFound
        case ("search", 1), ("lookup", 1): return media(MediaSearch(request.query, isLookup: segments[0] == "lookup"))
        case ("artwork", 3): return artwork(segments[1], segments[2], request)
        default: return .notFound
        }
    }

    private func api(_ kind: Universe.Kind, _ segments: [String], _ request: ServerRequest) -> ServerAnswer {
        let slash = request.path.hasSuffix("/") ? "/" : ""
        if kind == .character, segments.count > 2, segments[2] == "avatar" {
            return avatar(segments.dropFirst(3), slash, request)
        }
        if segments.count == 2 {
            let page = page(kind, query: request.query, slash: slash)
            return page.map { answer(request, json: $0) } ?? .error(404, "There is nothing here")
        }
        return segments.count == 3 ? records(kind, Percent.decoded(segments[2].utf8), request) : .notFound
    }

    private func records(_ kind: Universe.Kind, _ text: String, _ request: ServerRequest) -> ServerAnswer {
        if text.hasPrefix("[") || text.hasSuffix("]") || text.contains(",") {
            let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 1
            let parts = (isBracketed ? text.dropFirst().dropLast() : text[...]).split(
                separator: ",", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
                return .error(500, "Bad... bad array :/")
            }
            // The answer is sorted by id and has no duplicates. Unknown ids are left out.
            return answer(request, json: records(kind, Set(parts.compactMap { Int($0) }).sorted()).json)
        }
        guard let id = Percent.leadingInteger(text) else { return .error(500, "Hey! you must provide an id") }
        return json(Universe.Reference(kind, id)).map { answer(request, json: $0) }
            ?? .error(404, "\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst()) not found")
    }

    func records(_ kind: Universe.Kind, _ ids: [Int]) -> [RawJSON] {
        ids.compactMap { json(Universe.Reference(kind, $0)).map { RawJSON(bytes: $0) } }
    }

    private func avatar(_ names: ArraySlice<String>, _ slash: String, _ request: ServerRequest) -> ServerAnswer {
        guard let name = names.first else {
            let moved = ServerAnswer(status: 301, headers: [("Location", "/api/character/avatar/")])
            return slash.isEmpty ? moved : .error(404, "There is nothing here")
        }
        guard names.count == 1, name.hasSuffix(".jpeg"), let id = Int(name.dropLast(5)),
            universe.has(Universe.Reference(.character, id))
        else { return .notFound }
        let number = universe.portraitNumber(ofCharacter: id)
        let bytes = pictures.picture("\(number)") { universe.portrait(ofCharacter: number) }
        let tag = "W/\"\(String(bytes.count, radix: 16))-\(String((Self.firstDay + id) * 1000, radix: 16))\""
        return picture(bytes, tag: tag, request)
    }

    /// - Parameter size: the end of the path with the maximum size, as in /artwork/0123456789abcdef/600x600bb.jpg.
    private func artwork(_ name: String, _ size: String, _ request: ServerRequest) -> ServerAnswer {
        guard let size = size.wholeMatch(of: /([+]?[0-9]+)x([+]?[0-9]+)bb\.(jpg|png|webp)/),
            let width = Int(size.1), let height = Int(size.2), width > 0, height > 0,
            let kind = library.artworks[name]
        else { return .notFound }
        // The key has the size of the picture, which is the same for many requested sizes.
        let bytes = pictures.picture("\(name) \(MediaLibrary.size(of: kind, width: width, height: height))") {
            library.artwork(name, width: width, height: height) ?? []
        }
        return picture(bytes, tag: Self.entityTag(bytes), request)
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
    private static let changed = httpDate(firstDay)
    private static let cacheControl = (name: "Cache-Control", value: "public, max-age=7776000, immutable")

    /// An answer with a PNG picture and the content type of JPEG, like many answers of the live service.
    private func picture(_ bytes: [UInt8], tag: String, _ request: ServerRequest) -> ServerAnswer {
        ServerAnswer(
            status: request.has(entityTag: tag, modified: Self.changed) ? 304 : 200, type: "image/jpeg", body: bytes,
            Self.cacheControl, ("Last-Modified", Self.changed), ("ETag", tag))
    }

    private func answer(_ request: ServerRequest, json body: [UInt8]) -> ServerAnswer {
        let tag = Self.entityTag(body)
        return ServerAnswer(
            status: request.matches(entityTag: tag) ? 304 : 200, type: ServerAnswer.json, body: body, ("ETag", tag),
            Self.cacheControl)
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
    static var notFound: ServerAnswer { .error(404, "There is nothing here.") }

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
