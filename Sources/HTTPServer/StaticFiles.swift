import Glibc

/// Serves the files of one folder, and nothing outside of it.
///
/// The folder is looked up anew for each request, so that one that is exchanged for another is served from then on.
public struct StaticFiles: Sendable {
    private let folder: String

    /// - Parameter folder: its path; it need not exist yet.
    public init(folder: String) {
        self.folder = folder
    }

    /// GET and HEAD; `index.html` for a folder, `404.html` where there is one, 304 for what the client holds.
    public func answer(_ request: ServerRequest) -> ServerAnswer {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .text(405, "Method not allowed.\n", headers: [("Allow", "GET, HEAD")])
        }
        guard let names = Self.names(in: request.path), let root = Self.real(folder) else { return notFound() }
        guard let found = file(names, in: root) else { return notFound() }

        if found.isFolder && !request.path.hasSuffix("/") {
            let place = "/" + request.path.drop { $0 == "/" } + "/"
            return .text(301, "Moved.\n", headers: [("Location", place)])
        }
        guard let served = found.isFolder ? file(names + ["index.html"], in: root) : found, !served.isFolder else { return notFound() }

        let headers = [
            ("Content-Type", MediaType.of(served.path)), ("Cache-Control", "no-cache"), ("ETag", served.entityTag),
            ("Last-Modified", served.lastModified), ("X-Content-Type-Options", "nosniff"),
        ].map { (name: $0.0, value: $0.1) }
        if isHeld(served, by: request) {
            return ServerAnswer(status: 304, headers: headers)
        }
        return ServerAnswer(headers: headers, body: .file(served.path))
    }
}

extension StaticFiles {
    private struct Found {
        let path: String
        let isFolder: Bool
        let entityTag: String
        let lastModified: String
    }

    /// If-None-Match decides where it is sent, If-Modified-Since only without it (RFC 9110, 13.2.2).
    private func isHeld(_ file: Found, by request: ServerRequest) -> Bool {
        if request.header("If-None-Match") != nil { return request.holds(entityTag: file.entityTag) }
        return request.header("If-Modified-Since") == file.lastModified
    }

    private func notFound() -> ServerAnswer {
        if let root = Self.real(folder), let page = file(["404.html"], in: root), !page.isFolder {
            return ServerAnswer(
                status: 404, headers: [("Content-Type", MediaType.of(page.path)), ("Cache-Control", "no-cache")], body: .file(page.path))
        }
        return .text(404, "There is no such page here.\n", headers: [("Cache-Control", "no-cache")])
    }

    /// What the names lead to, with symbolic links followed, if that is inside the root.
    private func file(_ names: [String], in root: String) -> Found? {
        guard let path = Self.real(([root] + names).joined(separator: "/")), path == root || path.hasPrefix(root + "/") else { return nil }
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }

        let type = facts.st_mode & S_IFMT
        guard type == S_IFREG || type == S_IFDIR else { return nil }
        let changed = facts.st_mtim.tv_sec * 1_000_000_000 + facts.st_mtim.tv_nsec
        return Found(
            path: path, isFolder: type == S_IFDIR,
            entityTag: "\"" + String(changed, radix: 16) + "-" + String(facts.st_size, radix: 16) + "\"",
            lastModified: HTTPDate.text(facts.st_mtim.tv_sec))
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path's segments, decoded; nil for what no file of a site is called: "..", a slash or a zero in a name, bad escapes.
    private static func names(in path: String) -> [String]? {
        var names: [String] = []
        for segment in path.split(separator: "/") {
            guard let name = decoded(segment), name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0) else {
                return nil
            }
            if name != "." { names.append(name) }
        }
        return names
    }

    private static func decoded(_ segment: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = segment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
