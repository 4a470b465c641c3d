import Archive
import Catalogue
import Glibc
import Platform

/// Receives the files of a site during a build, from several threads.
protocol SiteOutput: Sendable {
    /// The counts of all files so far.
    var report: BuildReport { get }

    func write(_ bytes: [UInt8], to path: SitePath) throws

    func write(_ stream: SiteStream) throws

    /// Adds a picture of the archive to the site.
    func link(_ asset: Asset, to path: SitePath) throws
}

/// Brings the files of a tree up to date. A file that the tree or the published tree already has is reused; other files
/// are written.
struct TreeWriter: SiteOutput {
    let folder: OpenFolder
    /// Whether the folder was empty at the beginning. Then no look-ups are needed: the look-up of a missing name takes
    /// a lock of the folder that blocks all other writers.
    private let isNew: Bool
    private let published: OpenFolder?
    private let archive: OpenFolder
    private let manifest: ManifestWriter?
    /// Pictures whose digest this build has already compared. Each picture has several names in a site.
    private let compared = Locked<Set<SHA256>>([])
    private let disk: DiskReserve
    private let limit: Int64?
    /// The bytes of all files so far, without pictures.
    private let size = Locked<Int64>(0)
    private let state = Locked(BuildReport())

    /// - Parameters:
    ///   - limit: the maximum bytes of all files, without pictures.
    ///   - freeSpace: returns the free bytes of the folder's disk; by default, the system's value.
    init(
        folder: OpenFolder, isNew: Bool = true, published: OpenFolder? = nil, archive: OpenFolder,
        manifest: ManifestWriter? = nil, limit: Int64? = nil, freeSpace: (@Sendable () -> Int?)? = nil
    ) {
        self.folder = folder
        self.isNew = isNew
        self.published = published
        self.archive = archive
        self.manifest = manifest
        self.limit = limit
        disk = DiskReserve(freeSpace ?? { Folder.freeSpace(folder.path) })
    }

    var report: BuildReport { state.withLock { $0 } }
}

extension TreeWriter {
    func write(_ bytes: [UInt8], to path: SitePath) throws {
        try count(Int64(bytes.count))
        try put(bytes, at: path)
    }

    /// Writes the file under a draft name in the same folder, and renames it if it is new.
    func write(_ stream: SiteStream) throws {
        let path = stream.path
        let draft = "\(path.text).draft"
        // The stream opens the draft by path, because SQLite requires paths. This is safe: the folder is not a link,
        // the name is free, and O_EXCL creates a new file.
        try File.remove(draft, in: folder)
        do {
            var written: Int64 = 0
            try stream.write("\(folder.path)/\(draft)") { bytes in
                written += Int64(bytes)
                try count(Int64(bytes))
                try reserve(bytes)
            }
            guard let status = FileStatus(draft, in: folder) else { throw SystemError("find", draft) }
            // A database file does not have exactly the size of the data written to it.
            try count(status.size - written)
            let known = try reuse(path) { tree in
                guard let known = FileStatus(path.text, in: tree), known.isRegular, known.size == status.size,
                    try SHA256(ofFile: path.text, in: tree) == SHA256(ofFile: draft, in: folder)
                else { return nil }
                return known
            }
            if known == nil {
                try File.rename(draft, to: path.text, in: folder)
            } else {
                try File.remove(draft, in: folder)
            }
            try addEntry(path, Manifest.Entry(known ?? status), isWritten: known == nil)
        } catch {
            // The first error is reported. The next build removes a draft that remains.
            try? File.remove(draft, in: folder)
            throw error
        }
    }

    /// Adds a picture as a hard link to the archive's file, or as a copy if the file system has no hard links.
    func link(_ asset: Asset, to path: SitePath) throws {
        let file = ArchiveFolder.assetName(hex: asset.sha256.hex)
        let original = try original(of: asset, file)
        let linked = Manifest.Entry(original, pictureOf: asset.sha256, .link)
        if !compared.withLock({ $0.contains(asset.sha256) }) {
            guard try SHA256(ofFile: file, in: archive) == asset.sha256 else {
                throw ArchiveError.damaged("the picture \(archive.path)/\(file) does not match its digest")
            }
            compared.withLock { _ = $0.insert(asset.sha256) }
        }
        let known = try reuse(path) { tree in
            FileStatus(path.text, in: tree).flatMap { $0.isSameFile(as: original) ? $0 : nil }
        }
        guard known == nil else { return try addEntry(path, linked, isWritten: false) }
        switch try File.link(file, of: archive, to: path.text, in: folder) {
        case .linked: try addEntry(path, linked, isWritten: true)
        case .kept: try addEntry(path, linked, isWritten: false)
        case .refused:
            let bytes = try File.read(file, in: archive)
            guard SHA256(of: bytes) == asset.sha256 else {
                throw ArchiveError.damaged("the picture \(archive.path)/\(file) changed while it was copied")
            }
            try put(bytes, at: path, copyOf: (asset.sha256, original.modified))
        }
    }

    private func original(of asset: Asset, _ file: String) throws -> FileStatus {
        let shown = "\(archive.path)/\(file)"
        guard let original = FileStatus(file, in: archive) else {
            // `OpenFile` throws if a folder of the path is a symbolic link, and its error names the folder.
            guard try OpenFile(file, in: archive) == nil else {
                throw ArchiveError.damaged("the picture \(shown) cannot be found")
            }
            throw ArchiveError.damaged("the picture \(shown) is missing")
        }
        guard original.isRegular else { throw ArchiveError.damaged("the picture \(shown) is not a regular file") }
        guard original.size == Int64(asset.size) else {
            throw ArchiveError.damaged("the picture \(shown) has \(original.size) bytes instead of \(asset.size)")
        }
        return original
    }
}

extension TreeWriter {
    /// Reuses a file of this tree, or creates a hard link to a file of the published tree.
    /// - Parameter find: the status of the file in a tree; nil if the file is missing or differs.
    /// - Returns: the status of the reused file; nil if neither tree has it.
    private func reuse(_ path: SitePath, _ find: (OpenFolder) throws -> FileStatus?) throws -> FileStatus? {
        if !isNew, let status = try find(folder) { return status }
        guard let published, let status = try find(published),
            try File.link(path.text, of: published, to: path.text, in: folder) != .refused
        else { return nil }
        return status
    }

    /// - Parameter picture: the archive's file if this is a copy of a picture. The copy gets the original's time, which
    ///   shows later whether the original was replaced.
    private func put(
        _ bytes: [UInt8], at path: SitePath, copyOf picture: (sha256: SHA256, modified: Int64)? = nil
    ) throws {
        let known = try reuse(path) { tree in
            let status = try File.status(of: path.text, in: tree, ifEqualTo: bytes)
            return picture == nil || status?.modified == picture?.modified ? status : nil
        }
        var status = try known ?? create(bytes, path, mayOverwrite: picture == nil)
        if known == nil, let picture {
            try File.setModified(path.text, in: folder, to: picture.modified)
            guard let changed = FileStatus(path.text, in: folder) else { throw SystemError("find", path.text) }
            status = changed
        }
        let entry = Manifest.Entry(status, pictureOf: picture?.sha256, picture == nil ? .written : .copy)
        try addEntry(path, entry, isWritten: known == nil)
    }

    /// Writes a file, and replaces an existing one.
    private func create(_ bytes: [UInt8], _ path: SitePath, mayOverwrite: Bool) throws -> FileStatus {
        try reserve(bytes.count)
        // Overwriting is fastest. But a file with a second hard link may be in the published tree or in a backup.
        if !isNew, mayOverwrite, let status = FileStatus(path.text, in: folder), status.isRegular, status.links == 1 {
            return try File.overwrite(path.text, in: folder, with: bytes)
        }
        do throws(SystemError) {
            return try File.writeNew(bytes, to: path.text, in: folder)
        } catch  where error.code == EEXIST {
            try File.remove(path.text, in: folder)
            return try File.writeNew(bytes, to: path.text, in: folder)
        }
    }

    private func addEntry(_ path: SitePath, _ entry: Manifest.Entry, isWritten: Bool) throws {
        state.withLock { report in
            report.files += 1
            report.bytes += entry.size
            if isWritten { report.written += 1 }
        }
        try manifest?.append(path, entry)
    }

    /// Checks the free space before bytes are written. Even a small archive can produce many pages.
    private func reserve(_ bytes: Int) throws {
        if let free = disk.shortage(for: bytes) { throw SiteError.diskIsFull(folder.path, free: free) }
    }

    /// Adds to `size`, and checks the limit. Pictures are not counted.
    private func count(_ bytes: Int64) throws {
        guard let limit else { return }
        let size = size.withLock { size in
            size += bytes
            return size
        }
        guard size <= limit else { throw ArchiveError.damaged("its site has more than \(limit) bytes") }
    }
}

extension FileWriter {
    /// Writes a stream's file.
    /// - Parameters:
    ///   - willWrite: called with the number of bytes before they are written.
    ///   - body: called with a function that appends bytes.
    static func write(
        _ path: String, _ willWrite: @escaping (Int) throws -> Void,
        _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        var writer = try FileWriter(path)
        try body { bytes in
            try willWrite(bytes.count)
            try writer.append(bytes)
        }
        try writer.finish()
    }
}
