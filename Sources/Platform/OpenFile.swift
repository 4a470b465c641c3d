import CSystem
import Glibc

/// A file held open and read at any place, by any thread; closes itself.
public final class OpenFile: Sendable {
    /// The file as it was when it was opened.
    public let status: FileStatus
    private let descriptor: Int32
    private let path: String

    /// Opens a file; nil where there is none.
    public init?(_ path: String) throws(SystemError) {
        let opened = csystem_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
        if opened < 0 && errno == ENOENT { return nil }
        guard opened >= 0 else { throw SystemError("read", path) }
        var found = stat()
        guard fstat(opened, &found) == 0 else {
            let failure = SystemError("read", path)
            close(opened)
            throw failure
        }
        descriptor = opened
        self.path = path
        status = FileStatus(found)
    }

    deinit { close(descriptor) }

    /// So many bytes from an offset; fewer where the file ends before.
    public func read(at offset: Int64, _ count: Int) throws(SystemError) -> [UInt8] {
        var fault: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
                if got < 0 && errno == EINTR { continue }
                if got < 0 { fault = SystemError("read", path) }
                guard got > 0 else { return }
                filled += got
            }
        }
        if let fault { throw fault }
        return bytes
    }
}
