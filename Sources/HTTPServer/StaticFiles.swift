import Platform

/// Serves the files of one folder, and nothing outside of it. Each request opens it, so it can be replaced anytime.
package struct StaticFiles: Sendable {
    private let folder: String

    /// - Parameter folder: the path of the folder, which may not exist yet. A symbolic link is not served.
    package init(folder: String) { self.folder = folder }

    /// Answers GET and HEAD: with a folder's `index.html`, `404.html` for a missing file, or 304 if unchanged.
    package func answer(_ request: ServerRequest) -> ServerAnswer {
        guard request.method == "GET" || request.method == "HEAD" else { return .methodNotAllowed }
        let names = request.fileNames
        if let answer = answer(request, at: names) { return answer }
        // `try?`, because a folder that cannot be opened has no folders to serve.
        guard !request.path.hasSuffix("/"), let root = try? Folder.open(folder, followsLink: false),
            FileStatus(names.joined(separator: "/"), in: root)?.isFolder == true
        else { return notFound(page: ["404.html"]) }
        let path = String(decoding: request.path.utf8.drop { $0 == "/" }, as: UTF8.self)
        return .text(301, "Moved.\n", headers: [("Location", "/\(path)/")])
    }

    /// Answers with this file, independent of the request's path; nil if there is no such file.
    package func answer(_ request: ServerRequest, at names: [String]) -> ServerAnswer? {
        guard let file = ServedFile(names, in: folder) else { return nil }
        let headers = [
            (name: "Content-Type", value: MediaType.of(file.path)), ("Cache-Control", "no-cache"),
            ("ETag", file.entityTag),
        ]
        return request.matches(entityTag: file.entityTag)
            ? ServerAnswer(status: 304, headers: headers) : ServerAnswer(headers: headers, body: .file(file))
    }

    /// Answers 404 with this file, or with a sentence if there is no such file.
    package func notFound(page names: [String]) -> ServerAnswer {
        guard let page = ServedFile(names, in: folder) else {
            return .text(404, "This page does not exist.\n", headers: [("Cache-Control", "no-cache")])
        }
        return ServerAnswer(
            status: 404, headers: [("Content-Type", MediaType.of(page.path)), ("Cache-Control", "no-cache")],
            body: .file(page))
    }
}

extension ServerRequest {
    /// The decoded segments of the path; nil for an invalid escape, and for slashes, zero bytes or a dot first.
    package var names: [String]? {
        guard path.utf8.first == "/" else { return nil }
        var names: [String] = []
        for segment in path.utf8.split(separator: "/") {
            guard let name = percentDecoded(segment).flatMap({ String(validating: $0, as: UTF8.self) }),
                name.utf8.first != ".", !name.utf8.contains("/"), !name.utf8.contains(0)
            else { return nil }
            names.append(name)
        }
        return names
    }

    /// The segments of the path to the file, which is `index.html` for a folder; empty for an invalid path.
    package var fileNames: [String] { names.map { path.hasSuffix("/") ? $0 + ["index.html"] : $0 } ?? [] }
}

/// An open file of a served folder. Symbolic links are not followed, because they could lead out of the folder.
package final class ServedFile: Sendable {
    package let path: String
    package var size: Int { Int(status.size) }
    private let file: File
    private let status: FileStatus

    /// - Returns: nil if there is no such regular file.
    init?(_ names: [String], in folder: String) {
        path = names.joined(separator: "/")
        // The client gets the same answer for every reason.
        do {
            file = try File(reading: path, in: Folder.open(folder, followsLink: false))
            status = try file.status()
        } catch {
            return nil
        }
    }

    var entityTag: String { "\"\(String(status.modified, radix: 16))-\(String(status.size, radix: 16))\"" }

    /// The file's bytes; nil if there are more than the limit, or if they cannot be read.
    package func bytes(limit: Int) -> [UInt8]? {
        guard size <= limit, let bytes = bytes(at: 0, size), bytes.count == size else { return nil }
        return bytes
    }

    /// At most this number of bytes from an offset on; nil if they cannot be read.
    func bytes(at offset: UInt64, _ count: Int) -> [UInt8]? {
        // The connection is then closed, because its header is already sent.
        try? file.read(count, at: Int64(offset))
    }
}

/// Content types by file name extension.
package enum MediaType {
    private static let typesByExtension = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json; charset=utf-8", "svg": "image/svg+xml", "xml": "application/xml; charset=utf-8",
        "atom": "application/atom+xml; charset=utf-8", "webmanifest": "application/manifest+json", "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "ico": "image/x-icon",
        "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8", "woff2": "font/woff2",
        "gz": "application/gzip",
        "pdf": "application/pdf", "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "flac": "audio/flac",
        "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm", "epub": "application/epub+zip",
        "zip": "application/zip", "csv": "text/csv; charset=utf-8", "sqlite": "application/vnd.sqlite3",
    ]

    package static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return typesByExtension[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
