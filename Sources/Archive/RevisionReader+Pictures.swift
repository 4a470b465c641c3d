import SQLite

extension RevisionReader {
    /// Which records show the pictures at these paths, by path; those that no record shows are left out.
    public func owners(ofPictures paths: Set<String>) throws(ArchiveError) -> [String: RecordKey] {
        guard !paths.isEmpty else { return [:] }
        var owners: [String: RecordKey] = [:]
        try forEachRow(
            """
            SELECT member.picture, member.kind, record.number FROM member JOIN record ON record.id = member.record
            WHERE member.revision = ? AND member.picture IS NOT NULL ORDER BY member.kind, position
            """, .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let path = row.text(0)
            guard paths.contains(path), owners[path] == nil else { return }
            let kind = try row.kind(1)
            owners[path] = RecordKey(kind, try row.number(2, of: kind))
        }
        return owners
    }
}
