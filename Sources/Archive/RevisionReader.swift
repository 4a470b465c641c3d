import Platform
package import SQLite

/// Reads one complete revision. It is not Sendable, so each worker opens its own reader.
package final class RevisionReader {
    package let revision: Revision
    package let folder: ArchiveFolder
    let db: Connection
    /// Reads parts of bodies. Records are slices of list pages and imported files.
    let bodies: BlobReader
    var number: Int64 { revision.number }

    /// - Parameter db: an open connection to the archive; nil to open one.
    package init(_ revision: Revision, in folder: ArchiveFolder, on db: Connection? = nil) throws {
        self.revision = revision
        self.folder = folder
        self.db = try db ?? folder.begin()
        bodies = BlobReader(self.db, table: "body", column: "bytes")
    }

    package func recordCounts() throws -> [String: Int] {
        let counts = try db.all(
            "SELECT kind, count(*), min(position), max(position) FROM member WHERE revision = ? GROUP BY kind", number
        ) { row in
            let kind = try row.kind(0)
            let count = row.int(1)
            // Tables store each position in four bytes.
            try ArchiveError.require(
                row.int(2) == 0 && row.int(3) == count - 1 && count <= Int32.max,
                "the \(kind) records of revision \(revision.number) do not have the positions 0 to \(count - 1)")
            return (kind, count)
        }
        return Dictionary(counts) { $1 }
    }

    /// The number of records of each kind that were requested by number, because no list contains them.
    package func unlistedRecordCounts() throws -> [String: Int] {
        let counts = try db.all(
            """
            SELECT member.kind, count(*) FROM member JOIN exchange ON exchange.id = member.exchange
            JOIN answer ON answer.revision = member.revision AND answer.path = exchange.path
            WHERE member.revision = ? AND answer.role = 'records' GROUP BY member.kind
            """, number
        ) { (try $0.kind(0), $0.int(1)) }
        return Dictionary(counts) { $1 }
    }

    /// The numbers of records and pages that each list claims to have, by kind.
    package func claims() throws -> [String: (count: Int, pages: Int)] {
        let claims = try db.all("SELECT kind, count, pages FROM list WHERE revision = ?", number) { row in
            let kind = try row.kind(0)
            let count = try row.count(1, "the count of the \(kind) list")
            return (kind, (count: count, pages: try row.count(2, "the page count of the \(kind) list")))
        }
        return Dictionary(claims) { $1 }
    }

    /// The gaps of the revision, sorted.
    /// - Parameter limit: the maximum number of gaps to load into memory. More gaps are an error.
    package func gaps(limit: Int = 2_000_000) throws -> [Gap] {
        let gaps = try db.all(
            "SELECT url, key_path, reason FROM gap WHERE revision = ? ORDER BY url, key_path, reason LIMIT ?", number,
            limit + 1
        ) { try $0.gap(from: 0) }
        try ArchiveError.require(gaps.count <= limit, "revision \(revision.number) has more than \(limit) gaps")
        return gaps
    }

    /// The records of a kind at these positions in the API's order, counted from 0.
    /// - Parameter convert: converts each record, so that only one is in memory at a time. It must not use this reader.
    package func records<Value>(
        of kind: String, at positions: Range<Int>, convert: (StoredRecord) throws -> Value = { $0 }
    ) throws -> [Value] {
        let picture = """
            LEFT JOIN answer ON answer.revision = member.revision AND answer.path = member.picture
            LEFT JOIN exchange ON exchange.id = answer.exchange LEFT JOIN asset ON asset.id = exchange.asset
            """
        let columns = """
            record.body, record.offset, record.length, record.sha256, asset.sha256, asset.size, asset.format,
            asset.width, asset.height
            """
        return try members(of: kind, at: positions, columns, picture) { key, row in
            // A field for pictures can contain a link to another file.
            let picture = try row.asset(from: 5).flatMap { $0.format.isPicture ? $0 : nil }
            return try convert(try record(key, row, from: 1, picture: picture))
        }
    }

    /// Converts each record's key and row. The requested columns begin at index 1 of the row.
    func members<Value>(
        of kind: String, at positions: Range<Int>, _ columns: String, _ joins: String = "",
        convert: (RecordKey, Row) throws -> Value
    ) throws -> [Value] {
        try db.all(
            """
            SELECT record.number, \(columns) FROM member JOIN record ON record.id = member.record \(joins)
            WHERE member.revision = ? AND member.kind = ? AND position >= ? AND position < ? ORDER BY position
            """, number, kind, positions.lowerBound, positions.upperBound
        ) { try convert(try $0.key(kind, 0), $0) }
    }

    /// The number of records to load at the same time: fewer than the limit if the archive has large records.
    package func batchSize(limit: Int) throws -> Int {
        let largest = try db.first("SELECT coalesce(max(length), 0) FROM record") { $0.int(0) } ?? 0
        return max(1, min(limit, (16 << 20) / max(1, largest)))
    }

    /// A record from four columns: body, offset, length and digest. The digest is checked.
    func record(_ key: RecordKey, _ row: Row, from column: Int, picture: Asset? = nil) throws -> StoredRecord {
        let bytes = try bodies.bytes(ofRow: row.integer(column), from: row.int(column + 1), count: row.int(column + 2))
        guard let bytes, let digest = row.digest(column + 3), SHA256(of: bytes) == digest else {
            throw ArchiveError.damaged("\(key) does not match its digest")
        }
        return (key, bytes, digest, picture)
    }

    /// The first record with a key; nil if there is none.
    package func record(_ key: RecordKey) throws -> StoredRecord? {
        try db.first(
            """
            SELECT body, offset, length, sha256 FROM record CROSS JOIN member ON member.record = record.id
            WHERE record.kind = ? AND number = ? AND revision = ? ORDER BY position LIMIT 1
            """, key.kind, key.id, number
        ) { try record(key, $0, from: 0) }
    }

    /// Calls the closure with the number and digest of each record, in the API's order. The bytes are not read.
    package func forEachMember(of kind: String, _ body: (_ number: Int64, _ sha256: SHA256) throws -> Void) throws {
        // An array of empty values needs one byte for each record.
        _ = try members(of: kind, at: 0..<Int.max, "record.sha256") { key, row in
            try body(key.id, try row.digest(1, of: "\(key)"))
        }
    }

    /// The names and digests of the files of an imported state, ordered by name. The bytes are not read.
    package func files() throws -> [(name: String, sha256: SHA256)] {
        try db.all(
            "SELECT name, sha256 FROM file JOIN body ON body.id = file.body WHERE revision = ? ORDER BY name", number
        ) { row in
            let name = try row.fileName(0)
            return (name, try row.digest(1, of: "the imported file \(name)"))
        }
    }

    /// The bytes of the declaration that the revision stores; empty if there is none.
    package func declaration() throws -> [UInt8] {
        let key = "(SELECT declaration FROM revision WHERE id = ?)"
        return try db.first("SELECT bytes FROM declaration WHERE id = \(key)", number) { $0.blob(0) } ?? []
    }

    /// The bytes of a file of an imported state.
    package func bytes(ofFile name: String) throws -> [UInt8] {
        let bytes = try db.first(
            "SELECT bytes, body.sha256 FROM file JOIN body ON body.id = file.body WHERE revision = ? AND file.name = ?",
            number, name
        ) { row in
            let bytes = row.blob(0)
            try ArchiveError.require(
                SHA256(of: bytes) == row.digest(1), "the imported file \(name) does not match its digest")
            return bytes
        }
        return try ArchiveError.require(bytes, "revision \(revision.number) has no imported file \(name)")
    }
}

extension RevisionReader {
    /// Reads all records of a kind on several threads, in bounded memory.
    /// - Parameters:
    ///   - count: the number of records of the kind.
    ///   - make: converts a record to a result. It is called on several threads.
    ///   - take: receives each result on the calling thread, in the API's order.
    package func forEachRecord<Output: Sendable>(
        of kind: String, count: Int, make: @escaping @Sendable (StoredRecord) throws -> Output,
        take: (Output) throws -> Void
    ) throws {
        let (revision, folder, workers) = (revision, folder, processorCount)
        // Each thread has at most 2,048 results and one record in memory.
        let chunk = max(1, min(2_048, (count + workers - 1) / workers))
        for wave in (0..<count).chunks(of: workers * chunk) {
            let results = resultsOnAllCores(wave.chunks(of: chunk)) { part in
                try RevisionReader(revision, in: folder).records(of: kind, at: part, convert: make)
            }
            for result in results { try result.get().forEach(take) }
        }
    }
}
