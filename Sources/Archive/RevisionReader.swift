import Platform
import SQLite

/// Reads one complete revision. Not Sendable: each worker opens its own.
public final class RevisionReader {
    /// What is read.
    public let revision: Revision
    let db: Connection
    /// The archive it is read from.
    public let folder: ArchiveFolder

    /// Opens the archive for reading that revision.
    public init(_ revision: Revision, in folder: ArchiveFolder) throws(ArchiveError) {
        self.revision = revision
        self.folder = folder
        db = try folder.attempt { () throws(SQLiteError) in
            let db = try Connection(folder.database, .readOnly)
            // One read transaction for all that is read: without it each query locks the file and looks whether it has changed.
            try db.execute("BEGIN")
            return db
        }
    }
}

extension RevisionReader {
    /// How many records of each kind the revision has.
    public func recordCounts() throws(ArchiveError) -> [String: Int] {
        let counts = try read { db throws(SQLiteError) in
            try db.all("SELECT kind, count(*) FROM member WHERE revision = ? GROUP BY kind", .integer(revision.number)) {
                ($0.text(0), $0.int(1))
            }
        }
        return Dictionary(uniqueKeysWithValues: counts)
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
        var fault: ArchiveError?
        try read { db throws(SQLiteError) in
            try db.forEach(
                """
                SELECT record.number, substr(body.bytes, record.offset + 1, record.length), record.sha256, asset.sha256, asset.size,
                asset.format, asset.width, asset.height FROM \(Self.membersWithPictures) JOIN body ON body.id = record.body
                WHERE member.revision = ? AND member.kind = ? AND position >= ? AND position < ? ORDER BY position
                """, .integer(revision.number), .text(kind), .int(positions.lowerBound), .int(positions.upperBound)
            ) { row in
                do throws(ArchiveError) {
                    let picture = row.isNull(3) ? nil : try Self.asset(row, from: 3)
                    let record = StoredRecord(key: RecordKey(kind, row.integer(0)), bytes: row.blob(1), picture: picture)
                    guard SHA256(of: record.bytes).bytes == row.blob(2) else { throw .damaged("\(record.key) is not what was captured") }
                    records.append(record)
                    return true
                } catch {
                    fault = error
                    return false
                }
            }
        }
        if let fault { throw fault }
        return records
    }

    private static let membersWithPictures = """
        member JOIN record ON record.id = member.record
        LEFT JOIN answer ON answer.revision = member.revision AND answer.path = record.picture
        LEFT JOIN exchange ON exchange.id = answer.exchange LEFT JOIN asset ON asset.id = exchange.asset
        """

    static func asset(_ row: Row, from column: Int) throws(ArchiveError) -> Asset {
        guard let sha256 = SHA256(bytes: row.blob(column)) else {
            throw .damaged("a picture has a digest of \(row.blob(column).count) bytes")
        }
        return try Asset(sha256, row, from: column + 1)
    }

    /// Where the picture's file lies.
    public func path(of asset: Asset) -> String { folder.assetPath(asset.sha256) }

    /// What the revision lacks, sorted.
    public func gaps() throws(ArchiveError) -> [Gap] {
        try read { db throws(SQLiteError) in
            try db.all("SELECT url, key_path, reason FROM gap WHERE revision = ? ORDER BY url, key_path, reason", .integer(revision.number))
            {
                Gap(url: $0.text(0), keyPath: $0.text(1), reason: $0.text(2))
            }
        }
    }

    func read<Value>(_ body: (Connection) throws(SQLiteError) -> Value) throws(ArchiveError) -> Value {
        try folder.attempt { () throws(SQLiteError) in try body(db) }
    }
}
