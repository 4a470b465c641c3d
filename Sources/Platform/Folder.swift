import CSystem
import Glibc

/// Folders: made, listed, removed, exchanged.
public enum Folder {
    /// Makes a folder and those above it that are missing.
    package static func make(_ path: String) throws(SystemError) {
        if mkdir(path, 0o755) == 0 { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try make(String(path[..<slash]))
            if mkdir(path, 0o755) == 0 { return }
        }
        var status = stat()
        guard errno == EEXIST, stat(path, &status) == 0 else { throw SystemError("make the folder", path) }
        // What is there already may be a folder or a link to one, but no file.
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError("make the folder", path, code: ENOTDIR) }
    }

    /// Sorted by their bytes; none where there is no folder.
    package static func names(in path: String) throws(SystemError) -> [String] { try listed(path)?.names() ?? [] }

    /// Relative to the folder, sorted by their bytes; none where there is no folder.
    package static func files(below path: String) throws(SystemError) -> [String] { try listed(path)?.files() ?? [] }

    /// The paths of a folder and all folders below it, links not followed; none where there is no folder.
    package static func folders(from path: String) throws(SystemError) -> [String] {
        guard let folder = try listed(path) else { return [] }
        return [path] + (try folder.folders().map { "\(path)/\($0)" })
    }

    private static func listed(_ path: String) throws(SystemError) -> OpenFolder? {
        do throws(SystemError) {
            return try open("list", path)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Removes a folder and all in it; that nothing is there is no error. A link is removed itself.
    package static func remove(_ path: String) throws(SystemError) {
        guard let status = FileStatus(path) else { return }
        guard status.isFolder else { return try File.remove(path) }
        let folder = try open("remove", path, O_NOFOLLOW)
        for name in try folder.names() { try folder.remove(name) }
        guard rmdir(path) == 0 else { throw SystemError("remove", path) }
    }

    /// Opens a folder for the calls that take one.
    /// - Parameter followsLink: whether the folder itself may be a link; those above it may.
    package static func open(_ path: String, followsLink: Bool = true) throws(SystemError) -> OpenFolder {
        do throws(SystemError) {
            return try open("open the folder", path, followsLink ? 0 : O_NOFOLLOW)
        } catch {
            // A link is no folder either (ENOTDIR).
            guard !followsLink, FileStatus(path)?.isLink == true else { throw error }
            throw SystemError("open the folder", path, code: ELOOP)
        }
    }

    private static func open(_ action: String, _ path: String, _ flags: Int32 = 0) throws(SystemError) -> OpenFolder {
        let descriptor = csystem_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags, 0)
        guard descriptor >= 0 else { throw SystemError(action, path) }
        return OpenFolder(descriptor: descriptor, path: path)
    }

    /// Exchanges two folders in one step: who looks at either sees the one or the other, never half (renameat2(2)).
    package static func exchange(_ first: String, _ second: String, in folder: OpenFolder? = nil) throws(SystemError) {
        let exchanged = try folder.locate(first) { (place, first) throws(SystemError) in
            try folder.locate(second) { csystem_exchange(place, first, $0, $1) }
        }
        guard exchanged == 0 else { throw SystemError("exchange \(folder.shown(first)) with", folder.shown(second)) }
    }

    /// Whether files can be made in a folder: its file system and its rights allow it (access(2)).
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Where the system wants files that nobody keeps.
    package static var temporary: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// Makes a new folder with an unpredictable name that only this user may enter (mkdtemp(3)), and returns its path.
    /// The caller removes it.
    package static func makeTemporary(prefix: String, in parent: String = temporary) throws(SystemError) -> String {
        var path = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw SystemError("make a temporary folder in", parent) }
        return String(decoding: path.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path made absolute and free of links; nil where nothing is there.
    package static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The bytes that the user may still write to a folder's file system; nil where the system does not say.
    package static func freeSpace(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isHuge ? Int.max : Int(clamping: bytes)
    }
}

/// The space on a disk that Amber does not use: a tenth of the space that is free at the beginning, at most 5 GB.
public final class DiskReserve: Sendable {
    /// The free bytes on the disk, as `Folder.freeSpace` gives them.
    private let freeSpace: @Sendable () -> Int?
    private let size: Int
    /// The bytes above the reserve at the beginning; nil where the system does not say.
    package let room: Int?
    private let untilLook = Guarded(0)

    /// Bytes between two looks at the disk.
    private static let step = 64 << 20

    package init(_ freeSpace: @escaping @Sendable () -> Int?) {
        self.freeSpace = freeSpace
        let free = freeSpace()
        size = min((free ?? 0) / 10, 5_000_000_000)
        room = free.map { [size] in $0 - size }
    }

    /// Counts bytes that are about to be written.
    /// - Returns: the free bytes, where fewer than the reserve would be left; nil where there is space.
    package func shortage(for bytes: Int) -> Int? {
        let isTime = untilLook.withLock { left in
            left -= bytes
            guard left <= 0 else { return false }
            left = Self.step
            return true
        }
        guard isTime, let free = freeSpace(), free - bytes < size else { return nil }
        // The next one looks again.
        untilLook.withLock { $0 = 0 }
        return free
    }
}
