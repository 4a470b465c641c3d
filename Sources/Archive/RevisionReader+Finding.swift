import SQLite

extension RevisionReader {
    /// The newest complete revision among those whose source fits, nil where there is none, or no archive at all.
    public static func newest(in folder: ArchiveFolder, where fits: (Source) -> Bool) throws(ArchiveError) -> Revision?
    {
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
        do {
            let order = newestFirst ? "DESC" : "ASC"
            try Revision.forEach(in: db, "ORDER BY finished \(order), revision.id \(order)") { revision, _ in
                body(revision)
            }
        } catch {
            throw ArchiveError(error, folder.database)
        }
    }
}

extension Revision: Comparable {
    /// Orders by date, those of one moment by number.
    public static func < (left: Revision, right: Revision) -> Bool {
        (left.finished, left.number) < (right.finished, right.number)
    }
}
