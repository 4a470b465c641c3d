import CSystem
import Glibc

/// Reads and writes complete files with system calls. Foundation would call fsync for each written file.
public enum File {
    /// The default size limit for reading. All pictures and documents are smaller.
    package static let maximumSize = 1 << 30

    /// Reads a regular file. A file above the limit is an error.
    /// - Parameter mayBePipe: whether to read pipes and terminals too, and to wait for their end.
    package static func read(
        _ path: String, in folder: OpenFolder? = nil, limit: Int = maximumSize, mayBePipe: Bool = false
    ) throws(SystemError) -> [UInt8] {
        let file = try Descriptor("read", path, in: folder, mayBePipe ? O_RDONLY : O_RDONLY | O_NONBLOCK)
        return try readAll(file, limit: limit, mayBePipe: mayBePipe)
    }

    /// Reads a regular file below a folder. A symbolic link is followed if its target is below the folder.
    package static func readFollowing(_ path: String, in folder: OpenFolder, limit: Int) throws(SystemError) -> [UInt8]
    {
        try readAll(try Descriptor(following: path, in: folder), limit: limit, mayBePipe: false)
    }

    private static func readAll(
        _ file: borrowing Descriptor, limit: Int, mayBePipe: Bool
    ) throws(SystemError) -> [UInt8] {
        let status = try file.status()
        if status.isRegular {
            guard status.size <= limit else { throw SystemError("read", file.displayPath, code: EFBIG) }
            return try file.read(Int(status.size))
        }
        // The size of other files is unknown. Reading a folder fails.
        guard mayBePipe else { throw SystemError("read", file.displayPath, code: SystemError.notRegularFile) }
        var bytes: [UInt8] = []
        while case let piece = try file.read(1 << 16), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= limit else { throw SystemError("read", file.displayPath, code: EFBIG) }
        }
        return bytes
    }

    /// Writes a new file, and returns its status. An existing file is an error.
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

    /// The status of a regular file, if it has exactly these bytes; otherwise nil.
    package static func status(of path: String, in folder: OpenFolder, ifEqualTo bytes: [UInt8]) throws(SystemError)
        -> FileStatus?
    {
        guard let status = FileStatus(path, in: folder), status.isRegular, status.size == Int64(bytes.count) else {
            return nil
        }
        return try read(path, in: folder) == bytes ? status : nil
    }

    /// Replaces the content of a file in parent, and returns its status.
    @discardableResult
    package static func overwrite(_ path: String, in folder: OpenFolder? = nil, with bytes: [UInt8]) throws(SystemError)
        -> FileStatus
    {
        var file = try Descriptor("write", path, in: folder, O_WRONLY | O_NOFOLLOW)
        try file.call("write") { ftruncate($0, off_t(bytes.count)) }
        return try write(bytes, to: &file)
    }

    /// Replaces the content of a read-only file in parent, and returns its status. Hard links to the file remain valid,
    /// and the file is read-only again at the end.
    @discardableResult
    package static func repair(_ path: String, in folder: OpenFolder? = nil, with bytes: [UInt8]) throws(SystemError)
        -> FileStatus
    {
        let file = try Descriptor("repair", path, in: folder, O_RDONLY | O_NOFOLLOW)
        defer {
            // `try?` ignores a failure, because the content is correct even if the file remains writable.
            try? file.call("repair") { fchmod($0, 0o444) }
        }
        try file.call("repair") { fchmod($0, 0o644) }
        return try overwrite(path, in: folder, with: bytes)
    }

    /// Sets the modification time of a file, in nanoseconds since 1970.
    package static func setModified(_ path: String, in folder: OpenFolder? = nil, to nanoseconds: Int64)
        throws(SystemError)
    {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // For times before 1970, the seconds are negative, but the nanoseconds never are (utimensat(2)).
        let time =
            rest < 0
            ? timespec(tv_sec: Int(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
            : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        try folder.call("set the time of", path) { utimensat($0, $1, [time, time], AT_SYMLINK_NOFOLLOW) }
    }

    /// Writes a file atomically: readers see either the old or the new content.
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

    /// Moves a file. An existing file with the new name is replaced atomically.
    package static func rename(_ path: String, to new: String, in folder: OpenFolder? = nil) throws(SystemError) {
        let moved = try folder.withParentFolder(path) { (parent, path) throws(SystemError) in
            try folder.withParentFolder(new) { renameat(parent, path, $0, $1) }
        }
        guard moved == 0 else {
            throw SystemError("move \(folder.displayPath(of: path)) to", folder.displayPath(of: new))
        }
    }

    /// Removes a file. A missing file is not an error.
    package static func remove(_ path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        try folder.call("remove", path) { unlinkat($0, $1, 0) == 0 || errno == ENOENT ? 0 : -1 }
    }

    /// Copies a file to a new file, in pieces.
    package static func copy(_ path: String, to new: String) throws(SystemError) {
        var reader = try FileReader(path)
        var writer = try FileWriter(new)
        while case let piece = try reader.read(1 << 20), !piece.isEmpty { try writer.append(piece) }
        try writer.finish()
    }
}

extension File {
    /// The errors for another file system, too many links (65,000 on ext4), another user's file, and a file system
    /// without links (link(2)).
    private static let linkRefusals = [EXDEV, EMLINK, EPERM, ENOTSUP]

    /// Creates a hard link if the file system allows it.
    /// - Returns: whether the link exists; otherwise the caller must copy the file.
    package static func link(_ path: String, to new: String) throws(SystemError) -> Bool {
        if Glibc.link(path, new) == 0 { return true }
        guard linkRefusals.contains(errno) else { throw SystemError("link \(path) to", new) }
        return false
    }

    /// The result of creating a hard link: it was created, it existed before, or it is impossible and the file must be
    /// copied.
    package enum Linking {
        case linked, kept, refused
    }

    /// Creates a hard link below another folder. An existing file with that name is replaced. Symbolic links are not
    /// followed.
    ///
    /// The function does not first check whether the name exists, because looking up a missing name blocks all writers
    /// in the folder.
    package static func link(
        _ path: UnsafePointer<CChar>, of folder: OpenFolder, to new: UnsafePointer<CChar>, in other: OpenFolder
    ) throws(SystemError) -> Linking {
        for _ in 0..<2 {
            let linked = try folder.withParentFolder(path) { (parent, path) throws(SystemError) in
                try other.withParentFolder(new) { linkat(parent, path, $0, $1, 0) }
            }
            if linked == 0 { return .linked }
            if linkRefusals.contains(errno) { return .refused }
            guard errno == EEXIST else { break }
            if let file = FileStatus(path, in: folder), FileStatus(new, in: other)?.isSameFile(as: file) == true {
                return .kept
            }
            guard try other.withParentFolder(new, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT else { break }
        }
        throw SystemError("link \(folder.path)/\(String(cString: path)) to", "\(other.path)/\(String(cString: new))")
    }
}
