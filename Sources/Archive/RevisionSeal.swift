import SQLite

/// The seal of a revision: a SHA-256 of everything that its pages show and its proofs rely on. docs/format.md says how to
/// compute it without Amber, with the same queries.
///
/// The revision's digest detects an unchanged capture; the seal detects a changed archive. It does not depend on row
/// ids, so that an export has the same one.
struct RevisionSeal: ~Copyable {
    private var hasher = SHA256Hasher()
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 16

    /// What the seal covers: a name for each sort of row, and the rows, in order.
    private static let parts = [
        (
            "revision",
            """
            SELECT revision.id, catalogue, api, origin, started, finished, imported
            FROM revision JOIN source ON source.id = revision.source WHERE revision.id = ?
            """
        ),
        ("list", "SELECT kind, count, pages FROM list WHERE revision = ? ORDER BY kind"),
        ("gap", "SELECT url, key_path, reason FROM gap WHERE revision = ? ORDER BY url, key_path, reason"),
        (
            "answer",
            """
            SELECT answer.path, role, exchange.path, status, headers, received, lower(hex(exchange.sha256)),
            exchange.size,
            format, width, height
            FROM answer JOIN exchange ON exchange.id = answer.exchange LEFT JOIN asset ON asset.id = exchange.asset
            WHERE answer.revision = ? ORDER BY answer.path
            """
        ),
        (
            "file",
            "SELECT name, lower(hex(sha256)) FROM file JOIN body ON body.id = file.body WHERE revision = ? ORDER BY "
                + "name"
        ),
        (
            "record",
            """
            SELECT member.kind, position, record.kind, number, lower(hex(record.sha256)), picture, path
            FROM member JOIN record ON record.id = member.record LEFT JOIN exchange ON exchange.id = member.exchange
            WHERE revision = ? ORDER BY member.kind, position
            """
        ),
    ]

    private init() {}

    static func compute(_ revision: Int64, in db: Connection) throws -> SHA256 {
        var seal = RevisionSeal()
        seal.add(.text("amber revision seal 1"))
        for (name, sql) in parts {
            try db.forEach(sql, .integer(revision)) { row in
                seal.add(.text(name))
                for column in 0..<row.columnCount { seal.add(row.value(column)) }
                return true
            }
        }
        seal.hasher.update(seal.buffer)
        return seal.hasher.finish()
    }

    /// Adds a value as a netstring (https://cr.yp.to/proto/netstrings.txt), so that values cannot be confused; null is
    /// "-,".
    private mutating func add(_ value: Value) {
        switch value {
        case .null: buffer.append(UInt8(ascii: "-"))
        case .integer(let integer): addCounted("\(integer)".utf8)
        case .real(let real): addCounted("\(real)".utf8)
        case .text(let text): addCounted(text.utf8)
        case .blob(let bytes): addCounted(bytes)
        }
        buffer.append(UInt8(ascii: ","))
        guard buffer.count >= Self.capacity else { return }
        hasher.update(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private mutating func addCounted(_ bytes: some Collection<UInt8>) {
        buffer += "\(bytes.count):".utf8
        buffer += bytes
    }
}
