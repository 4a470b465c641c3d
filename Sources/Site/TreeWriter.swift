import Archive
import Catalogue
import Glibc
import Platform

/// Brings files of a tree up to date: what is there already is left alone, what differs is written in place.
struct TreeWriter: SiteOutput {
    enum Outcome {
        case kept
        case written
    }

    let folder: OpenFolder
    /// Where pictures are from.
    private let archive: OpenFolder
    /// Pictures of the archive whose bytes this build has compared: each has several names in a site.
    private let compared = Guarded<Set<SHA256>>([])
    private let disk: DiskReserve
    private let limit: Int64?
    /// The bytes of the files so far, pictures aside.
    private let size = Guarded<Int64>(0)

    /// - Parameters:
    ///   - limit: the most bytes of all files, pictures aside.
    ///   - freeSpace: the free bytes where the folder is; nil to ask the system.
    init(folder: OpenFolder, archive: OpenFolder, limit: Int64? = nil, freeSpace: (@Sendable () -> Int?)? = nil) {
        self.folder = folder
        self.archive = archive
        self.limit = limit
        disk = DiskReserve(freeSpace ?? { Folder.freeSpace(folder.path) })
    }

    /// Counts what is about to be written: an API with few answers can have records that make many pages.
    private func take(_ bytes: Int) throws(SiteError) {
        if let free = disk.shortage(for: bytes) { throw .diskIsFull(folder.path, free: free) }
    }

    /// Counts a file that is no picture.
    private func count(_ bytes: Int64) throws(ArchiveError) {
        guard let limit else { return }
        let size = size.withLock { size in
            size += bytes
            return size
        }
        guard size <= limit else { throw .damaged("it makes a site of more than \(limit) bytes") }
    }

    /// Writes a text file unless the tree has it.
    func write(_ bytes: [UInt8], to path: SitePath, known: Manifest.Entry?) throws -> (Manifest.Entry, Outcome) {
        try count(Int64(bytes.count))
        let digest = SHA256(of: bytes)
        guard let known, let status = FileStatus(path.text, in: folder), known.holds(for: status) else {
            return try create(bytes, path, digest)
        }
        if known.digest == digest { return (known, .kept) }
        // In place is fastest, but a file with a second name is somebody's copy, or the published tree's.
        guard status.links == 1 else { return try create(bytes, path, digest) }
        try take(bytes.count)
        try File.overwrite(path.text, in: folder, with: bytes)
        return (try entry(path, digest, .written), .written)
    }

    /// Puts a file that is written piece by piece at its place, unless the tree has it: it is written beside it first.
    func write(_ stream: SiteStream, known: Manifest.Entry?) throws -> (Manifest.Entry, Outcome) {
        let path = stream.path
        let draft = "\(path.text).draft"
        // The folder that it lies in is no link, and nothing has its name now; whoever writes makes a new file
        // (O_EXCL). SQLite takes paths.
        try File.remove(draft, in: folder)
        do {
            var written: Int64 = 0
            try stream.write("\(folder.path)/\(draft)") { bytes in
                written += Int64(bytes)
                try count(Int64(bytes))
                try take(bytes)
            }
            // A database is not exactly as large as what is written to it.
            try count((FileStatus(draft, in: folder)?.size ?? 0) - written)
            return try place(draft, at: path, known)
        } catch {
            // The first error is reported. The next build removes a draft that remains.
            try? File.remove(draft, in: folder)
            throw error
        }
    }

    private func place(_ draft: String, at path: SitePath, _ known: Manifest.Entry?) throws -> (Manifest.Entry, Outcome)
    {
        let digest = try SHA256(ofFile: draft, in: folder)
        if let known, known.digest == digest, known.holds(for: FileStatus(path.text, in: folder)) {
            try File.remove(draft, in: folder)
            return (known, .kept)
        }
        try File.rename(draft, to: path.text, in: folder)
        return (try entry(path, digest, .written), .written)
    }

    /// Puts a picture at its place as a second name of the archive's file, or as a copy where the file system has no
    /// such thing.
    func link(_ asset: Asset, to path: SitePath, known: Manifest.Entry?) throws -> (Manifest.Entry, Outcome) {
        let file = ArchiveFolder.assetName(hex: asset.sha256.hex)
        let shown = "\(archive.path)/\(file)"
        guard let original = FileStatus(file, in: archive) else {
            // A folder on the way that is a link is named.
            guard try OpenFile(file, in: archive) == nil else {
                throw ArchiveError.damaged("the picture \(shown) cannot be found")
            }
            throw ArchiveError.damaged("the picture \(shown) is missing")
        }
        guard original.isRegular else { throw ArchiveError.damaged("the picture \(shown) is not a regular file") }
        guard original.size == Int64(asset.size) else {
            throw ArchiveError.damaged("the picture \(shown) has \(original.size) bytes in place of \(asset.size)")
        }
        let digest = asset.sha256
        if let known, known.digest == digest, known.holds(for: FileStatus(path.text, in: folder), madeFrom: original) {
            return (known, .kept)
        }
        // What was kept has been compared when it came; what comes now is compared here, once.
        if !compared.withLock({ $0.contains(asset.sha256) }) {
            guard try SHA256(ofFile: file, in: archive) == asset.sha256 else {
                throw ArchiveError.damaged("the picture \(shown) is not what was captured")
            }
            compared.withLock { _ = $0.insert(asset.sha256) }
        }
        // A second name has the facts of the first.
        let linked = Manifest.Entry(original, digest, .link)
        switch try File.link(file, of: archive, to: path.text, in: folder) {
        case .linked: return (linked, .written)
        case .kept: return (linked, .kept)
        case .refused: return (try copy(file, of: asset, original, to: path), .written)
        }
    }

    /// A copy has its original's time, so that one whose original was repaired or replaced since is known.
    private func copy(
        _ file: String, of asset: Asset, _ original: FileStatus, to path: SitePath
    ) throws -> Manifest.Entry {
        let bytes = try File.read(file, in: archive)
        guard SHA256(of: bytes) == asset.sha256 else {
            throw ArchiveError.damaged("the picture \(archive.path)/\(file) changed while it was copied")
        }
        let digest = asset.sha256
        _ = try create(bytes, path, digest)
        try File.setModified(path.text, in: folder, to: original.modified)
        return try entry(path, digest, .copy)
    }

    /// Writes a file as a new one, in the place of whatever is there; what is there may be the very same.
    private func create(_ bytes: [UInt8], _ path: SitePath, _ digest: SHA256) throws -> (Manifest.Entry, Outcome) {
        try take(bytes.count)
        do throws(SystemError) {
            return (Manifest.Entry(try File.writeNew(bytes, to: path.text, in: folder), digest, .written), .written)
        } catch  where error.code == EEXIST {
            if let same = try File.status(of: path.text, in: folder, ifHolding: bytes) {
                return (Manifest.Entry(same, digest, .written), .kept)
            }
            try File.remove(path.text, in: folder)
            return (Manifest.Entry(try File.writeNew(bytes, to: path.text, in: folder), digest, .written), .written)
        }
    }

    private func entry(_ path: SitePath, _ digest: SHA256, _ way: Manifest.Entry.Way) throws(SystemError)
        -> Manifest.Entry
    {
        guard let status = FileStatus(path.text, in: folder) else { throw SystemError("find", path.text) }
        return Manifest.Entry(status, digest, way)
    }
}
