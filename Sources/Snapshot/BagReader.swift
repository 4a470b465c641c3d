import Archive
import Platform

/// Checks a bag: compares every file with both manifests, and the manifests with the tag manifests, and requires
/// exactly the files that BagWriter writes. A bag may be malicious, so the size of its files limits the memory used.
enum BagReader {
    /// The bag's own files in the order in which they are written: two before the payload, the others after it.
    private static let tags =
        ["bagit.txt", "bag-info.txt"] + BagManifest.Algorithm.allCases.map { "manifest-\($0).txt" }
        + BagManifest.Algorithm.allCases.map { "tagmanifest-\($0).txt" }

    /// - Parameter tagManifest: the expected SHA-256 of tagmanifest-sha256.txt; nil if it is not known.
    /// - Returns: the bag's files in the order in which they are written.
    /// - Throws: `SnapshotError.damaged` for the first difference.
    static func check(folder: String, tagManifest: SHA256? = nil) throws -> [(path: String, digests: FileDigests)] {
        let payload = try payload(in: folder)
        let texts = try readTags(folder, payload)
        let tags = tags.map { (path: $0, digests: FileDigests(of: texts[$0] ?? [])) }
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
        let files = zip(payload.files, digests).map { (path: "data/" + $0.path, digests: $1) }
        try compare("manifest", files)
        let oxum = "Payload-Oxum: \(payload.bytes).\(files.count)"
        try SnapshotError.require(
            information.suffix(oxum.utf8.count + 1).elementsEqual("\(oxum)\n".utf8),
            "\(folder)/bag-info.txt does not end with \"\(oxum)\"")
        return tags.prefix(2) + files + tags.dropFirst(2)
    }

    /// Checks that a tar with one folder is the same bag: its entries are the folder's files in the same order. All
    /// bytes outside the files' content must be those that TarWriter writes.
    /// - Parameters:
    ///   - name: the name of the tar's folder.
    ///   - files: the folder's files with their paths in it.
    /// - Throws: `SnapshotError.damaged` for the first difference.
    static func check(tar: String, named name: String, against files: [(path: String, digests: FileDigests)]) throws {
        _ = try PackageFile.status(tar)
        let file = try File(reading: tar)
        var offset: Int64 = 0
        // All entries have the same time.
        let modified = TarEntry.number(try file.read(TarEntry.blockSize)[...], at: 136)
        /// The digests of the payload's files so far, to check links to these files. The keys are the bytes of the
        /// paths, because strings with different bytes can be equal.
        var earlier: [[UInt8]: FileDigests] = [:]
        /// Whether the next bytes are these. If so, they are skipped.
        func skip(_ expected: [UInt8]) throws -> Bool {
            guard try file.read(expected.count, at: offset) == expected else { return false }
            offset += Int64(expected.count)
            return true
        }
        for (path, digests) in files {
            let isPayload = path.utf8.starts(with: "data/".utf8)
            let path = "\(name)/\(path)"
            let link = isPayload ? try TarEntry.link(in: file, at: offset) : nil
            let entry = TarEntry(path: path, link: link, size: link == nil ? digests.size : 0, modified: modified)
            try SnapshotError.require(
                skip(entry.header), "\(tar) does not have the header of \(path) at byte \(offset)")
            if let link {
                try SnapshotError.require(
                    earlier[Array(link.utf8)] == digests,
                    "\(tar) has \(path) as a link to \"\(link)\", which has different content")
            } else {
                var hasher = FileHasher()
                let end = offset + digests.size
                while offset < end {
                    let piece = try file.read(Int(min(PackageContent.pieceSize, end - offset)), at: offset)
                    guard !piece.isEmpty else { break }
                    hasher.update(piece)
                    offset += Int64(piece.count)
                }
                guard hasher.finish() == digests, try skip(TarEntry.zeros(TarEntry.padding(after: digests.size))) else {
                    throw SnapshotError.damaged("\(path) has other bytes in \(tar) than in the folder")
                }
            }
            if isPayload { earlier[Array(path.utf8)] = digests }
        }
        guard try skip(TarEntry.end(after: offset)), try file.status().size == offset else {
            throw SnapshotError.damaged("\(tar) does not end after the folder's last file, at byte \(offset)")
        }
    }

    private static func payload(in folder: String) throws -> BagPayload {
        try SnapshotError.require(FileStatus(folder)?.isFolder == true, "\(folder) is missing, or is not a folder")
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
        let lines = payload.files.reduce(0) { $0 + 3 * $1.path.utf8.count + 200 }
        var texts: [String: [UInt8]] = [:]
        for name in tags {
            let limit = PackageFile.standardLimit + (name.hasPrefix("manifest-") ? lines : 0)
            texts[name] = try PackageFile.read("\(folder)/\(name)", limit: limit)
        }
        try SnapshotError.require(
            texts["bagit.txt"] == BagManifest.declaration, "\(folder)/bagit.txt is not the declaration of a bag")
        return texts
    }

    private static func comparePaths(_ payload: BagPayload, _ manifest: [UInt8], _ folder: String) throws {
        // The path follows a digest of 64 digits and two spaces.
        let listed = manifest.split(separator: "\n").map { $0.dropFirst(66) }
        let found = payload.files.map { BagManifest.escaped("data/" + $0.path)[...] }
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
        let last = String(decoding: info.dropLast().split(separator: "\n").last ?? [], as: UTF8.self)
        let limit = last.split(separator: " ").last?.split(separator: ".").first.flatMap { Int64($0) } ?? 0
        if let large = payload.files.first(where: { $0.size > limit }) {
            throw SnapshotError.damaged(
                "\(folder)/data/\(large.path) has \(large.size) bytes, but bag-info.txt gives \(limit) for all files")
        }
    }

    /// Compares a text with the expected one. The error quotes the first line that differs.
    private static func compare(_ text: [UInt8], _ expected: [UInt8], _ name: String) throws {
        guard text != expected else { return }
        let lines = [text, expected].map { $0.split(separator: 10, omittingEmptySubsequences: false) }
        let (line, other) = zip(lines[0], lines[1]).first { $0 != $1 } ?? (lines[0].last ?? [], lines[1].last ?? [])
        throw SnapshotError.damaged(
            "\(name) has the line \"\(String(decoding: line, as: UTF8.self))\", but the bag's files require the line "
                + "\"\(String(decoding: other, as: UTF8.self))\"")
    }
}
