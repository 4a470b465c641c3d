import SQLite

extension RevisionReader {
    /// The revision's answers of a role, in the order of their paths' bytes; none in an imported state.
    public func answers(as role: AnswerRole) throws -> [Exchange] {
        var answers: [Exchange] = []
        try forEachExchange(as: role) { answers.append($0) }
        return answers
    }

    /// Goes through the same answers. One is in memory at a time: each may have a mebibyte of headers.
    public func forEachExchange(as role: AnswerRole, _ body: (Exchange) throws -> Void) throws {
        try forEachAnswer(as: role) { answer in
            guard let exchange = try self.answer(for: answer.path), exchange.path == answer.path else {
                throw ArchiveError.damaged("the answer for \(answer.path) is that to another question")
            }
            try body(exchange)
        }
    }

    /// Refuses a revision whose site or web archive would be far larger than the archive.
    ///
    /// The archive stores equal bodies once. A site has a file for each page and record, and a web archive has a copy
    /// of the body and a line of its index for each answer and each record that an answer brought. An API rarely gives
    /// the same answer twice. In a malicious archive, thousands of answers can share one body, and all of them share
    /// the API's address.
    public func refuseRepeatedBodies() throws(ArchiveError) {
        try refuseOverlappingRecords()
        // Stored lengths only: sizes in other columns are claims. A sparse file can have any size, and so can values
        // that share pages.
        let sums = try read { db throws(SQLiteError) in
            try db.first(
                """
                WITH given AS (SELECT body, asset, length(answer.path) AS path FROM answer
                JOIN exchange ON exchange.id = answer.exchange WHERE answer.revision = ?1)
                SELECT CAST((SELECT total(length(bytes)) FROM given JOIN body ON body.id = given.body)
                + (SELECT total(max(length, 0) + iif(member.exchange IS NULL, 0, ?2)) FROM member
                JOIN record ON record.id = member.record WHERE member.revision = ?1)
                + (SELECT total(path + ?2) FROM given)
                + (SELECT total(max(size, 0)) FROM given JOIN asset ON asset.id = given.asset)
                - (SELECT total(max(size, 0)) FROM asset WHERE id IN (SELECT asset FROM given)) AS INTEGER),
                CAST((SELECT total(length(bytes)) FROM body) AS INTEGER)
                """, .integer(revision.number), .int(revision.source.api.utf8.count)
            ) { (given: $0.integer(0), stored: $0.integer(1)) }
        }
        guard let sums else { return }
        let size = min(sums.stored, try DatabaseFiles(folder.database).size)
        guard sums.given / 64 <= size + (1 << 20) else {
            throw .damaged(
                "its answers and records have \(sums.given) bytes with their addresses, far more than an archive of "
                    + "\(size) bytes holds")
        }
    }

    /// Refuses records of one kind that share a part of a body. In a crafted body, thousands of records can end with
    /// the same bytes.
    ///
    /// Records of different kinds may overlap: a record of one kind can be a whole answer. Two records may also be
    /// exactly the same bytes, as where one answer is stored for two lists.
    func refuseOverlappingRecords() throws(ArchiveError) {
        try forEachRow(
            """
            SELECT kind, number FROM (
                SELECT member.kind AS kind, record.number AS number, offset, offset + length AS end,
                lag(offset) OVER place AS offset_before, lag(offset + length) OVER place AS end_before
                FROM member JOIN record ON record.id = member.record WHERE member.revision = ?
                WINDOW place AS (PARTITION BY member.kind, body ORDER BY offset, length))
            WHERE end_before > offset AND (offset_before <> offset OR end_before <> end) LIMIT 1
            """, .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let kind = try row.kind(0)
            throw .damaged("\(RecordKey(kind, try row.number(1, of: kind))) shares bytes with the record before it")
        }
    }

    /// The bytes of an answer that is no picture, compared with their size and digest.
    public func document(of exchange: Exchange) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8]?
        try forEachRow(
            """
            SELECT body.id, exchange.size FROM exchange JOIN body ON body.id = exchange.body
            WHERE exchange.id = ? AND length(body.bytes) = exchange.size
            """, .integer(exchange.id)
        ) { (row) throws(ArchiveError) in
            // A blob's reader has one copy of it in memory, a row two.
            bytes = try read { _ throws(SQLiteError) in
                try bodies.bytes(ofRow: row.integer(0), from: 0, count: row.int(1))
            }
        }
        guard let bytes, SHA256(of: bytes) == exchange.sha256 else {
            throw .damaged("the answer for \(exchange.path) is not what was captured")
        }
        return bytes
    }

    /// The files that an imported state came in, by name; none of a capture.
    public func files() throws(ArchiveError) -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        try forEachRow(
            "SELECT file.name, body.bytes, body.sha256 FROM file JOIN body ON body.id = file.body WHERE revision = ? "
                + "ORDER BY file.name",
            .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let (name, bytes) = (try Self.fileName(row, 0), row.blob(1))
            guard SHA256(of: bytes) == row.digest(2) else {
                throw .damaged("the imported file \(name) is not what was imported")
            }
            files.append((name, bytes))
        }
        return files
    }

    /// An imported file's name, which is part of lines that digests are of, and of paths.
    static func fileName(_ row: Row, _ column: Int) throws(ArchiveError) -> String {
        let name = row.text(column)
        guard name.isPlain, !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")),
            name.utf8.count <= 255
        else {
            throw .damaged("an imported file has a name that no file can have")
        }
        return name
    }

    /// What the revision's lists said of themselves, by kind; none in an imported state.
    public func claims() throws(ArchiveError) -> [String: (count: Int, pages: Int)] {
        var claims: [String: (count: Int, pages: Int)] = [:]
        try forEachRow("SELECT kind, count, pages FROM list WHERE revision = ?", .integer(revision.number)) {
            (row) throws(ArchiveError) in
            let kind = try row.kind(0)
            claims[kind] = (
                count: try row.count(1, "the count of the \(kind) list"),
                pages: try row.count(2, "the page count of the \(kind) list")
            )
        }
        return claims
    }

    /// The records that an answer brought into the revision, by kind and in the API's order.
    public func records(broughtBy exchange: Exchange) throws(ArchiveError) -> [StoredRecord] {
        var records: [StoredRecord] = []
        try forEachRow(
            """
            SELECT member.kind, record.number, record.body, record.offset, record.length, record.sha256
            FROM member INDEXED BY member_by_exchange JOIN record ON record.id = member.record
            WHERE member.exchange IN (
                SELECT id FROM exchange WHERE source IN (SELECT id FROM source) AND path = ?)
            AND member.revision = ? ORDER BY member.kind, member.position
            """, .text(exchange.path), .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let kind = try row.kind(0)
            let key = RecordKey(kind, try row.number(1, of: kind))
            records.append(try record(key, row, from: 2, picture: nil))
        }
        return records
    }

    /// The pictures of this revision and of those before it, each once, by digest.
    public func picturesOfHistory() throws(ArchiveError) -> [SHA256] {
        var pictures: Set<SHA256> = []
        for state in try history() {
            let digests = try read { db throws(SQLiteError) in
                try db.all(
                    """
                    SELECT DISTINCT exchange.sha256 FROM answer JOIN exchange ON exchange.id = answer.exchange
                    WHERE answer.revision = ? AND exchange.asset IS NOT NULL
                    """, .integer(state.number)
                ) { $0.digest(0) }
            }
            for digest in digests {
                guard let digest else { throw .damaged("a picture of revision \(state.number) has no digest") }
                pictures.insert(digest)
            }
        }
        return pictures.sorted()
    }
}
