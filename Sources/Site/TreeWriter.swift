import Archive
import Catalogue
import Glibc
import Platform

/// What takes a site's files as they are made, from several threads.
protocol SiteOutput: Sendable {
    /// What came of all files so far.
    var report: BuildReport { get }

    func write(_ bytes: [UInt8], to path: SitePath) throws

    func write(_ stream: SiteStream) throws

    /// Takes a picture, whose bytes are in a file of the archive.
    func link(_ asset: Asset, to path: SitePath) throws
}

/// Brings the files of a tree up to date: what the tree or the published one has already stays the same file; the others
/// are written.
struct TreeWriter: SiteOutput {
    let folder: OpenFolder
    /// Whether the folder was empty at first. To look up a name that is not there takes a lock that all writers in the
    /// folder wait for.
    private let isNew: Bool
    private let published: OpenFolder?
    private let archive: OpenFolder
    private let manifest: ManifestWriter?
    /// Pictures of the archive whose bytes this build has compared: each has several names in a site.
    private let compared = Guarded<Set<SHA256>>([])
    private let disk: DiskReserve
    private let limit: Int64?
    /// The bytes of the files so far, pictures aside.
    private let size = Guarded<Int64>(0)
    private let state = Guarded(BuildReport())

    /// - Parameters:
    ///   - limit: the most bytes of all files, pictures aside.
    ///   - freeSpace: the free bytes where the folder is; nil to ask the system.
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

    /// The file is written beside its place first.
    func write(_ stream: SiteStream) throws {
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
            guard let status = FileStatus(draft, in: folder) else { throw SystemError("find", draft) }
            // A database is not exactly as large as what is written to it.
            try count(status.size - written)
            let known = try present(path) { tree in
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
            try note(path, Manifest.Entry(known ?? status), isWritten: known == nil)
        } catch {
            // The first error is reported. The next build removes a draft that remains.
            try? File.remove(draft, in: folder)
            throw error
        }
    }

    /// Puts a picture at its place as a second name of the archive's file, or as a copy where the file system has no
    /// such thing.
    func link(_ asset: Asset, to path: SitePath) throws {
        let file = ArchiveFolder.assetName(hex: asset.sha256.hex)
        let original = try original(of: asset, file)
        let linked = Manifest.Entry(original, pictureOf: asset.sha256, .link)
        if !compared.withLock({ $0.contains(asset.sha256) }) {
            guard try SHA256(ofFile: file, in: archive) == asset.sha256 else {
                throw ArchiveError.damaged("the picture \(archive.path)/\(file) is not what was captured")
            }
            compared.withLock { _ = $0.insert(asset.sha256) }
        }
        let known = try present(path) { tree in
            FileStatus(path.text, in: tree).flatMap { $0.isSameFile(as: original) ? $0 : nil }
        }
        guard known == nil else { return try note(path, linked, isWritten: false) }
        switch try File.link(file, of: archive, to: path.text, in: folder) {
        case .linked: try note(path, linked, isWritten: true)
        case .kept: try note(path, linked, isWritten: false)
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
        return original
    }
}

extension TreeWriter {
    /// The status of a file where one of the trees has it. A file of the published tree gets a second name here.
    /// - Parameter find: the status of the file in a tree; nil where that has another one.
    private func present(_ path: SitePath, _ find: (OpenFolder) throws -> FileStatus?) throws -> FileStatus? {
        if !isNew, let status = try find(folder) { return status }
        guard let published, let status = try find(published),
            try File.link(path.text, of: published, to: path.text, in: folder) != .refused
        else { return nil }
        return status
    }

    /// - Parameter picture: of which archive's file it is a copy. A copy has its original's time, so that one whose
    ///   original was repaired or replaced since is known.
    private func put(
        _ bytes: [UInt8], at path: SitePath, copyOf picture: (sha256: SHA256, modified: Int64)? = nil
    ) throws {
        let known = try present(path) { tree in
            let status = try File.status(of: path.text, in: tree, ifHolding: bytes)
            return picture == nil || status?.modified == picture?.modified ? status : nil
        }
        var status = try known ?? create(bytes, path, mayOverwrite: picture == nil)
        if known == nil, let picture {
            try File.setModified(path.text, in: folder, to: picture.modified)
            guard let changed = FileStatus(path.text, in: folder) else { throw SystemError("find", path.text) }
            status = changed
        }
        let entry = Manifest.Entry(status, pictureOf: picture?.sha256, picture == nil ? .written : .copy)
        try note(path, entry, isWritten: known == nil)
    }

    /// Writes a file in the place of whatever is there.
    private func create(_ bytes: [UInt8], _ path: SitePath, mayOverwrite: Bool) throws -> FileStatus {
        try take(bytes.count)
        // In place is fastest, but a file with a second name is somebody's copy, or the published tree's.
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

    private func note(_ path: SitePath, _ entry: Manifest.Entry, isWritten: Bool) throws {
        state.withLock { report in
            report.files += 1
            report.bytes += entry.size
            if isWritten { report.written += 1 }
        }
        try manifest?.append(path, entry)
    }

    /// Counts what is about to be written: an API with few answers can have records that make many pages.
    private func take(_ bytes: Int) throws {
        if let free = disk.shortage(for: bytes) { throw SiteError.diskIsFull(folder.path, free: free) }
    }

    /// Counts a file that is no picture.
    private func count(_ bytes: Int64) throws {
        guard let limit else { return }
        let size = size.withLock { size in
            size += bytes
            return size
        }
        guard size <= limit else { throw ArchiveError.damaged("it makes a site of more than \(limit) bytes") }
    }
}

extension FileWriter {
    /// Writes a stream's file.
    /// - Parameters:
    ///   - willWrite: is called with the number of bytes before they are written.
    ///   - body: is called with a function that adds bytes.
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
