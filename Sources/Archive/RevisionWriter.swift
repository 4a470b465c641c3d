import Platform
import SQLite

/// Writes a revision during its capture. The revision becomes complete, or a later run resumes it.
package struct RevisionWriter: Sendable {
    /// The revision of a finished capture, or the earlier one that has the same state and remains the newest one.
    package typealias Outcome = (revision: Revision, isNew: Bool)

    /// The revision's number in the archive.
    package let number: Int64
    /// The number of answers from an interrupted capture.
    package let answersKept: Int
    /// The bytes that the interrupted capture received for these answers, including headers.
    package let bytesKept: Int
    /// Milliseconds since 1970 when its capture began.
    package let started: Int64
    /// Whether the archive has earlier answers of this source, for conditional requests.
    package let hasEarlierAnswers: Bool

    let source: Source
    let declaration: StoredDeclaration?
    let sourceKey: Int64
    let writer: ArchiveWriter
    package let folder: ArchiveFolder
    /// The archive's folder, which keeps the folders of pictures open.
    private let openFolder: OpenFolder

    /// Resumes the open revision of an interrupted capture if it is recent enough, or begins a new one.
    /// - Parameter resumeAfter: milliseconds since 1970. Answers of an older open revision are reused.
    package init(
        of source: Source, in folder: ArchiveFolder, through writer: ArchiveWriter, resumeAfter: Int64,
        declaration: StoredDeclaration? = nil
    ) async throws {
        self.source = source
        self.declaration = declaration
        self.writer = writer
        self.folder = folder
        openFolder = try Folder.open(folder.path)
        let now = millisecondsSince1970()
        (sourceKey, number, started, answersKept, bytesKept, hasEarlierAnswers) = try await writer.perform { db in
            let key = try db.key(of: source)
            let open = try db.all(
                "SELECT id, started FROM revision WHERE source = ? AND state = 'open' ORDER BY id", key
            ) { (number: $0.integer(0), started: $0.integer(1)) }
            // If the start is far in the future, the clock was set back, so the age of the answers is unknown.
            let resumable = open.last { $0.started >= resumeAfter && $0.started - now <= now - resumeAfter }
            for other in open where other.number != resumable?.number { try db.removeRevision(other.number) }
            let earlier = try db.first("SELECT 1 FROM exchange WHERE source = ? LIMIT 1", key) { _ in true }
            guard let resumable else {
                try db.run("INSERT INTO revision(source, state, started) VALUES (?, 'open', ?)", key, now)
                return (key, db.lastInsertedKey, now, 0, 0, earlier ?? false)
            }
            // The capture adds all records and claims again, and may find others.
            for table in ["member", "list"] { try db.run("DELETE FROM \(table) WHERE revision = ?", resumable.number) }
            // The sizes are limited, because a malicious archive can contain any number.
            let kept = try db.first(
                """
                SELECT count(*), sum(iif(received >= ?2, min(max(size, 0), 1 << 40) + length(headers), 0))
                FROM answer JOIN exchange ON exchange.id = answer.exchange WHERE revision = ?1
                """, resumable.number, resumable.started
            ) { (count: $0.int(0), bytes: Int(clamping: $0.optionalInteger(1) ?? 0)) }
            return (key, resumable.number, resumable.started, kept?.count ?? 0, kept?.bytes ?? 0, earlier ?? false)
        }
    }

    /// Changes the revision.
    /// - Throws: `ArchiveError.ended` if the revision is no longer open. A complete revision never changes.
    func update<Value: Sendable>(_ work: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await writer.perform { db in
            guard try db.isRevisionOpen(number) else { throw ArchiveError.ended(revision: number) }
            return try work(db)
        }
    }

    /// This revision's answer for a path; nil if there is none, or if it is damaged and must be requested again.
    package func answer(for path: String) async throws -> Exchange? {
        guard answersKept > 0 else { return nil }
        return try await intactAnswer(
            "JOIN answer ON answer.exchange = exchange.id WHERE answer.revision = ? AND answer.path = ?", number, path)
    }

    /// The newest answer for a path in any revision of this source; nil if its status is not 200, or if it is damaged.
    package func earlierAnswer(for path: String) async throws -> Exchange? {
        guard hasEarlierAnswers else { return nil }
        let newest = "SELECT max(id) FROM exchange WHERE source = ? AND path = ?"
        return try await intactAnswer("WHERE exchange.id = (\(newest)) AND exchange.status = 200", sourceKey, path)
    }

    /// The first answer that a query selects; nil if its row, body or picture file is damaged.
    private func intactAnswer(_ tail: String, _ key: Int64, _ path: String) async throws -> Exchange? {
        try await writer.read { db in
            do {
                guard let answer = try db.first(Exchange.query(tail), key, path, read: { try Exchange($0) }) else {
                    return nil
                }
                if let asset = answer.asset { return folder.isIntact(asset.sha256, in: openFolder) ? answer : nil }
                return try db.first(Self.bodyQuery, answer.id) {
                    SHA256(of: $0.rawBlob(0)) == answer.sha256 ? answer : nil
                }
            } catch ArchiveError.damaged {
                return nil
            }
        }
    }

    private static let bodyQuery = """
        SELECT body.bytes FROM exchange JOIN body ON body.id = exchange.body WHERE exchange.id = ?
        """

    /// Stores an answer as this revision's answer for its path. When the call returns, the answer is committed.
    package func accept(_ new: NewExchange) async throws -> Exchange {
        try await update { db in
            let (sha256, size) = (SHA256(of: new.body), new.body.count)
            let asset = new.asset.map { format, width, height in
                Asset(sha256: sha256, size: size, format: format, width: width, height: height)
            }
            if asset != nil { try folder.store(new.body, sha256, in: openFolder) }
            let assetKey = try asset.map(db.storeAsset)
            let body = asset == nil ? try db.storeBody(new.body, sha256) : nil
            try db.run(
                """
                INSERT INTO exchange(source, path, status, headers, received, sha256, size, body, asset)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, sourceKey, new.path, new.status, new.headers, new.received, sha256, size, body, assetKey)
            let id = db.lastInsertedKey
            try db.setAnswer(id, for: new.path, new.role, in: number)
            return Exchange(
                id: id, path: new.path, status: new.status, headers: new.headers, received: new.received,
                sha256: sha256, size: size, asset: asset)
        }
    }

    /// Uses an earlier answer in this revision too, because the server confirmed it.
    package func confirm(_ earlier: Exchange, as role: AnswerRole) async throws {
        try await update { db in try db.setAnswer(earlier.id, for: earlier.path, role, in: number) }
    }

    package func document(of exchange: Exchange) async throws -> [UInt8] {
        try await writer.read { db in
            let bytes = try db.first(Self.bodyQuery, exchange.id) { $0.blob(0) }
            return try ArchiveError.require(bytes, "answer \(exchange.id) (\(exchange.path)) has no body")
        }
    }

    /// Adds the records of an answer at successive positions of their kind, beginning at `position`.
    ///
    /// A record that is already stored then refers to this answer, because the older answer may be damaged.
    package func addRecords(_ records: [RecordSlice], of exchange: Exchange, at position: Int) async throws {
        try await update { db in
            let body = try db.first("SELECT body FROM exchange WHERE id = ?", exchange.id) { $0.integer(0) }
            let known = try ArchiveError.require(body, "answer \(exchange.id) (\(exchange.path)) is missing")
            try db.addRecords(records, ofBody: known, from: exchange.id, into: number, at: position)
        }
    }

    package func setClaim(ofList kind: String, count: Int, pages: Int) async throws {
        try await update { db in
            try db.run("INSERT OR REPLACE INTO list VALUES (?, ?, ?, ?)", number, kind, count, pages)
        }
    }

    /// Removes the answers of an interrupted capture that are not among these paths.
    /// - Parameter onlyPages: whether only pages of lists are removed.
    package func removeAnswers(except paths: Set<String>, onlyPages: Bool) async throws {
        guard answersKept > 0 else { return }
        try await update { db in
            let condition = onlyPages ? "AND role = 'page'" : ""
            let known = try db.all("SELECT path FROM answer WHERE revision = ? \(condition)", number) { try $0.path(0) }
            try db.removeAnswers(for: known.filter { !paths.contains($0) }, in: number)
        }
    }

    /// Removes the answers for these paths. They are kept for conditional requests until the next capture ends.
    package func removeAnswers(for paths: [String]) async throws {
        try await update { db in try db.removeAnswers(for: paths, in: number) }
    }

    /// Abandons the revision. Its answers are kept for conditional requests until the next capture ends.
    package func abandon() async throws { try await writer.perform { try $0.removeRevision(number) } }

    /// The newest revision, if a capture can take records from it: it is intact, without gaps, and has the same rules.
    package func base() async throws -> Revision? {
        try await writer.read { db in
            try db.newestRevision(of: sourceKey).flatMap { newest in
                let isUsable = newest.imported == nil && newest.gaps == 0
                let isSame = newest.captureDigest == declaration?.captureDigest
                return try isUsable && isSame && db.isIntact(newest) ? newest : nil
            }
        }
    }

    /// When all pages of a list were last read, in milliseconds since 1970; nil if never.
    /// - Parameter prefix: the beginning of the paths that request only changed records of the list.
    package func lastFullCapture(withoutPathsAt prefix: String) async throws -> Int64? {
        try await writer.read { db in
            try db.first(
                """
                SELECT max(confirmed) FROM revision WHERE source = ?1 AND state = 'complete' AND imported IS NULL
                AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.revision = revision.id AND role = 'page'
                AND path >= ?2 AND path < ?2 || char(1114111))
                """, sourceKey, prefix
            ) { $0.isNull(0) ? nil : try $0.date(0, "the last complete capture of a list") } ?? nil
        }
    }

    /// Counts the newest revision's records, or only those of a kind, and checks whether one has one of these keys.
    package func newestRecords(_ keys: [RecordKey], of kind: String = "") async throws -> (count: Int, hasAny: Bool) {
        try await writer.read { db in
            let records = """
                FROM member JOIN record ON record.id = member.record WHERE revision = (SELECT id FROM revision
                WHERE source = ? AND state = 'complete' ORDER BY finished DESC, id DESC LIMIT 1)
                """
            let ofKind = "SELECT count(*) \(records) AND ? IN ('', record.kind)"
            let count = try db.first(ofKind, sourceKey, kind) { $0.int(0) } ?? 0
            let hasAny = try keys.contains { key in
                let sql = "SELECT 1 \(records) AND record.kind = ? AND number = ?"
                return try db.first(sql, sourceKey, key.kind, key.id) { _ in true } ?? false
            }
            return (count, hasAny)
        }
    }
}
