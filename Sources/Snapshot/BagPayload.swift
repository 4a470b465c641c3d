import Archive
import Glibc
import Platform

struct BagFile: Sendable {
    /// The path below data/.
    let path: String
    let content: PackageContent
    /// The expected digest; nil if it is not known.
    var sha256: SHA256?
    /// The size in bytes; `BagPayload` sets it.
    var size: Int64 = 0
    /// The index of the first file of the payload that is a hard link to the same file; nil if this file is the first.
    var first: Int?
}

/// The files of a bag's payload with their sizes. Only the first of several hard links to a file is read.
struct BagPayload: Sendable {
    /// Sorted by the bytes of the paths, because this is the order in the output.
    private(set) var files: [BagFile] = []
    private(set) var bytes: Int64 = 0

    init(_ files: [BagFile]) throws {
        // The indexes of files by device and inode.
        var indexes: [[UInt64]: Int] = [:]
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for (index, file) in self.files.enumerated() {
            try PackageFile.checkPath(file.path)
            if index > 0, self.files[index - 1].path.utf8.elementsEqual(file.path.utf8) {
                throw SnapshotError.unwritable("two files have the path data/\(file.path); remove one of them")
            }
            switch file.content {
            case .bytes(let bytes): self.files[index].size = Int64(bytes.count)
            case .file(let path):
                guard let status = FileStatus(path), status.isRegular else {
                    throw SnapshotError.changed("\(path) is missing, or is not a regular file")
                }
                self.files[index].size = status.size
                self.files[index].first = indexes[[status.device, status.inode]]
                if self.files[index].first == nil { indexes[[status.device, status.inode]] = index }
            }
            let (sum, isOverflow) = bytes.addingReportingOverflow(self.files[index].size)
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
        for file in files {
            guard let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
            let above = file.path[..<slash]
            if createdFolders.insert(above).inserted { try Folder.make("\(folder)/data/\(above)") }
        }
    }

    /// Adds the files to a tar and a folder, if there is one, and checks their digests. Files are read and hashed on
    /// all cores.
    /// - Returns: the digests of all files, in the order of `files`.
    func add(to tar: TarWriter?, below root: String, folder: String?) throws -> [FileDigests] {
        var digests: [FileDigests] = []
        func finish(_ file: BagFile, _ loaded: (bytes: [UInt8], digests: FileDigests)?) throws {
            let link = file.first.map { "\(root)/\(files[$0].path)" }
            try tar?.begin("\(root)/\(file.path)", size: link == nil ? file.size : 0, link: link)
            if let first = file.first {
                digests.append(digests[first])
            } else if let loaded {
                digests.append(loaded.digests)
                try tar?.append(loaded.bytes)
            } else {
                let hasher = FileHasher()
                try file.content.forEachPiece(of: file.size) { piece in
                    hasher.update(piece)
                    try tar?.append(piece)
                }
                digests.append(hasher.finish())
            }
            try file.check(digests[digests.count - 1])
        }
        var batches = ParallelBatches<BagFile, (bytes: [UInt8], digests: FileDigests)?> { file in
            if let folder { try file.writeFile(in: folder) }
            return try file.load()
        }
        for file in files { try batches.add(file, size: file.first == nil ? file.size : 0, finish) }
        try batches.flush(finish)
        return digests
    }
}

extension BagFile {
    /// The bytes of a file and their digests; nil for a link to an earlier file, and for a file that is too large to be
    /// in memory.
    fileprivate func load() throws -> (bytes: [UInt8], digests: FileDigests)? {
        guard first == nil, size <= PackageContent.maximumLoadedSize else { return nil }
        let bytes = try content.load(size)
        return (bytes, FileDigests(of: bytes))
    }

    fileprivate func check(_ digests: FileDigests) throws {
        guard let known = sha256, known != digests.sha256 else { return }
        throw SnapshotError.changed(
            "data/\(path) has the SHA-256 \(digests.sha256.hex) instead of \(known.hex)")
    }

    /// Links the file into the bag's folder, or copies it if a link is not possible.
    fileprivate func writeFile(in folder: String) throws {
        let target = "\(folder)/data/\(path)"
        switch content {
        case .bytes(let bytes): try File.writeNew(bytes, to: target)
        case .file(let path):
            guard path != target else { return }
            guard FileStatus(target) == nil else { throw SystemError("write", target, code: EEXIST) }
            if try File.link(path, to: target) == .refused { try File.copy(path, to: target) }
        }
    }
}
