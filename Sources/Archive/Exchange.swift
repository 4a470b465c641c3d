import Platform
import SQLite

/// A stored answer.
public struct Exchange: Sendable {
    package let id: Int64
    /// The request, relative to the API's base if it is below that.
    package let path: String
    package let status: Int
    package let headers: [UInt8]
    /// Milliseconds since 1970 when the answer was complete.
    package let received: Int64
    package let sha256: SHA256
    /// The length of the body in bytes, as it is stored.
    package let size: Int
    /// The picture that the body is; nil for a document.
    package let asset: Asset?
    /// The picture's file, if its bytes were compared with their digest just now; it has to be noted.
    var file: FileStatus?
}

/// A picture in the archive's folder, named by its digest.
public struct Asset: Sendable, Hashable {
    package let sha256: SHA256
    package let size: Int
    package let format: PictureFormat
    package let width: Int
    package let height: Int

    package init(sha256: SHA256, size: Int, format: PictureFormat, width: Int, height: Int) {
        self.sha256 = sha256
        self.size = size
        self.format = format
        self.width = width
        self.height = height
    }
}

/// A kind of picture that browsers show.
public enum PictureFormat: String, Sendable {
    case png, jpeg, gif, webp

    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// The role of an answer in its revision.
public enum AnswerRole: String, Sendable {
    case page
    /// Records requested by number. Which of them share a request depends on timing, so the records count, not the
    /// answer.
    case records
    case picture
}

/// An answer to be stored.
public struct NewExchange: Sendable {
    /// How the body is stored.
    public enum Content: Sendable {
        /// In the database.
        case document([UInt8])
        /// As a file named by its digest.
        case picture([UInt8], PictureFormat, width: Int, height: Int)
    }

    let path: String
    let role: AnswerRole
    let status: Int
    let headers: [UInt8]
    let received: Int64
    let content: Content

    /// The number of bytes to be stored, headers included.
    package var size: Int {
        switch content {
        case .document(let bytes), .picture(let bytes, _, _, _): bytes.count + headers.count
        }
    }

    package init(path: String, role: AnswerRole, status: Int, headers: [UInt8], received: Int64, content: Content) {
        self.path = path
        self.role = role
        self.status = status
        self.headers = headers
        self.received = received
        self.content = content
    }
}

extension Exchange {
    /// The same without its header block, to keep many in memory.
    package var withoutHeaders: Exchange {
        Exchange(
            id: id, path: path, status: status, headers: [], received: received, sha256: sha256, size: size,
            asset: asset, file: file)
    }

    /// The URL of a request: its path is below the API's base, or a whole URL, such as that of a picture elsewhere.
    package static func url(of path: String, below base: String) -> String {
        path.hasPrefix("https://") ? path : "\(base)/\(path)"
    }

    /// The most bytes of a status line and its headers; a capture takes a quarter of that.
    private static let longestHead = 1 << 20

    /// Passes on the exchanges that a query's tail selects, until the closure returns false.
    /// - Parameter asked: the column with the path that the exchange has to be an answer to.
    static func forEach(
        in db: Connection, _ tail: String, _ values: [Value], withHeaders: Bool = true, asked: String = "exchange.path",
        _ body: (Exchange) throws -> Bool
    ) throws {
        try db.statement(
            """
            SELECT exchange.id, exchange.path, exchange.status, \(withHeaders ? "exchange.headers" : "x''"),
            exchange.received, exchange.sha256, asset.size, asset.format, asset.width, asset.height,
            coalesce(length(body.bytes), asset.size, 0), \(asked)
            FROM exchange LEFT JOIN asset ON asset.id = exchange.asset LEFT JOIN body ON body.id = exchange.body \(tail)
            """
        ).forEach(values) { try body(try Exchange($0)) }
    }

    /// The first exchange that a query's tail selects, if its body, or its picture's file, still has its digest.
    static func firstIfWhole(in db: Connection, _ folder: ArchiveFolder, _ tail: String, _ values: Value...) throws
        -> Exchange?
    {
        var found: Exchange?
        do {
            try forEach(in: db, tail, values) { exchange in
                found = exchange
                return false
            }
        } catch ArchiveError.damaged {
            return nil
        }
        guard var whole = found else { return nil }
        guard let asset = whole.asset else { return try whole.hasWholeBody(in: db) ? whole : nil }
        guard let (file, isSeen) = try folder.whole(asset.sha256, in: db) else { return nil }
        if !isSeen { whole.file = file }
        return whole
    }

    private func hasWholeBody(in db: Connection) throws -> Bool {
        try db.first(
            "SELECT body.bytes FROM exchange JOIN body ON body.id = exchange.body WHERE exchange.id = ?", .integer(id)
        ) {
            SHA256(of: $0.rawBlob(0)) == sha256
        } ?? false
    }

    private init(_ row: Row) throws {
        guard let sha256 = row.digest(5) else {
            throw ArchiveError.damaged("answer \(row.integer(0)) has a digest of \(row.blob(5).count) bytes")
        }
        self.sha256 = sha256
        id = row.integer(0)
        path = try row.path(1)
        let name = "the answer for \(path)"
        guard row.text(11) == path else {
            throw ArchiveError.damaged("the answer for \(row.text(11)) is that to another question")
        }
        status = row.int(2)
        guard (100...999).contains(status) else { throw ArchiveError.damaged("\(name) has the status \(status)") }
        headers = row.blob(3)
        guard headers.count <= Self.longestHead else {
            throw ArchiveError.damaged("\(name) has \(headers.count) bytes of headers")
        }
        received = try row.date(4, name)
        size = try row.count(10, "the size of \(name)")
        asset = try row.asset(sha256, from: 6)
    }
}
