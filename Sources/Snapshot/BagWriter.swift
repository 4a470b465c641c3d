import Archive
import Platform

/// Writes a bag (BagIt 1.0, RFC 8493) as a folder, as a tar, or as both in one pass.
///
/// A file with several hard links is read only once. The bytes of a bag depend only on the files and on the properties
/// of the writer, not on a clock.
struct BagWriter: Sendable {
    struct Report: Sendable, Equatable {
        let files: Int
        let bytes: Int64
        /// The SHA-256 of tagmanifest-sha256.txt, which covers the complete bag.
        let tagManifest: SHA256
    }

    /// The name of the only folder in the tar.
    let name: String
    /// The first fields of bag-info.txt. `write` adds the fields that every bag has.
    let info: [(label: String, value: String)]
    let baggingDate: String
    let software: String
    /// The modification time of all entries in the tar, in seconds since 1970.
    let modified: Int64

    /// - Parameter folder: the bag's folder. It must be empty, except for files of the payload that are already at
    ///   their paths in the bag. Other files on disk are linked or copied into it.
    func write(_ files: [BagFile], folder: String? = nil, tar: String? = nil) throws -> Report {
        let payload = try BagPayload(files)
        let information = try information(payload)
        try PackageFile.checkPath(name)
        if let folder { try payload.makeFolders(in: folder) }
        let tar = try tar.map { try TarWriter($0, modified: modified) }
        var tags: [(path: String, digests: FileDigests)] = []
        func add(_ path: String, _ bytes: [UInt8]) throws {
            if let folder { try File.writeNew(bytes, to: "\(folder)/\(path)") }
            try tar?.addFile("\(name)/\(path)", bytes)
            tags.append((path, FileDigests(of: bytes)))
        }
        try add("bagit.txt", BagManifest.declaration)
        try add("bag-info.txt", information)
        let digests = try payload.add(to: tar, below: "\(name)/data", folder: folder)
        let listed = zip(payload.files, digests).map { (path: "data/\($0.path)", digests: $1) }
        for algorithm in BagManifest.Algorithm.allCases {
            try add("manifest-\(algorithm).txt", BagManifest.bytes(listed, algorithm))
        }
        let covered = tags.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for algorithm in BagManifest.Algorithm.allCases {
            try add("tagmanifest-\(algorithm).txt", BagManifest.bytes(covered, algorithm))
        }
        try tar?.finish()
        return Report(
            files: listed.count, bytes: payload.bytes, tagManifest: SHA256(of: BagManifest.bytes(covered, .sha256)))
    }

    private func information(_ payload: BagPayload) throws -> [UInt8] {
        let fields =
            info + [
                ("Bagging-Date", baggingDate), ("Bag-Software-Agent", software),
                ("Payload-Oxum", "\(payload.bytes).\(payload.files.count)"),
            ]
        for (label, value) in fields where (label + value).utf8.contains(where: { $0 == 10 || $0 == 13 }) {
            throw SnapshotError.unwritable(
                "bag-info.txt cannot contain \"\(label)\" with \"\(value)\": both must be one line")
        }
        return Array(fields.map { "\($0): \($1)\n" }.joined().utf8)
    }
}

enum BagManifest {
    /// bagit.txt (RFC 8493, section 2.1.1).
    static let declaration = Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)

    /// The digest algorithms of every bag. Their names are part of the names of the manifests.
    enum Algorithm: CaseIterable {
        case sha256
        case sha512
    }

    static func bytes(_ lines: [(path: String, digests: FileDigests)], _ algorithm: Algorithm) -> [UInt8] {
        var bytes: [UInt8] = []
        for (path, digests) in lines {
            bytes += (algorithm == .sha256 ? digests.sha256.hex : digests.sha512.hex).utf8
            bytes += "  ".utf8
            bytes += escaped(path)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// A path with "%", line feeds and carriage returns escaped (RFC 8493, section 2.1.3).
    static func escaped(_ path: String) -> [UInt8] {
        path.utf8.flatMap { byte in
            switch byte {
            case UInt8(ascii: "%"): Array("%25".utf8)
            case UInt8(ascii: "\n"): Array("%0A".utf8)
            case UInt8(ascii: "\r"): Array("%0D".utf8)
            default: [byte]
            }
        }
    }
}
