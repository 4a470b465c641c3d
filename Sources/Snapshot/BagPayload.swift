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

    /// Sorted by the bytes of the paths, because this is the order in the output.
    private(set) var entries: [Entry] = []
    private(set) var bytes: Int64 = 0

    init(_ files: [BagFile]) throws {
        // The indexes of files by device and inode.
        var indexes: [[UInt64]: Int] = [:]
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
                let identity = [status.device, status.inode]
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

    /// Adds the files to a tar and a folder, if there is one, and checks their digests. Files are read and hashed on all
    /// cores.
    /// - Returns: the digests of all files, in the order of `entries`.
    func add(to tar: TarWriter?, below root: String, folder: String?) throws -> [FileDigests] {
        var digests: [FileDigests] = []
        func finish(_ entry: Entry, _ loaded: (bytes: [UInt8], digests: FileDigests)?) throws {
            let link = entry.first.map { "\(root)/\(entries[$0].file.path)" }
            try tar?.begin("\(root)/\(entry.file.path)", size: link == nil ? entry.size : 0, link: link)
            if let first = entry.first {
                digests.append(digests[first])
            } else if let loaded {
                digests.append(loaded.digests)
                try tar?.append(loaded.bytes)
            } else {
                let hasher = FileHasher()
                try entry.file.content.forEachPiece(of: entry.size) { piece in
                    hasher.update(piece)
                    try tar?.append(piece)
                }
                digests.append(hasher.finish())
            }
            try entry.check(digests[digests.count - 1])
        }
        var batches = ParallelBatches<Entry, (bytes: [UInt8], digests: FileDigests)?> { entry in
            if let folder { try entry.writeFile(in: folder) }
            return try entry.load()
        }
        for entry in entries { try batches.add(entry, size: entry.first == nil ? entry.size : 0, finish) }
        try batches.flush(finish)
        return digests
    }
}

extension BagPayload.Entry {
    /// The bytes of a file and their digests; nil for a link to an earlier file, and for a file that is too large to be
    /// in memory.
    fileprivate func load() throws -> (bytes: [UInt8], digests: FileDigests)? {
        guard first == nil, size <= PackageContent.maximumLoadedSize else { return nil }
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
            if try path != target && File.link(path, to: target) == .refused { try File.copy(path, to: target) }
        }
    }
}
