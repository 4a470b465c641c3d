package import Archive
import Catalogue
import Evidence
import Platform
import Site

extension SnapshotName {
    /// Checks the package alone: its statement, digests, bag and archive, and that the archive produces it again.
    ///
    /// A package may be malicious, so each stage begins only if the earlier ones found no fault. First the bytes are
    /// compared with the digests, then the archive is read, then its pages are rendered with its own templates.
    /// - Parameters:
    ///   - key: the key of the required signature; nil if no signature is checked.
    ///   - scratch: a folder for the rebuilt package, which is created.
    ///   - makeBuild: returns the build that can write the package again, from the folder of its payload (`data`). The
    ///     package is rebuilt only if the same version of the program created it.
    package func proofs(
        key: Ed25519.PublicKey?, scratch: String, makeBuild: (_ payload: String) throws -> SnapshotBuild
    ) -> [Proof] {
        let statement: PackageStatement
        var proofs: [Proof] = []
        do {
            let (read, claim) = try checkStatement(key)
            statement = read
            proofs.append(Proof(text, claim))
        } catch {
            return [
                Proof(text, "the statement is valid", fault: "\(error)"),
                skipped("files not compared, archive not read, pages not rendered again", "the statement failed"),
            ]
        }
        proofs.append(proof("its files have the digests in \(text).sha256") { try checkDigests(statement) })
        proofs.append(
            proof("the tar and the folder are the same complete bag") {
                let found = try BagReader.check(folder: bag, tagManifest: SHA256(hex: statement[.tagManifest]))
                try BagReader.check(tar: tar, named: text, against: found)
                let count = found.count { $0.path.utf8.starts(with: "data/".utf8) }
                return "the tar and the folder are the same complete bag of \(count) files, by SHA-256 and SHA-512"
            })
        guard proofs.allSatisfy({ $0.fault == nil }) else {
            return proofs + [skipped("archive not read and pages not rendered again", "an earlier check failed")]
        }
        proofs += ArchiveFolder("\(bag)/data/archive").proofs(subject: text, hasDigestFile: false)
        var build: SnapshotBuild?
        proofs.append(
            proof("its archive contains the named revision") {
                let own = try makeBuild("\(bag)/data")
                build = own
                return try checkArchive(statement, own)
            })
        guard let build, proofs.allSatisfy({ $0.fault == nil }) else {
            return proofs + [skipped("pages not rendered again", "an earlier check failed")]
        }
        let (maker, software) = (statement[.software], build.site.generator)
        guard maker == software else {
            return proofs + [skipped("pages not rendered again", "it was created by \(maker), and this is \(software)")]
        }
        return proofs + [proof("its archive produces the same package again") { try rebuildPackage(scratch, build) }]
    }

    /// Runs a check, which returns the claim with details. An error that it throws becomes the fault.
    private func proof(_ claim: String, _ check: () throws -> String) -> Proof {
        .of(text, { (try check(), nil) }, orElse: claim)
    }

    private func skipped(_ what: String, _ reason: String) -> Proof {
        Proof(text, "not proved: \(what): \(reason)", isSkipped: true)
    }

    /// Checks that the statement belongs to this package. If there is a key, also checks the signature.
    private func checkStatement(_ key: Ed25519.PublicKey?) throws -> (PackageStatement, claim: String) {
        let (file, signatureFile) = (PackageFile.name(self.statement), PackageFile.name(signature))
        let statement = try PackageStatement(try PackageFile.read(self.statement), file)
        try require(statement[.package] == text, "\(file) belongs to the package \"\(statement[.package])\"")
        let isSigned = FileStatus(signature) != nil
        guard let key else {
            let signature = isSigned ? "; its signature was not checked, because --key is missing" : ""
            return (statement, "\(file) belongs to this package\(signature)")
        }
        try require(isSigned, "it is not signed: \(signatureFile) is missing")
        try require(
            key.verifies(PackageFile.read(signature), of: statement.bytes),
            "\(signatureFile) is not the signature of \(file) by the key in \(key.file)")
        return (statement, "\(file) is signed with the key in \(key.file)")
    }

    /// Checks that the files next to the bag have the digests in the list and in the statement.
    private func checkDigests(_ statement: PackageStatement) throws -> String {
        let list = "\(text).sha256"
        let parts = [(PackageStatement.Key.tar, PackageStatement.Key.tarSize, tar), (.wacz, .waczSize, wacz)]
        // Sizes are compared first, because a file may be too long to read.
        for (_, key, path) in parts {
            let size = try FileStatus(path).map { _ in "\(try PackageFile.status(path, limit: .max).size)" }
            let fault = size.map { "has \($0) bytes, but the statement gives \(statement[key])" } ?? "is missing"
            try require(size ?? PackageStatement.none == statement[key], "\(PackageFile.name(path)) \(fault)")
        }
        // The folder's files limit the tar. The tar contains the archive, from which the web archive is created.
        let (tarSize, waczSize) = (try PackageFile.status(tar).size, FileStatus(wacz)?.size ?? 0)
        let maximumTarSize = try Folder.files(below: bag).reduce(Int64(1) << 16) { size, path in
            let content = FileStatus("\(bag)/\(path)").map { min($0.size, PackageFile.maximumSize) } ?? 0
            // A header, which contains at most two paths, is shorter than a record.
            return size + content + Int64(TarEntry.recordSize)
        }
        try require(
            tarSize <= maximumTarSize,
            "\(PackageFile.name(tar)) has \(tarSize) bytes, which is more than a tar of its folder can have")
        try require(
            waczSize / 64 <= tarSize + (1 << 20),
            "\(PackageFile.name(wacz)) has \(waczSize) bytes, which is far more than a tar of \(tarSize) bytes can "
                + "produce")
        for path in [rootHash, signature] where FileStatus(path) != nil { _ = try PackageFile.read(path) }
        let found = try SnapshotBuild.digests(of: self)
        for (key, _, path) in parts {
            let digest = found.first { $0.path == path }?.sha256.hex ?? PackageStatement.none
            try require(
                digest == statement[key], "\(PackageFile.name(path)) does not have the SHA-256 in the statement")
        }
        let listed = try PackageFile.read(digests)
        let lines = listed.split(separator: "\n")
        for one in found {
            try require(
                lines.contains { SnapshotBuild.lines([one]).dropLast().elementsEqual($0) },
                "\(PackageFile.name(one.path)) does not have the digest in \(list)")
        }
        try require(listed == SnapshotBuild.lines(found), "\(list) lists missing files")
        return "\(found.count) files have the digests in \(list) and in the statement"
    }

    /// Checks the archive in the package: its revision, its root hash, and whether a web archive must exist.
    private func checkArchive(_ statement: PackageStatement, _ build: SnapshotBuild) throws -> String {
        let reader = try RevisionReader(build.site.revision, in: build.site.archive)
        let hash = try RootHash(of: reader, build.site.catalogue)
        let isImported = reader.revision.imported != nil
        let facts = try PackageStatement.facts(of: reader, rootHash: hash.hex)
        for key in PackageStatement.Key.allCases {
            let value = facts[key] ?? statement[key]
            try require(
                value == statement[key],
                "the statement has the \(key.rawValue) \"\(statement[key])\", but the archive in the package has "
                    + "\"\(value)\"")
        }
        try require(
            PackageFile.read(rootHash) == Array("\(hash.hex)\n".utf8),
            "\(text).roothash is not the root hash of its archive, \(hash.hex)")
        try require(
            isImported == (FileStatus(wacz) == nil),
            "\(text).wacz \(isImported ? "has exchanges, but an imported state has none" : "is missing")")
        let claim = "revision \(reader.revision.number) of \(reader.revision.day) has the root hash \(hash.hex)"
        guard !isImported else { return claim }
        let files = try RootHash(ofFilesIn: "\(bag)/data/site")
        try require(files == hash, "the files of its api/ have the root hash \(files.hex)")
        return claim + ", and so do the files of its api/"
    }

    private func rebuildPackage(_ scratch: String, _ build: SnapshotBuild) throws -> String {
        let folder = "\(scratch)/again"
        try Folder.remove(folder)
        try Folder.make(folder)
        let rebuilt = SnapshotName(text, in: folder)
        _ = try build.writeParts(rebuilt, siteIn: folder, key: nil, original: self)
        for (new, old) in zip(rebuilt.files, files) where FileStatus(new) != nil && new != rebuilt.digests {
            try require(
                PackageFile.sha256(new) == PackageFile.sha256(old),
                "its archive produces a different \(PackageFile.name(old))")
        }
        return "its archive produces the same package again, byte for byte, with valid grammar and links"
    }

    private func require(_ condition: Bool, _ contradiction: @autoclosure () -> String) throws {
        if !condition { throw ContentFault("", contradiction()) }
    }
}
