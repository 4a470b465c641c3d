import Archive
import Platform

/// Opens the files of a package: regular files only, and small ones with a limit, since a package may come from
/// anybody.
enum PackageFile {
    /// The most bytes of a statement, a list of digests or a signature.
    static let standardLimit = 1 << 16

    /// The most bytes of any file of a package: reading a longer one would take hours.
    static let largest: Int64 = 1 << 38

    /// The last part of a path.
    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The status of a regular file.
    static func status(_ path: String) throws(SnapshotError) -> FileStatus {
        guard let status = FileStatus(path) else { throw .damaged("\(path) is missing") }
        guard status.isRegular else {
            throw .damaged(
                "\(path) is \(status.isLink ? "a symbolic link" : status.isFolder ? "a folder" : "a pipe or device"), "
                    + "not a file"
            )
        }
        return status
    }

    /// Refuses what is not a regular file, or is too long to be read.
    static func refuseOversize(_ path: String) throws(SnapshotError) {
        let size = try status(path).size
        guard size <= largest else { throw .damaged("\(path) has \(size) bytes; at most \(largest) are read") }
    }

    /// Opens a file.
    static func open(_ path: String) throws(SnapshotError) -> FileReader {
        try refuseOversize(path)
        return try FileReader.opened(path)
    }

    /// Reads a whole file of at most that many bytes.
    static func read(_ path: String, limit: Int = standardLimit) throws(SnapshotError) -> [UInt8] {
        let size = try status(path).size
        guard size <= limit else { throw .damaged("\(path) has \(size) bytes; at most \(limit) are read") }
        var reader = try FileReader.opened(path)
        let bytes: [UInt8]
        do { bytes = try reader.read(Int(size) + 1) } catch { throw .file(error) }
        guard bytes.count == Int(size) else { throw .damaged("\(path) changed its length while it was read") }
        return bytes
    }

    /// The SHA-256 of a file.
    static func sha256(_ path: String) throws(SnapshotError) -> SHA256 {
        try refuseOversize(path)
        do { return try SHA256(ofFile: path) } catch { throw .file(error) }
    }
}
