import Glibc
import Platform
import SQLite

/// The files of pictures.
///
/// A file counts as unchanged if its bytes were compared with its digest at most a week ago, and its status is still
/// the same. Every write changes the time of the last status change (ctime), which no program can set. Damage by the
/// disk is found when that week is over. `amber verify` finds it earlier, because it reads every byte. A hard link
/// to the picture, such as in a published site, also changes the ctime, and the file is then read again.
extension ArchiveFolder {
    /// The time for which a comparison is valid, in milliseconds.
    private static let lifetime: Int64 = 7 * 86_400_000

    /// The file of the picture with this digest; nil if it is missing or damaged.
    /// - Returns: `isUnchanged` is true if the file's status is unchanged, and false if its bytes had to be read.
    func intactFile(_ sha256: SHA256, in db: Connection) throws -> (file: FileStatus, isUnchanged: Bool)? {
        let name = Self.assetName(sha256)
        // An unreadable file counts as missing. The attempt to store it again reports the error.
        guard let folder = try? Folder.open(path), let file = FileStatus(name, in: folder) else { return nil }
        let now = millisecondsSince1970()
        let isUnchanged = try db.first(
            """
            SELECT 1 FROM asset JOIN seen ON seen.asset = asset.id
            WHERE sha256 = ? AND facts = ? AND compared BETWEEN ? AND ?
            """, sha256, Self.statusText(of: file), now - Self.lifetime, now
        ) { _ in true }
        if isUnchanged == true { return (file, true) }
        // An unreadable file counts as missing, as above.
        return (try? SHA256(ofFile: name, in: folder)) == sha256 ? (file, false) : nil
    }

    /// Stores the status of a picture's file after its bytes were written or compared with their digest.
    func storeStatus(_ file: FileStatus, ofAsset sha256: SHA256, in db: Connection) throws {
        try db.run(
            "INSERT OR REPLACE INTO seen SELECT id, ?2, ?3 FROM asset WHERE sha256 = ?1", sha256,
            Self.statusText(of: file), millisecondsSince1970())
    }

    static func statusText(of file: FileStatus) -> String {
        "\(file.size) \(file.modified) \(file.changed) \(file.inode) \(file.device)"
    }

    /// Stores a picture as a read-only file. A damaged file is replaced in place, because sites have hard links to it.
    /// - Parameter folder: the archive's folder.
    /// - Returns: the status of the file.
    func store(_ bytes: [UInt8], _ sha256: SHA256, in db: Connection, _ folder: OpenFolder) throws -> FileStatus {
        let name = Self.assetName(sha256)
        func write() throws -> FileStatus {
            try File.writeNew(bytes, to: name, in: folder, mode: 0o444)
        }
        let parent = "assets/\(sha256.hex.prefix(1))"
        if FileStatus(parent, in: folder) == nil { try folder.makeAll(parent) }
        do {
            return try write()
        } catch let error as SystemError where error.code == EEXIST {
        }
        if let intact = try intactFile(sha256, in: db) { return intact.file }
        do {
            try File.repair(name, in: folder, with: bytes)
            // The mode was changed after the content was written, so the status is read again.
            if let file = FileStatus(name, in: folder) { return file }
        } catch let error as SystemError where ![ENOSPC, EDQUOT, EROFS, EIO].contains(error.code) {}
        try File.remove(name, in: folder)
        return try write()
    }
}
