/// Serves the files of one folder, and nothing outside of it.
///
/// The folder is opened again for each request, so a folder that replaces it is served from then on.
public struct StaticFiles: Sendable {
    private let folder: String

    /// - Parameter folder: its path. It need not exist yet, and is not served while it is a link.
    public init(folder: String) {
        self.folder = folder
    }

    /// GET and HEAD; `index.html` for a folder, `404.html` where there is one, 304 for what the client holds.
    public func answer(_ request: ServerRequest) -> ServerAnswer {
        guard request.method == "GET" || request.method == "HEAD" else { return .methodNotAllowed }
        guard let names = request.names, let found = ServedFile(names, in: folder) else {
            return missing(at: ["404.html"])
        }
        let isFolderPath = request.path.hasSuffix("/")
        guard found.isFolder else { return isFolderPath ? missing(at: ["404.html"]) : answer(request, with: found) }
        guard isFolderPath else {
            let path = String(decoding: request.path.utf8.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
            return .text(301, "Moved.\n", headers: [("Location", "/\(path)/")])
        }
        guard let index = ServedFile(names + ["index.html"], in: folder), !index.isFolder else {
            return missing(at: ["404.html"])
        }
        return answer(request, with: index)
    }

    /// A file of the folder for whatever was asked; nil where there is none.
    public func answer(_ request: ServerRequest, at names: [String]) -> ServerAnswer? {
        guard let file = ServedFile(names, in: folder), !file.isFolder else { return nil }
        return answer(request, with: file)
    }

    /// Status 404 with a file of the folder, or with a sentence where there is no such file.
    public func missing(at names: [String]) -> ServerAnswer {
        guard let page = ServedFile(names, in: folder), !page.isFolder else {
            return .text(404, "There is no such page here.\n", headers: [("Cache-Control", "no-cache")])
        }
        return ServerAnswer(
            status: 404, headers: [("Content-Type", MediaType.of(page.path)), ("Cache-Control", "no-cache")],
            body: .file(page))
    }
}

extension StaticFiles {
    private func answer(_ request: ServerRequest, with file: ServedFile) -> ServerAnswer {
        let headers = [
            (name: "Content-Type", value: MediaType.of(file.path)), ("Cache-Control", "no-cache"),
            ("ETag", file.entityTag),
            ("Last-Modified", file.lastModified),
        ]
        if isHeld(file, by: request) { return ServerAnswer(status: 304, headers: headers) }
        return ServerAnswer(headers: headers, body: .file(file))
    }

    /// If-None-Match decides where it is sent, If-Modified-Since only without it (RFC 9110, 13.2.2).
    private func isHeld(_ file: ServedFile, by request: ServerRequest) -> Bool {
        if request.header("If-None-Match") != nil { return request.holds(entityTag: file.entityTag) }
        return request.header("If-Modified-Since") == file.lastModified
    }
}

extension ServerRequest {
    /// The path's segments, decoded once; nil for a path that no file of a site has: a bad escape, a slash or a zero
    /// byte in a name, or a name that begins with a dot, as ".." does.
    public var names: [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var names: [String] = []
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            guard let name = Self.decoded(segment), name.utf8.first != UInt8(ascii: "."),
                !name.utf8.contains(UInt8(ascii: "/")),
                !name.utf8.contains(0)
            else { return nil }
            names.append(name)
        }
        return names
    }

    private static func decoded(_ segment: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = segment
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
            (byte | 0x20) - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
