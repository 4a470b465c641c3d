import Archive
import Platform

struct BagFile: Sendable {
    /// The path below data/.
    let path: String
    let content: PackageContent
    /// The expected digest; nil if it is not known.
    var sha256: SHA256?
}

/// The files of a bag's payload with their sizes. Only the first of several hard links to a file is read.
struct BagPayload: Sendable {
    struct Entry: Sendable {
        let file: BagFile
        let size: Int64
        /// The index of the first entry that is a hard link to the same file; nil if this entry is the first.
        let first: Int?
    }

    private struct FileIdentity: Hashable {
        let inode: UInt64
        let device: UInt64
    }

    /// Sorted by the bytes of the paths, because this is the order in the output.
    private(set) var entries: [Entry] = []
    private(set) var bytes: Int64 = 0

    /// The maximum number of files and bytes that are in memory at the same time. A longer file is read in pieces.
    private static let batchCount = 256
    private static let batchSize: Int64 = 8 << 20

    init(_ files: [BagFile]) throws {
        entries.reserveCapacity(files.count)
        var indexes: [FileIdentity: Int] = [:]
        for file in files.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            try PackageFile.checkPath(file.path)
            if let last = entries.last, last.file.path.utf8.elementsEqual(file.path.utf8) {
                throw SnapshotError.unwritable("two files have the path data/\(file.path); remove one of them")
            }
            let size: Int64
            var first: Int?
            switch file.content {
            case .bytes(let bytes): size = Int64(bytes.count)
            case .file(let path):
                guard let status = FileStatus(path), status.isRegular else {
                    throw SnapshotError.changed("\(path) is missing, or is not a regular file")
                }
                size = status.size
                let identity = FileIdentity(inode: status.inode, device: status.device)
                first = indexes[identity]
                if first == nil { indexes[identity] = entries.count }
            }
            entries.append(Entry(file: file, size: size, first: first))
            let (sum, isOverflow) = bytes.addingReportingOverflow(size)
            guard !isOverflow else {
                throw SnapshotError.unwritable("all files together have more than \(Int64.max) bytes")
            }
            bytes = sum
        }
    }

    /// Creates all folders before several threads add files.
    func makeFolders(in folder: String) throws {
        guard FileStatus("\(folder)/bagit.txt") == nil else {
            throw SnapshotError.unwritable("\(folder) already exists; remove it or choose another folder")
        }
        try Folder.make("\(folder)/data")
        var createdFolders: Set<Substring> = []
        for entry in entries {
            guard let slash = entry.file.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
            let above = entry.file.path[..<slash]
            if createdFolders.insert(above).inserted { try Folder.make("\(folder)/data/\(above)") }
        }
    }

    /// Adds the files to a tar and a folder, if there is one, and checks their digests. Each batch of files is read and
    /// hashed on all cores.
    /// - Returns: the digests of all files, in the order of `entries`.
    func add(to tar: TarWriter?, below root: String, folder: String?) throws -> [FileDigests] {
        var digests: [FileDigests] = []
        digests.reserveCapacity(entries.count)
        while digests.count < entries.count {
            var batch = entries[digests.count...].prefix(1)
            var size = batch.reduce(0) { $0 + $1.size }
            for entry in entries[batch.endIndex...].prefix(Self.batchCount - 1) {
                guard size + entry.size <= Self.batchSize else { break }
                size += entry.size
                batch = entries[batch.startIndex...batch.endIndex]
            }
            let loaded =
                size <= Self.batchSize
                ? try batch.concurrentMap { try $0.load() } : [nil]
            for (entry, file) in zip(batch, loaded) {
                let path = "\(root)/\(entry.file.path)"
                if let first = entry.first {
                    digests.append(digests[first])
                    try tar?.addLink(path, to: "\(root)/\(entries[first].file.path)")
                } else if let file {
                    digests.append(file.digests)
                    try tar?.addFile(path, file.bytes)
                } else {
                    let hasher = FileHasher()
                    try tar?.begin(path, size: entry.size)
                    try entry.file.content.forEachPiece(of: entry.size) { piece in
                        hasher.update(piece)
                        try tar?.append(piece)
                    }
                    try tar?.end(size: entry.size)
                    digests.append(hasher.finish())
                }
                try entry.check(digests[digests.count - 1])
            }
            if let folder { _ = try batch.concurrentMap { try $0.writeFile(in: folder) } }
        }
        return digests
    }
}

extension BagPayload.Entry {
    /// The bytes of a file and their digests; nil for a link to an earlier file.
    fileprivate func load() throws -> (bytes: [UInt8], digests: FileDigests)? {
        guard first == nil else { return nil }
        let bytes = try file.content.load(size)
        return (bytes, FileDigests(of: bytes))
    }

    fileprivate func check(_ digests: FileDigests) throws {
        guard let known = file.sha256, known != digests.sha256 else { return }
        throw SnapshotError.changed(
            "data/\(file.path) has the SHA-256 \(digests.sha256.hex) instead of \(known.hex)")
    }

    /// Links the file into the bag's folder, or copies it if a link is not possible.
    fileprivate func writeFile(in folder: String) throws {
        let target = "\(folder)/data/\(file.path)"
        switch file.content {
        case .bytes(let bytes): try File.writeNew(bytes, to: target)
        case .file(let path):
            if try path != target && !File.link(path, to: target) { try File.copy(path, to: target) }
        }
    }
}
