import CSystem
import Glibc

/// Whole files, by open, read, write and close: Foundation's writing calls fsync on each.
public enum File {
    /// What is read at once at the most, unless the caller says otherwise: no picture or document is as large.
    public static let longest = 1 << 30

    /// The bytes of a regular file.
    /// - Parameters:
    ///   - limit: the most bytes; a larger file is an error.
    ///   - mayBePipe: whether it may be a pipe or a terminal too, whose end is waited for.
    public static func read(
        _ path: String, in folder: OpenFolder? = nil, limit: Int = longest, mayBePipe: Bool = false
    ) throws(SystemError) -> [UInt8] {
        let descriptor = try folder.open("read", path, mayBePipe ? O_RDONLY : O_RDONLY | O_NONBLOCK)
        defer { close(descriptor) }
        return try read(descriptor, folder.shown(path), limit: limit, mayBePipe: mayBePipe)
    }

    /// The bytes of a regular file below a folder; a link is followed where it leads to a place below the folder.
    public static func readFollowing(_ path: String, in folder: OpenFolder, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = try folder.openFollowing(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        return try read(descriptor, "\(folder.path)/\(path)", limit: limit, mayBePipe: false)
    }

    private static func read(_ descriptor: Int32, _ path: String, limit: Int, mayBePipe: Bool) throws(SystemError)
        -> [UInt8]
    {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("read", path) }
        // What is no plain file has no size to go by; a folder refuses to be read.
        guard status.st_mode & S_IFMT == S_IFREG else {
            guard mayBePipe else { throw SystemError("read", path, code: SystemError.noFile) }
            return try readToEnd(descriptor, path, limit)
        }
        guard Int(status.st_size) <= limit else { throw SystemError("read", path, code: EFBIG) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read", path) }
            if count == 0 { break }
            offset += count
        }
        bytes.removeLast(bytes.count - offset)
        return bytes
    }

    private static func readToEnd(_ descriptor: Int32, _ path: String, _ limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read", path) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw SystemError("read", path, code: EFBIG) }
        }
    }

    /// Writes a file that is not there yet.
    /// - Returns: the status of the file as it was written.
    @discardableResult
    public static func writeNew(
        _ bytes: [UInt8], to path: String, in folder: OpenFolder? = nil, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileStatus {
        let descriptor = try folder.open("write", path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        return try write(bytes, to: descriptor, folder.shown(path))
    }

    /// The status of a plain file that has exactly these bytes; nil where it has others, or is none.
    public static func status(of path: String, in folder: OpenFolder, ifHolding bytes: [UInt8]) throws(SystemError)
        -> FileStatus?
    {
        guard let status = FileStatus(path, in: folder), status.isRegular, status.size == Int64(bytes.count) else {
            return nil
        }
        return try read(path, in: folder) == bytes ? status : nil
    }

    /// Writes new content over a file's old one, in place.
    /// - Returns: the status of the file as it was written.
    @discardableResult
    public static func overwrite(_ path: String, in folder: OpenFolder? = nil, with bytes: [UInt8]) throws(SystemError)
        -> FileStatus
    {
        let descriptor = try folder.open("write", path, O_WRONLY | O_NOFOLLOW)
        guard ftruncate(descriptor, off_t(bytes.count)) == 0 else {
            let failure = SystemError("write", folder.shown(path))
            close(descriptor)
            throw failure
        }
        return try write(bytes, to: descriptor, folder.shown(path))
    }

    /// Writes a read-only file's content anew under all its names: the file stays the same one, and read-only.
    /// - Returns: the status of the file as it was written.
    @discardableResult
    public static func mend(_ path: String, in folder: OpenFolder? = nil, with bytes: [UInt8]) throws(SystemError)
        -> FileStatus
    {
        let descriptor = try folder.open("mend", path, O_RDONLY | O_NOFOLLOW)
        defer {
            // What cannot be made read-only again is right all the same.
            _ = fchmod(descriptor, 0o444)
            close(descriptor)
        }
        guard fchmod(descriptor, 0o644) == 0 else { throw folder.failure("mend", path) }
        return try overwrite(path, in: folder, with: bytes)
    }

    /// Gives a file the time of last change of another one.
    public static func setModified(_ path: String, in folder: OpenFolder? = nil, to nanoseconds: Int64)
        throws(SystemError)
    {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Before 1970 the seconds are below zero, the nanoseconds never (utimensat(2)).
        let time =
            rest < 0
            ? timespec(tv_sec: Int(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
            : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        let isSet = try folder.locate(path) { utimensat($0, $1, [time, time], AT_SYMLINK_NOFOLLOW) } == 0
        guard isSet else { throw folder.failure("set the time of", path) }
    }

    /// Writes a file in one step: readers see the old content or the new one.
    public static func replace(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let draft = "\(path).new"
        unlink(draft)
        do {
            try writeNew(bytes, to: draft)
            try rename(draft, to: path)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Moves a file; what stood at the new place is replaced in one step.
    public static func rename(_ path: String, to new: String, in folder: OpenFolder? = nil) throws(SystemError) {
        let moved = try folder.locate(path) { (place, path) throws(SystemError) in
            try folder.locate(new) { renameat(place, path, $0, $1) }
        }
        guard moved == 0 else { throw SystemError("move \(folder.shown(path)) to", folder.shown(new)) }
    }

    /// Removes a file; that nothing is there is no error.
    public static func remove(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        guard try folder.locate(path, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT else {
            throw folder.failure("remove", path)
        }
    }

    /// Writes all bytes and closes the file.
    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: @autoclosure () -> String)
        throws(SystemError) -> FileStatus
    {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let failure = SystemError("write", path())
                close(descriptor)
                throw failure
            }
            offset += count
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        guard close(descriptor) == 0, isKnown else { throw SystemError("write", path()) }
        return FileStatus(status)
    }
}
