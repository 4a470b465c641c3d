import Glibc
import Platform
import SQLite

/// Files of pictures, and their status when they were last compared with their digests.
///
/// A file counts as unchanged while its status is the one noted at a comparison within the last week: writing to a file
/// changes its times, and the time of the last status change (ctime) cannot be set. What a fault of the disk changes is
/// found within that week, or at once by `ArchiveVerifier`, which reads every byte. A site that gives pictures further
/// names changes that time too: then they are read once more.
extension ArchiveFolder {
    /// How long a comparison is valid, in milliseconds.
    private static let lifetime: Int64 = 7 * 86_400_000

    /// The file of the picture with that digest, if its bytes have the digest, and whether that is known from its
    /// status. Else its bytes are read.
    func whole(_ sha256: SHA256, in db: Connection) throws -> (file: FileStatus, isSeen: Bool)? {
        let name = Self.assetName(hex: sha256.hex)
        // A file that cannot be read is missing; storing it again reports why it cannot be written.
        guard let folder = try? Folder.open(path), let file = FileStatus(name, in: folder) else { return nil }
        let now = millisecondsSince1970()
        let isSeen = try db.first(
            """
            SELECT 1 FROM asset JOIN seen ON seen.asset = asset.id
            WHERE sha256 = ? AND facts = ? AND compared BETWEEN ? AND ?
            """, .blob(sha256.bytes), .text(Self.facts(of: file)), .integer(now - Self.lifetime), .integer(now)
        ) { _ in true }
        if isSeen == true { return (file, true) }
        // As above.
        return (try? SHA256(ofFile: name, in: folder)) == sha256 ? (file, false) : nil
    }

    /// Notes the status of a picture's file whose bytes were just compared with their digest, or written.
    func note(_ file: FileStatus, ofAsset sha256: SHA256, in db: Connection) throws {
        try db.run(
            "INSERT OR REPLACE INTO seen SELECT id, ?2, ?3 FROM asset WHERE sha256 = ?1", .blob(sha256.bytes),
            .text(Self.facts(of: file)), .integer(millisecondsSince1970()))
    }

    static func facts(of file: FileStatus) -> String {
        "\(file.size) \(file.modified) \(file.changed) \(file.inode) \(file.device)"
    }

    /// Stores a picture as a read-only file. If there is a file that is damaged, by the disk or by a killed capture, its
    /// content is replaced and the file kept: published sites have further names of it.
    /// - Returns: the status of its file.
    func store(_ bytes: [UInt8], _ sha256: SHA256, in db: Connection) throws -> FileStatus {
        let folder = try Folder.open(path)
        let name = Self.assetName(hex: sha256.hex)
        func write() throws(SystemError) -> FileStatus {
            try File.writeNew(bytes, to: name, in: folder, mode: 0o444)
        }
        for isFolderMissing in [false, true] {
            do throws(SystemError) {
                if isFolderMissing { try folder.makeAll("assets/\(sha256.hex.prefix(1))") }
                return try write()
            } catch {
                if error.code == EEXIST { break }
                guard error.code == ENOENT, !isFolderMissing else { throw error }
            }
        }
        if let whole = try whole(sha256, in: db) { return whole.file }
        do throws(SystemError) {
            try File.mend(name, in: folder, with: bytes)
            // Its mode has changed since it was written.
            if let file = FileStatus(name, in: folder) { return file }
        } catch {
            guard ![ENOSPC, EDQUOT, EROFS, EIO].contains(error.code) else { throw error }
        }
        try File.remove(name, in: folder)
        return try write()
    }
}
