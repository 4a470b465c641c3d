import SQLite

extension Exchange {
    /// The most bytes of a status line and its headers; a capture takes a quarter of that.
    private static let longestHead = 1 << 20

    /// The exchanges that a query's tail selects.
    static func all(in db: Connection, _ tail: String, _ values: [Value]) throws(SQLiteError) -> Result<
        [Exchange], ArchiveError
    > {
        var exchanges: [Exchange] = []
        var fault: ArchiveError?
        try db.statement(
            """
            SELECT exchange.id, exchange.path, exchange.status, exchange.headers, exchange.received, exchange.sha256,
            asset.size, asset.format, asset.width, asset.height
            FROM exchange LEFT JOIN asset ON asset.id = exchange.asset \(tail)
            """
        ).forEach(values) { row in
            do throws(ArchiveError) {
                exchanges.append(try Exchange(row))
                return true
            } catch {
                fault = error
                return false
            }
        }
        return fault.map { .failure($0) } ?? .success(exchanges)
    }

    /// The first exchange that a query's tail selects, if its body, or its picture's file, still has the digest that it
    /// came with.
    static func firstIfWhole(in db: Connection, _ folder: ArchiveFolder, _ tail: String, _ values: Value...) throws
        -> Exchange?
    {
        let found: Exchange?
        do {
            found = try all(in: db, tail, values).get().first
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

    private init(_ row: Row) throws(ArchiveError) {
        guard let sha256 = row.digest(5) else {
            throw .damaged("answer \(row.integer(0)) has a digest of \(row.blob(5).count) bytes")
        }
        id = row.integer(0)
        path = try row.path(1)
        status = row.int(2)
        guard (100...999).contains(status) else { throw .damaged("the answer for \(path) has the status \(status)") }
        headers = row.blob(3)
        guard headers.count <= Self.longestHead else {
            throw .damaged("the answer for \(path) has \(headers.count) bytes of headers")
        }
        let asked = path
        received = try row.date(4, "the answer for \(asked)")
        self.sha256 = sha256
        asset = row.isNull(6) ? nil : try Asset(sha256, row, from: 6)
    }
}

extension Asset {
    /// No format has more pixels across.
    private static let longest = Int(UInt32.max)

    /// Reads size, format, width and height from four columns.
    init(_ sha256: SHA256, _ row: Row, from column: Int) throws(ArchiveError) {
        guard let format = PictureFormat(rawValue: row.text(column + 1)) else {
            throw .damaged("the picture \(sha256.hex) has the unknown format \(row.text(column + 1))")
        }
        // Written only for a message: an archive has a row for each picture.
        func of(_ part: String) -> String { "the \(part) of the picture \(sha256.hex)" }
        self.init(
            sha256: sha256, size: try row.count(column, of("size")), format: format,
            width: try row.count(column + 2, of("width"), upTo: Self.longest),
            height: try row.count(column + 3, of("height"), upTo: Self.longest))
    }
}
