import Glibc
public import Platform

/// The archive on disk: `archive.sqlite`, pictures by digest below `assets/`, and `incoming/` for what is on its way.
public struct ArchiveFolder: Sendable {
    /// The folder's path.
    public let path: String
    /// The database file.
    public let database: String

    /// The archive in that folder, which need not be there yet.
    public init(_ path: String) {
        self.init(path, database: "\(path)/archive.sqlite")
    }

    init(_ path: String, database: String) {
        self.path = path
        self.database = database
    }

    /// Where large bodies lie until they are whole.
    public var incoming: String { "\(path)/incoming" }

    /// Whether a database stands there.
    public var exists: Bool { FileStatus(database) != nil }

    /// Where the picture with that digest lies: a folder by its first digit, then all of them: few folders keep new files close together on the disk.
    public func assetPath(_ sha256: SHA256) -> String { assetPath(hex: sha256.hex) }

    /// Where the picture lies whose digest is written so.
    public func assetPath(hex: some StringProtocol) -> String { "\(path)/assets/\(hex.prefix(1))/\(hex)" }

    /// Makes the folders, and empties `incoming` of what a killed capture left.
    public func prepare() throws(SystemError) {
        try Folder.make(path)
        try Folder.remove(incoming)
        try Folder.make(incoming)
    }

    /// Whether the picture with that digest lies there, byte for byte.
    func holds(_ sha256: SHA256) -> Bool {
        do throws(SystemError) {
            return SHA256(of: try File.read(assetPath(sha256))) == sha256
        } catch {
            // What cannot be read is not there for us; that it cannot be written either will be said then.
            return false
        }
    }

    /// Puts a picture in its place, read-only. What lies there already and is damaged, by the disk or by a capture that was killed
    /// while it wrote, is mended as the file that it is: published sites have it under names of their own.
    func store(_ bytes: [UInt8], _ sha256: SHA256) throws(SystemError) {
        let path = assetPath(sha256)
        if FileStatus(path) != nil {
            if holds(sha256) { return }
            do {
                return try File.mend(path, with: bytes)
            } catch  where [ENOSPC, EDQUOT, EROFS, EIO].contains(error.code) {
                throw error
            } catch {
                try File.remove(path)
            }
        }
        do {
            try File.writeNew(bytes, to: path, mode: 0o444)
        } catch  where error.code == ENOENT {
            try Folder.make("\(self.path)/assets/\(sha256.hex.prefix(1))")
            try File.writeNew(bytes, to: path, mode: 0o444)
        }
    }
}
