import SQLite

extension RevisionReader {
    /// The newest complete revision among those whose source fits, nil where there is none, or no archive at all.
    public static func newest(in folder: ArchiveFolder, where fits: (Source) -> Bool) throws(ArchiveError) -> Revision? {
        var newest: Revision?
        try forEachRevision(in: folder, newestFirst: true) { revision in
            guard fits(revision.source) else { return true }
            newest = revision
            return false
        }
        return newest
    }

    /// Every complete revision whose source fits, in the order of their dates.
    public static func all(in folder: ArchiveFolder, where fits: (Source) -> Bool) throws(ArchiveError) -> [Revision] {
        var revisions: [Revision] = []
        try forEachRevision(in: folder, newestFirst: false) { revision in
            if fits(revision.source) { revisions.append(revision) }
            return true
        }
        return revisions
    }

    /// This revision and those of its source before it, in the order of their dates.
    public func history() throws(ArchiveError) -> [Revision] {
        try Self.all(in: folder) { $0 == revision.source }.filter { $0 <= revision }
    }

    private static func forEachRevision(
        in folder: ArchiveFolder, newestFirst: Bool, _ body: (Revision) -> Bool
    ) throws(ArchiveError) {
        guard folder.exists, let db = try folder.open() else { return }
        var fault: ArchiveError?
        try folder.attempt { () throws(SQLiteError) in
            try db.forEach(
                """
                SELECT revision.id, finished, digest, catalogue, api, origin,
                (SELECT count(*) FROM gap WHERE gap.revision = revision.id), imported, started
                FROM revision JOIN source ON source.id = revision.source WHERE state = 'complete'
                ORDER BY finished \(newestFirst ? "DESC" : "ASC"), revision.id \(newestFirst ? "DESC" : "ASC")
                """
            ) { row in
                guard let origin = Source.Origin(rawValue: row.text(5)) else {
                    fault = .damaged("revision \(row.integer(0)) has the unknown origin \(row.text(5))")
                    return false
                }
                guard let digest = row.digest(2) else {
                    fault = .damaged("revision \(row.integer(0)) has no digest")
                    return false
                }
                return body(
                    Revision(
                        number: row.integer(0), source: Source(catalogue: row.text(3), api: row.text(4), origin: origin),
                        started: row.integer(8), finished: row.integer(1), imported: row.optionalInteger(7), digest: digest,
                        gaps: row.int(6)))
            }
        }
        if let fault { throw fault }
    }
}

extension Revision: Comparable {
    /// Orders by date, those of one moment by number.
    public static func < (left: Revision, right: Revision) -> Bool { (left.finished, left.number) < (right.finished, right.number) }
}
