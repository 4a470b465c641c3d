import CSystem
import Glibc

/// What stat(2) tells of a file, so far as Amber asks.
public struct FileStatus: Sendable, Equatable {
    package let size: Int64
    /// Nanoseconds since 1970 of the last change of content.
    package let modified: Int64
    /// Nanoseconds since 1970 of the last change of content, names, rights or times: nobody can set it.
    package let changed: Int64
    /// The number that stays with a file through renaming.
    package let inode: UInt64
    /// The file system it is on: inodes are counted by each of its own.
    package let device: UInt64
    /// How many names it has.
    package let links: Int
    private let type: mode_t

    package var isFolder: Bool { type == S_IFDIR }
    package var isLink: Bool { type == S_IFLNK }
    /// No folder, link, pipe, socket or device.
    package var isRegular: Bool { type == S_IFREG }

    init(_ status: stat) {
        var status = status
        size = Int64(status.st_size)
        modified = csystem_modified(&status)
        changed = csystem_changed(&status)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        links = Int(status.st_nlink)
        type = status.st_mode & S_IFMT
    }

    /// The status of a path; a link as the last name is not followed. Nil where nothing exists, or it cannot be
    /// reached.
    package init?(_ path: String, in folder: OpenFolder? = nil) {
        let status = path.withCString { path in
            folder.map { FileStatus(path, in: $0) } ?? FileStatus(AT_FDCWD, path)
        }
        guard let status else { return nil }
        self = status
    }

    package init?(_ path: UnsafePointer<CChar>, in folder: OpenFolder) {
        var found: FileStatus?
        do throws(SystemError) {
            _ = try folder.locate(path) {
                found = FileStatus($0, $1)
                return 0
            }
        } catch {
            // A folder on the way is missing, or a link: for whoever asks, nothing is there.
            return nil
        }
        guard let found else { return nil }
        self = found
    }

    private init?(_ folder: Int32, _ path: UnsafePointer<CChar>) {
        var status = stat()
        guard fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    package func isSameFile(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }
}
