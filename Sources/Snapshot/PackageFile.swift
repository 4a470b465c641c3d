import Archive
import Platform

/// Opens the files of a package: regular files only, with a limit of their size, since a package may come from anybody.
enum PackageFile {
    /// The most bytes of a statement, a list of digests or a signature.
    static let standardLimit = 1 << 16

    /// The most bytes of any file of a package: reading a longer one would take hours.
    static let largest: Int64 = 1 << 38

    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The status of a regular file of at most that many bytes.
    static func status(_ path: String, limit: Int64 = largest) throws -> FileStatus {
        guard let status = FileStatus(path) else { throw SnapshotError.damaged("\(path) is missing") }
        guard status.isRegular else {
            let kind = status.isLink ? "a symbolic link" : status.isFolder ? "a folder" : "a pipe or device"
            throw SnapshotError.damaged("\(path) is \(kind), not a file")
        }
        guard status.size <= limit else {
            throw SnapshotError.damaged("\(path) has \(status.size) bytes; at most \(limit) are read")
        }
        return status
    }

    static func read(_ path: String, limit: Int = standardLimit) throws -> [UInt8] {
        let size = try status(path, limit: Int64(limit)).size
        let bytes = try File.read(path, limit: limit)
        guard bytes.count == Int(size) else {
            throw SnapshotError.damaged("\(path) changed its length while it was read")
        }
        return bytes
    }

    static func sha256(_ path: String) throws -> SHA256 {
        _ = try status(path)
        return try SHA256(ofFile: path)
    }

    /// Refuses a path that is not relative, has empty, "." or ".." segments, or NUL: unpacking has to stay in its folder.
    static func checkPath(_ path: String) throws {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain = segments.allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0)
        }
        guard isPlain else {
            throw SnapshotError.unwritable(
                "\"\(path)\" is no path within a package; give a relative path of plain names")
        }
    }
}

/// Bytes on their way into a package: in memory, or in the file of that path.
enum PackageContent: Sendable {
    case bytes([UInt8])
    case file(String)

    /// How much of a file is in memory at once.
    static let pieceSize: Int64 = 1 << 20

    /// Hands on the bytes a piece at a time. A file that does not have that many is an error.
    func forEachPiece(of size: Int64, _ body: ([UInt8]) throws -> Void) throws {
        switch self {
        case .bytes(let bytes): try body(bytes)
        case .file(let path):
            var reader = try FileReader(path)
            var left = size
            var isWhole = true
            repeat {
                // One byte more, to notice a file that is longer.
                let wanted = Int(min(max(0, left), Self.pieceSize - 1)) + 1
                let piece = try reader.read(wanted)
                left -= Int64(piece.count)
                isWhole = piece.count == wanted
                if left >= 0, !piece.isEmpty { try body(piece) }
            } while left >= 0 && isWhole
            guard left == 0 else { throw SnapshotError.changed("\(path) changed its length while it was read") }
        }
    }

    func load(_ size: Int64) throws -> [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        var bytes: [UInt8] = []
        try forEachPiece(of: size) { bytes += $0 }
        return bytes
    }
}
