import CSystem
import Glibc

/// A lock between processes on one file (flock(2)); the system frees it when its holder ends, however that happens.
public final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting.
    /// - Returns: nil where another process holds it.
    public init?(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        let descriptor = try folder.open("open the lock", path, O_RDWR | O_CREAT, mode: 0o644)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else { throw SystemError("lock", folder.shown(path), code: code) }
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether another process holds a record lock (fcntl(2), F_GETLK) on bytes of a file.
    public static func isHeld(on path: String, from offset: Int64, count: Int64) throws(SystemError) -> Bool {
        let descriptor = csystem_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw SystemError("read", path) }
        defer { close(descriptor) }
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(offset)
        lock.l_len = off_t(count)
        guard fcntl(descriptor, F_GETLK, &lock) == 0 else { throw SystemError("ask for the locks of", path) }
        return lock.l_type != Int16(F_UNLCK)
    }
}
