import Glibc
import Platform
import SQLite

/// Pictures in their files, and what was last seen of these.
///
/// A file is taken for whole while it is as it was when its bytes were last compared with their digest, and that was
/// within a week: whoever writes to it changes its time, and nobody can set that of its last change of status (ctime).
/// What changes without being written, by a fault of the disk, is found within that week, at once by `ArchiveVerifier`,
/// which reads every byte. A site that gives pictures further names changes that time too: then they are read once
/// more.
extension ArchiveFolder {
    /// Milliseconds for which a comparison stands.
    private static let lifetime: Int64 = 7 * 86_400_000

    /// Whether the picture with that digest lies there, byte for byte.
    func holds(_ sha256: SHA256) -> Bool {
        do throws(SystemError) {
            return try SHA256(ofFile: Self.assetName(hex: sha256.hex), in: Folder.open(path)) == sha256
        } catch {
            // What cannot be read is not there for us; that it cannot be written either will be said then.
            return false
        }
    }

    /// The file of the picture with that digest, if that lies there byte for byte, and whether it is as it was last
    /// seen; else its bytes are read.
    func whole(_ sha256: SHA256, in db: Connection) throws(SQLiteError) -> (file: FileStatus, isSeen: Bool)? {
        guard let file = status(of: sha256) else { return nil }
        let now = millisecondsSince1970()
        let isSeen = try db.first(
            """
            SELECT 1 FROM asset JOIN seen ON seen.asset = asset.id
            WHERE sha256 = ? AND facts = ? AND compared BETWEEN ? AND ?
            """, .blob(sha256.bytes), .text(Self.facts(of: file)), .integer(now - Self.lifetime), .integer(now)
        ) { _ in true }
        if isSeen == true { return (file, true) }
        return holds(sha256) ? (file, false) : nil
    }

    /// Notes how the file of a picture was when its bytes were compared with their digest, or written, just now.
    func note(_ file: FileStatus, ofAsset sha256: SHA256, in db: Connection) throws(SQLiteError) {
        try db.run(
            "INSERT OR REPLACE INTO seen SELECT id, ?2, ?3 FROM asset WHERE sha256 = ?1", .blob(sha256.bytes),
            .text(Self.facts(of: file)), .integer(millisecondsSince1970()))
    }

    static func facts(of file: FileStatus) -> String {
        "\(file.size) \(file.modified) \(file.changed) \(file.inode) \(file.device)"
    }

    /// Puts a picture in its place, read-only. What lies there already and is damaged, by the disk or by a capture that
    /// was killed while it wrote, is mended as the file that it is: published sites have it under names of their own.
    /// - Returns: its file as it is then.
    func store(_ bytes: [UInt8], _ sha256: SHA256, in db: Connection) throws -> FileStatus {
        if let file = try write(bytes, sha256) { return file }
        if let whole = try whole(sha256, in: db) { return whole.file }
        return try mend(bytes, sha256)
    }

    /// - Returns: nil where something lies there already.
    private func write(_ bytes: [UInt8], _ sha256: SHA256) throws(SystemError) -> FileStatus? {
        let folder = try Folder.open(path)
        let name = Self.assetName(hex: sha256.hex)
        var isFolderMade = false
        while true {
            do throws(SystemError) {
                return try File.writeNew(bytes, to: name, in: folder, mode: 0o444)
            } catch {
                if error.code == EEXIST { return nil }
                guard error.code == ENOENT, !isFolderMade else { throw error }
            }
            try folder.makeAll("assets/\(sha256.hex.prefix(1))")
            isFolderMade = true
        }
    }

    private func mend(_ bytes: [UInt8], _ sha256: SHA256) throws(SystemError) -> FileStatus {
        let folder = try Folder.open(path)
        let name = Self.assetName(hex: sha256.hex)
        do throws(SystemError) {
            try File.mend(name, in: folder, with: bytes)
            // Its rights have changed since it was written.
            if let file = FileStatus(name, in: folder) { return file }
        } catch {
            guard ![ENOSPC, EDQUOT, EROFS, EIO].contains(error.code) else { throw error }
        }
        try File.remove(name, in: folder)
        return try File.writeNew(bytes, to: name, in: folder, mode: 0o444)
    }

    /// The picture's file; nil where there is none, or where a link is on the way to it.
    private func status(of sha256: SHA256) -> FileStatus? {
        do throws(SystemError) {
            return FileStatus(Self.assetName(hex: sha256.hex), in: try Folder.open(path))
        } catch {
            // Without the folder there is no picture in it.
            return nil
        }
    }
}
