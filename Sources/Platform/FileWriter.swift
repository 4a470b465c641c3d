import CSystem
import Glibc

/// Writes a new file piece by piece, through a buffer: for content that is too large to be held.
public final class FileWriter {
    private let descriptor: Int32
    private let path: String
    private var buffer: [UInt8] = []
    private var isOpen = true
    /// How many bytes have been written, those in the buffer included.
    public private(set) var count: Int64 = 0

    private static let capacity = 1 << 18

    /// Makes the file, which must not be there yet.
    public init(_ path: String) throws(SystemError) {
        descriptor = csystem_openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemError("write", path) }
        self.path = path
        buffer.reserveCapacity(Self.capacity)
    }

    deinit { if isOpen { Glibc.close(descriptor) } }

    /// Adds bytes.
    public func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        buffer.append(contentsOf: bytes)
        count += Int64(bytes.count)
        if buffer.count >= Self.capacity { try flush() }
    }

    /// Writes what is left and closes the file; nothing may be added then.
    public func close() throws(SystemError) {
        try flush()
        isOpen = false
        guard Glibc.close(descriptor) == 0 else { throw SystemError("write", path) }
    }

    private func flush() throws(SystemError) {
        var offset = 0
        while offset < buffer.count {
            let count = buffer.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write", path) }
            offset += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
