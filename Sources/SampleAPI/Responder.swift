import CZlib
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
        guard request.method == "GET" || request.method == "HEAD" else { return .notFound }
        let segments = request.path.lowercased().split(separator: "/").map(String.init)
        let kind = segments.dropFirst().first.flatMap(Universe.Kind.init)
        switch (segments.first, kind, segments.count) {
        case ("api", nil, 1): return answer(request, root)
        case ("api", let kind?, 2):
            return page(kind, request).map { answer(request, $0) } ?? .error(404, "There is nothing here")
        case ("api", let kind?, 3): return records(kind, segments[2], request)
        case ("api", .character, 4) where segments[2] == "avatar": return avatar(segments[3], request)
        case ("search", _, 1), ("lookup", _, 1): return media(MediaSearch(request, isLookup: segments[0] == "lookup"))
        case ("artwork", _, 3): return artwork(segments[1], segments[2], request)
        default: return .notFound
        }
    }

    private func records(_ kind: Universe.Kind, _ list: String, _ request: ServerRequest) -> ServerAnswer {
        let text = String(decoding: percentDecodedLeniently(list.utf8), as: UTF8.self)
        let ids = text.split(separator: ",").compactMap { Int($0) }
        // The answer is sorted by id and has no duplicates. Unknown ids are left out.
        if text.contains(",") { return answer(request, records(kind, Set(ids).sorted()).json) }
        guard let id = ids.first else { return .error(500, "Hey! you must provide an id") }
        return json(Universe.Reference(kind, id)).map { answer(request, $0) }
            ?? .error(404, "\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst()) not found")
    }

    func records(_ kind: Universe.Kind, _ ids: [Int]) -> [RawJSON] {
        ids.compactMap { json(Universe.Reference(kind, $0)).map { RawJSON(bytes: $0) } }
    }

    private func avatar(_ name: String, _ request: ServerRequest) -> ServerAnswer {
        guard name.hasSuffix(".jpeg"), let id = Int(name.dropLast(5)), universe.has(Universe.Reference(.character, id))
        else { return .notFound }
        let number = universe.portraitNumber(ofCharacter: id)
        let bytes = pictures.picture("\(number)") { universe.portrait(ofCharacter: number) }
        return answer(request, bytes, Self.pictureType)
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
        return answer(request, bytes, Self.pictureType)
    }

    /// Pictures are PNG files with the content type of JPEG, like many pictures of the live service.
    private static let pictureType = "image/jpeg"

    private func answer(_ request: ServerRequest, _ body: [UInt8], _ type: String = ServerAnswer.json) -> ServerAnswer {
        let tag = "W/\"\(String(body.count, radix: 16))-\(String(crc32(0, body, uInt(body.count)), radix: 16))\""
        return ServerAnswer(
            status: request.matches(entityTag: tag) ? 304 : 200, type: type, body: body, ("ETag", tag),
            ("Cache-Control", "public, max-age=7776000, immutable"))
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
