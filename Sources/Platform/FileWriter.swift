import Glibc

/// A new file written piece by piece, through a buffer.
///
/// Dropped before its end it leaves what it has written so far; `finish` says whether all of it is there.
public struct FileWriter: ~Copyable {
    /// How many bytes were added so far.
    public private(set) var count: Int64 = 0
    private var descriptor: Int32
    private let path: String
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 18

    /// Makes a file that is not there yet.
    public init(_ path: String) throws(SystemError) {
        descriptor = try OpenedDescriptor.writingNew(path)
        self.path = path
        buffer.reserveCapacity(Self.capacity)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Adds bytes.
    public mutating func append(_ bytes: [UInt8]) throws(SystemError) {
        count += Int64(bytes.count)
        if buffer.count + bytes.count > Self.capacity { try flush() }
        if bytes.count < Self.capacity {
            buffer += bytes
        } else {
            try write(bytes)
        }
    }

    /// Writes over bytes that were added before, from an offset of the file.
    public mutating func patch(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try flush()
        try OpenedDescriptor.write(bytes, to: descriptor, at: offset, path)
    }

    /// Writes what is left and closes the file.
    public mutating func finish() throws(SystemError) {
        try flush()
        let closed = descriptor
        descriptor = -1
        guard close(closed) == 0 else { throw SystemError("write", path) }
    }

    private mutating func flush() throws(SystemError) {
        try write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw SystemError("write", path) }
            done += written
        }
    }
}
