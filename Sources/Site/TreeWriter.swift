import Archive
import Catalogue
import Glibc
import HTMLCheck
import Pages
import Platform

/// Receives the files of a site during a build, from several threads.
protocol SiteOutput: Sendable {
    /// The numbers and sizes of all files so far.
    var report: BuildReport { get }

    /// The published page with this path, if this program with these templates has checked it.
    func checkedPage(at path: SitePath) -> [UInt8]?

    /// - Parameter isPublished: whether the published site has this file with the same bytes.
    func write(_ bytes: [UInt8], to path: SitePath, isPublished: Bool) throws

    func write(_ stream: SiteStream) throws

    /// Adds a picture of the archive to the site.
    func link(_ sha256: SHA256, size: Int, to path: SitePath) throws
}

extension SiteOutput {
    func checkedPage(at path: SitePath) -> [UInt8]? { nil }

    func write(_ bytes: [UInt8], to path: SitePath) throws { try write(bytes, to: path, isPublished: false) }
}

/// Updates the files of a tree. An equal file of the tree or of the published tree is reused.
struct TreeWriter: SiteOutput {
    let folder: OpenFolder
    let archive: OpenFolder
    /// The free space of the folder's disk.
    let disk: DiskReserve
    /// Whether the folder was empty at the beginning. In an empty folder no look-ups are needed. A look-up of a missing
    /// name locks the folder, which blocks all other writers.
    var isNew = true
    var published: OpenFolder?
    /// Whether this program with these templates has checked all pages of the published tree.
    var isChecked = false
    /// The maximum total size of all files in bytes, without pictures; nil for no limit.
    var limit: Int64?
    /// Receives a line with the digest of each file, as `sha256sum` writes it; nil for none.
    var digests: Locked<File>?
    /// Pictures whose digest was already compared. A site has several names for each picture.
    private let compared = Locked<Set<SHA256>>([])
    /// `size` is the size of all files so far in bytes, without pictures.
    private let state = Locked((report: BuildReport(), tree: TreeState(), size: Int64(0)))

    var report: BuildReport { state.withLock { $0.report } }

    var tree: TreeState { state.withLock { $0.tree } }
}

extension TreeWriter {
    func checkedPage(at path: SitePath) -> [UInt8]? {
        // A page that is missing or cannot be read is checked, so the error is not needed.
        isChecked ? published.flatMap { try? File.read(path.text, in: $0, limit: PageChecker.maximumBytes) } : nil
    }

    func write(_ bytes: [UInt8], to path: SitePath, isPublished: Bool) throws {
        try addSize(Int64(bytes.count))
        try writeOrReuse(bytes, at: path, isPublished: isPublished)
        try addDigest(SHA256(of: bytes), path)
    }

    /// Writes a draft in the same folder. If no tree has an equal file, the draft is renamed, otherwise removed.
    func write(_ stream: SiteStream) throws {
        let path = stream.path
        // No file of a site has this name, because it is not portable.
        let draft = "\(path.text)~"
        // The stream opens the draft by path, because SQLite requires paths. This is safe: the folder is not a link,
        // the name does not exist, and O_EXCL creates a new file.
        try folder.remove(draft)
        // After an error the first error is reported. If the draft remains, the next build removes it.
        defer { try? File.remove(draft, in: folder) }
        var written: Int64 = 0
        try stream.write("\(folder.path)/\(draft)") { bytes in
            written += Int64(bytes)
            try addSize(Int64(bytes))
            try disk.reserve(bytes, in: folder.path)
        }
        guard let status = FileStatus(draft, in: folder) else { throw SystemError("find", draft) }
        // The size of a database file differs from the number of bytes that were announced.
        try addSize(status.size - written)
        let known = try reuse(path) { tree, known in
            try known.size == status.size && SHA256(ofFile: path.text, in: tree) == SHA256(ofFile: draft, in: folder)
        }
        if known == nil {
            // A folder in the place of the file cannot be replaced by renaming.
            if FileStatus(path.text, in: folder)?.isFolder == true { try folder.remove(path.text) }
            try File.rename(draft, to: path.text, in: folder)
        } else {
            try File.remove(draft, in: folder)
        }
        count(path, known ?? status, isWritten: known == nil)
        try addDigest(SHA256(ofFile: path.text, in: folder), path)
    }

    /// Adds a picture as a hard link to the archive's file, or as a copy if a hard link is not possible.
    /// - Throws: `ArchiveError` if the archive's file is missing or damaged.
    func link(_ sha256: SHA256, size: Int, to path: SitePath) throws {
        try addDigest(sha256, path)
        let file = ArchiveFolder.assetName(sha256)
        let shown = "the picture \(archive.path)/\(file)"
        guard let original = FileStatus(file, in: archive) else {
            // `File` throws if a folder of the path is a symbolic link, and its error names the folder.
            let isMissing = try File.readingIfExists(file, in: archive) == nil
            throw ArchiveError.damaged("\(shown) \(isMissing ? "is missing" : "cannot be found")")
        }
        try ArchiveError.require(original.isRegular, "\(shown) is not a regular file")
        try ArchiveError.require(original.size == Int64(size), "\(shown) has \(original.size) bytes instead of \(size)")
        if !compared.withLock({ $0.contains(sha256) }) {
            try ArchiveError.require(SHA256(ofFile: file, in: archive) == sha256, "\(shown) does not match its digest")
            compared.withLock { _ = $0.insert(sha256) }
        }
        let known = try reuse(path) { $1.isSameFile(as: original) }
        let linking = known == nil ? try File.link(file, of: archive, to: path.text, in: folder) : .kept
        guard linking == .refused else { return count(path, original, isWritten: linking == .linked) }
        let bytes = try File.read(file, in: archive)
        try ArchiveError.require(SHA256(of: bytes) == sha256, "\(shown) changed while it was copied")
        try writeOrReuse(bytes, at: path)
    }

    /// Adds a file of another tree, or of the archive if it has the file, as a hard link, or else as a copy.
    /// - Returns: false if the other tree does not have the file with this digest.
    func take(_ path: SitePath, _ sha256: SHA256, from other: OpenFolder) throws -> Bool {
        if let picture = FileStatus(ArchiveFolder.assetName(sha256), in: archive) {
            try link(sha256, size: Int(picture.size), to: path)
            return true
        }
        func hasDigest(_ tree: OpenFolder, _: FileStatus) throws -> Bool {
            try SHA256(ofFile: path.text, in: tree) == sha256
        }
        if let known = try reuse(path, if: hasDigest) {
            count(path, known, isWritten: false)
            return true
        }
        guard let source = FileStatus(path.text, in: other), source.isRegular else { return false }
        if try File.link(path.text, of: other, to: path.text, in: folder) == .refused {
            try disk.reserve(Int(source.size), in: folder.path)
            try folder.remove(path.text)
            try File.copy(path.text, of: other, to: path.text, in: folder)
        }
        // The digest is that of the new name, because the file of the other tree could have been replaced meanwhile.
        guard let taken = try status(of: path, in: folder, if: hasDigest) else { return false }
        count(path, taken, isWritten: true)
        return true
    }
}

extension TreeWriter {
    /// Whether a regular file of a tree, with this status, is equal to the new one.
    private typealias Comparison = (OpenFolder, FileStatus) throws -> Bool

    /// Reuses an equal file of this tree, or creates a hard link to one of the published tree.
    /// - Returns: the status of the reused file; nil if neither tree has it.
    private func reuse(_ path: SitePath, if isEqual: Comparison) throws -> FileStatus? {
        if !isNew, let status = try status(of: path, in: folder, if: isEqual) { return status }
        guard let published, let status = try status(of: path, in: published, if: isEqual),
            try File.link(path.text, of: published, to: path.text, in: folder) != .refused
        else { return nil }
        return status
    }

    private func status(of path: SitePath, in tree: OpenFolder, if isEqual: Comparison) throws -> FileStatus? {
        guard let status = FileStatus(path.text, in: tree), status.isRegular, try isEqual(tree, status) else {
            return nil
        }
        return status
    }

    private func writeOrReuse(_ bytes: [UInt8], at path: SitePath, isPublished: Bool = false) throws {
        let original = isPublished ? published.flatMap { FileStatus(path.text, in: $0) } : nil
        let known = try reuse(path) { tree, status in
            try status.size == Int64(bytes.count)
                && original.map(status.isSameFile) ?? File.read(path.text, in: tree).equals(bytes)
        }
        count(path, try known ?? create(bytes, path), isWritten: known == nil)
    }

    /// Writes a file. An existing file is overwritten or replaced, and a folder in its place is removed.
    private func create(_ bytes: [UInt8], _ path: SitePath) throws -> FileStatus {
        try disk.reserve(bytes.count, in: folder.path)
        // Overwriting is fastest. A second hard link can be in the published tree or in a backup.
        if !isNew, let status = FileStatus(path.text, in: folder), status.isRegular, status.links == 1 {
            return try File.overwrite(path.text, in: folder, with: bytes)
        }
        do {
            return try File.writeNew(bytes, to: path.text, in: folder)
        } catch let error as SystemError where error.code == EEXIST {
            try folder.remove(path.text)
            return try File.writeNew(bytes, to: path.text, in: folder)
        }
    }

    private func count(_ path: SitePath, _ status: FileStatus, isWritten: Bool) {
        state.withLock { state in
            state.report.files += 1
            state.report.bytes += status.size
            if isWritten { state.report.written += 1 }
            state.tree.add(path.text, status)
        }
    }

    private func addDigest(_ sha256: @autoclosure () throws -> SHA256, _ path: SitePath) throws {
        guard let digests else { return }
        let line = Array("\(try sha256().hex)  \(path)\n".utf8)
        try digests.withLock { try $0.write(line) }
    }

    private func addSize(_ bytes: Int64) throws {
        guard let limit else { return }
        let size = state.withLock { state in
            state.size += bytes
            return state.size
        }
        try ArchiveError.require(size <= limit, "its site has more than \(limit) bytes")
    }
}

extension DiskReserve {
    /// Checks that the disk has enough free space for bytes. Even a small archive can produce many pages.
    func reserve(_ bytes: Int, in folder: String) throws {
        guard let free = shortage(for: bytes) else { return }
        throw SiteError.output(
            "the disk of \(folder) has only \(free) bytes left, which are reserved for other programs; free some space "
                + "and run again")
    }
}

extension SiteStream {
    /// - Parameter body: called with a function that appends bytes to the file.
    init(path: SitePath, appending body: @escaping @Sendable (_ append: ([UInt8]) throws -> Void) throws -> Void) {
        self.init(path: path) { file, willWrite in
            let writer = try FileWriter(file)
            try body { bytes in
                try willWrite(bytes.count)
                try writer.append(bytes)
            }
            try writer.finish()
        }
    }
}
