import Archive
import Platform

/// A bag's payload before a byte of it is read: in order, with lengths, and with what is one file under several names.
struct BagPayload: Sendable {
    struct Entry: Sendable {
        let file: BagFile
        let size: Int64
        /// The entry before this one that is a name of the same file.
        let first: Int?
    }

    /// Sorted by the bytes of their paths: output order.
    let files: [Entry]
    let bytes: Int64

    init(_ given: [BagFile]) throws(SnapshotError) {
        var entries: [Entry] = []
        entries.reserveCapacity(given.count)
        var known: [File: Int] = [:]
        for file in given.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            try PackagePath.check(file.path)
            if let last = entries.last, last.file.path.utf8.elementsEqual(file.path.utf8) {
                throw .unwritable("two files are to be data/\(file.path); leave one of them out")
            }
            switch file.content {
            case .bytes(let bytes): entries.append(Entry(file: file, size: Int64(bytes.count), first: nil))
            case .file(let path):
                guard let status = FileStatus(path), status.isRegular else {
                    throw .changed("\(path) is missing, or is not a regular file")
                }
                let name = File(inode: status.inode, device: status.device)
                let first = known[name]
                if first == nil { known[name] = entries.count }
                entries.append(Entry(file: file, size: status.size, first: first))
            }
        }
        files = entries
        var sum: Int64 = 0
        for entry in entries {
            let (more, isTooMuch) = sum.addingReportingOverflow(entry.size)
            guard !isTooMuch else { throw .unwritable("the files have more than \(Int64.max) bytes together") }
            sum = more
        }
        bytes = sum
    }

    private struct File: Hashable {
        let inode: UInt64
        let device: UInt64
    }
}

extension BagPayload {
    /// More is not held in memory as a whole.
    private static let large: Int64 = 4 << 20

    /// The file on disk that is too large to be held in memory, where the entry is one.
    func largeFile(at index: Int) -> String? {
        guard case .file(let path) = files[index].file.content, files[index].first == nil,
            files[index].size > Self.large
        else {
            return nil
        }
        return path
    }

    /// Runs of files that are loaded together: of few bytes, and each large file alone.
    var batches: [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var size: Int64 = 0
        for index in files.indices {
            let isFull = index - start == 256 || size + files[index].size > 2 * Self.large
            if index > start, isFull || largeFile(at: index) != nil || largeFile(at: start) != nil {
                batches.append(start..<index)
                (start, size) = (index, 0)
            }
            size += files[index].size
        }
        if start < files.count { batches.append(start..<files.count) }
        return batches
    }
}

/// A file that has been read and hashed.
struct LoadedFile: Sendable {
    let content: [UInt8]
    /// Nil for one more name of a file that was read before.
    let digests: FileDigests?
}

extension BagPayload.Entry {
    /// Reads and hashes the file, and puts it into the bag's folder, if there is one.
    func load(into folder: String?) throws(SnapshotError) -> LoadedFile {
        var bytes: [UInt8] = []
        var digests: FileDigests?
        if first == nil {
            switch file.content {
            case .bytes(let given): bytes = given
            case .file(let path):
                var reader = try FileReader.opened(path)
                do { bytes = try reader.read(Int(size) + 1) } catch { throw .file(error) }
                guard bytes.count == Int(size) else { throw .changed("\(path) changed its length while it was read") }
            }
            let made = FileDigests(of: bytes)
            try check(made)
            digests = made
        }
        if let folder { try place(in: folder, first == nil ? bytes : nil) }
        return LoadedFile(content: bytes, digests: digests)
    }

    /// Compares with the digest that was told.
    func check(_ digests: FileDigests) throws(SnapshotError) {
        guard let known = file.sha256, known != digests.sha256 else { return }
        throw .changed("data/\(file.path) has the SHA-256 \(digests.sha256.hex) in place of \(known.hex)")
    }

    /// Gives the file its name in the bag's folder, or, where the file system has no second names, makes a copy, of its
    /// bytes where they are at hand.
    func place(in folder: String, _ bytes: [UInt8]?) throws(SnapshotError) {
        let target = "\(folder)/data/\(file.path)"
        do throws(SystemError) {
            if case .file(let path) = file.content {
                if path == target { return }
                if try File.link(path, to: target) { return }
                guard bytes != nil else { return try File.copy(path, to: target) }
            }
            try File.writeNew(bytes ?? [], to: target)
        } catch {
            throw .file(error)
        }
    }
}
