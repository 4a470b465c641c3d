import Platform
import SQLite

/// A revision being captured: takes answers and records, and becomes complete or goes on another day.
public struct RevisionWriter: Sendable {
    /// How a finished capture relates to the one before it.
    public enum Outcome: Sendable {
        /// The state differs: there is a new revision.
        case new(Revision)
        /// The state is the same; the earlier revision stands.
        case unchanged(Revision)
    }

    /// The revision's number, should it become one.
    public let number: Int64
    /// How many answers an earlier, interrupted capture left in it.
    public let answersKept: Int
    /// Bytes of these answers, headers included, without those that were there before.
    public let bytesKept: Int
    /// Milliseconds since 1970 when its capture began.
    public let started: Int64
    /// Whether an earlier answer of this source can be asked for again conditionally.
    public let hasEarlierAnswers: Bool

    let source: Source
    let sourceKey: Int64
    let writer: ArchiveWriter
    private let folder: ArchiveFolder

    /// Opens the source's revision: the one that an interrupted capture left, if it is not too old, or a new one.
    /// - Parameter resumeAfter: milliseconds since 1970; an open revision begun before is given up, its answers kept
    ///   for conditional requests.
    public init(of source: Source, in folder: ArchiveFolder, through writer: ArchiveWriter, resumeAfter: Int64)
        async throws(ArchiveError)
    {
        let now = millisecondsSince1970()
        let opened = try await writer.perform { db in
            let key = try Self.key(of: source, in: db)
            let open = try db.all(
                "SELECT id, started FROM revision WHERE source = ? AND state = 'open' ORDER BY id", .integer(key)
            ) {
                (number: $0.integer(0), started: $0.integer(1))
            }
            // A start as far in the future is none: the clock was set back, and the answers' age is not known.
            let resumable = open.last { $0.started >= resumeAfter && $0.started - now <= now - resumeAfter }
            for other in open where other.number != resumable?.number { try Self.forget(other.number, in: db) }
            let earlier =
                try db.first("SELECT 1 FROM exchange WHERE source = ? LIMIT 1", .integer(key)) { _ in true } ?? false
            if let resumable {
                let kept = try db.first(
                    """
                    SELECT count(*), sum(iif(received >= ?2, size + length(headers), 0))
                    FROM answer JOIN exchange ON exchange.id = answer.exchange WHERE revision = ?1
                    """, .integer(resumable.number), .integer(resumable.started)
                ) { (count: $0.int(0), bytes: $0.optionalInteger(1) ?? 0) }
                return (
                    key: key, number: resumable.number, started: resumable.started, kept: kept?.count ?? 0,
                    bytes: Int(clamping: kept?.bytes ?? 0), earlier: earlier
                )
            }
            try db.run(
                "INSERT INTO revision(source, state, started) VALUES (?, 'open', ?)", .integer(key), .integer(now))
            return (key: key, number: db.lastInsertedKey, started: now, kept: 0, bytes: 0, earlier: earlier)
        }
        number = opened.number
        answersKept = opened.kept
        bytesKept = opened.bytes
        started = opened.started
        hasEarlierAnswers = opened.earlier
        self.source = source
        sourceKey = opened.key
        self.writer = writer
        self.folder = folder
    }
}

extension RevisionWriter {
    /// The answer that this revision already has for a path; nil also where that is damaged, so that it is asked for
    /// again.
    public func answer(for path: String) async throws(ArchiveError) -> Exchange? {
        guard answersKept > 0 else { return nil }
        return try await writer.perform(.reading) { [number, folder] db in
            try Exchange.firstIfWhole(
                in: db, folder,
                "JOIN answer ON answer.exchange = exchange.id WHERE answer.revision = ? AND answer.path = ?",
                .integer(number), .text(path))
        }
    }

    /// The newest answer of this source for a path, whatever revision took it; nil also where that is damaged.
    public func earlierAnswer(for path: String) async throws(ArchiveError) -> Exchange? {
        guard hasEarlierAnswers else { return nil }
        return try await writer.perform(.reading) { [sourceKey, folder] db in
            try Exchange.firstIfWhole(
                in: db, folder, "WHERE exchange.source = ? AND exchange.path = ? ORDER BY exchange.id DESC LIMIT 1",
                .integer(sourceKey), .text(path))
        }
    }

    /// Keeps an answer as this revision's for its path. When the call returns, it survives the death of the process.
    public func accept(_ new: NewExchange) async throws(ArchiveError) -> Exchange {
        try await writer.perform(new.role.urgency) { [number, sourceKey, folder] db in
            try Self.requireOpen(number, in: db)
            let (sha256, size, body, asset) = try Self.keep(new.content, in: db, folder)
            try db.run(
                "INSERT INTO exchange(source, path, status, headers, received, sha256, size, body, asset) VALUES (?, "
                    + "?, ?, ?, ?, ?, ?, ?, ?)",
                .integer(sourceKey), .text(new.path), .int(new.status), .blob(new.headers), .integer(new.received),
                .blob(sha256.bytes),
                .int(size), .optional(body), .optional(asset?.key))
            let id = db.lastInsertedKey
            try Self.setAnswer(id, for: new.path, new.role, in: number, db)
            return Exchange(
                id: id, path: new.path, status: new.status, headers: new.headers, received: new.received,
                sha256: sha256,
                asset: asset?.asset)
        }
    }

    /// Takes an earlier answer as this revision's, since the server says that it still holds.
    public func confirm(_ earlier: Exchange, as role: AnswerRole) async throws(ArchiveError) {
        try await writer.perform(role.urgency) { [number, folder] db in
            try Self.requireOpen(number, in: db)
            if let asset = earlier.asset, let file = earlier.file {
                try folder.note(file, ofAsset: asset.sha256, in: db)
            }
            try Self.setAnswer(earlier.id, for: earlier.path, role, in: number, db)
        }
    }

    /// The body of a document.
    public func document(of exchange: Exchange) async throws(ArchiveError) -> [UInt8] {
        try await writer.perform(.reading) { db in
            let bytes = try db.first(
                "SELECT body.bytes FROM exchange JOIN body ON body.id = exchange.body WHERE exchange.id = ?",
                .integer(exchange.id)
            ) { $0.blob(0) }
            guard let bytes else { throw ArchiveError.damaged("answer \(exchange.id) (\(exchange.path)) has no body") }
            return bytes
        }
    }

    /// Enters the records of an answer, the first at the given position of its kind, the others behind it.
    ///
    /// A record known from before is found in this answer from now on: this one has just been had, the other may be
    /// damaged.
    public func enter(_ records: [RecordSlice], of exchange: Exchange, at position: Int) async throws(ArchiveError) {
        try await writer.perform { [number] db in
            try Self.requireOpen(number, in: db)
            let body = try db.first("SELECT body FROM exchange WHERE id = ?", .integer(exchange.id)) { $0.integer(0) }
            guard let body else { throw ArchiveError.damaged("answer \(exchange.id) (\(exchange.path)) is not there") }
            try Self.enter(records, ofBody: body, broughtBy: exchange.id, into: number, at: position, db)
        }
    }

    /// Forgets what an interrupted capture entered from a position of a kind on.
    public func forget(_ kind: String, from position: Int) async throws(ArchiveError) {
        try await writer.perform { [number] db in
            try db.run(
                "DELETE FROM member WHERE revision = ? AND kind = ? AND position >= ?", .integer(number), .text(kind),
                .int(position))
        }
    }

    /// Forgets what an interrupted capture entered of kinds other than these.
    public func forgetKinds(but kinds: [String]) async throws(ArchiveError) {
        try await writer.perform { [number] db in
            let known = try db.all("SELECT DISTINCT kind FROM member WHERE revision = ?", .integer(number)) {
                $0.text(0)
            }
            for kind in known where !kinds.contains(kind) {
                try db.run("DELETE FROM member WHERE revision = ? AND kind = ?", .integer(number), .text(kind))
            }
        }
    }

    /// Forgets the answers that an interrupted capture left and this one did not use; nothing where there was none.
    public func forgetAnswers(but paths: Set<String>) async throws(ArchiveError) {
        guard answersKept > 0 else { return }
        try await writer.perform { [number] db in
            let known = try db.all("SELECT path FROM answer WHERE revision = ?", .integer(number)) { $0.text(0) }
            for path in known where !paths.contains(path) {
                try db.run("DELETE FROM answer WHERE revision = ? AND path = ?", .integer(number), .text(path))
            }
        }
    }

    /// The free bytes on the archive's disk; nil where the system does not say.
    public func freeSpace() -> Int? { Folder.freeSpace(folder.path) }

    /// Notes what a list says of itself.
    public func note(list kind: String, count: Int, pages: Int) async throws(ArchiveError) {
        try await writer.perform { [number] db in
            try Self.requireOpen(number, in: db)
            try db.run(
                "INSERT OR REPLACE INTO list(revision, kind, count, pages) VALUES (?, ?, ?, ?)", .integer(number),
                .text(kind), .int(count),
                .int(pages))
        }
    }

    /// Gives the revision up; its answers stay for conditional requests until the next capture ends.
    public func abandon() async throws(ArchiveError) {
        try await writer.perform { [number] db in
            if try Self.isOpen(number, in: db) { try Self.forget(number, in: db) }
        }
    }
}

extension AnswerRole {
    /// The next requests follow from documents; nothing follows from a picture.
    fileprivate var urgency: ArchiveWriter.Urgency { self == .picture ? .patient : .prompt }
}

extension RevisionWriter {
    /// The source's key, made where there is none yet.
    static func key(of source: Source, in db: Connection) throws -> Int64 {
        let parts: [Value] = [.text(source.catalogue), .text(source.api), .text(source.origin.rawValue)]
        try db.statement("INSERT OR IGNORE INTO source(catalogue, api, origin) VALUES (?, ?, ?)").run(parts)
        var key: Int64?
        try db.statement("SELECT id FROM source WHERE catalogue = ? AND api = ? AND origin = ?").forEach(parts) { row in
            key = row.integer(0)
            return false
        }
        guard let key else { throw ArchiveError.damaged("a source that was just written is not there") }
        return key
    }

    /// Keeps a body once. One of this digest with other bytes is damaged, and mended so.
    static func keep(_ bytes: [UInt8], _ sha256: SHA256, in db: Connection) throws -> Int64 {
        try db.run(
            """
            INSERT INTO body(sha256, bytes) VALUES (?, ?)
            ON CONFLICT(sha256) DO UPDATE SET bytes = excluded.bytes WHERE bytes <> excluded.bytes
            """, .blob(sha256.bytes), .blob(bytes))
        guard
            let key = try db.first("SELECT id FROM body WHERE sha256 = ?", .blob(sha256.bytes), read: { $0.integer(0) })
        else {
            throw ArchiveError.damaged("a body that was just written is not there")
        }
        return key
    }

    static func enter(
        _ records: [RecordSlice], ofBody body: Int64, broughtBy exchange: Int64?, into revision: Int64,
        at position: Int, _ db: Connection
    ) throws(SQLiteError) {
        for (offset, slice) in records.enumerated() {
            let key: [Value] = [.text(slice.key.kind), .integer(slice.key.id), .blob(slice.sha256.bytes)]
            try db.statement(
                """
                INSERT INTO record(kind, number, sha256, body, offset, length) VALUES (?1, ?2, ?3, ?6, ?4, ?5)
                ON CONFLICT(kind, number, sha256) DO UPDATE
                SET body = excluded.body, offset = excluded.offset, length = excluded.length
                WHERE body <> excluded.body OR offset <> excluded.offset OR length <> excluded.length
                """
            ).run(key + [.int(slice.range.lowerBound), .int(slice.range.count), .integer(body)])
            try db.statement(
                """
                INSERT OR REPLACE INTO member(revision, kind, position, record, exchange, picture)
                SELECT ?4, ?1, ?5, id, ?6, ?7 FROM record WHERE kind = ?1 AND number = ?2 AND sha256 = ?3
                """
            ).run(
                key + [
                    .integer(revision), .int(position + offset), .optional(exchange),
                    .optional(exchange == nil ? nil : slice.picture),
                ])
        }
    }

    private static func setAnswer(
        _ exchange: Int64, for path: String, _ role: AnswerRole, in revision: Int64, _ db: Connection
    ) throws(SQLiteError) {
        try db.run(
            """
            INSERT INTO answer(revision, path, exchange, role) VALUES (?, ?, ?, ?)
            ON CONFLICT(revision, path) DO UPDATE SET exchange = excluded.exchange WHERE role = excluded.role
            """, .integer(revision), .text(path), .integer(exchange), .text(role.rawValue))
        guard db.changes > 0 else {
            throw SQLiteError(
                code: 1, message: "\(path) has been answered as something other than \(role.rawValue)",
                subject: "answer")
        }
    }

    static func keep(
        _ content: NewExchange.Content, in db: Connection, _ folder: ArchiveFolder
    ) throws -> (sha256: SHA256, size: Int, body: Int64?, asset: (key: Int64, asset: Asset)?) {
        switch content {
        case .document(let bytes):
            let sha256 = SHA256(of: bytes)
            return (sha256, bytes.count, try keep(bytes, sha256, in: db), nil)
        case .picture(let bytes, let format, let width, let height):
            let asset = Asset(
                sha256: SHA256(of: bytes), size: bytes.count, format: format, width: width, height: height)
            let file = try folder.store(bytes, asset.sha256, in: db)
            try db.run(
                """
                INSERT INTO asset(sha256, size, format, width, height) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT(sha256) DO UPDATE SET size = excluded.size, format = excluded.format,
                width = excluded.width, height = excluded.height
                WHERE size <> excluded.size OR format <> excluded.format OR width <> excluded.width OR height <>
                excluded.height
                """, .blob(asset.sha256.bytes), .int(asset.size), .text(format.rawValue), .int(width), .int(height))
            let key = try db.first("SELECT id FROM asset WHERE sha256 = ?", .blob(asset.sha256.bytes)) { $0.integer(0) }
            guard let key else { throw ArchiveError.damaged("a picture that was just written is not there") }
            try folder.note(file, ofAsset: asset.sha256, in: db)
            return (asset.sha256, bytes.count, nil, (key, asset))
        }
    }
}
