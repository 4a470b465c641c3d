import Platform
import SQLite

/// Reads one complete revision. Not Sendable: each worker opens its own.
public final class RevisionReader {
    /// What is read.
    public let revision: Revision
    let db: Connection
    /// Bodies, of which records are slices: a page of a list has 20, an imported file all of a kind.
    let bodies: BlobReader
    /// The archive it is read from.
    public let folder: ArchiveFolder

    /// Opens the archive for reading that revision.
    public init(_ revision: Revision, in folder: ArchiveFolder) throws(ArchiveError) {
        self.revision = revision
        self.folder = folder
        guard let db = try folder.open() else { throw .damaged("it has no tables") }
        // One read transaction for all that is read: without it each query locks the file and looks whether it has
        // changed.
        try folder.attempt { () throws(SQLiteError) in try db.execute("BEGIN") }
        self.db = db
        bodies = BlobReader(db, table: "body", column: "bytes")
    }
}

extension RevisionReader {
    /// How many records of each kind the revision has.
    public func recordCounts() throws(ArchiveError) -> [String: Int] {
        var counts: [String: Int] = [:]
        try forEachRow(
            "SELECT kind, count(*), min(position), max(position) FROM member WHERE revision = ? GROUP BY kind ORDER BY "
                + "kind",
            .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            let kind = try row.kind(0)
            let count = row.int(1)
            // Tables of positions have four bytes for each.
            guard row.int(2) == 0, row.int(3) == count - 1, count <= Int32.max else {
                throw .damaged("the \(kind) records of revision \(revision.number) are not at the positions from 0 on")
            }
            counts[kind] = count
        }
        return counts
    }

    /// How many pictures the revision has; equal ones at several places count each time.
    public func pictureCount() throws(ArchiveError) -> Int {
        try read { db throws(SQLiteError) in
            try db.first(
                """
                SELECT count(*) FROM answer JOIN exchange ON exchange.id = answer.exchange
                WHERE answer.revision = ? AND answer.role = 'picture' AND exchange.asset IS NOT NULL
                """, .integer(revision.number)
            ) { $0.int(0) } ?? 0
        }
    }

    /// The records of a kind at these positions of the API's order, counted from 0, read in that order.
    public func records(of kind: String, at positions: Range<Int>) throws(ArchiveError) -> [StoredRecord] {
        var records: [StoredRecord] = []
        try forEachRecord(of: kind, at: positions) { records.append($0) }
        return records
    }

    /// What a closure makes of each of these records. One record is in memory at a time.
    /// - Parameter make: reads nothing through this reader.
    public func records<Made>(
        of kind: String, at positions: Range<Int>, make: (StoredRecord) throws -> Made
    ) throws -> [Made] {
        var all: [Made] = []
        var fault: (any Error)?
        try forEachRecord(of: kind, at: positions) { record in
            guard fault == nil else { return }
            do { all.append(try make(record)) } catch { fault = error }
        }
        if let fault { throw fault }
        return all
    }

    private func forEachRecord(
        of kind: String, at positions: Range<Int>, _ body: (StoredRecord) -> Void
    ) throws(ArchiveError) {
        try forEachRow(
            """
            SELECT record.number, record.body, record.offset, record.length, record.sha256, asset.sha256, asset.size,
            asset.format,
            asset.width, asset.height FROM \(Self.membersWithPictures)
            WHERE member.revision = ? AND member.kind = ? AND position >= ? AND position < ? ORDER BY position
            """, .integer(revision.number), .text(kind), .int(positions.lowerBound), .int(positions.upperBound)
        ) { (row) throws(ArchiveError) in
            let picture = row.isNull(5) ? nil : try Self.asset(row, from: 5)
            let key = RecordKey(kind, try row.number(0, of: kind))
            body(try record(key, row, from: 1, picture: picture))
        }
    }

    /// How many records may be in memory at once: fewer than the most where the archive has large ones.
    public func recordsAtOnce(most: Int) throws(ArchiveError) -> Int {
        let largest = try read { db throws(SQLiteError) in
            try db.first("SELECT coalesce(max(length), 0) FROM record") { $0.int(0) } ?? 0
        }
        return max(1, min(most, (16 << 20) / max(1, largest)))
    }

    /// The bytes of a record from four columns: its body, its place in it, its length and its digest, which they are
    /// compared with.
    func bytes(of key: RecordKey, _ row: Row, from column: Int) throws(ArchiveError) -> [UInt8] {
        try record(key, row, from: column, picture: nil).bytes
    }

    /// The record with such bytes.
    func record(_ key: RecordKey, _ row: Row, from column: Int, picture: Asset?) throws(ArchiveError) -> StoredRecord {
        let bytes = try read { _ throws(SQLiteError) in
            try bodies.bytes(ofRow: row.integer(column), from: row.int(column + 1), count: row.int(column + 2))
        }
        guard let bytes, let digest = row.digest(column + 3), SHA256(of: bytes) == digest else {
            throw .damaged("\(key) is not what was captured")
        }
        return StoredRecord(key: key, bytes: bytes, digest, picture: picture)
    }

    private static let membersWithPictures = """
        member JOIN record ON record.id = member.record
        LEFT JOIN answer ON answer.revision = member.revision AND answer.path = member.picture
        LEFT JOIN exchange ON exchange.id = answer.exchange LEFT JOIN asset ON asset.id = exchange.asset
        """

    static func asset(_ row: Row, from column: Int) throws(ArchiveError) -> Asset {
        guard let sha256 = row.digest(column) else {
            throw .damaged("a picture has a digest of \(row.blob(column).count) bytes")
        }
        return try Asset(sha256, row, from: column + 1)
    }

    /// Where the picture's file lies.
    public func path(of asset: Asset) -> String { folder.assetPath(asset.sha256) }

    /// What the revision lacks, sorted.
    /// - Parameter most: they are held in memory; more are an error.
    public func gaps(most: Int = 2_000_000) throws(ArchiveError) -> [Gap] {
        var gaps: [Gap] = []
        try forEachRow(
            "SELECT url, key_path, reason FROM gap WHERE revision = ? ORDER BY url, key_path, reason",
            .integer(revision.number)
        ) { (row) throws(ArchiveError) in
            guard gaps.count < most else {
                throw .damaged("revision \(revision.number) has more than \(most) gaps")
            }
            gaps.append(Gap(url: row.text(0), keyPath: row.text(1), reason: row.text(2)))
        }
        return gaps
    }

    func read<Value>(_ body: (Connection) throws(SQLiteError) -> Value) throws(ArchiveError) -> Value {
        try folder.attempt { () throws(SQLiteError) in try body(db) }
    }

    /// Hands every row of a query to a closure, and throws what it throws.
    func forEachRow(
        _ sql: String, _ values: Value..., take: (Row) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var fault: ArchiveError?
        try read { db throws(SQLiteError) in
            try db.statement(sql).forEach(values) { row in
                do throws(ArchiveError) {
                    try take(row)
                    return true
                } catch {
                    fault = error
                    return false
                }
            }
        }
        if let fault { throw fault }
    }
}
