import CSystem
import Glibc

/// Whole files, by open, read, write and close: Foundation's writing calls fsync on each.
public enum File {
    /// What is read at once at the most, unless the caller says otherwise: no picture or document is as large.
    package static let longest = 1 << 30

    /// The bytes of a regular file; a larger one than the limit is an error.
    /// - Parameter mayBePipe: whether it may be a pipe or a terminal too, whose end is waited for.
    package static func read(
        _ path: String, in folder: OpenFolder? = nil, limit: Int = longest, mayBePipe: Bool = false
    ) throws(SystemError) -> [UInt8] {
        let file = try Descriptor("read", path, in: folder, mayBePipe ? O_RDONLY : O_RDONLY | O_NONBLOCK)
        return try readAll(file, limit: limit, mayBePipe: mayBePipe)
    }

    /// The bytes of a regular file below a folder; a link is followed where it leads to a place below the folder.
    package static func readFollowing(_ path: String, in folder: OpenFolder, limit: Int) throws(SystemError) -> [UInt8]
    {
        try readAll(try Descriptor(following: path, in: folder), limit: limit, mayBePipe: false)
    }

    private static func readAll(
        _ file: borrowing Descriptor, limit: Int, mayBePipe: Bool
    ) throws(SystemError) -> [UInt8] {
        let status = try file.status()
        if status.isRegular {
            guard status.size <= limit else { throw SystemError("read", file.shown, code: EFBIG) }
            return try file.read(Int(status.size))
        }
        // What is no regular file has no size to go by; a folder refuses to be read.
        guard mayBePipe else { throw SystemError("read", file.shown, code: SystemError.noFile) }
        var bytes: [UInt8] = []
        while case let piece = try file.read(1 << 16), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= limit else { throw SystemError("read", file.shown, code: EFBIG) }
        }
        return bytes
    }

    /// Writes a file that is not there yet, and returns its status.
    @discardableResult
    package static func writeNew(
        _ bytes: [UInt8], to path: String, in folder: OpenFolder? = nil, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileStatus {
        var file = try Descriptor(new: path, in: folder, mode: mode)
        return try write(bytes, to: &file)
    }

    private static func write(_ bytes: [UInt8], to file: inout Descriptor) throws(SystemError) -> FileStatus {
        try file.write(bytes)
        let status = try file.status("write")
        try file.close()
        return status
    }

    /// The status of a plain file that has exactly these bytes; nil where it has others, or is none.
    package static func status(of path: String, in folder: OpenFolder, ifHolding bytes: [UInt8]) throws(SystemError)
        -> FileStatus?
    {
        guard let status = FileStatus(path, in: folder), status.isRegular, status.size == Int64(bytes.count) else {
            return nil
        }
        return try read(path, in: folder) == bytes ? status : nil
    }

    /// Writes new content over a file's old one, in place, and returns its status.
    @discardableResult
    package static func overwrite(_ path: String, in folder: OpenFolder? = nil, with bytes: [UInt8]) throws(SystemError)
        -> FileStatus
    {
        var file = try Descriptor("write", path, in: folder, O_WRONLY | O_NOFOLLOW)
        try file.call("write") { ftruncate($0, off_t(bytes.count)) }
        return try write(bytes, to: &file)
    }

    /// Replaces a read-only file's content under all its names, and returns its status: the file stays the same one, and
    /// read-only.
    @discardableResult
    package static func mend(_ path: String, in folder: OpenFolder? = nil, with bytes: [UInt8]) throws(SystemError)
        -> FileStatus
    {
        let file = try Descriptor("mend", path, in: folder, O_RDONLY | O_NOFOLLOW)
        defer {
            // What cannot be made read-only again is right all the same.
            try? file.call("mend") { fchmod($0, 0o444) }
        }
        try file.call("mend") { fchmod($0, 0o644) }
        return try overwrite(path, in: folder, with: bytes)
    }

    /// Gives a file the time of last change of another one.
    package static func setModified(_ path: String, in folder: OpenFolder? = nil, to nanoseconds: Int64)
        throws(SystemError)
    {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Before 1970 the seconds are below zero, the nanoseconds never (utimensat(2)).
        let time =
            rest < 0
            ? timespec(tv_sec: Int(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
            : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        try folder.call("set the time of", path) { utimensat($0, $1, [time, time], AT_SYMLINK_NOFOLLOW) }
    }

    /// Writes a file in one step: readers see the old content or the new one.
    package static func replace(_ bytes: [UInt8], at path: String) throws(SystemError) {
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

    /// Moves a file; what was at the new place is replaced in one step.
    package static func rename(_ path: String, to new: String, in folder: OpenFolder? = nil) throws(SystemError) {
        let moved = try folder.locate(path) { (place, path) throws(SystemError) in
            try folder.locate(new) { renameat(place, path, $0, $1) }
        }
        guard moved == 0 else { throw SystemError("move \(folder.shown(path)) to", folder.shown(new)) }
    }

    /// Removes a file; that nothing is there is no error.
    package static func remove(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        try folder.call("remove", path) { unlinkat($0, $1, 0) == 0 || errno == ENOENT ? 0 : -1 }
    }

    /// Writes a new file with the bytes of another, a piece at a time.
    package static func copy(_ path: String, to new: String) throws(SystemError) {
        var reader = try FileReader(path)
        var writer = try FileWriter(new)
        while case let piece = try reader.read(1 << 20), !piece.isEmpty { try writer.append(piece) }
        try writer.finish()
    }
}

extension File {
    /// Another file system, 65,000 names on ext4, somebody else's file, no links at all (link(2)).
    private static let linkRefusals = [EXDEV, EMLINK, EPERM, ENOTSUP]

    /// Gives a file a second name, where the file system has such a thing and the file may have one more.
    /// - Returns: whether it did; where not, the file has to be copied.
    package static func link(_ path: String, to new: String) throws(SystemError) -> Bool {
        if Glibc.link(path, new) == 0 { return true }
        guard linkRefusals.contains(errno) else { throw SystemError("link \(path) to", new) }
        return false
    }

    /// Whether a file got a second name: it has it now, it had it before, or it cannot have it and has to be copied.
    package enum Linking {
        case linked, kept, refused
    }

    /// Gives a file below a folder another name below another folder, in the place of whatever is there; a link is not
    /// followed.
    ///
    /// It does not look first whether something is there: looking up a missing name takes a lock that all writers in
    /// the folder wait for.
    package static func link(
        _ path: UnsafePointer<CChar>, of folder: OpenFolder, to new: UnsafePointer<CChar>, in other: OpenFolder
    ) throws(SystemError) -> Linking {
        for _ in 0..<2 {
            let linked = try folder.locate(path) { (place, path) throws(SystemError) in
                try other.locate(new) { linkat(place, path, $0, $1, 0) }
            }
            if linked == 0 { return .linked }
            if linkRefusals.contains(errno) { return .refused }
            guard errno == EEXIST else { break }
            if let file = FileStatus(path, in: folder), FileStatus(new, in: other)?.isSameFile(as: file) == true {
                return .kept
            }
            guard try other.locate(new, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT else { break }
        }
        throw SystemError("link \(folder.path)/\(String(cString: path)) to", "\(other.path)/\(String(cString: new))")
    }
}
