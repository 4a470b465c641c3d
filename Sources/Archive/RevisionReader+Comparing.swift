import SQLite

extension RevisionReader {
    /// Hands on the records whose bytes differ from those of an earlier revision, by kind and number; all where there is no earlier one.
    public func forEachDifference(from earlier: Revision?, _ body: (RecordDifference) throws -> Void) throws {
        let differing = try read { db throws(SQLiteError) in
            try db.all(
                """
                WITH was AS MATERIALIZED (
                    SELECT record.kind, record.number, record.id FROM member JOIN record ON record.id = member.record WHERE revision = ?1),
                is_now AS MATERIALIZED (
                    SELECT record.kind, record.number, record.id FROM member JOIN record ON record.id = member.record WHERE revision = ?2)
                SELECT coalesce(is_now.kind, was.kind) AS kind, coalesce(is_now.number, was.number) AS number, was.id, is_now.id
                FROM was FULL JOIN is_now ON is_now.kind = was.kind AND is_now.number = was.number
                WHERE was.id IS NOT is_now.id ORDER BY 1, 2
                """, .integer(earlier?.number ?? 0), .integer(revision.number)
            ) { (key: RecordKey($0.text(0), $0.integer(1)), old: $0.optionalInteger(2), new: $0.optionalInteger(3)) }
        }
        for record in differing {
            try body(
                RecordDifference(
                    key: record.key, old: try record.old.map { try bytes(of: $0, record.key) },
                    new: try record.new.map { try bytes(of: $0, record.key) }))
        }
    }

    /// The pictures that differ from those of an earlier capture, by path; none where either state was imported, which has no pictures.
    public func pictureDifferences(from earlier: Revision?) throws(ArchiveError) -> [PictureDifference] {
        guard let earlier, earlier.imported == nil, revision.imported == nil else { return [] }
        return try read { db throws(SQLiteError) in
            try db.all(
                """
                WITH was AS MATERIALIZED (
                    SELECT answer.path, sha256 FROM answer JOIN exchange ON exchange.id = answer.exchange
                    WHERE revision = ?1 AND role = 'picture' AND asset IS NOT NULL),
                is_now AS MATERIALIZED (
                    SELECT answer.path, sha256 FROM answer JOIN exchange ON exchange.id = answer.exchange
                    WHERE revision = ?2 AND role = 'picture' AND asset IS NOT NULL)
                SELECT coalesce(is_now.path, was.path), was.sha256, is_now.sha256 FROM was FULL JOIN is_now ON is_now.path = was.path
                WHERE was.sha256 IS NOT is_now.sha256 ORDER BY 1
                """, .integer(earlier.number), .integer(revision.number)
            ) { PictureDifference(path: $0.text(0), old: $0.digest(1), new: $0.digest(2)) }
        }
    }

    private func bytes(of record: Int64, _ key: RecordKey) throws(ArchiveError) -> [UInt8] {
        var found: [UInt8] = []
        try forEachRow("SELECT body, offset, length, sha256 FROM record WHERE id = ?", .integer(record)) { (row) throws(ArchiveError) in
            found = try bytes(of: key, row, from: 0)
        }
        return found
    }
}
