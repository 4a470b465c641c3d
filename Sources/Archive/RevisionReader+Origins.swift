import SQLite

extension RevisionReader {
    /// Where the records of a kind at these positions were first had, in the order of the positions.
    ///
    /// The first answer stands, since it does not change where other records of the same list do. A capture has an
    /// answer, though an imported state had the same bytes before; an imported state has none, though a capture had
    /// them.
    public func origins(of kind: String, at positions: Range<Int>) throws(ArchiveError) -> [RecordOrigin] {
        var origins: [RecordOrigin] = []
        try forEachRow(
            """
            SELECT record.id, record.number, record.sha256 FROM member JOIN record ON record.id = member.record
            WHERE member.revision = ? AND member.kind = ? AND position >= ? AND position < ? ORDER BY position
            """, .integer(revision.number), .text(kind), .int(positions.lowerBound), .int(positions.upperBound)
        ) { (row) throws(ArchiveError) in
            let key = RecordKey(kind, try row.number(1, of: kind))
            guard let sha256 = row.digest(2) else { throw .damaged("\(key) has no digest") }
            origins.append(RecordOrigin(key: key, sha256: sha256, way: try way(of: row.integer(0), key)))
        }
        return origins
    }

    /// The seal has the revision's own answers, and of each record the path of the answer that brought it. Other answers
    /// to the same request are not sealed, so they are not shown.
    private func way(of record: Int64, _ key: RecordKey) throws(ArchiveError) -> RecordOrigin.Way {
        var way: RecordOrigin.Way?
        try forEachRow(
            """
            SELECT exchange.path, exchange.received, revision.finished, revision.imported
            FROM member JOIN revision ON revision.id = member.revision
            LEFT JOIN exchange AS source ON source.id = member.exchange
            LEFT JOIN answer ON answer.revision = member.revision AND answer.path = source.path
            LEFT JOIN exchange ON exchange.id = answer.exchange
            WHERE member.record = ?1 AND revision.state = 'complete'
            AND (exchange.id IS NOT NULL OR imported IS NOT NULL)
            AND revision.source = (SELECT source FROM revision WHERE id = ?2)
            AND (revision.finished, revision.id) <= (?3, ?2)
            ORDER BY (imported IS NULL) <> ?4, revision.finished, revision.id LIMIT 1
            """, .integer(record), .integer(revision.number), .integer(revision.finished),
            .int(revision.imported == nil ? 1 : 0)
        ) { (row) throws(ArchiveError) in
            way =
                row.isNull(3)
                ? .answer(path: try row.path(0), received: try row.date(1, "the answer for \(key)"))
                : .imported(date: try row.date(2, "the state that brought \(key)"))
        }
        guard let way else { throw .damaged("nothing tells which answer brought \(key)") }
        return way
    }
}
