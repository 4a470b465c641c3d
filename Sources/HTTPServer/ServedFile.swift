import Glibc

/// A file of a served folder, held open; closes itself.
///
/// Only regular files and folders are opened, and no symbolic link is followed: a link could lead out of the folder,
/// and opening a pipe would wait for its other end.
public final class ServedFile: Sendable {
    /// The path in the served folder, its segments joined by slashes.
    public let path: String
    /// The size in bytes.
    public let size: Int
    let descriptor: Int32
    let isFolder: Bool
    /// Nanoseconds since 1970 of the last change.
    private let modified: (seconds: Int, nanoseconds: Int)

    /// Opens a file below a folder; nil where there is none.
    init?(_ names: [String], in folder: String) {
        var opened = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        for name in names {
            guard opened >= 0 else { return nil }
            // Without O_NONBLOCK a pipe would wait here.
            let next = openat(opened, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            close(opened)
            opened = next
        }
        guard opened >= 0 else { return nil }
        var status = stat()
        guard fstat(opened, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            close(opened)
            return nil
        }
        path = names.joined(separator: "/")
        size = Int(status.st_size)
        descriptor = opened
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        modified = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }

    deinit { close(descriptor) }

    var entityTag: String {
        let parts = [modified.seconds, modified.nanoseconds, size]
        return "\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\""
    }

    var lastModified: String { HTTPDate.text(modified.seconds) }

    /// The file's bytes; nil where they are more than a limit, or cannot be read.
    public func bytes(limit: Int) -> [UInt8]? {
        guard size <= limit else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: filled), size - filled, filled)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            filled += count
        }
        return bytes
    }
}
