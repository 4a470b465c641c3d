import SQLite

/// The catalogue and API that a revision is from. Revisions of different sources never mix.
package struct Source: Sendable, Hashable {
    /// Whether the data is real.
    package enum Origin: String, Sendable {
        /// From the server that the user specified, or from the catalogue's default server.
        case live
        /// The invented data that is part of Amber.
        case sample
    }

    package let catalogue: String
    /// The API's base URL without a slash at the end; for the sample, its parameters ("seed 1, 826 characters").
    package let api: String
    package let origin: Origin

    package init(catalogue: String, api: String, origin: Origin) {
        self.catalogue = catalogue
        self.api = api
        self.origin = origin
    }
}

/// A missing part of a revision. Each missing part is stored as a gap, so that every omission is visible.
package struct Gap: Sendable, Hashable, Comparable {
    /// Relative to the API's base, or absolute.
    package let url: String
    /// The position in the answer's JSON, such as "results[3].name"; empty for the complete answer.
    package let keyPath: String
    /// The fault, as the end of a sentence whose subject is the answer or the part of it ("is not a number").
    package let reason: String

    package init(url: String, keyPath: String = "", reason: String) {
        self.url = url
        self.keyPath = keyPath
        self.reason = reason
    }

    package static func < (left: Gap, right: Gap) -> Bool {
        (left.url, left.keyPath, left.reason) < (right.url, right.keyPath, right.reason)
    }
}

/// A complete state of a source: captured, or imported with its own date. Revisions are ordered by date.
package struct Revision: Sendable, Equatable {
    /// Unique in the archive, across all sources.
    package let number: Int64
    package let source: Source
    /// Milliseconds since 1970 when its capture began. For an imported state, this is the date of the state.
    package let started: Int64
    /// Milliseconds since 1970 when its capture ended. For an imported state, this is the date of the state.
    package let finished: Int64
    /// Milliseconds since 1970 when the state was imported; nil for a capture.
    package let imported: Int64?
    /// The digest of its list pages, pictures and records. Equal states have equal digests.
    package let digest: SHA256
    /// The digest of everything that pages show and proofs rely on, computed when the revision was closed.
    package let seal: SHA256
    /// Whether the seal was computed when an older archive was migrated. It proves nothing about earlier times.
    package let isSealedLate: Bool
    package let gaps: Int
    /// The capture digest of the declaration that it stores; nil if there is none.
    package let captureDigest: SHA256?
}

/// A catalogue's declaration, and the digest of its parts that decide how records are requested, identified and read.
package typealias StoredDeclaration = (bytes: [UInt8], captureDigest: SHA256)

extension Revision: Comparable {
    package static func < (left: Revision, right: Revision) -> Bool {
        (left.finished, left.number) < (right.finished, right.number)
    }

    /// A query for complete revisions, which `init(_:)` reads. Its last column is the time when the revision was last
    /// found unchanged, in milliseconds since 1970.
    /// - Parameter tail: the end of the query, after its conditions.
    static func query(_ tail: String) -> String {
        """
        SELECT revision.id, finished, digest, catalogue, api, origin,
        (SELECT count(*) FROM gap WHERE gap.revision = revision.id), imported, started, seal, sealed_late,
        (SELECT capture_digest FROM declaration WHERE declaration.id = revision.declaration), confirmed
        FROM revision JOIN source ON source.id = revision.source WHERE state = 'complete' \(tail)
        """
    }

    init(_ row: Row) throws {
        number = row.integer(0)
        try ArchiveError.require(number > 0, "a revision has the invalid number \(number)")
        let name = "revision \(number)"
        let origin = try ArchiveError.require(
            Source.Origin(rawValue: row.text(5)), "\(name) has the unknown origin \(row.text(5))")
        source = Source(catalogue: row.text(3), api: row.text(4), origin: origin)
        try ArchiveError.require(
            source.api.isPlain && source.api.utf8.count <= 2_000 && source.catalogue.utf8.count <= 100,
            "the address of \(name)'s API has control characters, or is too long")
        digest = try row.digest(2, of: name)
        seal = try ArchiveError.require(row.digest(9), "\(name) has no seal")
        isSealedLate = row.integer(10) != 0
        started = try row.date(8, name)
        finished = try row.date(1, name)
        imported = row.isNull(7) ? nil : try row.date(7, name)
        gaps = row.int(6)
        captureDigest = row.digest(11)
    }
}

/// The seal of a revision: a SHA-256 of everything that its pages show and its proofs rely on. docs/format.md explains
/// how to compute it without Amber, with the same queries.
///
/// The revision's digest shows whether a new capture is the same; the seal shows whether the archive was changed. The
/// seal does not depend on row ids, so an export has the same seal.
extension Connection {
    func computeSeal(of revision: Int64) throws -> SHA256 {
        var hasher = DigestHasher()
        hasher.update(Self.netstring(.text("amber revision seal 1")))
        for sql in Self.sealedRows {
            try forEach(sql, revision) { row in
                for column in 0..<row.columnCount { hasher.update(Self.netstring(row.value(column))) }
            }
        }
        return hasher.finish()
    }

    /// A value as a netstring (https://cr.yp.to/proto/netstrings.txt), whose boundaries are unambiguous. Null is "-,".
    private static func netstring(_ value: SQLiteValue) -> [UInt8] {
        func counted(_ bytes: some Collection<UInt8>) -> [UInt8] { Array("\(bytes.count):".utf8) + bytes + [0x2C] }
        return switch value {
        case .null: Array("-,".utf8)
        case .integer(let integer): counted("\(integer)".utf8)
        case .real(let real): counted("\(real)".utf8)
        case .text(let text): counted(text.utf8)
        case .blob(let bytes): counted(bytes)
        }
    }

    /// The queries for the content of the seal. The first value of each row is a name for its type.
    private static let sealedRows = [
        """
        SELECT 'revision', revision.id, catalogue, api, origin, started, finished, imported
        FROM revision JOIN source ON source.id = revision.source WHERE revision.id = ?
        """,
        "SELECT 'list', kind, count, pages FROM list WHERE revision = ? ORDER BY kind",
        "SELECT 'gap', url, key_path, reason FROM gap WHERE revision = ? ORDER BY url, key_path, reason",
        """
        SELECT 'answer', answer.path, role, exchange.path, status, headers, received, lower(hex(exchange.sha256)),
        exchange.size, format, width, height
        FROM answer JOIN exchange ON exchange.id = answer.exchange LEFT JOIN asset ON asset.id = exchange.asset
        WHERE answer.revision = ? ORDER BY answer.path
        """,
        """
        SELECT 'file', name, lower(hex(sha256)) FROM file JOIN body ON body.id = file.body
        WHERE revision = ? ORDER BY name
        """,
        """
        SELECT 'record', member.kind, position, record.kind, number, lower(hex(record.sha256)), picture, path
        FROM member JOIN record ON record.id = member.record LEFT JOIN exchange ON exchange.id = member.exchange
        WHERE revision = ? ORDER BY member.kind, position
        """,
    ]
}
