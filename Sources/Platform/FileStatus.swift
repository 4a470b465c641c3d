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
    /// Whether it is a regular file: no folder, link, pipe, socket or device.
    public let isRegular: Bool

    /// The status of a path; a link as the last name is not followed. Nil where nothing exists, or it cannot be
    /// reached.
    public init?(_ path: String, in folder: OpenFolder? = nil) {
        let status = path.withCString { path in folder.map { Self.status(path, in: $0) } ?? Self.status(AT_FDCWD, path)
        }
        guard let status else { return nil }
        self.init(status)
    }

    /// The same for a path that is at hand as a C string.
    public init?(_ path: UnsafePointer<CChar>, in folder: OpenFolder) {
        guard let status = Self.status(path, in: folder) else { return nil }
        self.init(status)
    }

    private static func status(_ path: UnsafePointer<CChar>, in folder: OpenFolder) -> stat? {
        var found: stat?
        do throws(SystemError) {
            _ = try folder.locate(path) {
                found = status($0, $1)
                return 0
            }
        } catch {
            // A folder on the way is missing, or a link: for whoever asks, nothing is there.
            return nil
        }
        return found
    }

    private static func status(_ folder: Int32, _ path: UnsafePointer<CChar>) -> stat? {
        var status = stat()
        return fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
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
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
