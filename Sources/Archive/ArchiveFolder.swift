import Glibc
import Platform

/// The archive on disk: `archive.sqlite`, pictures named by digests in `assets/`, unfinished bodies in `incoming/`.
package final class ArchiveFolder: Sendable {
    package let path: String
    package let database: String
    let reading = Locked(ReadingState())

    /// - Parameter path: the folder; it may not exist yet.
    package init(_ path: String) {
        self.path = path
        database = "\(path)/archive.sqlite"
    }

    deinit {
        // The system deletes old files in its temporary folder, so an error does no harm.
        for folder in reading.withLock({ $0.temporaryFolders }) { try? Folder.remove(folder) }
    }

    package var incoming: String { "\(path)/incoming" }

    package var exists: Bool { FileStatus(database) != nil }

    package func assetPath(_ sha256: SHA256) -> String { "\(path)/\(Self.assetName(sha256))" }

    /// The path of a picture relative to the archive's folder: `assets/`, the first digit of the digest, and all
    /// digits. There are few folders, so that new files are close together on the disk.
    package static func assetName(_ sha256: SHA256) -> String { "assets/\(sha256.hex.prefix(1))/\(sha256.hex)" }

    /// Whether a picture's file has its bytes and is not a link.
    /// - Parameter folder: the archive's folder.
    func isIntact(_ sha256: SHA256, in folder: OpenFolder) -> Bool {
        // `try?`, because an unreadable file counts as missing; storing it then reports the error.
        (try? SHA256(ofFile: Self.assetName(sha256), in: folder)) == sha256
    }

    /// Stores a picture as a read-only file. A damaged file is replaced in place, because sites have hard links to it.
    /// A symbolic link or a pipe is removed first.
    /// - Parameter folder: the archive's folder.
    func store(_ bytes: [UInt8], _ sha256: SHA256, in folder: OpenFolder) throws {
        let name = Self.assetName(sha256)
        func write() throws { _ = try File.writeNew(bytes, to: name, in: folder, mode: 0o444) }
        let parent = "assets/\(sha256.hex.prefix(1))"
        if FileStatus(parent, in: folder) == nil { try folder.makeAll(parent) }
        guard FileStatus(name, in: folder) != nil else { return try write() }
        if isIntact(sha256, in: folder) { return }
        do {
            return try File.repair(name, in: folder, with: bytes)
        } catch let error as SystemError where ![ENOSPC, EDQUOT, EROFS, EIO].contains(error.code) {}
        try File.remove(name, in: folder)
        try write()
    }
}

/// The file archive.sqlite.sha256 shows whether the database has changed since it was closed. `sha256sum` can read it.
extension ArchiveFolder {
    var digestFile: String { "\(database).sha256" }

    func writeDigestFile() throws { try File.replace(try digestLine(), at: digestFile) }

    /// - Returns: the fault; nil if no byte of the database has changed since it was closed.
    func digestFileFault() throws -> String? {
        guard let file = FileStatus(digestFile) else {
            return
                "archive.sqlite.sha256 is missing, because a capture was interrupted, or because another program read "
                + "the archive when the capture ended; run amber capture"
        }
        // The file is untrusted: it may be a pipe or larger than the memory.
        guard try DatabaseFiles(database).areAtRest() else {
            return
                "a log or journal next to archive.sqlite has changes that are not in the database; run amber capture "
                + "to complete the interrupted capture, or use another copy"
        }
        guard file.isRegular, file.size < 1 << 10, try File.read(digestFile) == digestLine() else {
            return "archive.sqlite was changed after it was closed: its SHA-256 differs from archive.sqlite.sha256"
        }
        return nil
    }

    private func digestLine() throws -> [UInt8] { Array("\(try SHA256(ofFile: database).hex)  archive.sqlite\n".utf8) }
}
