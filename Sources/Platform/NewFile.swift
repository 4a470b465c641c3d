import CSystem
import Glibc

/// A new file held open and written at any place, by any thread; closes itself.
public final class NewFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Makes a file that is not there yet.
    public init(_ path: String) throws(SystemError) {
        let opened = csystem_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw SystemError("write", path) }
        descriptor = opened
        self.path = path
    }

    deinit { close(descriptor) }

    /// Writes bytes at an offset.
    public func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset) + off_t(done))
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw SystemError("write", path) }
            done += written
        }
    }
}
