import SQLite

extension Schema {
    /// A row of sqlite_schema.
    private struct Object: Hashable {
        let type: String
        let name: String
        let table: String
        /// As bytes, as SQLite compares them: Swift takes two spellings of one character for the same text.
        let sql: [UInt8]?

        static func all(in db: Connection) throws(SQLiteError) -> [Object] {
            try db.all("SELECT type, name, tbl_name, sql FROM sqlite_schema") {
                Object(
                    type: $0.text(0), name: $0.text(1), table: $0.text(2),
                    sql: $0.isNull(3) ? nil : Array($0.text(3).utf8))
            }
        }
    }

    /// What the database has after each number of migrations.
    private static let known: Result<[[Object]], SQLiteError> = Result { () throws(SQLiteError) in
        let db = try Connection(":memory:", .readWrite)
        var known: [[Object]] = [[]]
        for migration in migrations {
            try db.execute(migration.sql)
            known.append(try Object.all(in: db))
        }
        return known
    }

    /// Compares the schema of a database that may be somebody else's with that of its format. A trigger is a program,
    /// and so is a view in the place of a table; nothing asks for further views, which exports have.
    static func check(_ db: Connection, version: Int, of archive: String) throws(ArchiveError) {
        let (known, found): ([Object], [Object])
        do throws(SQLiteError) {
            (known, found) = (try Self.known.get()[version], try Object.all(in: db))
        } catch {
            throw .database(error, archive: archive)
        }
        guard found != known else { return }
        var missing = Set(known)
        let names = Set(missing.map { $0.name.lowercased() })
        for object in found where missing.remove(object) == nil {
            guard object.type == "view", object.name == object.table, !names.contains(object.name.lowercased()) else {
                throw .refused(
                    "its database has the \(object.type) \"\(object.name)\", which no archive of its format has",
                    archive: archive)
            }
        }
        if let name = missing.map(\.name).min() {
            throw .refused(
                "in its database \"\(name)\" is missing, or other than in any archive of its format", archive: archive)
        }
    }

    /// Removes the views of a database before it is migrated. ALTER TABLE and DROP VIEW resolve every view. A malicious
    /// view can make that take unlimited time and memory.
    static func removeViews(_ db: Connection) throws(SQLiteError) {
        try db.execute(
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'view'; PRAGMA writable_schema = RESET"
        )
    }

    /// The tables that are read once for each revision, or have a row for each.
    private static let readByRevision = ["revision", "answer", "member", "list", "gap", "file"]

    /// Refuses a database with more rows than its bytes can hold. In a crafted one, pages can name one page thousands
    /// of times. `WorkLimit` limits the work of one connection, and an archive with many revisions needs many.
    ///
    /// A row has ten bytes at least: with its indexes, a member has 40. Counting ends at the first row too many. It
    /// takes about 50 nanoseconds a row. The size is asked for in the same statement, since a capture may be writing.
    /// SQLite would count an index that is smaller; the primary key of a table without rowids is the table itself.
    static func checkRows(of db: Connection, archive: String) throws(ArchiveError) {
        for table in readByRevision {
            let index = table == "revision" ? "NOT INDEXED" : "INDEXED BY sqlite_autoindex_\(table)_1"
            do throws(SQLiteError) {
                let sql = """
                    SELECT 1 FROM \(table) \(index)
                    LIMIT 1 OFFSET (SELECT page_count * page_size / 10 FROM pragma_page_count, pragma_page_size)
                    """
                guard try db.first(sql, read: { _ in true }) == true else { continue }
            } catch {
                throw .database(error, archive: archive)
            }
            throw .refused("its table \"\(table)\" has more rows than a file of its size can hold", archive: archive)
        }
    }
}
