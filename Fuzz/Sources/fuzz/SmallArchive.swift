import CSQLite
import Dispatch
import Glibc
import Platform

@testable import Archive
@testable import SQLite

/// A valid archive with two revisions, a capture and an imported state, and methods to change it like an attacker.
///
/// Its tables are created without STRICT and NOT NULL, so that every column accepts any value. Before the archive is
/// read, the original definitions are restored, so that a reader finds the known schema.
final class SmallArchive {
    struct Table {
        let name: String
        let columns: [String]
        let key: [String]
        let definition: String
    }

    // `nonisolated(unsafe)` is safe, because libFuzzer calls its target from only one thread.
    nonisolated(unsafe) static let shared = SmallArchive()

    let tables: [Table]
    private var relaxed: [UInt8] = []
    private let path = "\(Scratch.folder)/archive/archive.sqlite"
    private var db: OpaquePointer?

    var folder: ArchiveFolder { ArchiveFolder("\(Scratch.folder)/archive") }

    private init() {
        let strict = "\(Scratch.folder)/archive/archive.sqlite"
        Self.capture(into: ArchiveFolder("\(Scratch.folder)/archive"))
        var schema: [(type: String, name: String, sql: String)] = []
        var version: Int64 = 0
        var loadedTables: [Table] = []
        do {
            let db = try Connection(strict, .readOnly)
            version = Int64(try db.schemaVersion(limit: .max))
            schema = try db.all("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid") {
                (type: $0.text(0), name: $0.text(1), sql: $0.text(2))
            }
            for entry in schema where entry.type == "table" {
                let columns = try db.all("SELECT name, pk FROM pragma_table_info(?)", entry.name) {
                    (name: $0.text(0), key: $0.integer(1))
                }
                loadedTables.append(
                    Table(
                        name: entry.name, columns: columns.map(\.name), key: columns.filter { $0.key > 0 }.map(\.name),
                        definition: entry.sql))
            }
        } catch {
            preconditionFailure("cannot create the schema: \(error)")
        }
        tables = loadedTables
        require(rename(strict, "\(Scratch.folder)/strict.sqlite") == 0, "the strict archive is moved")
        open()
        for entry in schema { run(Self.relax(entry.sql)) }
        run("PRAGMA user_version = \(version)")
        run("ATTACH ? AS strict", [.text("\(Scratch.folder)/strict.sqlite")])
        for table in tables { run("INSERT INTO \(table.name) SELECT * FROM strict.\(table.name)") }
        run("DETACH strict")
        close()
        relaxed = Self.read(path)
    }

    /// The archive's records in the API's format.
    private static let records: [(list: String, json: [String])] = [
        (
            "character",
            [
                #"{"id":1,"name":"Ada","status":"Alive","species":"Human","type":"","gender":"Female","origin":{"name":"Here","url":"http://127.0.0.1/api/location/1"},"location":{"name":"Here","url":"http://127.0.0.1/api/location/1"},"image":"http://127.0.0.1/api/character/avatar/1.png","episode":["http://127.0.0.1/api/episode/1"],"url":"http://127.0.0.1/api/character/1","created":"2017-11-04T18:48:46.250Z"}"#,
                #"{"id":2,"name":"Ben","status":"Dead","species":"Alien","type":"","gender":"Male","origin":{"name":"unknown","url":""},"location":{"name":"Here","url":"http://127.0.0.1/api/location/1"},"image":"http://127.0.0.1/api/character/avatar/2.png","episode":["http://127.0.0.1/api/episode/1"],"url":"http://127.0.0.1/api/character/2","created":"2017-11-04T18:50:21.651Z"}"#,
            ]
        ),
        (
            "location",
            [
                #"{"id":1,"name":"Here","type":"Planet","dimension":"unknown","residents":["http://127.0.0.1/api/character/1","http://127.0.0.1/api/character/2"],"url":"http://127.0.0.1/api/location/1","created":"2017-11-10T12:42:04.162Z"}"#
            ]
        ),
        (
            "episode",
            [
                #"{"id":1,"name":"First","air_date":"December 2, 2013","episode":"S01E01","characters":["http://127.0.0.1/api/character/1","http://127.0.0.1/api/character/2"],"url":"http://127.0.0.1/api/episode/1","created":"2017-11-10T12:56:33.798Z"}"#
            ]
        ),
    ]

    private static func page(_ list: String, _ records: [String], envelope: Bool) -> (
        bytes: [UInt8], slices: [RecordSlice]
    ) {
        var bytes = Array(
            (envelope ? #"{"info":{"count":\#(records.count),"pages":1,"next":null,"prev":null},"results":["# : "[")
                .utf8)
        var ranges: [Range<Int>] = []
        for (index, record) in records.enumerated() {
            if index > 0 { bytes += ",".utf8 }
            ranges.append(bytes.count..<bytes.count + record.utf8.count)
            bytes += record.utf8
        }
        bytes += (envelope ? "]}" : "]").utf8
        let slices = ranges.enumerated().map { index, range in
            RecordSlice(
                key: RecordKey(list, Int64(index + 1)), range: range, in: bytes,
                picture: envelope && list == "character" ? "character/avatar/\(index + 1).png" : nil)
        }
        return (bytes, slices)
    }

    /// Stores an imported state of an earlier day, and a capture.
    private static func capture(into folder: ArchiveFolder) {
        let source = Source(catalogue: "rickandmorty", api: "http://127.0.0.1/api", origin: .live)
        let end = DispatchSemaphore(value: 0)
        Task {
            do {
                let writer = try ArchiveWriter(folder)
                let files = records.map { list, json in
                    let (bytes, slices) = page(list, Array(json.prefix(1)), envelope: false)
                    return ImportedFile(name: "\(list)s.json", bytes: bytes, records: slices)
                }
                _ = try await writer.importState(of: source, date: 1_500_000_000_000, files)
                let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
                for (list, json) in records {
                    let (bytes, slices) = page(list, json, envelope: true)
                    let kept = try await revision.accept(
                        NewExchange(
                            path: "\(list)?page=1", role: .page, status: 200,
                            headers: Array("HTTP/1.1 200 OK\r\n\r\n".utf8),
                            received: 1_000,
                            body: bytes, asset: nil))
                    try await revision.addRecords(slices, of: kept, at: 0)
                    try await revision.setClaim(ofList: list, count: json.count, pages: 1)
                }
                for number in 1...2 {
                    _ = try await revision.accept(
                        NewExchange(
                            path: "character/avatar/\(number).png", role: .asset, status: 200, headers: [],
                            received: 1_000,
                            body: Array("picture \(number)".utf8), asset: (.png, width: 3, height: 2)))
                }
                _ = try await revision.finish(gaps: [
                    Gap(url: "http://127.0.0.1/api/episode/2", keyPath: "episode[1]", reason: "404")
                ])
                try await writer.close()
            } catch {
                preconditionFailure("cannot create the small archive: \(error)")
            }
            end.signal()
        }
        end.wait()
    }
}

extension SmallArchive {
    /// Restores the valid archive.
    func reset() {
        _ = Scratch.write(relaxed, to: "archive/archive.sqlite")
        open()
        run("PRAGMA ignore_check_constraints = ON")
    }

    /// Runs an SQL statement, and ignores errors.
    func run(_ sql: String, _ values: [SQLiteValue] = []) {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK else { return }
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            let parameter = Int32(index + 1)
            switch value {
            case .null: sqlite3_bind_null(statement, parameter)
            case .integer(let number): sqlite3_bind_int64(statement, parameter, number)
            case .real(let number): sqlite3_bind_double(statement, parameter, number)
            case .text(let text):
                sqlite3_bind_text(statement, parameter, text, Int32(text.utf8.count), csqlite_transient())
            case .blob(let bytes):
                sqlite3_bind_blob(statement, parameter, bytes, Int32(bytes.count), csqlite_transient())
            }
        }
        while sqlite3_step(statement) == SQLITE_ROW {}
    }

    /// Restores the definitions of the tables and closes the file.
    func finish() {
        run("PRAGMA writable_schema = ON")
        for table in tables {
            run(
                "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?",
                [.text(table.definition), .text(table.name)])
        }
        run("PRAGMA writable_schema = OFF")
        close()
    }

    /// Changes bytes of the closed file.
    func patch(_ bytes: [UInt8], at offset: Int) {
        let file = Glibc.open(path, O_WRONLY)
        require(file >= 0, "the archive is opened")
        _ = pwrite(file, bytes, bytes.count, off_t(offset))
        Glibc.close(file)
    }

    var size: Int { relaxed.count }

    /// Computes all digests again, like a careful forger, as far as the rows can be read.
    func repair() {
        do {
            let db = try Connection(path, .readWrite)
            for (id, bytes) in try db.all("SELECT id, bytes FROM body", read: { ($0.integer(0), $0.blob(1)) }) {
                try db.run(
                    "UPDATE OR IGNORE body SET sha256 = ? WHERE id = ?", SHA256(of: bytes), id)
            }
            try db.execute(
                """
                UPDATE OR IGNORE exchange SET sha256 = (SELECT sha256 FROM body WHERE body.id = exchange.body),
                size = (SELECT length(bytes) FROM body WHERE body.id = exchange.body) WHERE body IN (SELECT id FROM body);
                UPDATE OR IGNORE exchange SET sha256 = (SELECT sha256 FROM asset WHERE asset.id = exchange.asset),
                size = (SELECT size FROM asset WHERE asset.id = exchange.asset) WHERE asset IN (SELECT id FROM asset)
                """)
            let records = try db.all(
                """
                SELECT record.id, CAST(substr(bytes, record.offset + 1, record.length) AS BLOB)
                FROM record JOIN body ON body.id = record.body
                """
            ) { ($0.integer(0), $0.blob(1)) }
            for (id, bytes) in records {
                try db.run(
                    "UPDATE OR IGNORE record SET sha256 = ? WHERE id = ?", SHA256(of: bytes), id)
            }
            for revision in try db.all("SELECT id FROM revision", read: { $0.integer(0) }) {
                let digest = try db.computeDigest(of: revision)
                try db.run("UPDATE revision SET digest = ? WHERE id = ?", digest, revision)
                try db.seal(revision)
            }
        } catch {
            // If a digest cannot be computed, the value stays, and the readers must handle it.
        }
    }
}

extension SmallArchive {
    private func open() {
        require(sqlite3_open(path, &db) == SQLITE_OK, "the archive is opened")
        run("PRAGMA page_size = 512")
        run("PRAGMA journal_mode = OFF")
        run("PRAGMA synchronous = OFF")
    }

    private func close() {
        sqlite3_close(db)
        db = nil
    }

    private static func relax(_ sql: String) -> String {
        var sql = sql
        for (word, other) in [(" NOT NULL", ""), (") STRICT, WITHOUT ROWID", ") WITHOUT ROWID"), (") STRICT", ")")] {
            while let range = sql.firstRange(of: word) { sql.replaceSubrange(range, with: other) }
        }
        return sql
    }

    private static func read(_ path: String) -> [UInt8] {
        do { return try File.read(path) } catch { preconditionFailure("\(error)") }
    }
}
