import Platform
import SQLite

extension ArchiveFolder {
    /// Checks that each record of a revision is in one of the revision's own answers or imported files.
    ///
    /// If several revisions contain the same version of a record, they share one row. The row refers to the newest
    /// body that contains the record. The bodies of the other revisions are searched for the record's bytes.
    /// - Parameter limit: the maximum number of bytes to search. Each search begins where the last record ended. If the
    ///   records of a malicious archive are in another order, each search can read a complete file.
    func checkRecordLocations(of db: Connection, limit: Int = 1 << 32) throws -> (claim: String, fault: String?) {
        let claim = "records are in the answers and files of their revisions"
        let bodies = BlobReader(db, table: "body", column: "bytes")
        var locator = RecordLocator(db: db, bodies: bodies, budget: limit)
        let revisions = try db.all("SELECT id, imported FROM revision WHERE state = 'complete' ORDER BY id") {
            (number: $0.integer(0), isImported: !$0.isNull(1))
        }
        for revision in revisions {
            let fault = try locator.fault(in: revision.number, isImported: revision.isImported)
            guard fault == nil else { return (claim, fault) }
        }
        return ("\(locator.count) \(claim)", nil)
    }
}

/// Searches for the records of revisions in their answers or imported files.
private struct RecordLocator {
    let db: Connection
    let bodies: BlobReader
    var count = 0
    /// The number of bytes that may still be loaded and searched.
    var budget: Int
    /// The body that was searched last, and the end of the last record in it, where the next one usually begins.
    var searched: (body: Int64, bytes: [UInt8], end: Int)?

    mutating func fault(in revision: Int64, isImported: Bool) throws -> String? {
        searched = nil
        let files = try db.all("SELECT body FROM file WHERE revision = ? ORDER BY name", revision) { $0.integer(0) }
        return try db.first(
            """
            SELECT member.kind, record.kind, record.number, record.body, record.offset, record.length, own.body
            FROM member JOIN record ON record.id = member.record
            LEFT JOIN exchange AS source ON source.id = member.exchange
            LEFT JOIN answer ON answer.revision = member.revision AND answer.path = source.path
            AND answer.role <> 'picture'
            LEFT JOIN exchange AS own ON own.id = answer.exchange
            WHERE member.revision = ? ORDER BY member.kind, member.position
            """, revision
        ) { row in
            count += 1
            let name = "\(row.text(1)) \(row.integer(2)) of revision \(revision)"
            let candidates = isImported ? files : row.optionalInteger(6).map { [$0] } ?? []
            if row.text(0) != row.text(1) { return "\(name) is listed as a \(row.text(0)) record" }
            let isFound = try isContained(row, in: candidates)
            if budget < 0 {
                return "the search took too long at \(name), because the records are not in the order of their files"
            }
            return isFound ? nil : "\(name) is in none of its \(isImported ? "files" : "answers")"
        }
    }

    private mutating func isContained(_ row: Row, in candidates: [Int64]) throws -> Bool {
        budget -= candidates.count
        if candidates.contains(row.integer(3)) { return true }
        guard let record = try bodies.bytes(ofRow: row.integer(3), from: row.int(4), count: row.int(5)) else {
            return false
        }
        if let searched, candidates.contains(searched.body), find(record, from: searched.end) { return true }
        for body in candidates {
            if searched?.body != body {
                let bytes = try db.first("SELECT bytes FROM body WHERE id = ?", body) { $0.blob(0) }
                searched = (body, bytes ?? [], 0)
                budget -= bytes?.count ?? 0
            }
            if find(record, from: 0) { return true }
        }
        return false
    }

    private mutating func find(_ record: [UInt8], from start: Int) -> Bool {
        guard let bytes = searched?.bytes else { return false }
        let offset = bytes.offset(of: record, from: start)
        budget -= (offset ?? bytes.count) - start
        searched?.end = offset.map { $0 + record.count } ?? bytes.count
        return offset != nil
    }
}
