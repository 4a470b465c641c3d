public import Archive
import Platform

/// Checks a bag: every file against both manifests, these against the tag manifests, and that there is nothing but what
/// BagWriter writes. A bag may come from anybody, so nothing is held in memory that is larger than its own files make
/// it.
public enum BagReader {
    /// A bag in a folder that agrees with its manifests.
    public struct Found: Sendable {
        /// How much is in it.
        public let report: BagWriter.Report
        /// The payload in the manifests' order; paths are below data/.
        let files: [(path: String, digests: FileDigests)]
        /// The bag's other files, in the order in which they are written.
        let tags: [(path: String, digests: FileDigests)]
    }

    /// The files before the payload.
    private static let head = ["bagit.txt", "bag-info.txt"]
    /// The files after the payload.
    private static let manifests =
        BagManifest.Algorithm.allCases.map { "manifest-\($0).txt" }
        + BagManifest.Algorithm.allCases.map { "tagmanifest-\($0).txt" }

    /// Checks a bag in a folder.
    /// - Parameter tagManifest: the SHA-256 that tagmanifest-sha256.txt must have, where it is known.
    /// - Throws: `.damaged`, naming the first difference.
    public static func check(folder: String, tagManifest: SHA256? = nil) throws(SnapshotError) -> Found {
        let payload = try payload(in: folder)
        let listed = try readTags(folder, payload)
        // What is cheap comes first: the payload may be large.
        let covering = listed.prefix(4).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for algorithm in BagManifest.Algorithm.allCases {
            let name = "tagmanifest-\(algorithm).txt"
            let expected = BagManifest.bytes(covering.map { ($0.path, $0.digests) }, algorithm)
            try compare(listed.first { $0.path == name }?.bytes ?? [], expected, "\(folder)/\(name)")
        }
        let found = SHA256(of: listed.first { $0.path == "tagmanifest-sha256.txt" }?.bytes ?? [])
        if let tagManifest, tagManifest != found {
            throw .damaged(
                "\(folder)/tagmanifest-sha256.txt has the SHA-256 \(found.hex) where the statement has "
                    + "\(tagManifest.hex)"
            )
        }
        let manifests = Dictionary(uniqueKeysWithValues: listed.map { ($0.path, $0.bytes) })
        try comparePaths(payload, manifests["manifest-sha256.txt"] ?? [], folder)
        try refuseOversize(payload, manifests["bag-info.txt"] ?? [], folder)

        var nowhere = try BagSink(folder: nil, tar: nil, name: "bag", modified: 0, payload: payload)
        let files = Array(zip(payload.files.map(\.file.path), try payload.add(to: &nowhere)))
        for algorithm in BagManifest.Algorithm.allCases {
            let name = "manifest-\(algorithm).txt"
            let expected = BagManifest.bytes(files.map { ("data/" + $0.0, $0.1) }, algorithm)
            try compare(manifests[name] ?? [], expected, "\(folder)/\(name)")
        }
        let oxum = "Payload-Oxum: \(payload.bytes).\(files.count)"
        guard manifests["bag-info.txt"]?.suffix(oxum.utf8.count + 1).elementsEqual("\(oxum)\n".utf8) == true else {
            throw .damaged("\(folder)/bag-info.txt does not end with \"\(oxum)\"")
        }
        return Found(
            report: BagWriter.Report(files: files.count, bytes: payload.bytes, tagManifest: found), files: files,
            tags: listed.map { ($0.path, $0.digests) })
    }
}

extension BagReader {
    /// Lists the payload, and refuses what is not a regular file or not the bag's.
    private static func payload(in folder: String) throws(SnapshotError) -> BagPayload {
        guard let status = FileStatus(folder), status.isFolder else {
            throw .damaged("\(folder) is missing, or is not a folder")
        }
        let found: [String]
        let empty: String?
        do throws(SystemError) {
            found = try Folder.files(below: folder)
            empty = try Self.emptyFolder(below: folder)
        } catch {
            throw .file(error)
        }
        if let empty { throw .damaged("\(empty) is an empty folder, which no manifest names") }
        var files: [BagFile] = []
        for path in found {
            try PackageFile.refuseOversize("\(folder)/\(path)")
            if path.utf8.starts(with: "data/".utf8) {
                files.append(BagFile(String(Substring(path.utf8.dropFirst(5))), .file("\(folder)/\(path)")))
            } else if !(head + manifests).contains(path) {
                throw .damaged("\(folder)/\(path) is named by no manifest")
            }
        }
        return try BagPayload(files)
    }

    private static func emptyFolder(below path: String) throws(SystemError) -> String? {
        for folder in try Folder.folders(from: path) where try Folder.names(in: folder).isEmpty { return folder }
        return nil
    }

    private typealias Tag = (path: String, bytes: [UInt8], digests: FileDigests)

    /// Reads the bag's own files. Manifests have a line for each file of the payload, so they cannot be much longer
    /// than that.
    private static func readTags(_ folder: String, _ payload: BagPayload) throws(SnapshotError) -> [Tag] {
        let paths = payload.files.reduce(0) { $0 + 3 * $1.file.path.utf8.count + 200 }
        var tags: [Tag] = []
        for name in head + manifests {
            let limit = name.hasPrefix("manifest-") ? PackageFile.standardLimit + paths : PackageFile.standardLimit
            let bytes = try PackageFile.read("\(folder)/\(name)", limit: limit)
            tags.append((name, bytes, FileDigests(of: bytes)))
        }
        guard tags[0].bytes == BagManifest.declaration else {
            throw .damaged("\(folder)/bagit.txt is not that of a bag")
        }
        return tags
    }

    /// Compares the payload's paths with those that a manifest lists.
    private static func comparePaths(_ payload: BagPayload, _ manifest: [UInt8], _ folder: String) throws(SnapshotError)
    {
        // Behind a digest of 64 digits and two spaces.
        let listed = manifest.split(separator: UInt8(ascii: "\n")).map { $0.dropFirst(66) }
        var place = 0
        for file in payload.files {
            let path = BagManifest.escaped("data/" + file.file.path)
            guard place < listed.count, listed[place].elementsEqual(path) else {
                let isListedLater = listed[place...].contains { $0.elementsEqual(path) }
                guard isListedLater else { throw .damaged("\(folder)/data/\(file.file.path) is named by no manifest") }
                throw .damaged("\(folder)/\(String(decoding: listed[place], as: UTF8.self)) is missing")
            }
            place += 1
        }
        guard place == listed.count else {
            throw .damaged("\(folder)/\(String(decoding: listed[place], as: UTF8.self)) is missing")
        }
    }

    /// Compares the lengths with those in bag-info.txt, so that a file that is far too long is not read.
    private static func refuseOversize(_ payload: BagPayload, _ info: [UInt8], _ folder: String) throws(SnapshotError) {
        let last = String(decoding: info.dropLast().split(separator: UInt8(ascii: "\n")).last ?? [], as: UTF8.self)
        let told = last.split(separator: " ").last?.split(separator: ".").first.flatMap { Int64($0) } ?? 0
        if let large = payload.files.first(where: { $0.size > told }) {
            throw .damaged(
                "\(folder)/data/\(large.file.path) has \(large.size) bytes, and bag-info.txt gives \(told) for all "
                    + "files"
            )
        }
    }
}

extension BagReader {
    /// Checks a tar that has one folder, which is the same bag: its entries are the folder's files, in their order.
    /// - Parameter name: the name of the tar's folder.
    /// - Throws: `.damaged`, naming the first difference.
    public static func check(tar: String, named name: String, against bag: Found) throws(SnapshotError) {
        var reader = try TarReader(tar)
        /// The next entry, which has to have that path.
        func next(_ path: String) throws(SnapshotError) -> TarEntry {
            let path = "\(name)/\(path)"
            guard let entry = try reader.next() else { throw .damaged("\(tar) lacks \(path)") }
            guard entry.path.utf8.elementsEqual(path.utf8) else {
                throw .damaged("\(tar) has \"\(entry.path)\" where the bag has \"\(path)\"")
            }
            return entry
        }
        func compareContent(_ entry: TarEntry, _ digests: FileDigests) throws(SnapshotError) {
            var hasher = FileHasher()
            // The length first: it may be more than can be read.
            let isSame = entry.kind == .file && entry.size == digests.size
            if isSame { try reader.content { hasher.update($0) } }
            guard isSame, hasher.finish() == digests else {
                throw .damaged("\(tar) has other bytes in \(entry.path) than the folder")
            }
        }
        for tag in bag.tags.prefix(head.count) { try compareContent(try next(tag.path), tag.digests) }
        for (index, file) in bag.files.enumerated() {
            let entry = try next("data/\(file.path)")
            guard case .link(let target) = entry.kind else {
                try compareContent(entry, file.digests)
                continue
            }
            guard let first = bag.files[..<index].place(of: target, below: "\(name)/data/"),
                bag.files[first].digests == file.digests
            else {
                throw .damaged("\(tar) has \(entry.path) as a link to \"\(target)\", which is not the same file")
            }
        }
        for tag in bag.tags.dropFirst(head.count) { try compareContent(try next(tag.path), tag.digests) }
        if let entry = try reader.next() { throw .damaged("\(tar) has \"\(entry.path)\", which is not in the folder") }
    }

    /// Compares line by line, so that the message names the file.
    private static func compare(_ told: [UInt8], _ found: [UInt8], _ name: String) throws(SnapshotError) {
        guard told != found else { return }
        let lines = (
            told.split(separator: 10, omittingEmptySubsequences: false),
            found.split(separator: 10, omittingEmptySubsequences: false)
        )
        let (expected, actual) = zip(lines.0, lines.1).first { $0 != $1 } ?? (lines.0.last ?? [], lines.1.last ?? [])
        throw .damaged(
            "\(name) has the line \"\(String(decoding: expected, as: UTF8.self))\" where its files make it "
                + "\"\(String(decoding: actual, as: UTF8.self))\"")
    }
}

extension ArraySlice<(path: String, digests: FileDigests)> {
    /// Where a path is among these, which are sorted by the bytes of their paths.
    fileprivate func place(of path: String, below folder: String) -> Int? {
        guard path.utf8.starts(with: folder.utf8) else { return nil }
        let wanted = path.utf8.dropFirst(folder.utf8.count)
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].path.utf8.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].path.utf8.elementsEqual(wanted) ? low : nil
    }
}
