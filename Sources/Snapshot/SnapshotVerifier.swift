package import Archive
import Catalogue
import Evidence
import Platform

/// Checks a package by itself: its statement and digests, its bag, the archive within, and that the archive makes the
/// same package again.
///
/// A package may come from anybody, so each stage begins only where those before it found no fault: first bytes are
/// compared with digests, then the archive is read, then pages are made with the package's own templates.
package struct SnapshotVerifier: Sendable {
    private let name: SnapshotName
    /// The key that the statement has to be signed with; nil to check no signature.
    private let key: Ed25519.PublicKey?
    /// A folder for what is made again, which is made and removed.
    private let scratch: String
    /// The program and its version: pages are made again only by the one that made them.
    private let software: String
    /// Makes the package again from its own payload, whose folder it is given.
    private let build: @Sendable (_ bag: String) throws -> SnapshotBuild

    package init(
        _ name: SnapshotName, key: Ed25519.PublicKey?, scratch: String, software: String,
        build: @escaping @Sendable (_ bag: String) throws -> SnapshotBuild
    ) {
        self.name = name
        self.key = key
        self.scratch = scratch
        self.software = software
        self.build = build
    }

    package func proofs() -> [Proof] {
        defer {
            // The next run removes what is left there.
            try? Folder.remove(scratch)
        }
        var statement: PackageStatement?
        var proofs = [proof("the statement is whole") { try self.statement(&statement) }]
        guard proofs[0].fault == nil else {
            return proofs + [
                skipped("files not compared, archive not read, pages not rendered again", "the statement failed")
            ]
        }
        proofs.append(proof("its files have the digests in \(name.text).sha256") { try digests(statement) })
        proofs.append(proof("the tar and the folder are the same whole bag") { try bag(statement) })
        guard proofs.allSatisfy({ $0.fault == nil }) else {
            return proofs + [skipped("archive not read and pages not rendered again", "an earlier check failed")]
        }
        // The archive within, which is not changed.
        proofs += ArchiveVerifier(ArchiveFolder("\(name.bag)/data/archive"), subject: name.text, isSealed: false)
            .proofs()
        proofs.append(proof("its archive is of the revision that it claims") { try content(statement) })
        guard proofs.allSatisfy({ $0.fault == nil }) else {
            return proofs + [skipped("pages not rendered again", "an earlier check failed")]
        }
        guard let maker = statement?[.software], maker == software else {
            let maker = statement?[.software] ?? "an earlier version, which made no statement"
            return proofs + [skipped("pages not rendered again", "made by \(maker), this is \(software)")]
        }
        return proofs + [proof("its archive makes the same package again", makeAgain)]
    }

    /// Runs a check, which returns what holds with its figures. What it throws is the fault of the claim.
    private func proof(_ claim: String, _ check: () throws -> String) -> Proof {
        .of(name.text, { (try check(), nil) }, orElse: claim)
    }

    private func skipped(_ what: String, _ reason: String) -> Proof {
        Proof(name.text, notProved: what, because: reason)
    }
}

/// The first thing that contradicts a claim.
private struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension SnapshotVerifier {
    /// The statement is one of this package, and signed where there is a key.
    private func statement(_ found: inout PackageStatement?) throws -> String {
        let (file, signatureFile) = (PackageFile.name(name.statement), PackageFile.name(name.signature))
        let old = PackageFile.name(name.rootHashSignature)
        let hasOld = FileStatus(name.rootHashSignature) != nil
        guard FileStatus(name.statement) != nil else {
            guard key != nil else { return "it has no \(file): an earlier version made it" }
            let missing = "\(file) is missing, so no signature covers the whole package"
            guard hasOld else { throw Fault(missing) }
            throw Fault("\(missing); \(old) covers the root hash: the files of api/, not pages, dates, headers or gaps")
        }
        let statement = try PackageStatement(try PackageFile.read(name.statement), file)
        guard statement[.package] == name.text else {
            throw Fault("\(file) is of the package \"\(statement[.package])\"")
        }
        found = statement
        guard !hasOld else { throw Fault("\(old) is no part of a package with a statement") }
        let isSigned = FileStatus(name.signature) != nil
        guard let key else {
            let signature = isSigned ? "; its signature was not checked, since there is no --key" : ""
            return "\(file) is of this package\(signature)"
        }
        guard isSigned else { throw Fault("it is not signed: \(signatureFile) is missing") }
        guard try key.verifies(PackageFile.read(name.signature), of: statement.bytes) else {
            throw Fault("\(signatureFile) is not the signature of \(file) by the key of \(key.file)")
        }
        return "\(file) is signed with the key of \(key.file)"
    }

    /// The files beside the bag have the digests that the list and the statement give.
    private func digests(_ statement: PackageStatement?) throws -> String {
        let list = "\(name.text).sha256"
        let parts = [(PackageStatement.Key.tar, PackageStatement.Key.tarSize, name.tar), (.wacz, .waczSize, name.wacz)]
        // Lengths first: a file may be longer than anybody can read.
        for (_, key, path) in parts {
            guard let wanted = statement?[key] else { continue }
            let file = PackageFile.name(path)
            guard FileStatus(path) != nil || wanted == PackageStatement.none else { throw Fault("\(file) is missing") }
            let found =
                try FileStatus(path).map { _ in "\(try PackageFile.status(path, limit: .max).size)" }
                ?? PackageStatement.none
            guard found == wanted else { throw Fault("\(file) has \(found) bytes, and the statement gives \(wanted)") }
        }
        // Then what the tar's headers give, before its content is hashed. The tar holds the archive that the web
        // archive is made from.
        try TarReader.checkHeaders(of: name.tar)
        let (tar, wacz) = (try PackageFile.status(name.tar).size, FileStatus(name.wacz)?.size ?? 0)
        guard wacz / 64 <= tar + (1 << 20) else {
            throw Fault("\(PackageFile.name(name.wacz)) has \(wacz) bytes, far more than a tar of \(tar) bytes makes")
        }
        for path in [name.rootHash, name.signature, name.rootHashSignature] where FileStatus(path) != nil {
            _ = try PackageFile.read(path)
        }
        let found = try SnapshotBuild.digests(of: name)
        for (key, _, path) in parts {
            let digest = found.first { $0.path == path }?.sha256.hex ?? PackageStatement.none
            guard let statement, digest != statement[key] else { continue }
            throw Fault("\(PackageFile.name(path)) does not have the SHA-256 in the statement")
        }
        let listed = try PackageFile.read(name.digests)
        let lines = listed.split(separator: UInt8(ascii: "\n"))
        for one in found where !lines.contains(where: { SnapshotBuild.lines([one]).dropLast().elementsEqual($0) }) {
            throw Fault("\(PackageFile.name(one.path)) does not have the digest in \(list)")
        }
        guard listed == SnapshotBuild.lines(found) else { throw Fault("\(list) lists files that are not there") }
        return "\(found.count) files have the digests in \(list)\(statement == nil ? "" : " and in the statement")"
    }

    private func bag(_ statement: PackageStatement?) throws -> String {
        let found = try BagReader.check(
            folder: name.bag, tagManifest: statement.flatMap { SHA256(hex: $0[.tagManifest]) })
        try BagReader.check(tar: name.tar, named: name.text, against: found)
        return "the tar and the folder are the same whole bag of \(found.files.count) files, by SHA-256 and SHA-512"
    }

    /// The archive's revision, root hash and exchanges are those that the package claims.
    private func content(_ statement: PackageStatement?) throws -> String {
        let build = try build("\(name.bag)/data")
        let reader = try RevisionReader(build.revision, in: build.archive)
        let rootHash = try RootHash(of: reader, build.catalogue)
        let isImported = reader.revision.imported != nil
        if let statement {
            let facts = try PackageStatement.facts(of: reader, rootHash: rootHash.hex)
            for key in PackageStatement.Key.allCases {
                guard let value = facts[key], value != statement[key] else { continue }
                throw Fault(
                    "the statement has the \(key.rawValue) \"\(statement[key])\", and the archive within \"\(value)\"")
            }
        }
        guard String(decoding: try PackageFile.read(name.rootHash), as: UTF8.self) == "\(rootHash.hex)\n" else {
            throw Fault("\(name.text).roothash is not the root hash of its archive, \(rootHash.hex)")
        }
        guard isImported == (FileStatus(name.wacz) == nil) else {
            throw Fault(
                isImported
                    ? "\(name.text).wacz has exchanges, and an imported state has none" : "\(name.text).wacz is missing"
            )
        }
        let claim = "revision \(reader.revision.number) of \(reader.revision.day) has the root hash \(rootHash.hex)"
        guard !isImported else { return claim }
        let files = try RootHash(ofFilesIn: "\(name.bag)/data/site")
        guard files == rootHash else { throw Fault("the files of its api/ have the root hash \(files.hex)") }
        return claim + ", as the files of its api/"
    }

    private func makeAgain() throws -> String {
        let folder = "\(scratch)/again"
        try Folder.remove(folder)
        try Folder.make(folder)
        let made = SnapshotName(name.text, in: folder)
        _ = try build("\(name.bag)/data").make(made, site: "\(folder)/site", key: nil, hasFolder: false, original: name)
        for (new, old) in zip(made.files, name.files) where FileStatus(new) != nil && new != made.digests {
            guard try PackageFile.sha256(new) == PackageFile.sha256(old) else {
                throw Fault("its archive makes another \(PackageFile.name(old))")
            }
        }
        return "its archive makes the same package again, byte for byte: pages, grammar and links included"
    }
}
