import Archive
import Platform

/// Writes a bag (BagIt 1.0, RFC 8493) as a folder, as a tar, or as both in one pass over the content.
///
/// Each file is read once, and both its digests are made then; files that are names of one file are read once together.
/// The bytes are a function of the files and the values given here: no clock is read.
struct BagWriter: Sendable {
    struct Report: Sendable, Equatable {
        /// The payload's files, and their bytes.
        let files: Int
        let bytes: Int64
        /// The SHA-256 of tagmanifest-sha256.txt, which covers the whole bag.
        let tagManifest: SHA256
    }

    /// The one folder that the tar holds.
    let name: String
    /// What bag-info.txt says before what every bag has.
    let info: [(label: String, value: String)]
    let baggingDate: String
    let software: String
    /// The time of last change of everything in the tar, in seconds since 1970.
    let modified: Int64

    /// - Parameter folder: where the bag goes as a folder. Files on disk get a second name there, or a copy, but for
    ///   those that are in their places already. There may be nothing else.
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
        let listed = zip(payload.entries, digests).map { (path: "data/\($0.file.path)", digests: $1) }
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
                ("Payload-Oxum", "\(payload.bytes).\(payload.entries.count)"),
            ]
        for (label, value) in fields where (label + value).utf8.contains(where: { $0 == 10 || $0 == 13 }) {
            throw SnapshotError.unwritable(
                "bag-info.txt has no room for \"\(label)\" with \"\(value)\": both have to be of one line")
        }
        return Array(fields.map { "\($0): \($1)\n" }.joined().utf8)
    }
}

enum BagManifest {
    /// bagit.txt (RFC 8493, section 2.1.1).
    static let declaration = Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)

    /// The digests that each bag has; interpolated, they are the parts of its manifests' names.
    enum Algorithm: CaseIterable {
        case sha256
        case sha512
    }

    static func bytes(_ lines: [(path: String, digests: FileDigests)], _ algorithm: Algorithm) -> [UInt8] {
        var bytes: [UInt8] = []
        for (path, digests) in lines {
            bytes += (algorithm == .sha256 ? digests.sha256.hex : digests.sha512Hex).utf8
            bytes += "  ".utf8
            bytes += escaped(path)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// A path with the three characters escaped that would end or change a line (RFC 8493, section 2.1.3).
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
