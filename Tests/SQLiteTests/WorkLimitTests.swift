import CSQLite
import TestSupport
import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(1)))
struct WorkLimitTests {
    private let folder: ScratchFolder
    private let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

    init() throws {
        folder = try ScratchFolder()
        try Connection(folder["test.sqlite"], .readWrite).execute("CREATE TABLE t(x)")
    }

    private func workLimitError(_ sql: String) -> SQLiteError {
        SQLiteError(code: 11, message: "it has more rows than a file of its size can hold", subject: sql)
    }

    @Test func `An endless query is stopped, and the next query works`() throws {
        let db = try Connection(folder["test.sqlite"], .readOnly)
        try db.limitWork(forFileOf: 1_000)
        for sql in ["\(endless) SELECT count(*) FROM n", "\(endless) SELECT i FROM n"] {
            #expect(throws: workLimitError(sql)) { try db.forEach(sql) { _ in } }
            #expect(throws: workLimitError(sql)) { try db.execute(sql) }
        }
        #expect(try db.first("SELECT 7") { $0.int(0) } == 7)
    }

    @Test func `Values with more bytes than the file can hold are refused`() throws {
        let db = try Connection(folder["test.sqlite"], .readOnly)
        try db.limitWork(forFileOf: 1_000)
        var rows = 0
        let error = #expect(throws: SQLiteError.self) {
            try db.forEach("\(endless) SELECT randomblob(1000000) FROM n LIMIT 9000") { row in
                rows += row.blob(0).count / 1_000_000
            }
        }
        #expect(error?.message == "its values have more bytes than a file of its size can hold" && rows < 100)
    }

    @Test func `Many small queries are stopped when their total work exceeds the limit`() throws {
        let db = try Connection(folder["test.sqlite"], .readOnly)
        try db.limitWork(forFileOf: 1_000)
        let query = "\(endless) SELECT zeroblob(1 << 20) FROM n LIMIT 40"
        var queries = 0
        let error = #expect(throws: SQLiteError.self) {
            while queries < 100 {
                try db.forEach(query) { _ = $0.rawBlob(0) }
                queries += 1
            }
        }
        #expect(error?.code == 11 && queries == 12)
        let next = #expect(throws: SQLiteError.self) { try db.first("SELECT 7") { $0.int(0) } }
        #expect(next?.message == "reading it takes more work than a file of its size can need")
    }

    @Test func `A query ends when its task is cancelled`() async throws {
        let path = folder["test.sqlite"]
        let sql = "\(endless) SELECT count(*) FROM n"
        let task = Task.detached {
            let db = try Connection(path, .readOnly)
            try db.limitWork(forFileOf: 1 << 40)
            try db.forEach(sql) { _ in }
        }
        task.cancel()
        let error = await #expect(throws: SQLiteError.self) { try await task.value }
        #expect(error?.cause == .interrupted)
    }

    @Test func `A value longer than the file is refused`() throws {
        let db = try Connection(folder["test.sqlite"], .readOnly)
        try db.limitWork(forFileOf: 1_000)
        let error = #expect(throws: SQLiteError.self) { try db.first("SELECT length(zeroblob(1 << 21))") { $0.int(0) } }
        #expect(error?.message == "string or blob too big")
    }

    @Test func `The limit grows with the file while the connection writes`() throws {
        let db = try Connection(folder["test.sqlite"], .readWrite)
        try db.limitWork(forFileOf: 1_000, isGrowing: true)
        try db.execute("BEGIN IMMEDIATE")
        try db.execute("\(endless) INSERT INTO t SELECT i FROM n LIMIT 100000")
        // The second query has the limits that were set before the first one.
        for _ in 0..<2 { #expect(try db.all("SELECT x FROM t") { $0.int(0) }.count == 100_000) }
        // A value may be longer than the file.
        try db.run("INSERT INTO t VALUES (?)", [UInt8](repeating: 1, count: 4 << 20))
        try db.execute("COMMIT")
        #expect(throws: SQLiteError.self) { try db.forEach("\(endless) SELECT i FROM n") { _ in } }
    }

    @Test func `The function place_of() has the results of instr(), in linear time`() throws {
        let db = try Connection(folder["test.sqlite"], .readOnly)
        func position(of wanted: String, in bytes: String) throws -> Int? {
            let others = "##\(wanted)#"
            return try db.first(
                "SELECT place_of(?, ?, ?, ?)", Array(bytes.utf8), Array(others.utf8), 2, wanted.utf8.count
            ) { $0.int(0) }
        }
        for (wanted, bytes) in [("b", "abc"), ("abc", "abc"), ("c", "ab"), ("ab", "a"), ("aab", "aaaab")] {
            let theirs = try db.first("SELECT instr(?, ?)", bytes, wanted) { $0.int(0) }
            #expect(try position(of: wanted, in: bytes) == theirs, "\(wanted) in \(bytes)")
        }
        // instr() needs minutes for these values.
        let spaces = String(repeating: " ", count: 8 << 20)
        #expect(try position(of: spaces.prefix(4 << 20) + "x", in: spaces) == 0)
        #expect(csqlite_add_place_of(db.handle, 15) == SQLITE_OK)
        #expect(try position(of: "c", in: "abcdef") == 3)
        // The lengths of both values count, because both are loaded.
        #expect { try position(of: "c", in: "abcdef") } throws: { "\($0)".contains("too many different positions") }
    }
}
