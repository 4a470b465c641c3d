import Platform
import SQLite

/// Reads one complete revision. Not Sendable: each worker opens its own.
public final class RevisionReader {
    /// What is read.
    public let revision: Revision
    private let db: Connection
    private let folder: ArchiveFolder

    /// Opens the archive for reading that revision.
    public init(_ revision: Revision, in folder: ArchiveFolder) throws(ArchiveError) {
        self.revision = revision
        self.folder = folder
        db = try attempt(folder) { () throws(SQLiteError) in try Connection(folder.database, .readOnly) }
    }
}

extension RevisionReader {
    /// The newest complete revision among those whose source fits, nil where there is none, or no archive at all.
    public static func newest(in folder: ArchiveFolder, where fits: (Source) -> Bool) throws(ArchiveError) -> Revision? {
        guard folder.exists else { return nil }
        var found: Result<Revision, ArchiveError>?
        try attempt(folder) { () throws(SQLiteError) in
            let db = try Connection(folder.database, .readOnly)
            // A capture that was killed at once leaves a file without tables: there is no revision in it.
            guard try db.schemaVersion > 0 else { return }
            try db.forEach(
                """
                SELECT revision.id, finished, digest, catalogue, api, origin, (SELECT count(*) FROM gap WHERE gap.revision = revision.id)
                FROM revision JOIN source ON source.id = revision.source WHERE state = 'complete' ORDER BY revision.id DESC
                """
            ) { row in
                guard let origin = Source.Origin(rawValue: row.text(5)) else { return true }
                let source = Source(catalogue: row.text(3), api: row.text(4), origin: origin)
                guard fits(source) else { return true }
                guard let digest = SHA256(bytes: row.blob(2)) else {
                    found = .failure(.damaged("revision \(row.integer(0)) has no digest"))
                    return false
                }
                found = .success(
                    Revision(number: row.integer(0), source: source, finished: row.integer(1), digest: digest, gaps: row.int(6)))
                return false
            }
        }
        return try found?.get()
    }

    /// How many records of a kind the revision has.
    public func count(of kind: String) throws(ArchiveError) -> Int {
        try read { db throws(SQLiteError) in
            try db.first("SELECT count(*) FROM member WHERE revision = ? AND kind = ?", .integer(revision.number), .text(kind)) {
                $0.int(0)
            } ?? 0
        }
    }

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
        try read { db throws(SQLiteError) in
            try db.all(
                """
                SELECT record.number, substr(body.bytes, record.offset + 1, record.length) FROM member
                JOIN record ON record.id = member.record JOIN body ON body.id = record.body
                WHERE revision = ? AND member.kind = ? AND position >= ? AND position < ? ORDER BY position
                """, .integer(revision.number), .text(kind), .int(positions.lowerBound), .int(positions.upperBound)
            ) { StoredRecord(key: RecordKey(kind, $0.integer(0)), bytes: $0.blob(1)) }
        }
    }

    /// The picture that answered at a path; nil where none did.
    public func asset(at path: String) throws(ArchiveError) -> Asset? {
        var found: Result<Asset, ArchiveError>?
        try read { db throws(SQLiteError) in
            try db.forEach(
                """
                SELECT asset.sha256, asset.size, asset.format, asset.width, asset.height FROM answer
                JOIN exchange ON exchange.id = answer.exchange JOIN asset ON asset.id = exchange.asset
                WHERE answer.revision = ? AND answer.path = ?
                """, .integer(revision.number), .text(path)
            ) { row in
                found = Result { () throws(ArchiveError) in
                    guard let sha256 = SHA256(bytes: row.blob(0)) else { throw .damaged("the picture at \(path) has no digest") }
                    return try Asset(sha256, row, from: 1)
                }
                return false
            }
        }
        return try found?.get()
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

    private func read<Value>(_ body: (Connection) throws(SQLiteError) -> Value) throws(ArchiveError) -> Value {
        try attempt(folder) { () throws(SQLiteError) in try body(db) }
    }
}

private func attempt<Value>(_ folder: ArchiveFolder, _ body: () throws(SQLiteError) -> Value) throws(ArchiveError) -> Value {
    do {
        return try body()
    } catch {
        throw .database(error, archive: folder.database)
    }
}
