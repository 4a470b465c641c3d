import SQLite

extension RevisionReader {
    /// Hands on the records whose bytes differ from those of an earlier revision, by kind and number; all where there
    /// is no earlier one. Of a number that came twice, which the capture names as a gap, the first counts.
    ///
    /// Grouped rather than joined: SQLite compares all pairs for a full join of two queries.
    /// - Parameter kind: the only kind whose records are read; nil for all kinds.
    /// - Returns: how many bytes the differing records of all kinds have, old and new.
    /// - Throws: before the first record, where they have more than the file can hold.
    @discardableResult
    public func forEachDifference(
        from earlier: Revision?, of kind: String? = nil, _ body: (RecordDifference) throws -> Void
    ) throws -> Int64 {
        // Records of one revision do not overlap in its bodies, and a body is stored as it is. One answer that is
        // stored for two lists may bring records of both.
        let most = 4 * min(db.fileSize, 1 << 50) + (1 << 20)
        var size: Int64 = 0
        var differing: [(key: RecordKey, old: Int64?, new: Int64?)] = []
        try forEachRow(
            """
            SELECT kind, number, max(old), max(new), max(old_length), max(new_length) FROM (
                SELECT member.kind AS kind, record.number AS number, record.id AS old, NULL AS new,
                record.length AS old_length,
                NULL AS new_length, min(position)
                FROM member JOIN record ON record.id = member.record WHERE revision = ?1 GROUP BY member.kind,
                record.number
                UNION ALL SELECT member.kind, record.number, NULL, record.id, NULL, record.length, min(position)
                FROM member JOIN record ON record.id = member.record WHERE revision = ?2 GROUP BY member.kind,
                record.number)
            GROUP BY kind, number HAVING max(old) IS NOT max(new) ORDER BY kind, number
            """, .integer(earlier?.number ?? 0), .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let kind = try row.kind(0)
            for length in [row.optionalInteger(4) ?? 0, row.optionalInteger(5) ?? 0] {
                guard length >= 0, length <= most - size else {
                    throw .damaged(
                        "revisions \(earlier?.number ?? 0) and \(revision.number) differ in more bytes of records than "
                            + "the file can hold"
                    )
                }
                size += length
            }
            differing.append(
                (RecordKey(kind, try row.number(1, of: kind)), row.optionalInteger(2), row.optionalInteger(3)))
        }
        for record in differing where kind == nil || kind == record.key.kind {
            try body(
                RecordDifference(
                    key: record.key, old: try record.old.map { try bytes(of: $0, record.key) },
                    new: try record.new.map { try bytes(of: $0, record.key) }))
        }
        return size
    }

    /// Checks how many bytes the comparisons of a source's revisions have read in all. The archive stores a record that
    /// changes back only once, but each comparison reads it again.
    /// - Throws: where they are more than an archive of this size needs.
    public func requirePlausible(comparedBytes bytes: Int64) throws(ArchiveError) {
        guard bytes <= 256 * min(db.fileSize, 1 << 50) + (1 << 30) else {
            throw .damaged("its revisions differ in more bytes of records than a file of its size needs")
        }
    }

    /// The pictures that differ from those of an earlier capture, by path; none where either state was imported, which
    /// has no pictures.
    public func pictureDifferences(from earlier: Revision?) throws(ArchiveError) -> [PictureDifference] {
        guard let earlier, earlier.imported == nil, revision.imported == nil else { return [] }
        var differences: [PictureDifference] = []
        try forEachRow(
            """
            SELECT path, max(old), max(new) FROM (
                SELECT answer.path AS path, sha256 AS old, NULL AS new FROM answer
                JOIN exchange ON exchange.id = answer.exchange
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
        try forEachRow("SELECT body, offset, length, sha256 FROM record WHERE id = ?", .integer(record)) {
            (row) throws(ArchiveError) in
            found = try bytes(of: key, row, from: 0)
        }
        return found
    }
}
