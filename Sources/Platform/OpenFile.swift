import CSystem
import Glibc

/// A file descriptor that is closed in `deinit`. Calls that a signal interrupts are repeated.
struct Descriptor: ~Copyable, Sendable {
    private var number: Int32
    private let path: String
    private let folder: OpenFolder?

    /// Opens a file. Below a folder, it must not be a symbolic link.
    /// - Parameter action: the verb for error messages.
    init(
        _ action: String, _ path: String, in folder: OpenFolder?, _ flags: Int32, mode: UInt32 = 0o644
    ) throws(SystemError) {
        number = try folder.open(action, path, flags, mode: mode)
        self.path = path
        self.folder = folder
    }

    /// Opens a file below a folder. A symbolic link is followed if its target is below the folder.
    init(following path: String, in folder: OpenFolder) throws(SystemError) {
        number = try folder.openFollowing(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        self.path = path
        self.folder = folder
    }

    /// Creates a file. An existing file is an error.
    init(new path: String, in folder: OpenFolder?, mode: UInt32 = 0o644) throws(SystemError) {
        try self.init("write", path, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    }

    deinit {
        if number >= 0 { Glibc.close(number) }
    }

    var displayPath: String { folder.displayPath(of: path) }

    func status(_ action: String = "read") throws(SystemError) -> FileStatus {
        var found = stat()
        guard fstat(number, &found) == 0 else { throw SystemError(action, displayPath) }
        return FileStatus(found)
    }

    /// Runs a system call that returns 0 on success.
    func call(_ action: String, _ body: (Int32) -> Int32) throws(SystemError) {
        guard body(number) == 0 else { throw SystemError(action, displayPath) }
    }

    /// Fills a buffer with the next bytes, or with the bytes from an offset on.
    /// - Returns: the number of bytes, which is smaller than the buffer at the end of the file; -1 for an error.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64?) -> Int {
        move(buffer.count) { done in
            let (start, count) = (buffer.baseAddress?.advanced(by: done), buffer.count - done)
            guard let offset else { return Glibc.read(number, start, count) }
            return pread(number, start, count, off_t(offset) + off_t(done))
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let filled = fill(buffer, at: nil)
        guard filled >= 0 else { throw SystemError("read", displayPath) }
        return filled
    }

    /// Reads the next bytes, or the bytes from an offset on. Near the end of the file, it returns fewer bytes.
    func read(_ count: Int, at offset: Int64? = nil) throws(SystemError) -> [UInt8] {
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            filled = fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
            initialized = max(0, filled)
        }
        guard filled >= 0 else { throw SystemError("read", displayPath) }
        return bytes
    }

    /// Writes all bytes, at the offset if there is one.
    func write(_ bytes: [UInt8], at offset: Int64? = nil) throws(SystemError) {
        let written = bytes.withUnsafeBytes { bytes in
            move(bytes.count) { done in
                let (start, count) = (bytes.baseAddress?.advanced(by: done), bytes.count - done)
                guard let offset else { return Glibc.write(number, start, count) }
                return pwrite(number, start, count, off_t(offset) + off_t(done))
            }
        }
        guard written == bytes.count else { throw SystemError("write", displayPath) }
    }

    /// Repeats a call until all bytes are moved, or until it moves none.
    private func move(_ count: Int, _ call: (_ done: Int) -> Int) -> Int {
        var done = 0
        while done < count {
            let bytesMoved = call(done)
            if bytesMoved < 0 && errno == EINTR { continue }
            guard bytesMoved >= 0 else { return -1 }
            if bytesMoved == 0 { break }
            done += bytesMoved
        }
        return done
    }

    /// Closes a written file. Some file systems report write errors only here.
    mutating func close() throws(SystemError) {
        let closed = number
        number = -1
        guard Glibc.close(closed) == 0 else { throw SystemError("write", displayPath) }
    }
}

/// An open file that any thread can read at any offset. It is closed in `deinit`.
public final class OpenFile: Sendable {
    /// The status when the file was opened.
    package let status: FileStatus
    private let descriptor: Descriptor

    /// Opens a file; nil if it does not exist. Below a folder, it must be a regular file.
    package init?(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        do throws(SystemError) {
            let reader = try FileReader(path, in: folder)
            status = reader.status
            descriptor = reader.takeDescriptor()
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Reads bytes from an offset on. Near the end of the file, it returns fewer bytes.
    package func read(at offset: Int64, _ count: Int) throws(SystemError) -> [UInt8] {
        try descriptor.read(count, at: offset)
    }
}

/// A new file that any thread can write at any offset. It is closed in `deinit`.
public final class NewFile: Sendable {
    private let descriptor: Descriptor

    package init(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        descriptor = try Descriptor(new: path, in: folder)
    }

    package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try descriptor.write(bytes, at: offset)
    }
}

/// Reads a file sequentially, in pieces. The file is closed in `deinit`.
public struct FileReader: ~Copyable {
    /// The status when the file was opened.
    package let status: FileStatus
    private let descriptor: Descriptor

    /// Opens a file. Below a folder, it must be a regular file.
    package init(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        let opened = try Descriptor("read", path, in: folder, O_RDONLY)
        let status = try opened.status()
        guard folder == nil || status.isRegular else {
            throw SystemError("read", opened.displayPath, code: SystemError.notRegularFile)
        }
        self.status = status
        descriptor = opened
    }

    consuming fileprivate func takeDescriptor() -> Descriptor { descriptor }

    /// Reads the next bytes. Near the end of the file, it returns fewer bytes, and at the end none.
    package mutating func read(_ count: Int) throws(SystemError) -> [UInt8] { try descriptor.read(count) }

    /// Fills a buffer with the next bytes. Returns the number of bytes, which is smaller than the buffer at the end of
    /// the file.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try descriptor.read(into: buffer)
    }

    /// Skips the next bytes.
    package mutating func skip(_ count: Int64) throws(SystemError) {
        try descriptor.call("read") { lseek($0, off_t(count), SEEK_CUR) < 0 ? -1 : 0 }
    }
}

/// Writes a new file sequentially, through a buffer.
///
/// Without a call of `finish` the file is incomplete.
public struct FileWriter: ~Copyable {
    /// The bytes added so far.
    package private(set) var count: Int64 = 0
    private var descriptor: Descriptor
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 18

    package init(_ path: String) throws(SystemError) {
        descriptor = try Descriptor(new: path, in: nil)
        buffer.reserveCapacity(Self.capacity)
    }

    package mutating func append(_ bytes: [UInt8]) throws(SystemError) {
        count += Int64(bytes.count)
        if buffer.count + bytes.count > Self.capacity { try flush() }
        if bytes.count < Self.capacity { buffer += bytes } else { try descriptor.write(bytes) }
    }

    /// Overwrites bytes that were added before, from an offset of the file on.
    package mutating func patch(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try flush()
        try descriptor.write(bytes, at: offset)
    }

    /// Writes the buffered bytes and closes the file.
    package mutating func finish() throws(SystemError) {
        try flush()
        try descriptor.close()
    }

    private mutating func flush() throws(SystemError) {
        try descriptor.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A lock on a file between processes (flock(2)). The system releases it when its process ends.
public final class FileLock: Sendable {
    private let file: Descriptor

    /// Acquires the lock without waiting.
    /// - Returns: nil if another process holds the lock.
    package init?(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        file = try Descriptor("open the lock", path, in: folder, O_RDWR | O_CREAT)
        do throws(SystemError) {
            try file.call("lock") { flock($0, LOCK_EX | LOCK_NB) }
        } catch {
            guard error.code == EWOULDBLOCK else { throw error }
            return nil
        }
    }

    /// Whether another process holds a record lock (fcntl(2), F_GETLK) on bytes of a file.
    package static func isHeld(on path: String, from offset: Int64, count: Int64) throws(SystemError) -> Bool {
        let file = try Descriptor("read", path, in: nil, O_RDONLY)
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(offset)
        lock.l_len = off_t(count)
        try file.call("query the locks of") { fcntl($0, F_GETLK, &lock) }
        return lock.l_type != Int16(F_UNLCK)
    }
}
