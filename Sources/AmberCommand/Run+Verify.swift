import Archive
import Catalogue
import Platform
import Site
import Snapshot

extension Run {
    /// What `verify` can be pointed at.
    private enum Subject: String, CaseIterable {
        case archive, site, snapshot
    }

    /// Derives everything again, offline, and prints a line for each proof.
    func verify(_ operands: [String], key: String?) throws -> ExitCode {
        let lock = try lockUnlessReadOnly()
        defer { withExtendedLifetime(lock) {} }
        var proofs: [Proof] = []
        for subject in try subjects(operands) {
            let start = ContinuousClock.now
            let new =
                switch subject {
                case .archive: ArchiveVerifier(archive).proofs()
                case .site: try siteProofs()
                case .snapshot: try snapshotProofs(key: key)
                }
            proofs += new
            if !settings.wantsJSON { for proof in new { Console.output(lines: [Self.line(proof)]) } }
            console.detail("\(subject.rawValue) verified in \(start.duration(to: .now) / .milliseconds(1)) ms")
        }
        return report(proofs)
    }

    /// On a medium that cannot be written nobody else is at work either.
    private func lockUnlessReadOnly() throws(Failure) -> FileLock? {
        isReadOnly ? nil : try lockOutput()
    }

    private var isReadOnly: Bool { !Folder.isWritable(settings.output) }

    /// Where things are made again on the way.
    private var scratch: String { isReadOnly ? "\(Folder.temporary)/amber-verify-\(processNumber)" : "\(settings.output)/.amber/verify" }

    /// Those that were named, or all that stand.
    private func subjects(_ operands: [String]) throws(Failure) -> [Subject] {
        guard let name = operands.first else {
            var standing: [Subject] = []
            for subject in Subject.allCases where try stands(subject) { standing.append(subject) }
            guard !standing.isEmpty else {
                throw Failure(
                    .wrongUsage, "there is nothing to verify in \(settings.output) yet; make a site with: \(settings.next.line(.build))")
            }
            return standing
        }
        guard operands.count == 1, let subject = Subject(rawValue: name) else {
            throw Failure(
                .wrongUsage,
                "verify takes archive, site or snapshot, or nothing for all of them, not \"\(operands.joined(separator: " "))\"")
        }
        guard try stands(subject) else {
            throw Failure(.wrongUsage, "there is no \(subject.rawValue) in \(settings.output) yet")
        }
        return [subject]
    }

    private func stands(_ subject: Subject) throws(Failure) -> Bool {
        switch subject {
        case .archive: archive.exists
        case .site: FileStatus("\(site.site)/index.html") != nil
        case .snapshot: try !packages().isEmpty
        }
    }

    private func report(_ proofs: [Proof]) -> ExitCode {
        let failed = proofs.count { $0.fault != nil }
        if settings.wantsJSON {
            let rows = proofs.map { proof in
                let fault = proof.fault.map { ",\"fault\":\(JSONValue.text($0))" } ?? ""
                return "{\"subject\":\(JSONValue.text(proof.subject)),\"claim\":\(JSONValue.text(proof.claim))\(fault)}"
            }
            Console.output(json: "{\"failed\":\(failed),\"proofs\":[\(rows.joined(separator: ","))]}")
        } else {
            Console.output(lines: [failed == 0 ? "\(proofs.count) proofs hold" : "\(failed) of \(proofs.count) proofs fail"])
        }
        return failed == 0 ? .done : .verificationFails
    }

    private static func line(_ proof: Proof) -> String {
        "\(proof.fault == nil ? "ok  " : "FAIL")  \(proof.subject): \((proof.fault ?? proof.claim).onOneLine)"
    }
}

extension Run {
    /// The site says itself which revision it is made from.
    private func siteProofs() throws -> [Proof] {
        let file = "\(site.site)/completeness.json"
        let number: Int64
        do {
            number = try JSONFields(try File.read(file)).integer("revision")
        } catch {
            return [Proof("site", "it says which revision it is made from", fault: "\(file) cannot be read: \(error)")]
        }
        let revision: Revision?
        do throws(ArchiveError) {
            revision = try RevisionReader.all(in: archive) { _ in true }.first { $0.number == number }
        } catch {
            return [Proof("site", "its revision is in the archive", fault: "\(error)")]
        }
        guard let revision else {
            return [
                Proof(
                    "site", "its revision is in the archive", fault: "revision \(number), which it is made from, is not in \(archive.path)")
            ]
        }
        guard revision.source.catalogue == settings.catalogue.name else {
            throw Failure(
                .wrongUsage,
                """
                \(site.site) is made by the catalogue "\(revision.source.catalogue)", not by "\(settings.catalogue.name)"; name its \
                configuration with --config
                """)
        }
        let build = siteBuild(revision, try loadTemplates())
        return SiteVerifier(build, site.site, scratch: scratch).proofs()
    }

    func siteBuild(_ revision: Revision, _ templates: TemplateFolder) -> SiteBuild {
        Self.siteBuild(revision, settings.catalogue, templates, in: archive, baseURL: settings.baseURL)
    }

    /// What makes a revision's site, wherever its archive stands.
    static func siteBuild(
        _ revision: Revision, _ catalogue: any Catalogue, _ templates: TemplateFolder, in archive: ArchiveFolder, baseURL: String?
    ) -> SiteBuild {
        SiteBuild(of: revision, in: archive, catalogue, templates, generator: AmberCommand.software, baseURL: baseURL, program: program)
    }

    /// Where packages stand.
    var snapshots: String { "\(settings.output)/snapshots" }

    private func packages() throws(Failure) -> [SnapshotName] {
        do throws(SystemError) {
            return try SnapshotVerifier.packages(in: snapshots)
        } catch {
            throw Failure(.outputInUse, "\(error)")
        }
    }

    private func snapshotProofs(key: String?) throws -> [Proof] {
        let scratch = scratch
        return try packages().flatMap { name in
            SnapshotVerifier(name, key: key, scratch: scratch, software: AmberCommand.software) {
                try Packaged($0).build()
            }.proofs()
        }
    }
}
