import CSystem
import Glibc

/// What stat(2) tells of a file, so far as Amber asks.
public struct FileStatus: Sendable, Equatable {
    /// The length in bytes.
    public let size: Int64
    /// Nanoseconds since 1970 of the last change of content.
    public let modified: Int64
    /// Nanoseconds since 1970 of the last change of content, names, rights or times: nobody can set it.
    public let changed: Int64
    /// The number that stays with a file through renaming.
    public let inode: UInt64
    /// The file system it is on: inodes are counted by each of its own.
    public let device: UInt64
    /// How many names it has.
    public let links: Int
    /// Whether it is a folder.
    public let isFolder: Bool
    /// Whether it is a symbolic link.
    public let isLink: Bool

    /// The status of a path below an open folder, links not followed; nil where nothing is there.
    public init?(_ path: String, in folder: OpenFolder? = nil) {
        var status = stat()
        guard fstatat(folder?.descriptor ?? AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// The same for a path that is at hand as a C string.
    public init?(_ path: UnsafePointer<CChar>, in folder: OpenFolder) {
        var status = stat()
        guard fstatat(folder.descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// Whether both are names of one file.
    public func isSameFile(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }

    init(_ status: stat) {
        var status = status
        size = Int64(status.st_size)
        modified = csystem_modified(&status)
        changed = csystem_changed(&status)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        links = Int(status.st_nlink)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isLink = status.st_mode & S_IFMT == S_IFLNK
    }
}
