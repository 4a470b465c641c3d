import SQLite

extension RevisionReader {
    /// The newest complete revision whose source matches; nil if there is none, or no archive.
    package static func newest(in folder: ArchiveFolder, where fits: (Source) -> Bool) throws -> Revision? {
        guard folder.exists, let db = try folder.open() else { return nil }
        return try db.first(Revision.query("ORDER BY finished DESC, revision.id DESC")) { row in
            let revision = try Revision(row)
            return fits(revision.source) ? revision : nil
        }
    }

    /// All complete revisions whose source matches, ordered by date.
    package static func all(in folder: ArchiveFolder, where fits: (Source) -> Bool) throws -> [Revision] {
        guard folder.exists, let db = try folder.open() else { return [] }
        let revisions = try db.all(Revision.query("ORDER BY finished, revision.id")) { try Revision($0) }
        return revisions.filter { fits($0.source) }
    }

    /// This revision and all earlier ones of its source, ordered by date.
    package func history() throws -> [Revision] {
        try Self.all(in: folder) { $0 == revision.source }.filter { $0 <= revision }
    }

    /// Computes the seal from the database. It equals the stored seal if the revision is unchanged.
    package func computedSeal() throws -> SHA256 { try db.computeSeal(of: revision.number) }

    /// Calls the closure with each record that differs from an earlier revision, ordered by kind and number. Without an
    /// earlier revision, all records differ. If several records have the same number, the first one is compared.
    ///
    /// The query groups rows, because SQLite compares all pairs for a full join of two queries.
    /// - Parameter kind: the kind to report; nil for all kinds.
    /// - Returns: the total bytes of the differing records of all kinds, old and new.
    /// - Throws: `ArchiveError.damaged` before the first call, if the records cannot all be in the file.
    @discardableResult
    package func forEachDifference(
        from earlier: Revision?, of kind: String? = nil, _ body: (RecordDifference) throws -> Void
    ) throws -> Int64 {
        // Records of one revision and kind do not overlap, and bodies are not compressed. So the records of each of the
        // two revisions have at most the file's size, or twice that if one answer is stored for two lists.
        let maximumSize = 4 * min(db.fileSize, 1 << 50) + (1 << 20)
        var size: Int64 = 0
        let differing = try db.all(
            """
            SELECT kind, number, max(old), max(new), max(old_length), max(new_length) FROM (
                SELECT member.kind AS kind, record.number AS number, record.id AS old, NULL AS new,
                record.length AS old_length, NULL AS new_length, min(position)
                FROM member JOIN record ON record.id = member.record WHERE revision = ?1
                GROUP BY member.kind, record.number
                UNION ALL SELECT member.kind, record.number, NULL, record.id, NULL, record.length, min(position)
                FROM member JOIN record ON record.id = member.record WHERE revision = ?2
                GROUP BY member.kind, record.number)
            GROUP BY kind, number HAVING max(old) IS NOT max(new) ORDER BY kind, number
            """, earlier?.number ?? 0, number
        ) { row in
            for length in [row.optionalInteger(4) ?? 0, row.optionalInteger(5) ?? 0] {
                try ArchiveError.require(
                    length >= 0 && length <= maximumSize - size,
                    "the records that differ between revisions \(earlier?.number ?? 0) and \(revision.number) have "
                        + "more bytes than the file can contain")
                size += length
            }
            return (key: try row.key(try row.kind(0), 1), old: row.optionalInteger(2), new: row.optionalInteger(3))
        }
        func bytes(_ record: Int64?, _ key: RecordKey) throws -> [UInt8]? {
            guard let record else { return nil }
            return try db.first("SELECT body, offset, length, sha256 FROM record WHERE id = ?", record) {
                try self.record(key, $0, from: 0).bytes
            }
        }
        for (key, old, new) in differing where kind == nil || kind == key.kind {
            try body((key, try bytes(old, key), try bytes(new, key)))
        }
        return size
    }

    /// Limits the bytes that all comparisons of a source's revisions read. If a record changes back and forth, the
    /// archive stores each version once, but each comparison reads it again.
    /// - Throws: if the number of bytes is implausible for an archive of this size.
    package func requirePlausible(comparedBytes bytes: Int64) throws {
        try ArchiveError.require(
            bytes <= 256 * min(db.fileSize, 1 << 50) + (1 << 30),
            "the differences between its revisions have more bytes than is plausible for a file of its size")
    }

    /// The pictures that differ from those of an earlier capture, by path. Imported states have none.
    package func pictureDifferences(from earlier: Revision?) throws -> [PictureDifference] {
        guard let earlier, earlier.imported == nil, revision.imported == nil else { return [] }
        return try db.all(
            """
            SELECT path, max(old), max(new), max(\(AssetFormat.isPictureSQL)) FROM (
                SELECT answer.path AS path, exchange.sha256 AS old, NULL AS new, format FROM answer
                JOIN exchange ON exchange.id = answer.exchange JOIN asset ON asset.id = exchange.asset
                WHERE revision = ?1 AND role = 'picture'
                UNION ALL SELECT answer.path, NULL, exchange.sha256, format FROM answer
                JOIN exchange ON exchange.id = answer.exchange JOIN asset ON asset.id = exchange.asset
                WHERE revision = ?2 AND role = 'picture')
            GROUP BY path HAVING max(old) IS NOT max(new) ORDER BY path
            """, earlier.number, number
        ) { (try $0.path(0), $0.digest(1), $0.digest(2), $0.int(3) == 1) }
    }

    /// The origins of the records of a kind at these positions.
    ///
    /// If several answers contain the record's bytes, the first is the origin, because it does not change. The origin
    /// of a captured record is always an answer, even if an earlier imported state contained the same bytes. The origin
    /// of an imported record is always an imported state, even if a capture contained the same bytes.
    package func origins(of kind: String, at positions: Range<Int>) throws -> [RecordOrigin] {
        try members(of: kind, at: positions, "record.id, record.sha256") { key, row in
            try origin(of: row.integer(1), key, row.digest(2, of: "\(key)"))
        }
    }

    /// Considers only answers that the seal covers: the revision's own answers, found by the path of the record's
    /// answer. Other answers to the same request are not sealed, so they are not shown.
    private func origin(of record: Int64, _ key: RecordKey, _ sha256: SHA256) throws -> RecordOrigin {
        let origin: RecordOrigin? = try db.first(
            """
            SELECT exchange.path, exchange.received, revision.finished, revision.imported
            FROM member JOIN revision ON revision.id = member.revision
            LEFT JOIN exchange AS source ON source.id = member.exchange
            LEFT JOIN answer ON answer.revision = member.revision AND answer.path = source.path
            LEFT JOIN exchange ON exchange.id = answer.exchange
            WHERE member.record = ?3 AND (exchange.id IS NOT NULL OR imported IS NOT NULL) AND \(Self.isInHistory)
            ORDER BY (imported IS NULL) <> ?4, revision.finished, revision.id LIMIT 1
            """, number, revision.finished, record, revision.imported == nil ? 1 : 0
        ) { row in
            row.isNull(3)
                ? (key, sha256, try row.path(0), try row.date(1, "the answer for \(key)"))
                : (key, sha256, nil, try row.date(2, "the imported state with \(key)"))
        }
        return try ArchiveError.require(origin, "no answer or imported state contains \(key)")
    }
}
