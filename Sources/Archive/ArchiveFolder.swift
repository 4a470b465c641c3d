public import Platform

/// The archive on disk: `archive.sqlite`, pictures by digest below `assets/`, and `incoming/` for what is on its way.
public struct ArchiveFolder: Sendable {
    /// The folder's path.
    public let path: String
    /// The database file.
    public let database: String
    let readable: ReadableDatabase

    /// The archive in that folder, which need not be there yet.
    public init(_ path: String) {
        self.path = path
        database = "\(path)/archive.sqlite"
        readable = ReadableDatabase(database)
    }

    /// Where large bodies lie until they are whole.
    public var incoming: String { "\(path)/incoming" }

    /// Whether a database stands there.
    public var exists: Bool { FileStatus(database) != nil }

    /// Where the picture with that digest lies: a folder by its first digit, then all of them: few folders keep new
    /// files close together on the disk.
    public func assetPath(_ sha256: SHA256) -> String { assetPath(hex: sha256.hex) }

    /// Where the picture lies whose digest is written so.
    public func assetPath(hex: some StringProtocol) -> String { "\(path)/\(Self.assetName(hex: hex))" }

    /// The same, relative to the archive's folder.
    public static func assetName(hex: some StringProtocol) -> String { "assets/\(hex.prefix(1))/\(hex)" }

    /// Makes the folders, and empties `incoming` of what a killed capture left.
    public func prepare() throws(SystemError) {
        try Folder.make(path)
        try Folder.remove(incoming)
        try Folder.make(incoming)
    }
}
