import SQLite

/// A stored answer.
package struct Exchange: Sendable {
    package let id: Int64
    /// The request's URL. It is relative if the URL begins with the API's base URL.
    package let path: String
    package let status: Int
    package var headers: [UInt8]
    /// Milliseconds since 1970 when the answer was complete.
    package let received: Int64
    package let sha256: SHA256
    /// The length of the stored body in bytes.
    package let size: Int
    /// The picture or file, if the body is one; nil for a document.
    package let asset: Asset?
}

/// A picture or another file in the archive's folder, named by its digest.
package struct Asset: Sendable, Hashable {
    package let sha256: SHA256
    package let size: Int
    package let format: AssetFormat
    /// In pixels; 0 for files other than pictures.
    package let width: Int
    package let height: Int
}

/// A format of captured files. Browsers show the first four as pictures, and run no file with one of the extensions.
package enum AssetFormat: String, Sendable {
    case png, jpeg, gif, webp
    case pdf, mp3, m4a, ogg, flac, wav, mp4, webm, zip, epub, docx, xlsx, pptx, doc, xls, ppt, odt, ods, odp, txt
    case gz, bz2, xz, tar
    case sevenZip = "7z"

    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
    private static let pictures: [AssetFormat] = [.png, .jpeg, .gif, .webp]
    package var isPicture: Bool { Self.pictures.contains(self) }
    /// The same as a condition on the column `format`.
    static let isPictureSQL = "format IN (\(pictures.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
    package var isAudio: Bool { [.mp3, .m4a, .ogg, .flac, .wav].contains(self) }
}

package enum AnswerRole: String, Sendable {
    case page
    /// Records requested by number. Their grouping depends on the timing, so digests cover only the records.
    case records
    /// A picture or another file.
    case asset = "picture"
}

/// An answer that has not been stored yet.
package typealias NewExchange = (
    path: String, role: AnswerRole, status: Int, headers: [UInt8], received: Int64, body: [UInt8], asset: AssetFacts?
)

/// What the bytes of a picture or file show: its format and, for a picture, its size in pixels. An answer without these
/// facts is a document. Documents are stored in the database, and other bodies as files named by their digests.
package typealias AssetFacts = (format: AssetFormat, width: Int, height: Int)

extension Exchange {
    /// The URL of a request. The path is relative to the API's base, or a URL, such as a picture's on another server.
    package static func url(of path: String, below base: String) -> String {
        path.hasPrefix("https://") || path.hasPrefix("http://") ? path : "\(base)/\(path)"
    }

    /// A query for exchanges, which `init(_:)` reads.
    /// - Parameters:
    ///   - tail: the end of the query, which begins with further joins.
    ///   - requested: the column with the requested path; the exchange must have the same path.
    static func query(_ tail: String, withHeaders: Bool = true, requested: String = "exchange.path") -> String {
        """
        SELECT exchange.id, exchange.path, exchange.status, \(withHeaders ? "exchange.headers" : "x''"),
        exchange.received, exchange.sha256, asset.size, asset.format, asset.width, asset.height,
        coalesce(length(body.bytes), asset.size, 0), \(requested)
        FROM exchange LEFT JOIN asset ON asset.id = exchange.asset LEFT JOIN body ON body.id = exchange.body \(tail)
        """
    }

    init(_ row: Row) throws {
        id = row.integer(0)
        sha256 = try row.digest(5, of: "answer \(id)")
        path = try row.path(1)
        let name = "the answer for \(path)"
        let requested = try row.path(11)
        try ArchiveError.require(requested == path, "the answer for \(requested) belongs to another request")
        status = row.int(2)
        try ArchiveError.require((100...999).contains(status), "\(name) has the invalid status \(status)")
        headers = row.blob(3)
        // A capture accepts a status line and headers of a quarter of this limit.
        try ArchiveError.require(headers.count <= 1 << 20, "\(name) has \(headers.count) bytes of headers")
        received = try row.date(4, name)
        size = try row.count(10, "the size of \(name)")
        asset = try row.asset(from: 5)
    }
}
