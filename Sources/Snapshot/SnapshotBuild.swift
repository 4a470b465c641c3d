package import Archive
package import Catalogue
import Evidence
import Platform
package import Site

/// Seals a revision: a bag with its site, archive and templates, the same as a tar, and a web archive of its exchanges.
///
/// All of it is a function of the revision and its history, the templates, the settings and the program's version.
public struct SnapshotBuild: Sendable {
    /// What a package is made from.
    public struct Ingredients: Sendable {
        let site: SiteBuild
        let reader: RevisionSource
        let catalogue: any Catalogue
        let settings: [UInt8]
        let base: String
        let software: String

        /// - Parameters:
        ///   - site: what makes the revision's site; the templates that it has go into the package.
        ///   - settings: the configuration file that makes the same site from the package.
        ///   - base: the API's address, without a slash at the end, that answers are of.
        ///   - software: the program and its version.
        package init(
            site: SiteBuild, of revision: Revision, in archive: ArchiveFolder, _ catalogue: any Catalogue,
            settings: [UInt8],
            base: String, software: String
        ) {
            self.site = site
            reader = RevisionSource(revision: revision, archive: archive)
            self.catalogue = catalogue
            self.settings = settings
            self.base = base
            self.software = software
        }
    }

    /// A revision and where it is read.
    struct RevisionSource: Sendable {
        let revision: Revision
        let archive: ArchiveFolder

        func open() throws(ArchiveError) -> RevisionReader { try RevisionReader(revision, in: archive) }
    }

    /// What a package holds.
    public struct Report: Sendable {
        /// Files in the bag.
        public internal(set) var files = 0
        /// Their bytes.
        public internal(set) var bytes: Int64 = 0
        /// Bytes of the tar.
        public internal(set) var tarSize: Int64 = 0
        /// Bytes of the web archive; 0 where there is none.
        public internal(set) var waczSize: Int64 = 0
        /// The revision's root hash in hexadecimal.
        public internal(set) var rootHash = ""
        /// Whether its statement is signed.
        public internal(set) var isSigned = false
    }

    let ingredients: Ingredients

    /// A build of a package.
    public init(_ ingredients: Ingredients) {
        self.ingredients = ingredients
    }
}

extension SnapshotBuild {
    /// Writes the package into a folder: beside it first, then moved into place, so that what stands there is whole.
    ///
    /// A package that stands there already is made again only as it is: what is sealed is not replaced by anything
    /// else.
    /// - Parameter key: signs the statement; nil for none: then the signature of an existing package is kept, where it
    ///   is of the same statement.
    public func write(into folder: String, key: Ed25519.PrivateKey? = nil) throws -> (
        name: SnapshotName, report: Report
    ) {
        let name = SnapshotName(ingredients.reader.revision, in: folder)
        let draft = "\(folder)/.\(name.text).draft"
        try Folder.remove(draft)
        try Folder.make(draft)
        let report: Report
        do {
            let drafted = SnapshotName(name.text, in: draft)
            report = try make(drafted, site: "\(drafted.bag)/data/site", key: key, existing: name)
            try refuseOther(drafted, name)
            try place(drafted, at: name)
        } catch {
            // That what was drafted cannot be removed either would only hide why.
            try? Folder.remove(draft)
            throw error
        }
        try Folder.remove(draft)
        return (name, report)
    }

    /// A whole package is replaced by nothing but itself; its signature may be another.
    private func refuseOther(_ new: SnapshotName, _ standing: SnapshotName) throws {
        guard FileStatus(standing.digests) != nil else { return }
        func lines(_ name: SnapshotName) throws -> [Substring] {
            String(decoding: try PackageFile.read(name.digests), as: UTF8.self).split(separator: "\n").filter {
                !$0.hasSuffix(".sig")
            }
        }
        guard try lines(new) == lines(standing) else { throw SnapshotError.standing(standing.bag) }
    }

    /// Moves the parts to their places, each in one step. The digests go first and come last: without them a package is
    /// not whole.
    private func place(_ new: SnapshotName, at old: SnapshotName) throws(SystemError) {
        try File.remove(old.digests)
        if FileStatus(old.bag) == nil {
            try File.rename(new.bag, to: old.bag)
        } else {
            try Folder.exchange(new.bag, old.bag)
        }
        for (part, place) in zip(new.files, old.files) {
            if FileStatus(part) == nil { try File.remove(place) } else { try File.rename(part, to: place) }
        }
    }

    /// Writes all parts of the package, and the site that they are made from.
    /// - Parameters:
    ///   - site: where the site is made: in the bag's folder at its place there, so that it is not moved afterwards.
    ///   - existing: the package whose signature is kept, where it is of the same statement and there is no key.
    ///   - hasFolder: whether the bag is wanted as a folder beside the tar.
    ///   - original: a package that this one must equal; writing stops once a part is longer than there.
    func make(
        _ name: SnapshotName, site: String, key: Ed25519.PrivateKey?, existing: SnapshotName? = nil,
        hasFolder: Bool = true, original: SnapshotName? = nil
    ) throws -> Report {
        let reader = try ingredients.reader.open()
        let rootHash = try RootHash(of: reader, ingredients.catalogue).hex
        // This compares the seal. It comes before anything is written: a changed archive could make a package of any
        // size.
        var values = try PackageStatement.facts(of: reader, rootHash: rootHash)
        // The tar holds each file of the site except second names of pictures.
        _ = try ingredients.site.write(to: site, limit: original.flatMap { FileStatus($0.tar)?.size })
        let about = try SnapshotAbout(ingredients, reader, rootHash: rootHash)
        let bag = BagWriter(
            name: name.text, info: about.bagFields, baggingDate: ingredients.reader.revision.day,
            software: ingredients.software,
            modified: ingredients.reader.revision.finished / 1_000)
        let payload = try bag.write(try files(site, about, reader), folder: hasFolder ? name.bag : nil, tar: name.tar)
        if ingredients.reader.revision.imported == nil {
            try WebArchive(ingredients, reader).write(
                to: name.wacz, about: about, limit: original.flatMap { FileStatus($0.wacz)?.size })
        }
        try File.writeNew(Array("\(rootHash)\n".utf8), to: name.rootHash)

        var parts = try Self.digests(of: [name.tar, name.wacz, name.rootHash])
        values[.package] = name.text
        values[.software] = ingredients.software
        values[.tar] = parts.first { $0.path == name.tar }?.sha256.hex
        values[.tarSize] = FileStatus(name.tar).map { "\($0.size)" }
        values[.wacz] = parts.first { $0.path == name.wacz }?.sha256.hex ?? PackageStatement.none
        values[.waczSize] = FileStatus(name.wacz).map { "\($0.size)" } ?? PackageStatement.none
        values[.tagManifest] = payload.tagManifest.hex
        let statement = try PackageStatement(values).bytes
        try File.writeNew(statement, to: name.statement)
        let signature = try key?.signature(of: statement) ?? existing?.signature(of: statement)
        if let signature { try File.writeNew(signature, to: name.signature) }
        parts += try Self.digests(of: [name.statement, name.signature])
        try File.writeNew(Self.lines(parts), to: name.digests)
        return Report(
            files: payload.files, bytes: payload.bytes, tarSize: FileStatus(name.tar)?.size ?? 0,
            waczSize: FileStatus(name.wacz)?.size ?? 0,
            rootHash: rootHash, isSigned: signature != nil)
    }

    /// The digests of those of the files that exist.
    static func digests(of files: [String]) throws(SnapshotError) -> [(path: String, sha256: SHA256)] {
        var digests: [(path: String, sha256: SHA256)] = []
        for file in files where FileStatus(file) != nil { digests.append((file, try PackageFile.sha256(file))) }
        return digests
    }

    /// Lines as `sha256sum` writes them, of files named without their folders.
    static func lines(_ digests: [(path: String, sha256: SHA256)]) -> [UInt8] {
        Array(digests.map { "\($0.sha256.hex)  \(PackageFile.name($0.path))\n" }.joined().utf8)
    }

    /// The bag's payload.
    private func files(_ site: String, _ about: SnapshotAbout, _ reader: RevisionReader) throws -> [BagFile] {
        var files = [BagFile("README.txt", .bytes(about.readMe)), BagFile("amber.json", .bytes(ingredients.settings))]
        for path in try Folder.files(below: site) { files.append(BagFile("site/\(path)", .file("\(site)/\(path)"))) }
        // The site's own export is the archive that the package can be made from again; the pictures beside it are
        // names of the site's.
        files.append(BagFile("archive/archive.sqlite", .file("\(site)/data/archive.sqlite")))
        for sha256 in try reader.picturesOfHistory() {
            let hex = sha256.hex
            files.append(
                BagFile(
                    "archive/assets/\(hex.prefix(1))/\(hex)", .file(ingredients.reader.archive.assetPath(sha256)),
                    sha256: sha256))
        }
        for file in ingredients.site.templateFiles {
            files.append(BagFile("templates/\(file.path)", .bytes(file.bytes)))
        }
        return files
    }
}
