import SQLite

extension RevisionReader {
    /// Hands on the records whose bytes differ from those of an earlier revision, by kind and number; all where there is no earlier one.
    /// Of a number that came twice, which the capture names as a gap, the first counts.
    ///
    /// Grouped rather than joined: SQLite compares all pairs for a full join of two queries.
    public func forEachDifference(from earlier: Revision?, _ body: (RecordDifference) throws -> Void) throws {
        var differing: [(key: RecordKey, old: Int64?, new: Int64?)] = []
        try forEachRow(
            """
            SELECT kind, number, max(old), max(new) FROM (
                SELECT member.kind AS kind, record.number AS number, record.id AS old, NULL AS new, min(position)
                FROM member JOIN record ON record.id = member.record WHERE revision = ?1 GROUP BY member.kind, record.number
                UNION ALL SELECT member.kind, record.number, NULL, record.id, min(position)
                FROM member JOIN record ON record.id = member.record WHERE revision = ?2 GROUP BY member.kind, record.number)
            GROUP BY kind, number HAVING max(old) IS NOT max(new) ORDER BY kind, number
            """, .integer(earlier?.number ?? 0), .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let kind = try row.kind(0)
            differing.append((RecordKey(kind, try row.number(1, of: kind)), row.optionalInteger(2), row.optionalInteger(3)))
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
        var differences: [PictureDifference] = []
        try forEachRow(
            """
            SELECT path, max(old), max(new) FROM (
                SELECT answer.path AS path, sha256 AS old, NULL AS new FROM answer JOIN exchange ON exchange.id = answer.exchange
                WHERE revision = ?1 AND role = 'picture' AND asset IS NOT NULL
                UNION ALL SELECT answer.path, NULL, sha256 FROM answer JOIN exchange ON exchange.id = answer.exchange
                WHERE revision = ?2 AND role = 'picture' AND asset IS NOT NULL)
            GROUP BY path HAVING max(old) IS NOT max(new) ORDER BY path
            """, .integer(earlier.number), .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            differences.append(PictureDifference(path: try row.path(0), old: row.digest(1), new: row.digest(2)))
        }
        return differences
    }

    private func bytes(of record: Int64, _ key: RecordKey) throws(ArchiveError) -> [UInt8] {
        var found: [UInt8] = []
        try forEachRow("SELECT body, offset, length, sha256 FROM record WHERE id = ?", .integer(record)) { (row) throws(ArchiveError) in
            found = try bytes(of: key, row, from: 0)
        }
        return found
    }
}
