import CSystem
import Glibc

/// An open file. Any thread can read and write it at any offset. It is closed in `deinit`.
///
/// Calls that a signal interrupts are repeated. Foundation is not used, because it calls fsync for each written file.
public final class File: Sendable {
    let descriptor: Int32
    private let path: String
    private let folder: OpenFolder

    /// The default size limit for reading. All pictures and documents are smaller.
    package static let maximumSize = 1 << 30

    /// Opens a file. Below a folder other than `working`, it must not be a symbolic link.
    /// - Parameter action: the verb for error messages.
    init(_ action: String, _ path: String, in folder: OpenFolder, _ flags: Int32, mode: UInt32 = 0o644) throws {
        let flags = flags | O_CLOEXEC | (folder.isWorking ? 0 : O_NOFOLLOW | O_NONBLOCK)
        descriptor = try folder.withParentFolder(path) { csystem_openat($0, $1, flags, mode) }
        guard descriptor >= 0 else { throw folder.failure(action, path) }
        self.path = path
        self.folder = folder
    }

    deinit { closePreservingError(descriptor) }

    /// Opens a regular file for reading.
    package convenience init(reading path: String, in folder: OpenFolder = .working) throws {
        try self.init("read", path, in: folder, O_RDONLY | O_NONBLOCK)
        guard try status().isRegular else { throw failure("read", code: SystemError.notRegularFile) }
    }

    /// Opens a regular file for reading; nil if it does not exist.
    package static func readingIfExists(_ path: String, in folder: OpenFolder = .working) throws -> File? {
        try ifExists { try File(reading: path, in: folder) }
    }

    /// Creates a file for writing. An existing file is an error.
    package convenience init(new path: String, in folder: OpenFolder = .working, mode: UInt32 = 0o644) throws {
        try self.init("write", path, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    }

    package func status() throws -> FileStatus {
        var found = stat()
        try call("read") { fstat($0, &found) }
        return FileStatus(found)
    }

    /// Reads the next bytes, or the bytes from an offset on. Near the end of the file, it returns fewer bytes.
    package func read(_ count: Int, at offset: Int64? = nil) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try repeatUntilDone("read", count) { done in
                let start = buffer.baseAddress?.advanced(by: done)
                guard let offset else { return Glibc.read(descriptor, start, count - done) }
                return pread(descriptor, start, count - done, off_t(offset) + off_t(done))
            }
        }
    }

    /// Writes all bytes, at the offset if there is one.
    package func write(_ bytes: [UInt8], at offset: Int64? = nil) throws {
        let written = try bytes.withUnsafeBytes { bytes in
            try repeatUntilDone("write", bytes.count) { done in
                let (start, count) = (bytes.baseAddress?.advanced(by: done), bytes.count - done)
                guard let offset else { return Glibc.write(descriptor, start, count) }
                return pwrite(descriptor, start, count, off_t(offset) + off_t(done))
            }
        }
        guard written == bytes.count else { throw failure("write") }
    }

    /// Repeats a call until it has moved all bytes, or moves none.
    /// - Returns: the number of bytes that were moved.
    private func repeatUntilDone(_ action: String, _ count: Int, _ call: (_ done: Int) -> Int) throws -> Int {
        var done = 0
        while done < count {
            let moved = call(done)
            if moved < 0 && errno == EINTR { continue }
            guard moved >= 0 else { throw failure(action) }
            if moved == 0 { break }
            done += moved
        }
        return done
    }

    /// Reports errors of earlier writes. Some file systems report them when a descriptor closes, so this closes a copy.
    package func finishWriting() throws {
        let copy = dup(descriptor)
        // If no descriptor is free, such an error is not found, but the bytes were accepted by the system.
        guard copy < 0 || close(copy) == 0 else { throw failure("write") }
    }

    /// Runs a system call that returns 0 on success.
    func call(_ action: String, _ body: (Int32) -> Int32) throws {
        guard body(descriptor) == 0 else { throw failure(action) }
    }

    private func failure(_ action: String, code: Int32 = errno) -> SystemError {
        SystemError(action, folder.displayPath(of: path), code: code)
    }
}

// MARK: Complete files

extension File {
    /// Reads a regular file. A file above the limit is an error.
    /// - Parameter mayBePipe: whether to read pipes and terminals too, and to wait for their end.
    package static func read(
        _ path: String, in folder: OpenFolder = .working, limit: Int = maximumSize, mayBePipe: Bool = false
    ) throws -> [UInt8] {
        let file = try File("read", path, in: folder, mayBePipe ? O_RDONLY : O_RDONLY | O_NONBLOCK)
        let status = try file.status()
        if status.isRegular {
            guard status.size <= limit else { throw file.failure("read", code: EFBIG) }
            return try file.read(Int(status.size))
        }
        // The size of other files is unknown. Reading a folder fails.
        guard mayBePipe else { throw file.failure("read", code: SystemError.notRegularFile) }
        var bytes: [UInt8] = []
        while case let piece = try file.read(1 << 16), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= limit else { throw file.failure("read", code: EFBIG) }
        }
        return bytes
    }

    /// Reads a regular file below a folder. A symbolic link is followed if its target is below the folder.
    package static func readFollowing(_ path: String, in folder: OpenFolder, limit: Int) throws -> [UInt8] {
        let shown = folder.displayPath(of: path)
        guard let root = Folder.realPath(folder.path), let target = Folder.realPath(shown) else {
            throw SystemError("read", shown)
        }
        let prefix = root == "/" ? root : root + "/"
        guard target.hasPrefix(prefix) else {
            throw SystemError("follow the link", shown, code: SystemError.outsideFolder)
        }
        do {
            return try read(String(target.dropFirst(prefix.count)), in: folder, limit: limit)
        } catch let error as SystemError {
            throw SystemError("read", shown, code: error.code)
        }
    }

    /// Writes a new file, and returns its status. An existing file is an error.
    @discardableResult
    package static func writeNew(
        _ bytes: [UInt8], to path: String, in folder: OpenFolder = .working, mode: UInt32 = 0o644
    ) throws -> FileStatus {
        try File(new: path, in: folder, mode: mode).fill(with: bytes)
    }

    private func fill(with bytes: [UInt8]) throws -> FileStatus {
        try write(bytes)
        try finishWriting()
        return try status()
    }

    /// Replaces the content of a file in place, and returns its status.
    @discardableResult
    package static func overwrite(_ path: String, in folder: OpenFolder = .working, with bytes: [UInt8]) throws
        -> FileStatus
    {
        let file = try File("write", path, in: folder, O_WRONLY | O_NOFOLLOW)
        try file.call("write") { ftruncate($0, off_t(bytes.count)) }
        return try file.fill(with: bytes)
    }

    /// Replaces the content of a read-only file in place. Hard links remain valid. It is read-only again at the end.
    package static func repair(_ path: String, in folder: OpenFolder = .working, with bytes: [UInt8]) throws {
        let file = try File("repair", path, in: folder, O_RDONLY | O_NOFOLLOW)
        defer {
            // `try?` ignores a failure, because the content is correct even if the file remains writable.
            try? file.call("repair") { fchmod($0, 0o444) }
        }
        try file.call("repair") { fchmod($0, 0o644) }
        try overwrite(path, in: folder, with: bytes)
    }

    /// Writes a file atomically: readers see either the old or the new content.
    package static func replace(_ bytes: [UInt8], at path: String, in folder: OpenFolder = .working) throws {
        let draft = "\(path).new"
        try remove(draft, in: folder)
        do {
            try writeNew(bytes, to: draft, in: folder)
            try rename(draft, to: path, in: folder)
        } catch {
            // The first error is reported.
            try? remove(draft, in: folder)
            throw error
        }
    }

    /// Moves a file. An existing file with the new name is replaced atomically.
    package static func rename(_ path: String, to new: String, in folder: OpenFolder = .working) throws {
        guard try folder.callWithBoth(path, new, in: folder, renameat) == 0 else {
            throw SystemError("move \(folder.displayPath(of: path)) to", folder.displayPath(of: new))
        }
    }

    /// Removes a file. A missing file is not an error.
    package static func remove(_ path: String, in folder: OpenFolder = .working) throws {
        try folder.call("remove", path) { unlinkat($0, $1, 0) == 0 || errno == ENOENT ? 0 : -1 }
    }

    /// Copies a file to a new file, in pieces.
    package static func copy(
        _ path: String, of folder: OpenFolder = .working, to new: String, in other: OpenFolder = .working
    ) throws {
        let (source, target) = (try File(reading: path, in: folder), try File(new: new, in: other))
        while case let piece = try source.read(1 << 20), !piece.isEmpty { try target.write(piece) }
        try target.finishWriting()
    }

    /// The result of a hard link: it was created, existed before, or is impossible, so that the file must be copied.
    package enum Linking { case linked, kept, refused }

    /// Creates a hard link. An existing file or folder with that name is replaced. Symbolic links are not followed.
    ///
    /// It does not look up the name first, because looking up a missing name blocks all writers in the folder.
    package static func link(
        _ path: String, of folder: OpenFolder = .working, to new: String, in other: OpenFolder = .working
    ) throws -> Linking {
        for _ in 0..<2 {
            if try folder.callWithBoth(path, new, in: other, { linkat($0, $1, $2, $3, 0) }) == 0 { return .linked }
            // Another file system, one without links, too many links (65,000 on ext4), or a file of another user.
            if [EXDEV, EMLINK, EPERM, ENOTSUP].contains(errno) { return .refused }
            guard errno == EEXIST else { break }
            if let file = FileStatus(path, in: folder), FileStatus(new, in: other)?.isSameFile(as: file) == true {
                return .kept
            }
            try other.remove(new)
        }
        throw SystemError("link \(folder.displayPath(of: path)) to", other.displayPath(of: new))
    }
}

/// Writes a new file sequentially, through a buffer.
///
/// Without a call of `finish` the file is incomplete.
public final class FileWriter {
    /// The bytes added so far.
    package private(set) var count: Int64 = 0
    private let file: File
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 18

    package init(_ path: String, mode: UInt32 = 0o644) throws {
        file = try File(new: path, mode: mode)
        buffer.reserveCapacity(Self.capacity)
    }

    package func append(_ bytes: [UInt8]) throws {
        count += Int64(bytes.count)
        if buffer.count + bytes.count > Self.capacity { try flush() }
        if bytes.count < Self.capacity { buffer += bytes } else { try file.write(bytes) }
    }

    /// Overwrites bytes that were added before, from an offset of the file on.
    package func patch(_ bytes: [UInt8], at offset: Int64) throws {
        try flush()
        try file.write(bytes, at: offset)
    }

    /// Writes the buffered bytes.
    package func finish() throws {
        try flush()
        try file.finishWriting()
    }

    private func flush() throws {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
