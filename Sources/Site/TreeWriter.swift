import Archive
import CSystem
import Catalogue
import Glibc
import Platform

/// Brings files of a tree up to date: what is there already is left alone, what differs is written in place.
struct TreeWriter: Sendable {
    enum Outcome {
        case kept
        case written
    }

    let folder: OpenFolder
    /// What the tree holds from an earlier build.
    let before: Manifest

    /// Writes a text file unless the tree has it.
    func write(_ bytes: [UInt8], to path: SitePath) throws(SystemError) -> (Manifest.Entry, Outcome) {
        let digest = Self.digest(of: SHA256(of: bytes))
        let status = FileStatus(path.text, in: folder)
        let known = before.entries[path.text]
        if let known, known.digest == digest, known.holds(for: status) { return (known, .kept) }
        // In place is fastest, but a file with a second name is somebody's copy, and one not as it was left may be anything.
        if let status, let known, known.holds(for: status), status.links == 1 {
            try File.overwrite(path.text, in: folder, with: bytes)
        } else {
            if status != nil { try File.remove(path.text, in: folder) }
            try File.writeNew(bytes, to: path.text, in: folder)
        }
        return (try entry(path, digest), .written)
    }

    /// Puts a picture at its place as a second name of the archive's file, or as a copy where the file system has no such thing.
    func link(_ asset: Asset, from file: String, to path: SitePath) throws(SystemError) -> (Manifest.Entry, Outcome) {
        let digest = Self.digest(of: asset.sha256)
        let status = FileStatus(path.text, in: folder)
        if let known = before.entries[path.text], known.digest == digest, known.holds(for: status) { return (known, .kept) }
        if status != nil { try File.remove(path.text, in: folder) }
        if linkat(AT_FDCWD, file, folder.descriptor, path.text, 0) != 0 {
            guard [EXDEV, EMLINK, EPERM, ENOTSUP].contains(errno) else { throw SystemError("link \(file) to", path.text) }
            try File.writeNew(try File.read(file), to: path.text, in: folder)
        }
        return (try entry(path, digest), .written)
    }

    private func entry(_ path: SitePath, _ digest: String) throws(SystemError) -> Manifest.Entry {
        guard let status = FileStatus(path.text, in: folder) else { throw SystemError("find", path.text) }
        return Manifest.Entry(size: status.size, modified: status.modified, inode: status.inode, digest: digest)
    }

    private static func digest(of sha256: SHA256) -> String { String(sha256.hex.prefix(32)) }
}
