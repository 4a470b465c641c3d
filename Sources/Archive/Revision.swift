import SQLite

/// A complete state of a source: as one capture found it, or imported with a date of its own. They stand in the order
/// of their dates.
public struct Revision: Sendable, Equatable {
    /// The number of the revision, counted through the archive.
    public let number: Int64
    /// Where it comes from.
    public let source: Source
    /// Milliseconds since 1970 when its capture began; of an imported state its own date.
    public let started: Int64
    /// Milliseconds since 1970 when its capture ended; of an imported state its own date.
    public let finished: Int64
    /// Milliseconds since 1970 when the state was imported; nil for a capture.
    public let imported: Int64?
    /// The digest over all its answers: equal for equal states.
    public let digest: SHA256
    /// The digest over everything that pages show and proofs rely on, as it was when the revision was closed.
    public let seal: SHA256
    /// Whether the seal was computed only when an older archive was migrated: then it proves nothing about the time
    /// before.
    public let isSealedLate: Bool
    /// How many gaps it has.
    public let gaps: Int
}

extension Revision {
    /// Reads the revisions that a query's tail selects, until the closure answers false.
    static func forEach(
        in db: Connection, _ tail: String, _ values: [Value] = [], _ body: (Revision, _ confirmed: Int64) -> Bool
    ) throws {
        var fault: ArchiveError?
        try db.statement(
            """
            SELECT revision.id, finished, digest, catalogue, api, origin, (SELECT count(*) FROM gap
            WHERE gap.revision = revision.id),
            imported, started, seal, sealed_late, confirmed
            FROM revision JOIN source ON source.id = revision.source WHERE state = 'complete' \(tail)
            """
        ).forEach(values) { row in
            do throws(ArchiveError) {
                return body(try Revision(row), row.integer(11))
            } catch {
                fault = error
                return false
            }
        }
        if let fault { throw fault }
    }

    private init(_ row: Row) throws(ArchiveError) {
        number = row.integer(0)
        guard number > 0 else { throw .damaged("a revision has the number \(number)") }
        guard let origin = Source.Origin(rawValue: row.text(5)) else {
            throw .damaged("revision \(number) has the unknown origin \(row.text(5))")
        }
        source = Source(catalogue: row.text(3), api: row.text(4), origin: origin)
        guard source.api.isPlain, source.api.utf8.count <= 2_000, source.catalogue.utf8.count <= 100 else {
            throw .damaged("the address of revision \(number)'s API has control characters, or is too long")
        }
        guard let digest = row.digest(2) else { throw .damaged("revision \(number) has no digest") }
        guard let seal = row.digest(9) else { throw .damaged("revision \(number) has no seal") }
        self.digest = digest
        self.seal = seal
        isSealedLate = row.integer(10) != 0
        started = try row.date(8, "revision \(number)")
        finished = try row.date(1, "revision \(number)")
        imported = row.isNull(7) ? nil : try row.date(7, "revision \(number)")
        gaps = row.int(6)
    }
}
