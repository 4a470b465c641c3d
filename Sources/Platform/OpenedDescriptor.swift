import CSystem
import Glibc

/// What opened files have in common, whoever closes them.
enum OpenedDescriptor {
    /// Opens a file for reading, and tells how it was then.
    static func reading(_ path: String) throws(SystemError) -> (descriptor: Int32, status: FileStatus) {
        let opened = csystem_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
        guard opened >= 0 else { throw SystemError("read", path) }
        var found = stat()
        guard fstat(opened, &found) == 0 else {
            let failure = SystemError("read", path)
            close(opened)
            throw failure
        }
        return (opened, FileStatus(found))
    }

    /// Makes a file that is not there yet, for writing.
    static func writingNew(_ path: String) throws(SystemError) -> Int32 {
        let opened = csystem_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw SystemError("write", path) }
        return opened
    }

    /// Writes bytes at an offset.
    static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64, _ path: String) throws(SystemError) {
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
