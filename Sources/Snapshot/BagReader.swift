import Archive
import Platform

/// Checks a bag: compares every file with both manifests, and the manifests with the tag manifests, and requires
/// exactly the files that BagWriter writes. A bag may be malicious, so memory use is limited by the size of its own
/// files.
enum BagReader {
    struct CheckedBag: Sendable {
        /// The payload in the order of the manifests. The paths are relative to data/.
        let files: [(path: String, digests: FileDigests)]
        /// The bag's own files in the order in which they are written.
        let tags: [(path: String, digests: FileDigests)]
    }

    /// The bag's own files in the order in which they are written: two before the payload, the others after it.
    private static let tags =
        ["bagit.txt", "bag-info.txt"] + BagManifest.Algorithm.allCases.map { "manifest-\($0).txt" }
        + BagManifest.Algorithm.allCases.map { "tagmanifest-\($0).txt" }

    /// - Parameter tagManifest: the expected SHA-256 of tagmanifest-sha256.txt; nil if it is not known.
    /// - Throws: `SnapshotError.damaged` for the first difference.
    static func check(folder: String, tagManifest: SHA256? = nil) throws -> CheckedBag {
        let payload = try payload(in: folder)
        let texts = try readTags(folder, payload)
        let tags = Self.tags.map { (path: $0, digests: FileDigests(of: texts[$0] ?? [])) }
        func compare(_ name: String, _ lines: [(path: String, digests: FileDigests)]) throws {
            for algorithm in BagManifest.Algorithm.allCases {
                let name = "\(name)-\(algorithm).txt"
                try Self.compare(texts[name] ?? [], BagManifest.bytes(lines, algorithm), "\(folder)/\(name)")
            }
        }
        // The fast checks come first, because the payload may be large.
        try compare("tagmanifest", tags.prefix(4).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
        let found = SHA256(of: texts["tagmanifest-sha256.txt"] ?? [])
        if let tagManifest, tagManifest != found {
            throw SnapshotError.damaged(
                "\(folder)/tagmanifest-sha256.txt has the SHA-256 \(found.hex), but the statement has "
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
        return CheckedBag(files: files, tags: tags)
    }

    /// Checks that a tar with one folder is the same bag: its entries are the folder's files in the same order.
    /// - Parameter name: the name of the tar's folder.
    /// - Throws: `SnapshotError.damaged` for the first difference.
    static func check(tar: String, named name: String, against bag: CheckedBag) throws {
        var reader = try TarReader(tar)
        /// The digests of the payload's files so far, to check links to these files. The keys are the bytes of the
        /// paths, because strings with different bytes can be equal.
        var earlier: [[UInt8]: FileDigests] = [:]
        func compareNext(_ path: String, _ digests: FileDigests, mayBeLink: Bool = false) throws {
            let path = "\(name)/\(path)"
            guard let entry = try reader.next() else { throw SnapshotError.damaged("\(tar) lacks \(path)") }
            guard entry.path.utf8.elementsEqual(path.utf8) else {
                throw SnapshotError.damaged(
                    "\(tar) has \"\(entry.path)\", but the bag has \"\(path)\" at this position")
            }
            if let target = entry.link, mayBeLink {
                guard earlier[Array(target.utf8)] == digests else {
                    throw SnapshotError.damaged(
                        "\(tar) has \(path) as a link to \"\(target)\", which has different content")
                }
                return
            }
            let hasher = FileHasher()
            // The size is compared first, because the file may be too long to read.
            let isSame = entry.link == nil && entry.size == digests.size
            if isSame { try reader.content { hasher.update($0) } }
            guard isSame, hasher.finish() == digests else {
                throw SnapshotError.damaged("\(path) has other bytes in \(tar) than in the folder")
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
            throw SnapshotError.damaged("\(path) is an empty folder, which is in no manifest")
        }
        var files: [BagFile] = []
        for path in try Folder.files(below: folder) {
            _ = try PackageFile.status("\(folder)/\(path)")
            if path.utf8.starts(with: "data/".utf8) {
                files.append(
                    BagFile(path: String(Substring(path.utf8.dropFirst(5))), content: .file("\(folder)/\(path)")))
            } else if !tags.contains(path) {
                throw SnapshotError.damaged("\(folder)/\(path) is in no manifest")
            }
        }
        return try BagPayload(files)
    }

    /// Reads the bag's own files. A manifest has a line for each file of the payload, which gives its maximum length.
    private static func readTags(_ folder: String, _ payload: BagPayload) throws -> [String: [UInt8]] {
        let lines = payload.entries.reduce(0) { $0 + 3 * $1.file.path.utf8.count + 200 }
        var texts: [String: [UInt8]] = [:]
        for name in tags {
            let limit = PackageFile.standardLimit + (name.hasPrefix("manifest-") ? lines : 0)
            texts[name] = try PackageFile.read("\(folder)/\(name)", limit: limit)
        }
        guard texts["bagit.txt"] == BagManifest.declaration else {
            throw SnapshotError.damaged("\(folder)/bagit.txt is not the declaration of a bag")
        }
        return texts
    }

    private static func comparePaths(_ payload: BagPayload, _ manifest: [UInt8], _ folder: String) throws {
        // The path follows a digest of 64 digits and two spaces.
        let listed = manifest.split(separator: UInt8(ascii: "\n")).map { $0.dropFirst(66) }
        let found = payload.entries.map { BagManifest.escaped("data/" + $0.file.path)[...] }
        guard listed != found else { return }
        let (known, present) = (Set(listed), Set(found))
        if let surplus = found.first(where: { !known.contains($0) }) {
            throw SnapshotError.damaged("\(folder)/\(String(decoding: surplus, as: UTF8.self)) is in no manifest")
        }
        let missing = listed.first { !present.contains($0) } ?? []
        throw SnapshotError.damaged("\(folder)/\(String(decoding: missing, as: UTF8.self)) is missing")
    }

    /// Refuses a payload with a file that is longer than the total in bag-info.txt, so that a huge file is not read.
    private static func refuseOversize(_ payload: BagPayload, _ info: [UInt8], _ folder: String) throws {
        let last = String(decoding: info.dropLast().split(separator: UInt8(ascii: "\n")).last ?? [], as: UTF8.self)
        let limit = last.split(separator: " ").last?.split(separator: ".").first.flatMap { Int64($0) } ?? 0
        if let large = payload.entries.first(where: { $0.size > limit }) {
            throw SnapshotError.damaged(
                "\(folder)/data/\(large.file.path) has \(large.size) bytes, but bag-info.txt gives \(limit) for all "
                    + "files")
        }
    }

    /// Compares a text with the expected one. The error quotes the first line that differs.
    private static func compare(_ text: [UInt8], _ expected: [UInt8], _ name: String) throws {
        guard text != expected else { return }
        let (lines, others) = (
            text.split(separator: 10, omittingEmptySubsequences: false),
            expected.split(separator: 10, omittingEmptySubsequences: false)
        )
        let (line, other) = zip(lines, others).first { $0 != $1 } ?? (lines.last ?? [], others.last ?? [])
        throw SnapshotError.damaged(
            "\(name) has the line \"\(String(decoding: line, as: UTF8.self))\", but the bag's files require the line "
                + "\"\(String(decoding: other, as: UTF8.self))\"")
    }
}
