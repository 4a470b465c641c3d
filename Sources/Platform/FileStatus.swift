import Glibc

/// The fields of stat(2) that Amber uses.
public struct FileStatus: Sendable, Equatable {
    package let size: Int64
    /// The time of the last change of the content, in nanoseconds since 1970.
    package let modified: Int64
    /// The time of the last change of content or status, in nanoseconds since 1970. No program can set it.
    package let changed: Int64
    /// The number of the file in its file system. It does not change when the file is renamed.
    package let inode: UInt64
    /// The number of the file system.
    package let device: UInt64
    /// The number of hard links.
    package let links: Int
    private let type: mode_t

    package var isFolder: Bool { type == S_IFDIR }
    package var isLink: Bool { type == S_IFLNK }
    /// Whether it is not a folder, symbolic link, pipe, socket or device.
    package var isRegular: Bool { type == S_IFREG }

    init(_ status: stat) {
        // A file can have a time that does not fit, such as in the year 2300.
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        size = Int64(status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        links = Int(status.st_nlink)
        type = status.st_mode & S_IFMT
    }

    /// The status of a path; nil if it does not exist or is not accessible. A symbolic link at its end is not followed.
    package init?(_ path: String, in folder: OpenFolder = .working) {
        var status = stat()
        // If a folder in the path is missing or a link, the file does not exist for the caller.
        let result = try? folder.withParentFolder(path) { fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }
        guard result == 0 else { return nil }
        self.init(status)
    }

    package func isSameFile(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }
}
