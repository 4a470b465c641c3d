import Archive
import Catalogue
import Platform

/// Compares a site's files, as they are made again, with those that stand on disk.
struct TreeComparer: SiteOutput {
    private let folder: OpenFolder
    /// Where files that are written piece by piece are made; nothing else is there.
    private let scratch: String
    private let disk: DiskReserve
    /// What is wrong, by path.
    private let found = Guarded<[String: String]>([:])
    /// Digests by inode: a picture may have several names.
    private let digests = Guarded<[UInt64: SHA256]>([:])

    init(_ folder: OpenFolder, scratch: String) {
        self.folder = folder
        self.scratch = scratch
        disk = DiskReserve { Folder.freeSpace(scratch) }
    }

    /// What is wrong, in the order of the paths.
    var faults: [String] {
        found.withLock {
            $0.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.key) \($0.value)" }
        }
    }

    func write(_ bytes: [UInt8], to path: SitePath) {
        compare(path) {
            // No larger file is read than it takes to name the first byte that differs.
            let standing = try File.read(path.text, in: folder, limit: bytes.count + (1 << 20))
            guard standing != bytes else { return nil }
            let place =
                zip(standing, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
                ?? min(standing.count, bytes.count)
            return "is not what the archive makes, first at byte \(place)"
        }
    }

    func write(_ stream: SiteStream) throws {
        let draft = "\(scratch)/\(stream.path.text.split(separator: "/").joined(separator: "-"))"
        try stream.write(draft) { bytes in
            if let free = disk.shortage(for: bytes) { throw SiteError.diskIsFull(scratch, free: free) }
        }
        let wanted = try SHA256(ofFile: draft)
        try File.remove(draft)
        compare(stream.path) {
            try SHA256(ofFile: stream.path.text, in: folder) == wanted ? nil : "is not what the archive makes"
        }
    }

    func link(_ asset: Asset, to path: SitePath) {
        compare(path) {
            guard let status = FileStatus(path.text, in: folder) else { return "is missing" }
            let sha256: SHA256
            if let known = digests.withLock({ $0[status.inode] }) {
                sha256 = known
            } else {
                sha256 = try SHA256(ofFile: path.text, in: folder)
                digests.withLock { $0[status.inode] = sha256 }
            }
            return sha256 == asset.sha256 ? nil : "is not the picture that was captured"
        }
    }

    private func compare(_ path: SitePath, _ difference: () throws -> String?) {
        let fault: String?
        do {
            // A link may lead to the right bytes today; a copy of the folder, and who hashes its files, has none.
            fault =
                FileStatus(path.text, in: folder)?.isLink == true ? "is a symbolic link, not a file" : try difference()
        } catch let error as SystemError {
            fault = FileStatus(path.text, in: folder) == nil ? "is missing" : "cannot be read: \(error)"
        } catch {
            fault = "cannot be compared: \(error)"
        }
        if let fault { found.withLock { $0[path.text] = fault } }
    }
}
