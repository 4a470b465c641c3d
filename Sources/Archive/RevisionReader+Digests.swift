import SQLite

/// An answer without its headers and body: enough to tell where it belongs.
public struct AnswerDigest: Sendable {
    /// What was asked, relative to the API's base.
    public let path: String
    /// The digest of the body.
    public let sha256: SHA256
    /// The length of the body in bytes, as it is stored.
    public let size: Int
    /// The picture that the body is; nil for a document.
    public let asset: Asset?
}

extension RevisionReader {
    /// Goes through the revision's answers of a role in the order of their paths' bytes; an imported state has none.
    public func forEachAnswer(as role: AnswerRole, _ body: (AnswerDigest) throws -> Void) throws {
        try each("\(Self.answerDigests) ORDER BY answer.path", .integer(revision.number), .text(role.rawValue)) {
            try body(try Self.answerDigest($0))
        }
    }

    /// Goes through those of them whose paths stand between two, which are among them.
    public func forEachAnswer(
        as role: AnswerRole, from first: String, through last: String, _ body: (AnswerDigest) throws -> Void
    ) throws {
        try each(
            "\(Self.answerDigests) AND answer.path >= ? AND answer.path <= ? ORDER BY answer.path",
            .integer(revision.number),
            .text(role.rawValue), .text(first), .text(last)
        ) { try body(try Self.answerDigest($0)) }
    }

    private static let answerDigests = """
        SELECT answer.path, exchange.sha256, asset.size, asset.format, asset.width, asset.height,
        coalesce(length(body.bytes), asset.size) FROM answer JOIN exchange ON exchange.id = answer.exchange
        LEFT JOIN body ON body.id = exchange.body LEFT JOIN asset ON asset.id = exchange.asset
        WHERE answer.revision = ? AND answer.role = ?
        """

    private static func answerDigest(_ row: Row) throws(ArchiveError) -> AnswerDigest {
        let path = try row.path(0)
        guard let sha256 = row.digest(1) else { throw .damaged("the answer for \(path) has no digest") }
        return AnswerDigest(
            path: path, sha256: sha256, size: try row.count(6, "the size of the answer for \(path)"),
            asset: row.isNull(2) ? nil : try Asset(sha256, row, from: 2))
    }

    /// The picture of a digest; nil where the archive has none.
    public func asset(of sha256: SHA256) throws -> Asset? {
        var asset: Asset?
        try each("SELECT size, format, width, height FROM asset WHERE sha256 = ?", .blob(sha256.bytes)) {
            asset = try Asset(sha256, $0, from: 0)
        }
        return asset
    }

    /// The revision's answer for a path; nil where it has none.
    public func answer(for path: String) throws(ArchiveError) -> Exchange? {
        try read { db throws(SQLiteError) in
            try Exchange.all(
                in: db, "JOIN answer ON answer.exchange = exchange.id WHERE answer.revision = ? AND answer.path = ?",
                [.integer(revision.number), .text(path)])
        }.get().first
    }

    /// Goes through the records of a kind in the API's order, without their bytes.
    public func forEachMember(of kind: String, _ body: (_ number: Int64, _ sha256: SHA256) throws -> Void) throws {
        try each(
            """
            SELECT record.number, record.sha256 FROM member JOIN record ON record.id = member.record
            WHERE member.revision = ? AND member.kind = ? ORDER BY position
            """, .integer(revision.number), .text(kind)
        ) { row in
            let number = try row.number(0, of: kind)
            guard let sha256 = row.digest(1) else {
                throw ArchiveError.damaged("\(RecordKey(kind, number)) has no digest")
            }
            try body(number, sha256)
        }
    }

    /// The digests of the records of a kind at these positions of the API's order.
    public func digests(of kind: String, at positions: Range<Int>) throws(ArchiveError) -> [SHA256] {
        let digests = try read { db throws(SQLiteError) in
            try db.all(
                """
                SELECT record.number, record.sha256 FROM member JOIN record ON record.id = member.record
                WHERE member.revision = ? AND member.kind = ? AND position >= ? AND position < ? ORDER BY position
                """, .integer(revision.number), .text(kind), .int(positions.lowerBound), .int(positions.upperBound)
            ) { (number: $0.integer(0), sha256: SHA256(bytes: $0.blob(1))) }
        }
        var found: [SHA256] = []
        for (number, sha256) in digests {
            guard let sha256 else { throw .damaged("\(RecordKey(kind, number)) has no digest") }
            found.append(sha256)
        }
        return found
    }

    /// How many records of each kind no list brought: they were asked for by their numbers.
    public func countsBesideLists() throws(ArchiveError) -> [String: Int] {
        var counts: [String: Int] = [:]
        try forEachRow(
            """
            SELECT member.kind, count(*) FROM member JOIN exchange ON exchange.id = member.exchange
            JOIN answer ON answer.revision = member.revision AND answer.path = exchange.path
            WHERE member.revision = ? AND answer.role = 'records' GROUP BY member.kind
            """, .integer(revision.number)
        ) { (row) throws(ArchiveError) in counts[try row.kind(0)] = row.int(1) }
        return counts
    }

    /// Goes through the files of an imported state by name, without their bytes.
    public func forEachFile(_ body: (_ name: String, _ sha256: SHA256) throws -> Void) throws {
        try each(
            "SELECT file.name, body.sha256 FROM file JOIN body ON body.id = file.body WHERE revision = ? ORDER BY "
                + "file.name",
            .integer(revision.number)
        ) { row in
            let name = try Self.fileName(row, 0)
            guard let sha256 = row.digest(1) else {
                throw ArchiveError.damaged("the imported file \(name) has no digest")
            }
            try body(name, sha256)
        }
    }

    /// Hands every row to a closure, and throws what it throws.
    private func each(_ sql: String, _ values: Value..., take: (Row) throws -> Void) throws {
        var fault: (any Error)?
        try read { db throws(SQLiteError) in
            try db.statement(sql).forEach(values) { row in
                do {
                    try take(row)
                    return true
                } catch {
                    fault = error
                    return false
                }
            }
        }
        if let fault { throw fault }
    }
}
