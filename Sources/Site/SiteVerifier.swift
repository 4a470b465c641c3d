package import Archive
import Catalogue
import Evidence
import Platform

/// Proves an existing site against the archive that it was made from: everything is made again and compared byte for
/// byte.
package struct SiteVerifier: Sendable {
    private let build: SiteBuild
    private let site: String
    private let subject: String
    private let scratch: String

    /// - Parameters:
    ///   - build: what made the site.
    ///   - site: its folder.
    ///   - subject: what the proofs call it.
    ///   - scratch: a folder for files on the way, which is made and removed.
    package init(_ build: SiteBuild, _ site: String, subject: String = "site", scratch: String) {
        self.build = build
        self.site = site
        self.subject = subject
        self.scratch = scratch
    }

    package func proofs() -> [Proof] {
        do {
            let reader = try RevisionReader(build.revision, in: build.archive)
            let rootHash = try RootHash(of: reader, build.catalogue).hex
            let plan = try build.plan()
            return [
                .of(
                    subject, { try compare(plan) },
                    orElse: "every page is what the archive makes, byte for byte, and keeps the rules of HTML; every "
                        + "link leads somewhere"),
                .of(subject, { try compare(rootHash) }, orElse: "the root hash of api/ is \(rootHash)"),
            ]
        } catch {
            return [Proof(subject, "the archive has what the site is made from", fault: "\(error)")]
        }
    }
}

extension SiteVerifier {
    /// Every file is what the archive makes, and there is no other; grammar and links are checked on the way.
    private func compare(_ plan: Plan) throws -> (claim: String, fault: String?) {
        try Folder.remove(scratch)
        try Folder.make(scratch)
        defer {
            // What is left there is removed by the next run.
            try? Folder.remove(scratch)
        }
        let folder = try Folder.open(site, followsLink: false)
        let comparer = TreeComparer(folder, scratch: scratch)
        let (index, pages) = try build.index(plan.sets)
        let report = try build.make(.init(plan: plan, index: index, pages: pages, folder: folder), comparer)
        let foreign = try Folder.files(below: site).first { !index.contains($0.utf8) }.map {
            "\($0) is no file of this site"
        }
        return (
            "\(index.count) files, \(report.pages) pages among them, are what the archive makes, byte for byte; "
                + "grammar and links hold",
            comparer.fault.map { "\($0) (were templates or settings others when it was built?)" } ?? foreign
        )
    }

    /// The root hash of the files below api/ is that of the archive.
    private func compare(_ rootHash: String) throws -> (claim: String, fault: String?) {
        guard build.revision.imported == nil else { return ("an imported state has no answers below api/", nil) }
        let found = try RootHash(ofFilesIn: site).hex
        return (
            "the root hash of api/ is that of the archive, \(rootHash)",
            found == rootHash ? nil : "the files below api/ have the root hash \(found)"
        )
    }
}

/// Compares a site's files, as they are made again, with those on disk.
struct TreeComparer: SiteOutput {
    let report = BuildReport()
    private let folder: OpenFolder
    /// Where files that are written piece by piece are made; nothing else is there.
    private let scratch: String
    private let disk: DiskReserve
    /// What is wrong, by path.
    private let found = Guarded<[String: String]>([:])
    /// Digests by inode: a picture may have several names.
    private let digests = Guarded<[UInt64: SHA256]>([:])

    init(_ folder: OpenFolder, scratch: String) {
        self.folder = folder
        self.scratch = scratch
        disk = DiskReserve { Folder.freeSpace(scratch) }
    }

    /// What is wrong with the first path that differs.
    var fault: String? {
        found.withLock {
            $0.min { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.key) \($0.value)" }
        }
    }

    func write(_ bytes: [UInt8], to path: SitePath) {
        compare(path) {
            // No larger file is read than it takes to name the first byte that differs.
            let standing = try File.read(path.text, in: folder, limit: bytes.count + (1 << 20))
            guard standing != bytes else { return nil }
            let place =
                zip(standing, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
                ?? min(standing.count, bytes.count)
            return "is not what the archive makes, first at byte \(place)"
        }
    }

    func write(_ stream: SiteStream) throws {
        let draft = "\(scratch)/\(stream.path.text.split(separator: "/").joined(separator: "-"))"
        try stream.write(draft) { bytes in
            if let free = disk.shortage(for: bytes) { throw SiteError.diskIsFull(scratch, free: free) }
        }
        let wanted = try SHA256(ofFile: draft)
        try File.remove(draft)
        compare(stream.path) {
            try SHA256(ofFile: stream.path.text, in: folder) == wanted ? nil : "is not what the archive makes"
        }
    }

    func link(_ asset: Asset, to path: SitePath) {
        compare(path) {
            guard let status = FileStatus(path.text, in: folder) else { return "is missing" }
            let sha256: SHA256
            if let known = digests.withLock({ $0[status.inode] }) {
                sha256 = known
            } else {
                sha256 = try SHA256(ofFile: path.text, in: folder)
                digests.withLock { $0[status.inode] = sha256 }
            }
            return sha256 == asset.sha256 ? nil : "is not the picture that was captured"
        }
    }

    private func compare(_ path: SitePath, _ difference: () throws -> String?) {
        let fault: String?
        do {
            // A link may lead to the right bytes today; a copy of the folder, and who hashes its files, has none.
            fault =
                FileStatus(path.text, in: folder)?.isLink == true ? "is a symbolic link, not a file" : try difference()
        } catch let error as SystemError {
            fault = FileStatus(path.text, in: folder) == nil ? "is missing" : "cannot be read: \(error)"
        } catch {
            fault = "cannot be compared: \(error)"
        }
        if let fault { found.withLock { $0[path.text] = fault } }
    }
}
