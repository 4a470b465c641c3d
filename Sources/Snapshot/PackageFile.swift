import Archive
import Platform

/// Opens the files of a package. A package may be malicious, so only regular files of limited size are read.
enum PackageFile {
    /// The maximum size in bytes of a statement, a list of digests, a signature or a key.
    static let standardLimit = 1 << 16

    /// The maximum size in bytes of any file of a package. Reading a longer file would take hours.
    static let maximumSize: Int64 = 1 << 38

    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The status of a file, which must be regular and at most `limit` bytes long.
    static func status(_ path: String, limit: Int64 = maximumSize) throws -> FileStatus {
        guard let status = FileStatus(path) else { throw SnapshotError.damaged("\(path) is missing") }
        guard status.isRegular else {
            let kind = status.isLink ? "a symbolic link" : status.isFolder ? "a folder" : "a pipe or device"
            throw SnapshotError.damaged("\(path) is \(kind), not a file")
        }
        guard status.size <= limit else {
            throw SnapshotError.damaged("\(path) has \(status.size) bytes; the limit is \(limit)")
        }
        return status
    }

    static func read(_ path: String, limit: Int = standardLimit) throws -> [UInt8] {
        _ = try status(path, limit: Int64(limit))
        return try File.read(path, limit: limit)
    }

    static func sha256(_ path: String) throws -> SHA256 {
        _ = try status(path)
        return try SHA256(ofFile: path)
    }

    /// Refuses a path that is not relative, or that contains NUL or an empty, "." or ".." segment. If a program
    /// unpacked such a path, it could write outside its folder.
    static func checkPath(_ path: String) throws {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain = segments.allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0)
        }
        guard isPlain else {
            throw SnapshotError.unwritable(
                "\"\(path)\" is not a valid path in a package; use a relative path without \".\" and \"..\"")
        }
    }
}

/// The content of a file in a package: bytes in memory, or the path of a file.
enum PackageContent: Sendable {
    case bytes([UInt8])
    case file(String)

    /// The size of a piece in bytes.
    static let pieceSize: Int64 = 1 << 20
    /// The maximum size of a file of a bag that is in memory as a whole.
    static let maximumLoadedSize: Int64 = 8 << 20

    /// Passes the bytes to the body, piece by piece.
    /// - Throws: `SnapshotError.changed` if there are more or fewer bytes than this size.
    func forEachPiece(of size: Int64, _ body: ([UInt8]) throws -> Void) throws {
        guard case .file(let path) = self else { return try body(load(size)) }
        let file = try File(reading: path)
        var remaining = size
        while case let piece = try file.read(Int(Self.pieceSize)), !piece.isEmpty {
            remaining -= Int64(piece.count)
            guard remaining >= 0 else { break }
            try body(piece)
        }
        guard remaining == 0 else {
            throw SnapshotError.changed("the length of \(path) changed while it was read")
        }
    }

    /// The bytes.
    /// - Throws: `SnapshotError.changed` if there are more or fewer bytes than this size.
    func load(_ size: Int64) throws -> [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        var loaded: [UInt8] = []
        try forEachPiece(of: size) { loaded += $0 }
        return loaded
    }
}
