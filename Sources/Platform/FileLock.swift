import Glibc

/// A lock on a file between processes (flock(2)). The system releases it when its process ends.
public final class FileLock: Sendable {
    private let file: File
    var descriptor: Int32 { file.descriptor }

    /// Acquires the lock without waiting.
    /// - Returns: nil if another process holds the lock.
    package init?(_ path: String, in folder: OpenFolder = .working) throws {
        file = try File("open the lock", path, in: folder, O_RDWR | O_CREAT)
        do {
            try file.call("lock") { flock($0, LOCK_EX | LOCK_NB) }
        } catch let error as SystemError where error.code == EWOULDBLOCK {
            return nil
        }
    }

    /// Whether another process holds a record lock (fcntl(2), F_GETLK) on bytes of a file.
    package static func isHeld(on path: String, from offset: Int64, count: Int64) throws -> Bool {
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(offset)
        lock.l_len = off_t(count)
        try File(reading: path).call("query the locks of") { fcntl($0, F_GETLK, &lock) }
        return lock.l_type != Int16(F_UNLCK)
    }
}
