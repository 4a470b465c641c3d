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
}
