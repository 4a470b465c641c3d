import Glibc
public import Platform

/// The archive on disk: `archive.sqlite`, pictures by digest below `assets/`, and `incoming/` for what is on its way.
public struct ArchiveFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// The archive in that folder, which need not be there yet.
    public init(_ path: String) {
        self.path = path
    }

    /// The database file.
    public var database: String { "\(path)/archive.sqlite" }

    /// Where large bodies lie until they are whole.
    public var incoming: String { "\(path)/incoming" }

    /// Whether a database stands there.
    public var exists: Bool { FileStatus(database) != nil }

    /// Where the picture with that digest lies: a folder by its first digit, then all of them: few folders keep new files close together on the disk.
    public func assetPath(_ sha256: SHA256) -> String {
        let hex = sha256.hex
        return "\(path)/assets/\(hex.prefix(1))/\(hex)"
    }

    /// Makes the folders, and empties `incoming` of what a killed capture left.
    public func prepare() throws(SystemError) {
        try Folder.make(path)
        try Folder.remove(incoming)
        try Folder.make(incoming)
    }

    /// Puts a picture in its place, read-only; that it is there already costs nothing.
    func store(_ bytes: [UInt8], _ sha256: SHA256) throws(SystemError) {
        let path = assetPath(sha256)
        if let status = FileStatus(path) {
            guard status.size != Int64(bytes.count) else { return }
            // A capture was killed while it wrote this file; no row of the database names it yet.
            try File.remove(path)
        }
        do {
            try File.writeNew(bytes, to: path, mode: 0o444)
        } catch  where error.code == ENOENT {
            try Folder.make("\(self.path)/assets/\(sha256.hex.prefix(1))")
            try File.writeNew(bytes, to: path, mode: 0o444)
        }
    }
}
