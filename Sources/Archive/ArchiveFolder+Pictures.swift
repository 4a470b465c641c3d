import Glibc
import Platform

extension ArchiveFolder {
    /// Whether the file of the picture with this digest has its bytes. An unreadable file counts as missing. The
    /// attempt to store it again reports the error.
    func isIntact(_ sha256: SHA256) -> Bool { (try? SHA256(ofFile: assetPath(sha256))) == sha256 }

    /// Stores a picture as a read-only file. A damaged file is replaced in place, because sites have hard links to it.
    /// - Parameter folder: the archive's folder.
    func store(_ bytes: [UInt8], _ sha256: SHA256, in folder: OpenFolder) throws {
        let name = Self.assetName(sha256)
        func write() throws { _ = try File.writeNew(bytes, to: name, in: folder, mode: 0o444) }
        let parent = "assets/\(sha256.hex.prefix(1))"
        if FileStatus(parent, in: folder) == nil { try folder.makeAll(parent) }
        guard FileStatus(name, in: folder) != nil else { return try write() }
        if isIntact(sha256) { return }
        do {
            return try File.repair(name, in: folder, with: bytes)
        } catch let error as SystemError where ![ENOSPC, EDQUOT, EROFS, EIO].contains(error.code) {}
        try File.remove(name, in: folder)
        try write()
    }
}
