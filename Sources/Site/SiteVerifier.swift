public import Archive
import Catalogue
import Evidence
import Platform

/// Proves a site that stands against the archive that it was made from: everything is made again and compared byte for
/// byte.
public struct SiteVerifier: Sendable {
    private let build: SiteBuild
    private let site: String
    private let subject: String
    private let scratch: String

    /// - Parameters:
    ///   - build: what made the site.
    ///   - site: where it stands.
    ///   - subject: what the proofs call it.
    ///   - scratch: a folder for files on the way, which is made and removed.
    public init(_ build: SiteBuild, _ site: String, subject: String = "site", scratch: String) {
        self.build = build
        self.site = site
        self.subject = subject
        self.scratch = scratch
    }

    /// The proofs, in order.
    public func proofs() -> [Proof] {
        let sets: [any PageSet]
        var rootHash = ""
        do {
            let reader = try RevisionReader(build.revision, in: build.archive)
            rootHash = try RootHash(of: reader, build.catalogue).hex
            sets = try build.plan().sets
        } catch {
            return [Proof(subject, "the archive has what the site is made from", fault: "\(SiteError(error))")]
        }
        return [pages(sets), root(rootHash)]
    }
}

extension SiteVerifier {
    /// Every file is what the archive makes, and there is no other; grammar and links are checked on the way.
    private func pages(_ sets: [any PageSet]) -> Proof {
        let claim =
            "every page is what the archive makes, byte for byte, and keeps the rules of HTML; every link leads "
            + "somewhere"
        return .of(subject, { try compare(sets) }, orElse: claim)
    }

    private func compare(_ sets: [any PageSet]) throws -> (claim: String, fault: String?) {
        try Folder.remove(scratch)
        try Folder.make(scratch)
        defer {
            // What is left there is removed by the next run.
            try? Folder.remove(scratch)
        }
        let folder = try Folder.open(site, followsLink: false)
        let comparer = TreeComparer(folder, scratch: scratch)
        let (index, pages) = try build.index(sets)
        let report = try build.make(.init(sets: sets, index: index, pages: pages, folder: folder), comparer)
        let foreign = try Folder.files(below: site).first { !index.contains($0.utf8) }.map {
            "\($0) is no file of this site"
        }
        return (
            "\(index.count) files, \(report.pages) pages among them, are what the archive makes, byte for byte; "
                + "grammar and links hold",
            comparer.faults.first.map { "\($0) (were templates or settings others when it was built?)" } ?? foreign
        )
    }

    /// The root hash of the files below api/ is that of the archive.
    private func root(_ wanted: String) -> Proof {
        .of(
            subject,
            {
                guard build.revision.imported == nil else {
                    return ("an imported state has no answers below api/", nil)
                }
                let found = try RootHash(ofFilesIn: site).hex
                return (
                    "the root hash of api/ is that of the archive, \(wanted)",
                    found == wanted ? nil : "the files below api/ have the root hash \(found)"
                )
            }, orElse: "the root hash of api/ is \(wanted)")
    }
}
