import Archive
import Platform

/// Checks a bag: every file against both manifests, these against the tag manifests, and that there is nothing but what
/// BagWriter writes. A bag may come from anybody, so nothing is held in memory that is larger than its own files make
/// it.
enum BagReader {
    struct Found: Sendable {
        /// The payload in the manifests' order; paths are below data/.
        let files: [(path: String, digests: FileDigests)]
        /// The bag's other files, in the order in which they are written.
        let tags: [(path: String, digests: FileDigests)]
    }

    /// The bag's own files, in the order in which they are written: two before the payload, the others behind it.
    private static let tags =
        ["bagit.txt", "bag-info.txt"] + BagManifest.Algorithm.allCases.map { "manifest-\($0).txt" }
        + BagManifest.Algorithm.allCases.map { "tagmanifest-\($0).txt" }

    /// - Parameter tagManifest: the SHA-256 that tagmanifest-sha256.txt must have, where it is known.
    /// - Throws: `.damaged`, naming the first difference.
    static func check(folder: String, tagManifest: SHA256? = nil) throws -> Found {
        let payload = try payload(in: folder)
        let texts = try readTags(folder, payload)
        let tags = Self.tags.map { (path: $0, digests: FileDigests(of: texts[$0] ?? [])) }
        func compare(_ name: String, _ lines: [(path: String, digests: FileDigests)]) throws {
            for algorithm in BagManifest.Algorithm.allCases {
                let name = "\(name)-\(algorithm).txt"
                try Self.compare(texts[name] ?? [], BagManifest.bytes(lines, algorithm), "\(folder)/\(name)")
            }
        }
        // The cheap checks go first: the payload may be large.
        try compare("tagmanifest", tags.prefix(4).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
        let found = SHA256(of: texts["tagmanifest-sha256.txt"] ?? [])
        if let tagManifest, tagManifest != found {
            throw SnapshotError.damaged(
                "\(folder)/tagmanifest-sha256.txt has the SHA-256 \(found.hex) where the statement has "
                    + tagManifest.hex)
        }
        try comparePaths(payload, texts["manifest-sha256.txt"] ?? [], folder)
        let information = texts["bag-info.txt"] ?? []
        try refuseOversize(payload, information, folder)

        let digests = try payload.add(to: nil, below: "", folder: nil)
        let files = zip(payload.entries, digests).map { (path: $0.file.path, digests: $1) }
        try compare("manifest", files.map { ("data/" + $0.path, $0.digests) })
        let oxum = "Payload-Oxum: \(payload.bytes).\(files.count)"
        guard information.suffix(oxum.utf8.count + 1).elementsEqual("\(oxum)\n".utf8) else {
            throw SnapshotError.damaged("\(folder)/bag-info.txt does not end with \"\(oxum)\"")
        }
        return Found(files: files, tags: tags)
    }

    /// Checks a tar that has one folder, which is the same bag: its entries are the folder's files, in their order.
    /// - Parameter name: the name of the tar's folder.
    /// - Throws: `.damaged`, naming the first difference.
    static func check(tar: String, named name: String, against bag: Found) throws {
        var reader = try TarReader(tar)
        /// The files of the payload up to here, for links to them. Equal texts may be other bytes.
        var earlier: [[UInt8]: FileDigests] = [:]
        func compareNext(_ path: String, _ digests: FileDigests, mayBeLink: Bool = false) throws {
            let path = "\(name)/\(path)"
            guard let entry = try reader.next() else { throw SnapshotError.damaged("\(tar) lacks \(path)") }
            guard entry.path.utf8.elementsEqual(path.utf8) else {
                throw SnapshotError.damaged("\(tar) has \"\(entry.path)\" where the bag has \"\(path)\"")
            }
            if let target = entry.link, mayBeLink {
                guard earlier[Array(target.utf8)] == digests else {
                    throw SnapshotError.damaged(
                        "\(tar) has \(path) as a link to \"\(target)\", which is not the same file")
                }
                return
            }
            let hasher = FileHasher()
            // The length first: it may be more than can be read.
            let isSame = entry.link == nil && entry.size == digests.size
            if isSame { try reader.content { hasher.update($0) } }
            guard isSame, hasher.finish() == digests else {
                throw SnapshotError.damaged("\(tar) has other bytes in \(path) than the folder")
            }
        }
        for tag in bag.tags.prefix(2) { try compareNext(tag.path, tag.digests) }
        for file in bag.files {
            try compareNext("data/\(file.path)", file.digests, mayBeLink: true)
            earlier[Array("\(name)/data/\(file.path)".utf8)] = file.digests
        }
        for tag in bag.tags.dropFirst(2) { try compareNext(tag.path, tag.digests) }
        if let entry = try reader.next() {
            throw SnapshotError.damaged("\(tar) has \"\(entry.path)\", which is not in the folder")
        }
    }
}

extension BagReader {
    private static func payload(in folder: String) throws -> BagPayload {
        guard let status = FileStatus(folder), status.isFolder else {
            throw SnapshotError.damaged("\(folder) is missing, or is not a folder")
        }
        for path in try Folder.folders(from: folder) where try Folder.names(in: path).isEmpty {
            throw SnapshotError.damaged("\(path) is an empty folder, which no manifest names")
        }
        var files: [BagFile] = []
        for path in try Folder.files(below: folder) {
            _ = try PackageFile.status("\(folder)/\(path)")
            if path.utf8.starts(with: "data/".utf8) {
                files.append(
                    BagFile(path: String(Substring(path.utf8.dropFirst(5))), content: .file("\(folder)/\(path)")))
            } else if !tags.contains(path) {
                throw SnapshotError.damaged("\(folder)/\(path) is named by no manifest")
            }
        }
        return try BagPayload(files)
    }

    /// Reads the bag's own files. Manifests have a line for each file of the payload, so they cannot be much longer
    /// than that.
    private static func readTags(_ folder: String, _ payload: BagPayload) throws -> [String: [UInt8]] {
        let lines = payload.entries.reduce(0) { $0 + 3 * $1.file.path.utf8.count + 200 }
        var texts: [String: [UInt8]] = [:]
        for name in tags {
            let limit = PackageFile.standardLimit + (name.hasPrefix("manifest-") ? lines : 0)
            texts[name] = try PackageFile.read("\(folder)/\(name)", limit: limit)
        }
        guard texts["bagit.txt"] == BagManifest.declaration else {
            throw SnapshotError.damaged("\(folder)/bagit.txt is not that of a bag")
        }
        return texts
    }

    private static func comparePaths(_ payload: BagPayload, _ manifest: [UInt8], _ folder: String) throws {
        // Behind a digest of 64 digits and two spaces.
        let listed = manifest.split(separator: UInt8(ascii: "\n")).map { $0.dropFirst(66) }
        let found = payload.entries.map { BagManifest.escaped("data/" + $0.file.path)[...] }
        guard listed != found else { return }
        let (known, present) = (Set(listed), Set(found))
        if let surplus = found.first(where: { !known.contains($0) }) {
            throw SnapshotError.damaged("\(folder)/\(String(decoding: surplus, as: UTF8.self)) is named by no manifest")
        }
        let missing = listed.first { !present.contains($0) } ?? []
        throw SnapshotError.damaged("\(folder)/\(String(decoding: missing, as: UTF8.self)) is missing")
    }

    /// Compares the lengths with those in bag-info.txt, so that a file that is far too long is not read.
    private static func refuseOversize(_ payload: BagPayload, _ info: [UInt8], _ folder: String) throws {
        let last = String(decoding: info.dropLast().split(separator: UInt8(ascii: "\n")).last ?? [], as: UTF8.self)
        let most = last.split(separator: " ").last?.split(separator: ".").first.flatMap { Int64($0) } ?? 0
        if let large = payload.entries.first(where: { $0.size > most }) {
            throw SnapshotError.damaged(
                "\(folder)/data/\(large.file.path) has \(large.size) bytes, and bag-info.txt gives \(most) for all "
                    + "files")
        }
    }

    /// Compares line by line, so that the message names the file.
    private static func compare(_ text: [UInt8], _ expected: [UInt8], _ name: String) throws {
        guard text != expected else { return }
        let (lines, others) = (
            text.split(separator: 10, omittingEmptySubsequences: false),
            expected.split(separator: 10, omittingEmptySubsequences: false)
        )
        let (line, other) = zip(lines, others).first { $0 != $1 } ?? (lines.last ?? [], others.last ?? [])
        throw SnapshotError.damaged(
            "\(name) has the line \"\(String(decoding: line, as: UTF8.self))\" where its files make it "
                + "\"\(String(decoding: other, as: UTF8.self))\"")
    }
}
