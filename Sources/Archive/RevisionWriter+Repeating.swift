import SQLite

extension RevisionWriter {
    /// A revision as an import has to know it.
    struct Neighbour {
        let revision: Revision
        /// Until when the state was found unchanged, in milliseconds since 1970.
        let confirmed: Int64
    }

    /// The state of a source that stood at a moment; nil where there was none yet.
    static func state(of key: Int64, at date: Int64, in db: Connection) throws -> Neighbour? {
        var found: Neighbour?
        try Revision.forEach(
            in: db, "AND source = ? AND finished <= ? ORDER BY finished DESC, revision.id DESC LIMIT 1",
            [.integer(key), .integer(date)]
        ) { revision, confirmed in
            found = Neighbour(revision: revision, confirmed: confirmed)
            return false
        }
        return found
    }

    /// Notes that a state still stood at a moment.
    static func confirm(_ neighbour: Neighbour, at date: Int64, in db: Connection) throws(SQLiteError) {
        guard date > neighbour.confirmed else { return }
        try db.run(
            "UPDATE revision SET confirmed = ? WHERE id = ?", .integer(date), .integer(neighbour.revision.number))
    }

    /// Makes a state that was found unchanged later than a moment stand again from then on: another one has come in
    /// between.
    static func split(_ neighbour: Neighbour, at date: Int64, in db: Connection) throws(SQLiteError) {
        let old = neighbour.revision
        guard neighbour.confirmed > date else { return }
        try db.run(
            """
            INSERT INTO revision(source, state, started, finished, confirmed, digest, imported, sealed_late)
            SELECT source, state, ?2, ?2, ?2, digest, imported, sealed_late FROM revision WHERE id = ?1
            """, .integer(old.number), .integer(neighbour.confirmed))
        let number = db.lastInsertedKey
        for (table, columns) in [
            ("answer", "path, exchange, role"), ("member", "kind, position, record, exchange, picture"),
            ("list", "kind, count, pages"),
            ("gap", "url, key_path, reason"), ("file", "name, body"),
        ] {
            try db.run(
                "INSERT INTO \(table)(revision, \(columns)) SELECT ?1, \(columns) FROM \(table) WHERE revision = ?2",
                .integer(number),
                .integer(old.number))
        }
        try seal(number, in: db)
        try db.run("UPDATE revision SET confirmed = finished WHERE id = ?", .integer(old.number))
    }
}
