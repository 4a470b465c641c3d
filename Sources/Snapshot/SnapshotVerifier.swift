public import Archive
import Catalogue
import Evidence
import Platform

/// Checks a package by itself: its statement and digests, its bag, the archive within, and that the archive makes the
/// same package again.
///
/// A package may come from anybody, so each stage begins only where those before it found no fault: first bytes are
/// compared with digests, then the archive is read, then pages are made with the package's own templates.
public struct SnapshotVerifier: Sendable {
    private let name: SnapshotName
    private let key: Ed25519.PublicKey?
    private let scratch: String
    private let software: String
    private let build: @Sendable (_ bag: String) throws -> SnapshotBuild

    /// - Parameters:
    ///   - key: the key that the statement has to be signed with; nil to check no signature.
    ///   - scratch: a folder for what is made again, which is made and removed.
    ///   - software: the program and its version: pages are made again only by the one that made them.
    ///   - build: what makes the package again from its own payload, whose folder it is given.
    public init(
        _ name: SnapshotName, key: Ed25519.PublicKey?, scratch: String, software: String,
        build: @escaping @Sendable (_ bag: String) throws -> SnapshotBuild
    ) {
        self.name = name
        self.key = key
        self.scratch = scratch
        self.software = software
        self.build = build
    }

    /// The proofs, in order.
    public func proofs() -> [Proof] {
        defer {
            // The next run removes what is left there.
            try? Folder.remove(scratch)
        }
        var statement: PackageStatement?
        var proofs = [Proof.of(name.text, { try self.statement(&statement) }, orElse: "the statement is whole")]
        guard proofs[0].fault == nil else {
            return proofs + [
                skipped("files not compared, archive not read, pages not rendered again", "the statement failed")
            ]
        }
        proofs.append(
            .of(name.text, { try digests(statement) }, orElse: "its files have the digests in \(name.text).sha256"))
        proofs.append(.of(name.text, { try bag(statement) }, orElse: "the tar and the folder are the same whole bag"))
        guard proofs.allSatisfy({ $0.fault == nil }) else {
            return proofs + [skipped("archive not read and pages not rendered again", "an earlier check failed")]
        }
        proofs += archive()
        proofs.append(
            .of(name.text, { try content(statement) }, orElse: "its archive is of the revision that it claims"))
        guard proofs.allSatisfy({ $0.fault == nil }) else {
            return proofs + [skipped("pages not rendered again", "an earlier check failed")]
        }
        return proofs + [again(statement)]
    }

    private func skipped(_ what: String, _ reason: String) -> Proof {
        Proof(name.text, notProved: what, because: reason)
    }
}

extension SnapshotVerifier {
    private typealias Outcome = (claim: String, fault: String?)

    /// The statement is one of this package, and signed where there is a key.
    private func statement(_ found: inout PackageStatement?) throws -> Outcome {
        let (file, signatureFile) = (PackageFile.name(name.statement), PackageFile.name(name.signature))
        guard FileStatus(name.statement) != nil else {
            guard key != nil else { return ("it has no \(file): an earlier version made it", nil) }
            let missing = "\(file) is missing, so no signature covers the whole package"
            guard FileStatus(name.rootHashSignature) != nil else { return ("", missing) }
            let old = PackageFile.name(name.rootHashSignature)
            return ("", "\(missing); \(old) covers the root hash: the files of api/, not pages, dates, headers or gaps")
        }
        let statement = try PackageStatement(try PackageFile.read(name.statement), file)
        guard statement[.package] == name.text else {
            return ("", "\(file) is of the package \"\(statement[.package])\"")
        }
        found = statement
        guard FileStatus(name.rootHashSignature) == nil else {
            return ("", "\(PackageFile.name(name.rootHashSignature)) is no part of a package with a statement")
        }
        let isSigned = FileStatus(name.signature) != nil
        guard let key else {
            return (
                "\(file) is of this "
                    + "package\(isSigned ? "; its signature was not checked, since there is no --key" : "")",
                nil
            )
        }
        guard isSigned else { return ("", "it is not signed: \(signatureFile) is missing") }
        let holds = try key.verifies(PackageFile.read(name.signature), of: statement.bytes)
        return (
            "\(file) is signed with the key of \(key.file)",
            holds ? nil : "\(signatureFile) is not the signature of \(file) by the key of \(key.file)"
        )
    }

    /// The files beside the bag have the digests that the list and the statement give.
    private func digests(_ statement: PackageStatement?) throws -> Outcome {
        let list = "\(name.text).sha256"
        let parts = [(PackageStatement.Key.tar, PackageStatement.Key.tarSize, name.tar), (.wacz, .waczSize, name.wacz)]
        // Lengths first: a file may be longer than anybody can read.
        for (_, key, path) in parts {
            guard let wanted = statement?[key] else { continue }
            let found = try FileStatus(path) == nil ? PackageStatement.none : "\(PackageFile.status(path).size)"
            let file = PackageFile.name(path)
            guard found != wanted else { continue }
            guard found != PackageStatement.none else { return ("", "\(file) is missing") }
            return ("", "\(file) has \(found) bytes, and the statement gives \(wanted)")
        }
        // Then what the tar's headers give, before its content is hashed. The tar holds the archive that the web
        // archive is made from.
        try TarReader.checkHeaders(of: name.tar)
        let (tar, wacz) = (try PackageFile.status(name.tar).size, FileStatus(name.wacz)?.size ?? 0)
        guard wacz / 64 <= tar + (1 << 20) else {
            return ("", "\(PackageFile.name(name.wacz)) has \(wacz) bytes, far more than a tar of \(tar) bytes makes")
        }
        for path in [name.rootHash, name.signature, name.rootHashSignature] where FileStatus(path) != nil {
            _ = try PackageFile.read(path)
        }
        let found = try SnapshotBuild.digests(of: name.files.dropLast())
        let claim = "\(found.count) files have the digests in \(list)\(statement == nil ? "" : " and in the statement")"
        for (key, _, path) in parts {
            guard let statement, let digest = found.first(where: { $0.path == path })?.sha256.hex,
                digest != statement[key]
            else {
                continue
            }
            return (claim, "\(PackageFile.name(path)) does not have the SHA-256 in the statement")
        }
        let rootHash = try PackageFile.read(name.rootHash)
        if let statement, rootHash != Array("\(statement[.rootHash])\n".utf8) {
            return (claim, "\(PackageFile.name(name.rootHash)) is not the root hash in the statement")
        }
        let listed = try PackageFile.read(name.digests)
        let lines = listed.split(separator: UInt8(ascii: "\n"))
        for one in found where !lines.contains(where: { SnapshotBuild.lines([one]).dropLast().elementsEqual($0) }) {
            return (claim, "\(PackageFile.name(one.path)) does not have the digest in \(list)")
        }
        return (claim, listed == SnapshotBuild.lines(found) ? nil : "\(list) lists files that are not there")
    }

    /// Both forms of the bag agree with the same manifests.
    private func bag(_ statement: PackageStatement?) throws -> Outcome {
        let found = try BagReader.check(
            folder: name.bag, tagManifest: statement.flatMap { SHA256(hex: $0[.tagManifest]) })
        try BagReader.check(tar: name.tar, named: name.text, against: found)
        return (
            "the tar and the folder are the same whole bag of \(found.report.files) files, by SHA-256 and SHA-512", nil
        )
    }

    /// The archive within, which is not changed.
    private func archive() -> [Proof] {
        ArchiveVerifier(ArchiveFolder("\(name.bag)/data/archive"), subject: name.text, isSealed: false).proofs()
    }

    /// The archive's revision, root hash and exchanges are those that the package claims.
    private func content(_ statement: PackageStatement?) throws -> Outcome {
        let build = try build("\(name.bag)/data")
        let reader = try build.ingredients.reader.open()
        let rootHash = try RootHash(of: reader, build.ingredients.catalogue)
        let isImported = reader.revision.imported != nil
        let claim = "revision \(reader.revision.number) of \(reader.revision.day) has the root hash \(rootHash.hex)"
        if let statement {
            let facts = try PackageStatement.facts(of: reader, rootHash: rootHash.hex)
            for key in PackageStatement.Key.allCases {
                guard let value = facts[key], value != statement[key] else { continue }
                return (
                    claim,
                    "the statement has the \(key.rawValue) \"\(statement[key])\", and the archive within \"\(value)\""
                )
            }
        }
        guard String(decoding: try PackageFile.read(name.rootHash), as: UTF8.self) == "\(rootHash.hex)\n" else {
            return (claim, "\(name.text).roothash is not the root hash of its archive, \(rootHash.hex)")
        }
        guard isImported == (FileStatus(name.wacz) == nil) else {
            return (
                claim,
                isImported
                    ? "\(name.text).wacz has exchanges, and an imported state has none" : "\(name.text).wacz is missing"
            )
        }
        guard !isImported else { return (claim, nil) }
        let files = try RootHash(ofFilesIn: "\(name.bag)/data/site")
        return (
            claim + ", as the files of its api/",
            files == rootHash ? nil : "the files of its api/ have the root hash \(files.hex)"
        )
    }

    private func again(_ statement: PackageStatement?) -> Proof {
        guard let maker = statement?[.software], maker == software else {
            let maker = statement?[.software] ?? "an earlier version, which made no statement"
            return skipped("pages not rendered again", "made by \(maker), this is \(software)")
        }
        return .of(name.text, makeAgain, orElse: "its archive makes the same package again")
    }

    private func makeAgain() throws -> Outcome {
        let folder = "\(scratch)/again"
        try Folder.remove(folder)
        try Folder.make(folder)
        let made = SnapshotName(name.text, in: folder)
        _ = try build("\(name.bag)/data").make(made, site: "\(folder)/site", key: nil, hasFolder: false, original: name)
        for (new, old) in zip(made.files, name.files) where FileStatus(new) != nil && new != made.digests {
            guard try PackageFile.sha256(new) == PackageFile.sha256(old) else {
                return (
                    "its archive makes the same package again", "its archive makes another \(PackageFile.name(old))"
                )
            }
        }
        return ("its archive makes the same package again, byte for byte: pages, grammar and links included", nil)
    }
}
