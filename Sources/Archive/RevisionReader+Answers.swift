import SQLite

extension RevisionReader {
    /// The revision's answers of a role, in the order of their paths' bytes; none in an imported state.
    public func answers(as role: AnswerRole) throws(ArchiveError) -> [Exchange] {
        try read { db throws(SQLiteError) in
            try Exchange.all(
                in: db, "JOIN answer ON answer.exchange = exchange.id WHERE answer.revision = ? AND answer.role = ? ORDER BY answer.path",
                [.integer(revision.number), .text(role.rawValue)])
        }.get()
    }

    /// The bytes of an answer that is no picture, compared with their digest.
    public func document(of exchange: Exchange) throws(ArchiveError) -> [UInt8] {
        let bytes = try read { db throws(SQLiteError) in
            try db.first(
                "SELECT body.bytes FROM exchange JOIN body ON body.id = exchange.body WHERE exchange.id = ?", .integer(exchange.id)
            ) { $0.blob(0) }
        }
        guard let bytes else { throw .damaged("the answer for \(exchange.path) has no body") }
        guard SHA256(of: bytes) == exchange.sha256 else { throw .damaged("the answer for \(exchange.path) is not what was captured") }
        return bytes
    }

    /// The files that an imported state came in, by name; none of a capture.
    public func files() throws(ArchiveError) -> [(name: String, bytes: [UInt8])] {
        var fault: ArchiveError?
        let files = try read { db throws(SQLiteError) in
            try db.all(
                "SELECT file.name, body.bytes, body.sha256 FROM file JOIN body ON body.id = file.body WHERE revision = ? ORDER BY file.name",
                .integer(revision.number)
            ) { row in
                let bytes = row.blob(1)
                if SHA256(of: bytes) != row.digest(2) { fault = .damaged("the imported file \(row.text(0)) is not what was imported") }
                return (name: row.text(0), bytes: bytes)
            }
        }
        if let fault { throw fault }
        return files
    }

    /// What the revision's lists said of themselves, by kind; none in an imported state.
    public func claims() throws(ArchiveError) -> [String: (count: Int, pages: Int)] {
        let claims = try read { db throws(SQLiteError) in
            try db.all("SELECT kind, count, pages FROM list WHERE revision = ?", .integer(revision.number)) {
                ($0.text(0), (count: $0.int(1), pages: $0.int(2)))
            }
        }
        return Dictionary(uniqueKeysWithValues: claims)
    }

    /// The records that an answer brought into the revision, by kind and in the API's order.
    public func records(broughtBy exchange: Exchange) throws(ArchiveError) -> [StoredRecord] {
        var records: [StoredRecord] = []
        try forEachRow(
            """
            SELECT record.kind, record.number, record.body, record.offset, record.length, record.sha256
            FROM member JOIN record ON record.id = member.record
            WHERE member.exchange = ? AND member.revision = ? ORDER BY member.kind, member.position
            """, .integer(exchange.id), .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let key = RecordKey(row.text(0), row.integer(1))
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
