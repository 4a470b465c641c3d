package import Archive
import Catalogue
import Evidence
import Pages
import Platform

extension SiteBuild {
    /// Compares a site with the archive that it was rendered from: renders every file again and compares the bytes.
    /// - Parameters:
    ///   - site: the folder of the site.
    ///   - scratch: a folder for temporary files, which is created.
    package func proofs(of site: String, scratch: String) -> [Proof] {
        do {
            let plan = try plan()
            let rootHash = try plan.rootHash ?? RootHash(of: RevisionReader(revision, in: archive), catalogue).hex
            return [
                .of(
                    "site", { try compare(site, plan, scratch: scratch) },
                    orElse: "every file equals the rendered one, byte for byte; every page is valid HTML; every link "
                        + "has a target"),
                .of("site", { try compare(site, rootHash) }, orElse: "the root hash of api/ is \(rootHash)"),
            ]
        } catch {
            return [Proof("site", "the archive has all data of the site", fault: "\(error)")]
        }
    }

    /// Checks that every file equals the rendered file, and that there are no others. Rendering checks the pages too.
    private func compare(_ site: String, _ plan: RenderPlan, scratch: String) throws -> (claim: String, fault: String?)
    {
        try Folder.make(scratch)
        let folder = try Folder.open(site, followsLink: false)
        let disk = DiskReserve { Folder.freeSpace(scratch) }
        let comparer = TreeComparer(folder: folder, scratch: scratch, disk: disk)
        let report = try renderFiles(of: plan, in: folder, to: comparer).report
        let foreign = try Folder.files(below: site).first { !plan.index.contains($0.utf8) }.map {
            "\($0) is not a file of this site"
        }
        return (
            "\(plan.index.count) files, including \(report.pages) pages, equal those rendered from the archive, byte "
                + "for byte; grammar and links are valid",
            comparer.fault.map { "\($0) (was it built with another catalogue, templates or settings?)" } ?? foreign
        )
    }

    /// Checks that the files below api/ have the root hash of the archive.
    private func compare(_ site: String, _ rootHash: String) throws -> (claim: String, fault: String?) {
        guard revision.imported == nil else { return ("an imported state has no answers below api/", nil) }
        let found = try RootHash(ofFilesIn: site).hex
        return (
            "the root hash of api/ is that of the archive, \(rootHash)",
            found == rootHash ? nil : "the files below api/ have the root hash \(found)"
        )
    }
}

/// Compares rendered files with the files of a site on disk.
struct TreeComparer: SiteOutput {
    let report = BuildReport()
    let folder: OpenFolder
    /// The folder for files that are rendered piece by piece, and the free space of its disk.
    let scratch: String
    let disk: DiskReserve
    private let faults = Locked<[SitePath: String]>([:])
    /// Digests by inode. A picture may have several hard links, and is hashed only once.
    private let digests = Locked<[UInt64: SHA256]>([:])

    /// The fault of the first path; nil if all files are equal.
    var fault: String? { faults.withLock { $0.min { $0.key < $1.key } }.map { "\($0.key) \($0.value)" } }

    func write(_ bytes: [UInt8], to path: SitePath, isPublished: Bool) {
        compare(path) {
            // The limit is enough to find the first byte that differs.
            let published = try File.read(path.text, in: folder, limit: bytes.count + (1 << 20))
            guard published != bytes else { return nil }
            return "differs from the rendered file, first at byte \(zip(published, bytes).prefix { $0 == $1 }.count)"
        }
    }

    func write(_ stream: SiteStream) throws {
        // Several threads write drafts, so each path needs a different name.
        let draft = "\(scratch)/\(SHA256(of: stream.path.text.utf8).hex)"
        try stream.write(draft) { try disk.reserve($0, in: scratch) }
        let wanted = try SHA256(ofFile: draft)
        try File.remove(draft)
        compare(stream.path) {
            try SHA256(ofFile: stream.path.text, in: folder) == wanted ? nil : "differs from the rendered file"
        }
    }

    func link(_ sha256: SHA256, size: Int, to path: SitePath) {
        compare(path) {
            guard let status = FileStatus(path.text, in: folder) else { return "is missing" }
            let found = try digests.withLock { $0[status.inode] } ?? SHA256(ofFile: path.text, in: folder)
            digests.withLock { $0[status.inode] = found }
            return found == sha256 ? nil : "is not the picture or file that was captured"
        }
    }

    private func compare(_ path: SitePath, _ difference: () throws -> String?) {
        let fault: String?
        do {
            // A symbolic link is a fault, even if its target has the same bytes. Copies may not follow it.
            fault =
                FileStatus(path.text, in: folder)?.isLink == true ? "is a symbolic link, not a file" : try difference()
        } catch let error as SystemError {
            fault = FileStatus(path.text, in: folder) == nil ? "is missing" : "cannot be read: \(error)"
        } catch {
            fault = "cannot be compared: \(error)"
        }
        if let fault { faults.withLock { $0[path] = fault } }
    }
}
