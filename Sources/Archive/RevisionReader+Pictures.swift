import SQLite

extension RevisionReader {
    /// Which records show the pictures at these paths, by path; those that no record shows are left out.
    public func owners(ofPictures paths: Set<String>) throws(ArchiveError) -> [String: RecordKey] {
        guard !paths.isEmpty else { return [:] }
        var owners: [String: RecordKey] = [:]
        try read { db throws(SQLiteError) in
            try db.forEach(
                """
                SELECT member.picture, member.kind, record.number FROM member JOIN record ON record.id = member.record
                WHERE member.revision = ? AND member.picture IS NOT NULL ORDER BY member.kind, position
                """, .integer(revision.number)
            ) { row in
                let path = row.text(0)
                if paths.contains(path), owners[path] == nil { owners[path] = RecordKey(row.text(1), row.integer(2)) }
                return true
            }
        }
        return owners
    }
}
