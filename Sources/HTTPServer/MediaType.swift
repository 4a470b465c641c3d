/// Content types by the ending of a file's name.
public enum MediaType {
    private static let byEnding = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json; charset=utf-8", "svg": "image/svg+xml", "xml": "application/xml; charset=utf-8",
        "atom": "application/atom+xml; charset=utf-8", "webmanifest": "application/manifest+json", "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "ico": "image/x-icon",
        "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8", "woff2": "font/woff2",
        "gz": "application/gzip",
        "zip": "application/zip", "csv": "text/csv; charset=utf-8", "sqlite": "application/vnd.sqlite3",
    ]

    /// The content type of a file of that name or path.
    public static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return byEnding[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
