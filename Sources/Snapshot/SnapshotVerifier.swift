public import Archive
import Evidence
public import Platform

/// Proves a package by itself: its digests, its bag, the archive within, and that the archive makes the same package again.
public struct SnapshotVerifier: Sendable {
    private let name: SnapshotName
    private let key: String?
    private let scratch: String
    private let software: String
    private let build: @Sendable (_ bag: String) throws -> SnapshotBuild

    /// - Parameters:
    ///   - key: the path of the public key that the root hash has to be signed with; nil where nobody asks.
    ///   - scratch: a folder for what is made again, which is made and removed.
    ///   - software: the program and its version: pages are made again only by the one that made them.
    ///   - build: what makes the package again from its own payload, whose folder it is given.
    public init(
        _ name: SnapshotName, key: String?, scratch: String, software: String,
        build: @escaping @Sendable (_ bag: String) throws -> SnapshotBuild
    ) {
        self.name = name
        self.key = key
        self.scratch = scratch
        self.software = software
        self.build = build
    }

    /// The packages that stand in a folder, by name, those of which a part is missing too.
    public static func packages(in folder: String) throws(SystemError) -> [SnapshotName] {
        var names: Set<String> = []
        for file in try Folder.names(in: folder) where !file.hasPrefix(".") {
            names.insert(SnapshotName.endings.first { file.hasSuffix($0) }.map { String(file.dropLast($0.count)) } ?? file)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { SnapshotName($0, in: folder) }
    }

    /// The proofs, in order.
    public func proofs() -> [Proof] {
        defer {
            // What is left there is removed by the next run.
            try? Folder.remove(scratch)
        }
        return [
            .of(name.text, digests, orElse: "its files have the digests in \(name.text).sha256"),
            .of(name.text, bags, orElse: "the tar and the folder are the same whole bag"),
        ] + archive() + [
            .of(name.text, webArchive, orElse: "the WACZ is a whole zip"),
            .of(name.text, rootHash, orElse: "the root hash is that of the payload"),
            .of(name.text, again, orElse: "its archive makes the same package again"),
        ] + (key.map { key in [.of(name.text, { try signature(key) }, orElse: "the root hash is signed")] } ?? [])
    }
}

extension SnapshotVerifier {
    /// The archive within, which stays as it was sealed.
    private func archive() -> [Proof] {
        ArchiveVerifier(ArchiveFolder("\(name.bag)/data/archive"), subject: name.text, isSealed: false).proofs()
    }

    private func digests() throws -> (claim: String, fault: String?) {
        let files = name.files.dropLast().filter { FileStatus($0) != nil }
        let claim = "\(files.count) files have the digests in \(name.text).sha256"
        let lines = try SnapshotBuild.digests(of: Array(files)).split(separator: 10)
        let found = try File.read(name.digests)
        let standing = found.split(separator: 10)
        for (line, file) in zip(lines, files) where !standing.contains(where: { $0.elementsEqual(line) }) {
            return (claim, "\(file.split(separator: "/").last ?? "") does not have the digest in \(name.text).sha256")
        }
        return (claim, found == Array(lines.joined(separator: [10])) + [10] ? nil : "\(name.text).sha256 lists files that are not there")
    }

    /// Both forms of the bag hold by their own lists, and have the same ones.
    private func bags() throws -> (claim: String, fault: String?) {
        let tar = try BagReader.check(tar: name.tar)
        let folder = try BagReader.check(folder: name.bag)
        return (
            "the tar and the folder are the same whole bag of \(folder.payload.files) files, by SHA-256 and SHA-512",
            tar == folder ? nil : "the tar holds another bag than the folder"
        )
    }

    private func webArchive() throws -> (claim: String, fault: String?) {
        guard FileStatus(name.wacz) != nil else {
            let isImported = try build("\(name.bag)/data").ingredients.reader.revision.imported != nil
            return ("there is no WACZ: an imported state has no exchanges", isImported ? nil : "\(name.text).wacz is missing")
        }
        var reader = try ZipReader(name.wacz)
        var count = 0
        while try reader.next() != nil { count += 1 }
        return ("the WACZ is a whole zip of \(count) files, by their checksums", nil)
    }

    private func rootHash() throws -> (claim: String, fault: String?) {
        let standing = String(decoding: try File.read(name.rootHash), as: UTF8.self)
        let build = try build("\(name.bag)/data")
        let isImported = build.ingredients.reader.revision.imported != nil
        let archived = try RootHash(of: build.ingredients.reader.open(), build.ingredients.catalogue)
        let found = isImported ? archived : try RootHash(ofFilesIn: "\(name.bag)/data/site")
        let what = isImported ? "the imported files" : "its api/"
        let claim = "the root hash of \(what) is \(found.hex), and that of its archive"
        guard standing == "\(found.hex)\n" else { return (claim, "\(name.text).roothash is not the root hash of \(what)") }
        return (claim, archived == found ? nil : "its archive has the root hash \(archived.hex)")
    }

    private func again() throws -> (claim: String, fault: String?) {
        let maker = try madeBy()
        guard maker == software else {
            return ("it was made by \(maker), and this is \(software): pages of other versions are not made again", nil)
        }
        try Folder.remove(scratch)
        try Folder.make(scratch)
        let made = SnapshotName(name.text, in: scratch)
        _ = try build("\(name.bag)/data").make(made, site: "\(scratch)/site", key: nil, hasFolder: false)
        for (new, standing) in [(made.tar, name.tar), (made.wacz, name.wacz), (made.rootHash, name.rootHash)] {
            let file = standing.split(separator: "/").last ?? ""
            switch (FileStatus(new) != nil, FileStatus(standing) != nil) {
            case (true, true):
                guard try SHA256(ofFile: new) == SHA256(ofFile: standing) else {
                    return ("its archive makes the same package again", "its archive makes another \(file)")
                }
            case (false, false): break
            default:
                return ("its archive makes the same package again", "\(file) is \(FileStatus(new) != nil ? "missing" : "no part of it")")
            }
        }
        return ("its archive makes the same package again, byte for byte: pages, grammar and links included", nil)
    }

    private func madeBy() throws -> String {
        let info = String(decoding: try File.read("\(name.bag)/bag-info.txt"), as: UTF8.self)
        let label = "Bag-Software-Agent: "
        guard let line = info.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else {
            throw SnapshotError.damaged("bag-info.txt does not say what made it")
        }
        return String(line.dropFirst(label.count))
    }

    private func signature(_ key: String) throws -> (claim: String, fault: String?) {
        let claim = "the root hash is signed with the key of \(key)"
        guard FileStatus(name.signature) != nil else { return (claim, "it is not signed: \(name.text).roothash.sig is missing") }
        let holds = try Ed25519.verifies(File.read(name.signature), of: File.read(name.rootHash), keyFile: key)
        return (claim, holds ? nil : "\(name.text).roothash.sig is not the signature of \(name.text).roothash by the key of \(key)")
    }
}
