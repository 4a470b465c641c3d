import SQLite

extension RevisionReader {
    /// Calls the closure with each answer of a role, ordered by the bytes of the path. An imported state has no
    /// answers. Only one answer is in memory at a time, because each may have 1 MiB of headers.
    /// - Parameter withHeaders: whether to read the headers; otherwise they are empty.
    package func forEachAnswer(
        as role: AnswerRole, withHeaders: Bool = false, _ body: (Exchange) throws -> Void
    ) throws {
        try db.forEach(Self.answers("role = ?", withHeaders: withHeaders), number, role.rawValue) {
            try body(Exchange($0))
        }
    }

    package func answer(for path: String, withHeaders: Bool = true) throws -> Exchange? {
        try db.first(Self.answers("answer.path = ?", withHeaders: withHeaders), number, path) { try Exchange($0) }
    }

    private static func answers(_ condition: String, withHeaders: Bool) -> String {
        Exchange.query(
            """
            JOIN answer ON answer.exchange = exchange.id WHERE answer.revision = ? AND \(condition)
            ORDER BY answer.path
            """, withHeaders: withHeaders, requested: "answer.path")
    }

    /// The bytes of an answer that is not a picture. Their size and digest are checked.
    package func document(of exchange: Exchange) throws -> [UInt8] {
        // A BlobReader needs one copy of the bytes in memory. Reading them from a row needs two.
        let bytes = try db.first(
            """
            SELECT body.id, exchange.size FROM exchange JOIN body ON body.id = exchange.body
            WHERE exchange.id = ? AND length(body.bytes) = exchange.size
            """, exchange.id
        ) { try bodies.bytes(ofRow: $0.integer(0), from: 0, count: $0.int(1)) }
        let intact = bytes.flatMap { SHA256(of: $0) == exchange.sha256 ? $0 : nil }
        return try ArchiveError.require(intact, "the answer for \(exchange.path) does not match its digest")
    }

    /// The revision's records from an answer, ordered by kind and then as in the API.
    package func records(from exchange: Exchange) throws -> [StoredRecord] {
        try db.all(
            """
            SELECT member.kind, record.number, record.body, record.offset, record.length, record.sha256
            FROM member INDEXED BY member_by_exchange JOIN record ON record.id = member.record
            WHERE member.exchange IN (SELECT id FROM exchange WHERE source IN (SELECT id FROM source) AND path = ?)
            AND member.revision = ? ORDER BY member.kind, member.position
            """, exchange.path, number
        ) { try record(try $0.key(try $0.kind(0), 1), $0, from: 2) }
    }

    package func asset(of sha256: SHA256) throws -> Asset? {
        try db.first("SELECT sha256, size, format, width, height FROM asset WHERE sha256 = ?", sha256) {
            try $0.asset(from: 0)
        }
    }

    /// The numbers of pictures and of other files.
    package func assetCounts() throws -> (pictures: Int, files: Int) {
        try db.first(
            """
            SELECT count(*) FILTER (WHERE \(AssetFormat.isPictureSQL)), count(*)
            FROM answer JOIN exchange ON exchange.id = answer.exchange JOIN asset ON asset.id = exchange.asset
            WHERE answer.revision = ? AND answer.role = 'picture'
            """, number
        ) { ($0.int(0), $0.int(1) - $0.int(0)) } ?? (0, 0)
    }

    /// Calls the closure with each record that shares its picture with another, in the order of `kinds` and of the API.
    package func forEachSharedPicture(of kinds: [String], _ body: (RecordKey, SHA256) throws -> Void) throws {
        let shown = """
            JOIN answer ON answer.revision = member.revision AND answer.path = member.picture
            JOIN exchange ON exchange.id = answer.exchange WHERE member.revision = ? AND exchange.asset IS NOT NULL
            """
        let shared = Set(
            try db.all(
                "SELECT exchange.asset FROM member \(shown) GROUP BY exchange.asset HAVING count(*) > 1", number
            ) { $0.integer(0) })
        for kind in kinds where !shared.isEmpty {
            try db.forEach(
                """
                SELECT record.number, exchange.sha256, exchange.asset
                FROM member JOIN record ON record.id = member.record \(shown) AND member.kind = ? ORDER BY position
                """, number, kind
            ) { row in
                guard shared.contains(row.integer(2)) else { return }
                let key = try row.key(kind, 0)
                try body(key, try row.digest(1, of: "the picture of \(key)"))
            }
        }
    }

    /// The digests of the pictures and files of this revision and all earlier ones, sorted and without duplicates.
    package func picturesOfHistory() throws -> [SHA256] {
        try db.all(
            """
            SELECT DISTINCT exchange.sha256 FROM revision JOIN answer ON answer.revision = revision.id
            JOIN exchange ON exchange.id = answer.exchange WHERE exchange.asset IS NOT NULL AND \(Self.isInHistory)
            ORDER BY exchange.sha256
            """, number, revision.finished
        ) { try $0.digest(0, of: "a picture of the history") }
    }

    /// The condition that a revision is this one or an earlier one of its source, with the first two parameters.
    static let isInHistory = """
        revision.state = 'complete' AND revision.source = (SELECT source FROM revision WHERE id = ?1)
        AND (revision.finished, revision.id) <= (?2, ?1)
        """

    /// The first record that shows each of these pictures, by the picture's path.
    package func owners(ofPictures paths: Set<String>) throws -> [String: RecordKey] {
        guard !paths.isEmpty else { return [:] }
        var owners: [String: RecordKey] = [:]
        try db.forEach(
            """
            SELECT member.picture, member.kind, record.number FROM member JOIN record ON record.id = member.record
            WHERE member.revision = ? AND member.picture IS NOT NULL ORDER BY member.kind, position
            """, number
        ) { row in
            let path = try row.path(0)
            guard paths.contains(path), owners[path] == nil else { return }
            owners[path] = try row.key(try row.kind(1), 2)
        }
        return owners
    }

    /// Refuses a revision whose site or web archive would be far larger than the archive.
    ///
    /// The archive stores equal bodies once. A site has a file for each page and record. A web archive has a copy of
    /// the body and an index line for each answer and each record from an answer. A real API rarely sends an answer
    /// twice. In a malicious archive, thousands of answers can share one body, and all of them share the API's address.
    package func refuseRepeatedBodies() throws {
        try refuseOverlappingRecords()
        // Only the stored lengths of bodies are used, because the sizes in other columns can be false. The sum of the
        // lengths can exceed the file's size, because malicious values can share pages. A sparse file can have any
        // size. So the smaller of the two is the limit.
        let sums =
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
                """, number, revision.source.api.utf8.count
            ) { (given: $0.integer(0), stored: $0.integer(1)) } ?? (given: 0, stored: 0)
        let size = min(sums.stored, try DatabaseFiles(folder.database).size)
        try ArchiveError.require(
            sums.given / 64 <= size + (1 << 20),
            "its answers and records would have \(sums.given) bytes with their addresses, far more than fit in an "
                + "archive of \(size) bytes")
    }

    /// Refuses overlapping records of one kind. In a malicious body, thousands of records can end with the same bytes.
    ///
    /// Records of different kinds may overlap, because a record of one kind can be a complete answer. Two records may
    /// also have the same byte range, for example if one answer is stored for two lists.
    private func refuseOverlappingRecords() throws {
        let overlapping = try db.first(
            """
            SELECT kind, number FROM (
                SELECT member.kind AS kind, record.number AS number, offset, offset + length AS end,
                lag(offset) OVER place AS offset_before, lag(offset + length) OVER place AS end_before
                FROM member JOIN record ON record.id = member.record WHERE member.revision = ?
                WINDOW place AS (PARTITION BY member.kind, body ORDER BY offset, length))
            WHERE end_before > offset AND (offset_before <> offset OR end_before <> end) LIMIT 1
            """, number
        ) { try $0.key(try $0.kind(0), 1) }
        if let overlapping { throw ArchiveError.damaged("\(overlapping) overlaps the record before it") }
    }
}
