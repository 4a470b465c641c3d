import Platform

/// Where a bag goes: a folder, a tar, or both.
struct BagSink: ~Copyable {
    let folder: String?
    private let name: String
    private var tar: TarWriter?

    init(folder: String?, tar: String?, name: String, modified: Int64, payload: BagPayload) throws(SnapshotError) {
        try PackagePath.check(name)
        if let folder { try Self.prepare(folder, for: payload) }
        let writer = try Self.open(tar, modified: modified)
        self.folder = folder
        self.name = name
        self.tar = writer
    }

    private static func open(_ tar: String?, modified: Int64) throws(SnapshotError) -> TarWriter? {
        guard let tar else { return nil }
        return try TarWriter(tar, modified: modified)
    }

    /// Makes all the folders, before several threads put files into them.
    private static func prepare(_ folder: String, for payload: BagPayload) throws(SnapshotError) {
        guard FileStatus("\(folder)/bagit.txt") == nil else {
            throw .unwritable("\(folder) is there already; remove it or choose another place")
        }
        var made: Set<Substring> = []
        do throws(SystemError) {
            try Folder.make("\(folder)/data")
            for entry in payload.files {
                guard let slash = entry.file.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
                let above = entry.file.path[..<slash]
                if made.insert(above).inserted { try Folder.make("\(folder)/data/\(above)") }
            }
        } catch {
            throw .file(error)
        }
    }
}

extension BagSink {
    /// Adds a file of the bag itself.
    mutating func add(_ path: String, _ bytes: [UInt8]) throws(SnapshotError) {
        if let folder { do { try File.writeNew(bytes, to: "\(folder)/\(path)") } catch { throw .file(error) } }
        try tar?.addFile("\(name)/\(path)", bytes)
    }

    /// Adds a file of the payload that stands in the folder already.
    mutating func addLoaded(_ path: String, _ bytes: [UInt8]) throws(SnapshotError) {
        try tar?.addFile("\(name)/data/\(path)", bytes)
    }

    /// Adds one more name of such a file.
    mutating func addLink(_ path: String, to first: String) throws(SnapshotError) {
        try tar?.addLink("\(name)/data/\(path)", to: "\(name)/data/\(first)")
    }

    /// Adds a file on disk that is too large to be held in memory.
    mutating func addLarge(_ entry: BagPayload.Entry, from path: String) throws(SnapshotError) -> FileDigests {
        var hasher = FileHasher()
        if tar == nil {
            var reader = try FileReader.opened(path)
            try reader.forEachPiece(of: path) { hasher.update($0) }
        } else {
            try tar?.addFile("\(name)/data/\(entry.file.path)", from: path) { hasher.update($0) }
        }
        let digests = hasher.finish()
        guard digests.size == entry.size else { throw .changed("\(path) changed its length while it was read") }
        try entry.check(digests)
        if let folder { try entry.place(in: folder, nil) }
        return digests
    }

    /// Ends the tar.
    mutating func finish() throws(SnapshotError) {
        try tar?.finish()
    }
}
