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
        let size = try status(path, limit: Int64(limit)).size
        let bytes = try File.read(path, limit: limit)
        guard bytes.count == Int(size) else {
            throw SnapshotError.damaged("the length of \(path) changed while it was read")
        }
        return bytes
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

    /// Passes the bytes to the body, piece by piece.
    /// - Throws: `SnapshotError.changed` if the file does not have this size.
    func forEachPiece(of size: Int64, _ body: ([UInt8]) throws -> Void) throws {
        switch self {
        case .bytes(let bytes): try body(bytes)
        case .file(let path):
            var reader = try FileReader(path)
            var remaining = size
            var isPieceFull = true
            repeat {
                // One byte more than remains is read, to detect a longer file.
                let wanted = Int(min(max(0, remaining), Self.pieceSize - 1)) + 1
                let piece = try reader.read(wanted)
                remaining -= Int64(piece.count)
                isPieceFull = piece.count == wanted
                if remaining >= 0, !piece.isEmpty { try body(piece) }
            } while remaining >= 0 && isPieceFull
            guard remaining == 0 else { throw SnapshotError.changed("the length of \(path) changed while it was read") }
        }
    }

    func load(_ size: Int64) throws -> [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        var bytes: [UInt8] = []
        try forEachPiece(of: size) { bytes += $0 }
        return bytes
    }
}
