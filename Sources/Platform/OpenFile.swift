import Glibc

/// A file held open and read at any place, by any thread; closes itself.
public final class OpenFile: Sendable {
    /// The file as it was when it was opened.
    public let status: FileStatus
    private let descriptor: Int32
    private let path: String

    /// Opens a file, below a folder a regular one; nil where there is none.
    public init?(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        do throws(SystemError) {
            (descriptor, status) = try OpenedDescriptor.reading(path, in: folder)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        self.path = folder.shown(path)
    }

    deinit { close(descriptor) }

    /// So many bytes from an offset; fewer where the file ends before.
    public func read(at offset: Int64, _ count: Int) throws(SystemError) -> [UInt8] {
        var fault: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
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
