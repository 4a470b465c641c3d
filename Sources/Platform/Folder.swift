import CSystem
import Glibc
import Synchronization

/// Creates, lists, removes and exchanges folders.
public enum Folder {
    /// Creates a folder and its missing parents. An existing folder, or a link to one, is not an error.
    package static func make(_ path: String) throws { try OpenFolder.working.makeAll(path) }

    /// The names in a folder, sorted by their bytes. Empty if the folder does not exist.
    package static func names(in path: String) throws -> [String] { try openIfExists(path)?.names() ?? [] }

    /// The paths of all files below a folder, relative to it, sorted by their bytes; empty for a missing folder.
    package static func files(below path: String) throws -> [String] { try openIfExists(path)?.files() ?? [] }

    /// The paths of a folder and all folders below it. Links are not followed. Empty if the folder does not exist.
    package static func folders(from path: String) throws -> [String] {
        guard let folder = try openIfExists(path) else { return [] }
        return [path] + (try folder.folders().map { "\(path)/\($0)" })
    }

    package static func openIfExists(_ path: String) throws -> OpenFolder? { try ifExists { try open(path) } }

    /// Removes a folder with its content. A missing folder is not an error. A link is removed, but not its target.
    package static func remove(_ path: String) throws { try OpenFolder.working.remove(path) }

    /// Opens a folder, for functions that have an `OpenFolder` parameter.
    /// - Parameter followsLink: whether the folder itself may be a symbolic link. Its parents may always be links.
    package static func open(_ path: String, followsLink: Bool = true) throws -> OpenFolder {
        try OpenFolder.working.folder(path, followsLink: followsLink)
    }

    /// Exchanges two folders atomically (renameat2(2)).
    package static func exchange(_ first: String, _ second: String, in folder: OpenFolder = .working) throws {
        let exchanged = try folder.callWithBoth(first, second, in: folder) {
            renameat2($0, $1, $2, $3, UInt32(RENAME_EXCHANGE))
        }
        guard exchanged == 0 else {
            throw SystemError("exchange \(folder.displayPath(of: first)) with", folder.displayPath(of: second))
        }
    }

    /// Whether the file system and permissions allow new files in the folder (access(2)).
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// The system's folder for temporary files.
    package static var temporary: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// Creates a folder with an unpredictable name for this user only (mkdtemp(3)). The caller must remove it.
    package static func makeTemporary(prefix: String, in parent: String = temporary) throws -> String {
        var path = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw SystemError("make a temporary folder in", parent) }
        return String(decoding: path.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The absolute path without links; nil if the path does not exist.
    package static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The bytes that the user can still write to the folder's file system; nil if unknown.
    package static func freeSpace(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isHuge ? Int.max : Int(clamping: bytes)
    }
}

/// The disk space that Amber does not use: a tenth of the free space at the beginning, at most 5 GB.
public final class DiskReserve: Sendable {
    /// Returns the free bytes on the disk, like `Folder.freeSpace`.
    private let freeSpace: @Sendable () -> Int?
    private let size: Int
    /// The usable bytes at the beginning, without the reserve; nil if unknown.
    package let room: Int?
    /// The bytes that were written since the free space was last read. It is read after each hundredth of the reserve.
    private let unchecked = Atomic(0)

    package init(_ freeSpace: @escaping @Sendable () -> Int?) {
        self.freeSpace = freeSpace
        let free = freeSpace()
        size = min((free ?? 0) / 10, 5_000_000_000)
        room = free.map { [size] in $0 - size }
    }

    /// - Returns: the free bytes if a write would use the reserve; nil if there is enough space.
    package func shortage(for bytes: Int) -> Int? {
        let sum = unchecked.add(bytes, ordering: .relaxed).newValue
        guard sum > size / 100, let free = freeSpace() else { return nil }
        if free - bytes < size { return free }
        unchecked.store(0, ordering: .relaxed)
        return nil
    }
}
