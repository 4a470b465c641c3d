import Glibc

/// A file read from its beginning to its end, piece by piece; closes itself.
public struct FileReader: ~Copyable {
    /// The file as it was when it was opened.
    public let status: FileStatus
    private let descriptor: Int32
    private let path: String

    /// Opens a file; below a folder, a regular one.
    public init(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        (descriptor, status) = try OpenedDescriptor.reading(path, in: folder)
        self.path = folder.shown(path)
    }

    deinit { close(descriptor) }

    /// The next bytes: so many, or fewer where the file ends before; none at its end.
    public mutating func read(_ count: Int) throws(SystemError) -> [UInt8] {
        var fault: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        return bytes
    }

    /// Passes over the next bytes without reading them.
    public mutating func skip(_ count: Int64) throws(SystemError) {
        guard count == 0 || lseek(descriptor, off_t(count), SEEK_CUR) >= 0 else { throw SystemError("read", path) }
    }

    /// Fills a buffer with the next bytes.
    /// - Returns: how many there were: fewer than asked for where the file ends before.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let got = Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw SystemError("read", path) }
            if got == 0 { break }
            filled += got
        }
        return filled
    }
}
