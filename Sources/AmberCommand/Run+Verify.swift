import Archive
import Catalogue
import CatalogueEngine
import Evidence
import Platform
import Site
import Snapshot

extension Run {
    private enum Subject: String, CaseIterable { case archive, site, snapshot }

    /// Computes everything again, offline, with a line for each proof. With a public key, snapshots must be signed.
    func verify() throws -> ExitCode {
        let key = arguments[.key]
        // If the output cannot be written, no lock is needed.
        let lock = isReadOnly ? nil : try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let publicKey = try key.map { path in try Failure.with(.wrongUsage) { try Ed25519.PublicKey(path) } }
        let scratch = try makeScratch()
        defer {
            // The next run or the system removes files that remain.
            try? Folder.remove(scratch)
        }
        var proofs: [Proof] = []
        let subjects = try subjects()
        try Failure.require(
            key == nil || subjects.contains(.snapshot),
            "--key checks signatures of snapshots, but there is no snapshot to verify in \(settings.output)")
        for subject in subjects {
            let new =
                switch subject {
                case .archive: archive.proofs() + [ImportedRecords.proof(archive, settings.catalogue)].compactMap { $0 }
                case .site: try siteProofs(scratch: "\(scratch)/site")
                case .snapshot: try snapshotProofs(key: publicKey, scratch: "\(scratch)/snapshot")
                }
            proofs += new
            let shown = arguments.has(.quiet) ? new.filter { $0.fault != nil } : new
            if !arguments.has(.json) { Console.output(lines: shown.map(Self.line)) }
        }
        return report(proofs, key: subjects == [.snapshot] ? key : nil)
    }

    private var isReadOnly: Bool { !Folder.isWritable(settings.output) }

    private func makeScratch() throws -> String {
        if isReadOnly { return try Folder.makeTemporary(prefix: "amber-verify-") }
        // A copied output may have a link in place of this folder, so none is followed. Killed runs leave folders.
        let own = try Folder.open("\(settings.output)/.amber", followsLink: false)
        for name in try own.names() where name.hasPrefix("verify") { try own.remove(name) }
        return try Folder.makeTemporary(prefix: "verify-", in: own.path)
    }

    private func subjects() throws -> [Subject] {
        guard let name = arguments.operands.first else {
            let subjects = try Subject.allCases.filter(exists)
            guard subjects.isEmpty else { return subjects }
            throw Failure.usage(
                "there is nothing to verify in \(settings.output) yet; create a site with: \(settings.command(.build))")
        }
        guard arguments.operands.count == 1, let subject = Subject(rawValue: name) else {
            throw Failure.usage(
                "verify accepts archive, site or snapshot, or no argument for all three, not "
                    + "\"\(arguments.operands.joined(separator: " "))\"")
        }
        try Failure.require(try exists(subject), "there is no \(subject.rawValue) in \(settings.output) yet")
        return [subject]
    }

    private func exists(_ subject: Subject) throws -> Bool {
        switch subject {
        case .archive: archive.exists
        case .site: FileStatus("\(site.site)/index.html") != nil
        case .snapshot: try !SnapshotFolder(snapshots).packages.isEmpty
        }
    }

    /// - Parameter key: the path of the key; nil unless all checked files are covered by its signature.
    private func report(_ proofs: [Proof], key: String?) -> ExitCode {
        let failed = proofs.count { $0.fault != nil }
        let skipped = proofs.count { $0.isSkipped }
        let checks = Summary.counted(proofs.count - skipped, "check", "checks")
        let passed = "\(checks) passed\(skipped > 0 ? ", \(skipped) skipped" : "")"
        let result =
            failed > 0
            ? "\(failed) of \(checks) failed"
            : key.map { "signed with the key in \($0): \(passed)" } ?? "consistent: \(passed)"
        let rows = proofs.map { proof -> JSON in
            [
                "subject": .text(proof.subject), "claim": .text(proof.claim),
                "fault": proof.fault.map { .text($0) }, "skipped": proof.isSkipped ? .flag(true) : nil,
            ]
        }
        output(
            [
                "failed": .integer(failed), "skipped": .integer(skipped), "result": .text(result),
                "proofs": .list(rows),
            ], lines: [result] + (failed == 0 && key == nil ? [Self.consistencyHint] : []))
        return failed == 0 ? .done : .verificationFails
    }

    private static let consistencyHint = """
        Consistent means that the files agree with each other: an archive edited together with its digests is \
        consistent too. Keep the root \
        hash, or a signature (amber snapshot --key), in another place.
        """

    private static func line(_ proof: Proof) -> String {
        let label = proof.fault != nil ? "FAIL" : proof.isSkipped ? "skip" : "ok  "
        return "\(label)  \(proof.subject): \((proof.fault ?? proof.claim).singleLine)"
    }

    /// A member of the site's completeness.json. The lists in this file can be longer than a record.
    func completeness(_ key: String) throws -> ArraySlice<UInt8> {
        let file = try File.read("completeness.json", in: Folder.open(site.site, followsLink: false), limit: 1 << 28)
        guard let place = try JSONSlices.members(of: file)[key] else { throw ContentFault(key, "is missing") }
        return file[place]
    }

    /// Checks the site against its revision, whose number is in the site's completeness.json.
    private func siteProofs(scratch: String) throws -> [Proof] {
        var found: Revision?
        var fault = "the revision in \(site.site)/completeness.json is not in \(archive.path)"
        do {
            let number = try JSONText.integer(completeness("revision"))
            found = try RevisionReader.all(in: archive) { _ in true }.first { $0.number == number }
        } catch {
            fault = "\(site.site)/completeness.json or the archive cannot be read: \(error)"
        }
        guard let revision = found else { return [Proof("site", "its revision is in the archive", fault: fault)] }
        try Failure.require(
            revision.source.catalogue == settings.catalogue.name,
            "\(site.site) belongs to the catalogue \"\(revision.source.catalogue)\", not to "
                + "\"\(settings.catalogue.name)\"; name its configuration with --config")
        try refuseChangedIDs(of: revision.source, in: archive)
        let templates = try readTemplates()
        if try site.wasBuiltWithOtherTemplates(than: templates.digest) {
            let fault = "the catalogue or the templates changed since \(site.site) was built; build it again with: "
            return [Proof("site", "it has the present templates", fault: fault + settings.command(.render))]
        }
        return siteBuild(revision, try compile(templates)).proofs(of: site.site, scratch: scratch)
    }

    var snapshots: String { "\(settings.output)/snapshots" }

    private func snapshotProofs(key: Ed25519.PublicKey?, scratch: String) throws -> [Proof] {
        let folder = try SnapshotFolder(snapshots)
        let others = folder.others.map { other in
            Proof(
                "snapshots", "every file is part of a package",
                fault: "\(snapshots)/\(other) is not part of a package; remove it or move it away")
        }
        return others
            + folder.packages.flatMap { name in
                // A package is checked with the archive, templates and settings that it contains.
                name.proofs(key: key, scratch: scratch) { try SnapshotBuild(payload: $0) }
            }
    }
}
