import Archive
import Glibc
import Platform

/// Writes a bag (BagIt 1.0, RFC 8493) as a folder, as a tar, or as both in one pass.
///
/// A file with several hard links is read only once. A bag depends only on the files and the writer's properties.
struct BagWriter: Sendable {
    /// The numbers of files and bytes, and the SHA-256 of tagmanifest-sha256.txt, which covers the complete bag.
    typealias Report = (files: Int, bytes: Int64, tagManifest: SHA256)

    /// The name of the only folder in the tar.
    let name: String
    /// The fields of bag-info.txt. `write` adds the last one, Payload-Oxum.
    let info: [(label: String, value: String)]
    /// The modification time of all entries in the tar, in seconds since 1970.
    let modified: Int64

    /// - Parameter folder: the bag's folder. It must be empty, except for files of the payload that are already at
    ///   their paths in the bag. Other files on disk are linked or copied into it.
    func write(_ files: [BagFile], folder: String? = nil, tar: String? = nil) throws -> Report {
        let payload = try BagPayload(files)
        let information = try information(payload)
        try PackageFile.checkPath(name)
        if let folder { try payload.makeFolders(in: folder) }
        let tar = try tar.map { TarWriter(file: try FileWriter($0), modified: modified) }
        var tags: [(path: String, digests: FileDigests)] = []
        func add(_ path: String, _ bytes: [UInt8]) throws {
            if let folder { try File.writeNew(bytes, to: "\(folder)/\(path)") }
            try tar?.addFile("\(name)/\(path)", bytes)
            tags.append((path, FileDigests(of: bytes)))
        }
        try add("bagit.txt", BagManifest.declaration)
        try add("bag-info.txt", information)
        let digests = try payload.add(to: tar, below: "\(name)/data", folder: folder)
        let listed = zip(payload.files, digests).map { (path: "data/\($0.path)", digests: $1) }
        for algorithm in BagManifest.Algorithm.allCases {
            try add("manifest-\(algorithm).txt", BagManifest.bytes(listed, algorithm))
        }
        let covered = tags.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for algorithm in BagManifest.Algorithm.allCases {
            try add("tagmanifest-\(algorithm).txt", BagManifest.bytes(covered, algorithm))
        }
        try tar?.finish()
        return (listed.count, payload.bytes, SHA256(of: BagManifest.bytes(covered, .sha256)))
    }

    private func information(_ payload: BagPayload) throws -> [UInt8] {
        let fields = info + [("Payload-Oxum", "\(payload.bytes).\(payload.files.count)")]
        for (label, value) in fields where (label + value).utf8.contains(where: { $0 == 10 || $0 == 13 }) {
            throw SnapshotError.unwritable(
                "bag-info.txt cannot contain \"\(label)\" with \"\(value)\": both must be one line")
        }
        return Array(fields.map { "\($0): \($1)\n" }.joined().utf8)
    }
}

enum BagManifest {
    /// bagit.txt (RFC 8493, section 2.1.1).
    static let declaration = Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)

    /// The digest algorithms of every bag. Their names are part of the names of the manifests.
    enum Algorithm: CaseIterable {
        case sha256
        case sha512
    }

    static func bytes(_ lines: [(path: String, digests: FileDigests)], _ algorithm: Algorithm) -> [UInt8] {
        lines.flatMap { path, digests in
            let digest = algorithm == .sha256 ? digests.sha256.hex : digests.sha512.hex
            return Array("\(digest)  ".utf8) + escaped(path) + ["\n"]
        }
    }

    /// A path with "%", line feeds and carriage returns escaped (RFC 8493, section 2.1.3).
    static func escaped(_ path: String) -> [UInt8] {
        path.utf8.flatMap { byte in
            switch byte {
            case "%": Array("%25".utf8)
            case "\n": Array("%0A".utf8)
            case "\r": Array("%0D".utf8)
            default: [byte]
            }
        }
    }
}

struct BagFile: Sendable {
    /// The path below data/.
    let path: String
    let content: PackageContent
    /// The expected digest; nil if it is not known.
    var sha256: SHA256?
    /// The size in bytes; `BagPayload` sets it.
    var size: Int64 = 0
    /// The index of the first hard link to the same file, or of the original of this copy; nil if this is the first.
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
        for (index, var file) in self.files.enumerated() {
            try PackageFile.checkPath(file.path)
            if index > 0, self.files[index - 1].path.utf8.elementsEqual(file.path.utf8) {
                throw SnapshotError.unwritable("two files have the path data/\(file.path); remove one of them")
            }
            switch file.content {
            case .bytes(let bytes): file.size = Int64(bytes.count)
            case .file(let path):
                guard let status = FileStatus(path), status.isRegular else {
                    throw SnapshotError.changed("\(path) is missing, or is not a regular file")
                }
                file.size = status.size
                file.first = indexes[[status.device, status.inode]]
                if file.first == nil { indexes[[status.device, status.inode]] = index }
            }
            self.files[index] = file
            let (sum, isOverflow) = bytes.addingReportingOverflow(file.size)
            guard !isOverflow else {
                throw SnapshotError.unwritable("all files together have more than \(Int64.max) bytes")
            }
            bytes = sum
        }
        try findCopies()
    }

    /// Treats copies of files with a known digest like hard links. The site has copies of pictures if they are on
    /// another file system or belong to another user, and the tar must not depend on that.
    private mutating func findCopies() throws {
        let linked = Set(files.compactMap(\.first))
        let originals = files.indices.filter { files[$0].sha256 != nil && !linked.contains($0) }
        let bySize = Dictionary(grouping: originals) { files[$0].size }
        for index in files.indices where files[index].sha256 == nil && files[index].first == nil {
            guard case .file(let path) = files[index].content, let others = bySize[files[index].size] else { continue }
            let digest = try PackageFile.sha256(path)
            files[index].first = others.first { $0 < index && files[$0].sha256 == digest }
        }
    }

    /// Creates all folders before several threads add files.
    func makeFolders(in folder: String) throws {
        guard FileStatus("\(folder)/bagit.txt") == nil else {
            throw SnapshotError.unwritable("\(folder) already exists; remove it or choose another folder")
        }
        try Folder.make("\(folder)/data")
        let parents = files.compactMap { file in file.path.utf8.lastIndex(of: "/").map { file.path[..<$0] } }
        for parent in Set(parents) { try Folder.make("\(folder)/data/\(parent)") }
    }

    /// Adds the files to a tar and a folder, if there is one, and checks their digests. All cores read and hash files.
    /// - Returns: the digests of all files, in the order of `files`.
    func add(to tar: TarWriter?, below root: String, folder: String?) throws -> [FileDigests] {
        // The bytes and digests of a file are nil for a link, and for a file of more than 8 MiB, to save memory.
        typealias Loaded = (bytes: [UInt8], digests: FileDigests)?
        var digests: [FileDigests] = []
        func finish(_ file: BagFile, _ loaded: Loaded) throws {
            let link = file.first.map { "\(root)/\(files[$0].path)" }
            try tar?.begin("\(root)/\(file.path)", size: link == nil ? file.size : 0, link: link)
            let found: FileDigests
            if let first = file.first {
                found = digests[first]
            } else if let loaded {
                found = loaded.digests
                try tar?.append(loaded.bytes)
            } else {
                var hasher = FileHasher()
                try file.content.forEachPiece(of: file.size) { piece in
                    hasher.update(piece)
                    try tar?.append(piece)
                }
                found = hasher.finish()
            }
            if let known = file.sha256, known != found.sha256 {
                throw SnapshotError.changed(
                    "data/\(file.path) has the SHA-256 \(found.sha256.hex) instead of \(known.hex)")
            }
            digests.append(found)
        }
        var batches = ParallelBatches<BagFile, Loaded> { file in
            if let folder { try file.writeFile(in: folder) }
            guard file.first == nil, file.size <= 8 << 20 else { return nil }
            let bytes = try file.content.load(file.size)
            return (bytes, FileDigests(of: bytes))
        }
        for file in files { try batches.add(file, size: file.first == nil ? file.size : 0, finish) }
        try batches.flush(finish)
        return digests
    }
}

extension BagFile {
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
