import CSystem
import Glibc

/// What opened files have in common, whoever closes them.
enum OpenedDescriptor {
    /// Opens a file for reading, and tells how it was then.
    static func reading(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) -> (
        descriptor: Int32, status: FileStatus
    ) {
        let opened = try folder.open("read", path, O_RDONLY)
        var found = stat()
        var code = fstat(opened, &found) == 0 ? 0 : errno
        if code == 0, folder != nil, found.st_mode & S_IFMT != S_IFREG { code = SystemError.noFile }
        guard code == 0 else {
            close(opened)
            throw SystemError("read", folder.shown(path), code: code)
        }
        return (opened, FileStatus(found))
    }

    /// Makes a file that is not there yet, for writing.
    static func writingNew(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) -> Int32 {
        try folder.open("write", path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
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
