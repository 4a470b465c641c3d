import Platform
import SQLite

extension ArchiveFolder {
    /// Computes every digest of the archive again. This proves that the archive is consistent. Only a root hash, seal
    /// or signature that is kept elsewhere can prove that it is unchanged since the capture.
    /// - Parameters:
    ///   - subject: the name of the archive in the proofs.
    ///   - hasDigestFile: whether archive.sqlite.sha256 exists; false in a package, whose manifest has the digest.
    /// - Returns: all proofs, in order. A failed check does not stop the later checks.
    package func proofs(subject: String = "archive", hasDigestFile: Bool = true) -> [Proof] {
        var proofs: [Proof] = []
        if hasDigestFile {
            let claim = "archive.sqlite has the digest in archive.sqlite.sha256"
            proofs.append(.of(subject, { (claim, try digestFileFault()) }, orElse: claim))
        }
        // One transaction: all proofs are about the same state, even while a capture writes.
        let database = Result { try begin() }
        let checks: [(claim: String, check: (Connection) throws -> (claim: String, fault: String?))] = [
            ("the database is well formed", structure),
            ("answers are consistent with their digests", answers),
            ("records are consistent with their digests", records),
            ("records are in the answers and files of their revisions", { try self.checkRecordLocations(of: $0) }),
            ("revisions are consistent with their digests and seals", revisions),
            ("pictures and files are consistent with their digests", pictures),
        ]
        return proofs + checks.map { claim, check in .of(subject, { try check(database.get()) }, orElse: claim) }
    }

    private func structure(of db: Connection) throws -> (claim: String, fault: String?) {
        let fault = try db.first("PRAGMA integrity_check(1)") { $0.text(0) } ?? "no answer"
        let missingReference = try db.first("PRAGMA foreign_key_check") {
            "a row of \($0.text(0)) refers to a missing row of \($0.text(2))"
        }
        return ("the database is well formed, with the tables of its format", fault == "ok" ? missingReference : fault)
    }

    private func answers(of db: Connection) throws -> (claim: String, fault: String?) {
        func damaged(_ table: String) throws -> String? {
            try db.first("SELECT id, sha256, bytes FROM \(table) ORDER BY id") { row in
                SHA256(of: row.rawBlob(2)) == row.digest(1)
                    ? nil : "\(table) \(row.integer(0)) does not match its digest"
            }
        }
        // Not count(*), because SQLite counts a complete table in one step, which the work limit cannot interrupt.
        let count = try db.first("SELECT count(size) FROM exchange") { $0.int(0) } ?? 0
        // The digest and size of an answer must equal those of its body or picture.
        let mismatched = try db.first(
            """
            SELECT path FROM exchange LEFT JOIN body ON body.id = exchange.body
            LEFT JOIN asset ON asset.id = exchange.asset
            WHERE exchange.sha256 <> coalesce(body.sha256, asset.sha256)
            OR exchange.size <> coalesce(length(body.bytes), asset.size)
            ORDER BY exchange.id LIMIT 1
            """
        ) { "the answer for \($0.text(0)) does not have the body that was captured" }
        let misplaced = try db.first(
            """
            SELECT answer.path FROM answer JOIN exchange ON exchange.id = answer.exchange
            JOIN revision ON revision.id = answer.revision
            WHERE answer.path <> exchange.path OR exchange.source <> revision.source LIMIT 1
            """
        ) { "the answer for \($0.text(0)) belongs to another request" }
        let fault = try damaged("body") ?? damaged("declaration") ?? mismatched ?? misplaced
        return ("\(count) answers are consistent with their digests", fault)
    }

    private func records(of db: Connection) throws -> (claim: String, fault: String?) {
        let bodies = BlobReader(db, table: "body", column: "bytes")
        var count = 0
        let fault = try db.first(
            "SELECT kind, number, sha256, body, offset, length FROM record ORDER BY body, offset, id"
        ) { row in
            count += 1
            let bytes = try bodies.bytes(ofRow: row.integer(3), from: row.int(4), count: row.int(5))
            let isIntact = bytes.map { SHA256(of: $0) == row.digest(2) } ?? false
            return isIntact ? nil : "\(row.text(0)) \(row.integer(1)) does not match its digest"
        }
        return ("\(count) versions of records are consistent with their digests", fault)
    }

    /// Checks the digests and seals of revisions, and the counts of lists. Lists with gaps may have fewer records.
    private func revisions(of db: Connection) throws -> (claim: String, fault: String?) {
        let revisions = try db.all(Revision.query("ORDER BY finished, revision.id")) { try Revision($0) }
        let late = revisions.count(where: \.isSealedLate)
        let claim = """
            \(revisions.count == 1 ? "1 revision is" : "\(revisions.count) revisions are") consistent with digests, \
            seals and the counts of \
            lists\(late == 0 ? "" : "; seals computed when the archive was migrated, not at capture: \(late)")
            """
        for revision in revisions {
            let isSame = try db.computeDigest(of: revision.number) == revision.digest
            guard try isSame && db.computeSeal(of: revision.number) == revision.seal else {
                let part = isSame ? "seal" : "digest"
                return (claim, "revision \(revision.number) does not have the \(part) that it was closed with")
            }
        }
        func members(_ role: String) -> String {
            """
            (SELECT count(*) FROM member JOIN exchange ON exchange.id = member.exchange
            JOIN answer ON answer.revision = member.revision AND answer.path = exchange.path AND answer.role = '\(role)'
            WHERE member.revision = list.revision AND member.kind = list.kind)
            """
        }
        // If pages have rows, each record has its own answer. The completeness report compares these with the rows.
        let short = try db.first(
            """
            SELECT revision, kind, count, iif(listed > 0, listed, others) FROM (
                SELECT list.revision, list.kind, list.count, \(members("page")) AS listed,
                    \(members("records")) AS others
                FROM list JOIN revision ON revision.id = list.revision AND state = 'complete'
                WHERE NOT EXISTS (SELECT 1 FROM gap WHERE gap.revision = list.revision))
            WHERE iif(listed > 0, listed <> count, others < count) LIMIT 1
            """
        ) {
            "revision \($0.integer(0)): the \($0.text(1)) list claims \($0.integer(2)) records, but the archive has "
                + "\($0.integer(3))"
        }
        return (claim, short)
    }

    /// Checks that no asset's file is missing, and that each file has the digest in its name.
    private func pictures(of db: Connection) throws -> (claim: String, fault: String?) {
        let wanted = try db.all("SELECT lower(hex(sha256)), size FROM asset ORDER BY sha256") {
            (file: "\($0.text(0).prefix(1))/\($0.text(0))", size: $0.integer(1))
        }
        let claim = "\(wanted.count) pictures and files are consistent with their digests"
        guard FileStatus("\(path)/assets")?.isLink != true else {
            return (claim, "assets is a symbolic link, not a folder")
        }
        let files = try Folder.files(below: "\(path)/assets")
        for file in files {
            let picture = "\(path)/assets/\(file)"
            let name = file.split(separator: "/").last ?? ""
            guard FileStatus(picture)?.isRegular == true else { return (claim, "assets/\(file) is not a regular file") }
            guard try SHA256(ofFile: picture).hex == name else {
                return (claim, "assets/\(file) does not match the digest in its name")
            }
        }
        let known = Set(files)
        for (file, size) in wanted {
            guard known.contains(file) else { return (claim, "assets/\(file) is missing") }
            guard FileStatus("\(path)/assets/\(file)")?.size == size else {
                return (claim, "assets/\(file) does not have the size that was captured")
            }
        }
        return (claim, nil)
    }
}

/// The result of one check of a verification.
package struct Proof: Sendable, Equatable {
    /// "archive", "site", or the name of a package.
    package let subject: String
    /// Example: "826 pictures are consistent with their digests".
    package let claim: String
    /// The first contradiction; nil if the claim holds.
    package let fault: String?
    /// Whether the check was skipped; `claim` gives the reason.
    package let isSkipped: Bool

    package init(_ subject: String, _ claim: String, fault: String? = nil, isSkipped: Bool = false) {
        self.subject = subject
        self.claim = claim
        self.fault = fault
        self.isSkipped = isSkipped
    }

    /// Runs a check. An error that it throws becomes the fault.
    package static func of(
        _ subject: String, _ check: () throws -> (claim: String, fault: String?), orElse claim: String
    ) -> Proof {
        do {
            let outcome = try check()
            return Proof(subject, outcome.claim, fault: outcome.fault)
        } catch {
            return Proof(subject, claim, fault: "\(error)")
        }
    }
}
