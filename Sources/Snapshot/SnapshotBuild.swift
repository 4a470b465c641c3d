import Archive
import Catalogue
import Evidence
import Platform
package import Site

/// Writes the package of a revision: a bag with site, archive and templates, as folder and tar; and a web archive.
///
/// A package depends only on the revision and its history, the templates, the settings and the program's version.
package struct SnapshotBuild: Sendable {
    /// The numbers of files and bytes in the bag. The size of the web archive is 0 if there is none.
    package typealias Report = (
        files: Int, bytes: Int64, tarSize: Int64, waczSize: Int64, rootHash: String, isSigned: Bool
    )

    /// The build of the revision's site. Its templates are part of the package.
    let site: SiteBuild
    /// A configuration file that builds the same site from the package.
    let settings: [UInt8]
    /// The base URL of the answers, without a slash at the end.
    let base: String

    package init(site: SiteBuild, settings: [UInt8], base: String) {
        self.site = site
        self.settings = settings
        self.base = base
    }

    /// Writes the package into a folder. The package is written under a draft name, and its parts are moved when they
    /// are complete. An existing package is replaced only if the new one is identical, except for the signature.
    /// - Parameter key: the key that signs the statement. With nil, the old signature of an equal statement is kept.
    package func write(into folder: String, key: Ed25519.PrivateKey?) throws -> (name: SnapshotName, report: Report) {
        let name = SnapshotName(site.revision, in: folder)
        let draft = "\(folder)/.\(name.text).draft"
        try Folder.remove(draft)
        try Folder.make(draft)
        // `try?` is safe, because the next run removes what remains.
        defer { try? Folder.remove(draft) }
        let drafted = SnapshotName(name.text, in: draft)
        let report = try writeParts(drafted, siteIn: "\(drafted.bag)/data", key: key, existing: name)
        try refuseDifferentPackage(drafted, name)
        try moveParts(drafted, at: name)
        return (name, report)
    }

    /// Refuses to replace a complete package by a different one. Only the signature may differ.
    private func refuseDifferentPackage(_ new: SnapshotName, _ existing: SnapshotName) throws {
        guard FileStatus(existing.digests) != nil else { return }
        func lines(_ name: SnapshotName) throws -> [Substring] {
            String(decoding: try PackageFile.read(name.digests), as: UTF8.self).split(separator: "\n").filter {
                !$0.hasSuffix(".sig")
            }
        }
        guard try lines(new) == lines(existing) else { throw SnapshotError.alreadyExists(existing.bag) }
    }

    /// Moves each part to its path in one step. The list of digests, which marks a complete package, is moved last.
    private func moveParts(_ new: SnapshotName, at old: SnapshotName) throws {
        try File.remove(old.digests)
        if FileStatus(old.bag) == nil {
            try File.rename(new.bag, to: old.bag)
        } else {
            try Folder.exchange(new.bag, old.bag)
        }
        for (draft, target) in zip(new.files, old.files) {
            if FileStatus(draft) == nil { try File.remove(target) } else { try File.rename(draft, to: target) }
        }
    }

    /// Writes all parts of the package, and the site that they contain.
    /// - Parameters:
    ///   - folder: the folder for the folder `site`. If it is the folder in the bag, the site is not copied.
    ///   - existing: the package whose signature is kept if its statement is the same and there is no key.
    ///   - original: a package that this package must equal. The bag is then written only as a tar, and writing stops
    ///     when a part is longer than in the original. With nil, the bag is also written as a folder.
    func writeParts(
        _ name: SnapshotName, siteIn folder: String, key: Ed25519.PrivateKey?, existing: SnapshotName? = nil,
        original: SnapshotName? = nil
    ) throws -> Report {
        let revision = site.revision
        let reader = try RevisionReader(revision, in: site.archive)
        let rootHash = try RootHash(of: reader, site.catalogue).hex
        // This compares the seal before the first write, because a changed archive could produce a package of any size.
        var values = try PackageStatement.facts(of: reader, rootHash: rootHash)
        // In the original, the tar contains every file of the site, so the site cannot be larger than the tar. The tar
        // has each picture once, and the limit does not count pictures.
        _ = try site.write(to: "site", below: folder, limit: original.flatMap { FileStatus($0.tar)?.size })
        let description = try description(reader)
        let bag = BagWriter(
            name: name.text, info: bagFields(description, rootHash: rootHash), modified: revision.finished / 1_000)
        let payload = try bag.write(
            try files("\(folder)/site", readMe(description, rootHash: rootHash), reader),
            folder: original == nil ? name.bag : nil, tar: name.tar)
        if revision.imported == nil {
            let about = ("\(base), \(revision.day)", description, site.generator, revision.finished)
            try writeWebArchive(
                name.wacz, about: about, of: reader, limit: original.flatMap { FileStatus($0.wacz)?.size })
        }
        try File.writeNew(Array("\(rootHash)\n".utf8), to: name.rootHash)

        let (tar, wacz) = (FileStatus(name.tar)?.size ?? 0, FileStatus(name.wacz)?.size)
        values[.package] = name.text
        values[.software] = site.generator
        values[.tar] = try PackageFile.sha256(name.tar).hex
        values[.tarSize] = "\(tar)"
        values[.wacz] = try wacz.map { _ in try PackageFile.sha256(name.wacz).hex } ?? PackageStatement.none
        values[.waczSize] = wacz.map { "\($0)" } ?? PackageStatement.none
        values[.tagManifest] = payload.tagManifest.hex
        let statement = try PackageStatement(values).bytes
        try File.writeNew(statement, to: name.statement)
        let signature = try key?.signature(of: statement) ?? existing?.signature(of: statement)
        if let signature { try File.writeNew(signature, to: name.signature) }
        try File.writeNew(Self.lines(try Self.digests(of: name)), to: name.digests)
        return (payload.files, payload.bytes, tar, wacz ?? 0, rootHash, signature != nil)
    }

    /// The digests of the files of a package that exist, without the list of digests itself.
    static func digests(of name: SnapshotName) throws -> [(path: String, sha256: SHA256)] {
        try name.files.dropLast().filter { FileStatus($0) != nil }.map { ($0, try PackageFile.sha256($0)) }
    }

    /// Lines in the format of `sha256sum`, with file names without folders.
    static func lines(_ digests: [(path: String, sha256: SHA256)]) -> [UInt8] {
        Array(digests.map { "\($0.sha256.hex)  \(PackageFile.name($0.path))\n" }.joined().utf8)
    }

    private func files(_ path: String, _ readMe: [UInt8], _ reader: RevisionReader) throws -> [BagFile] {
        let texts = [("README.txt", readMe), ("amber.json", settings)] + site.templateFiles
        let pages = try Folder.files(below: path).map { BagFile(path: "site/\($0)", content: .file("\(path)/\($0)")) }
        // The site's exported database is also the archive's. The archive's pictures are hard links to the site's.
        let database = BagFile(path: "archive/archive.sqlite", content: .file("\(path)/data/archive.sqlite"))
        let pictures = try reader.picturesOfHistory().map { sha256 in
            let path = "archive/\(ArchiveFolder.assetName(sha256))"
            return BagFile(path: path, content: .file(site.archive.assetPath(sha256)), sha256: sha256)
        }
        return texts.map { BagFile(path: $0, content: .bytes($1)) } + pages + [database] + pictures
    }
}
