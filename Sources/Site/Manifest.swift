import Archive
import Catalogue
import Dispatch
import Pages
import Platform

/// Lists the files of a tree with their sizes, times and inodes, so that a build quickly detects an unchanged site.
///
/// The file has a title, then blocks, then the facts about the tree as lines of text, then the offset of the facts in
/// eight bytes. A block is its length in eight bytes and then its entries. Numbers are little-endian. Blocks are read
/// one at a time, so a long list takes no memory.
final class Manifest: Sendable {
    struct Facts: Sendable, Equatable {
        /// The key of the build; empty while the tree is being updated.
        var key = ""
        var catalogue: String
        var origin: Source.Origin
        var pages = 0
        var files = 0
        var bytes: Int64 = 0
        /// The root hash; empty if the site does not have one.
        var rootHash = ""
    }

    let facts: Facts
    private let file: File
    /// The offset of the facts.
    private let factsOffset: Int64

    static let title = Array("amber manifest 5\n".utf8)

    /// Size limits in bytes. They are checked before reading, because a copied folder may contain a malicious manifest.
    enum Limit {
        static let block: UInt64 = 1 << 20
        static let facts: Int64 = 4_096
        /// The length of a path, as in SitePath.
        static let path = 1_024
    }

    /// Opens a manifest; nil if it is missing, damaged or of another version. The caller then builds the tree from
    /// scratch.
    init?(_ path: String, in folder: OpenFolder) throws {
        guard let file = try File.readingIfExists(path, in: folder),
            case let size = try file.status().size, size >= Int64(Self.title.count + 8),
            try file.read(Self.title.count, at: 0) == Self.title
        else { return nil }
        let tail = size - 8
        guard let end = try file.read(8, at: tail).number(at: 0).flatMap(Int64.init(exactly:)),
            end >= Int64(Self.title.count), end < tail, tail - end <= Limit.facts,
            let facts = Self.facts(try file.read(Int(tail - end), at: end))
        else { return nil }
        (self.file, self.facts, self.factsOffset) = (file, facts, end)
    }

    private static func facts(_ bytes: [UInt8]) -> Facts? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 7, let origin = Source.Origin(rawValue: String(lines[2])), let pages = Int(lines[3]),
            let files = Int(lines[4]), let size = Int64(lines[5])
        else { return nil }
        return Facts(
            key: String(lines[0]), catalogue: String(lines[1]), origin: origin, pages: pages, files: files, bytes: size,
            rootHash: String(lines[6]))
    }
}

extension Manifest {
    /// Whether every file of the manifest is unchanged. Blocks are checked in parallel.
    func matchesAllFiles(in folder: OpenFolder, archive: OpenFolder, workers: Int) -> Bool {
        let next = Locked(Int64(Self.title.count))
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            while let block = next.withLock({ block(at: &$0) }) {
                let isUnchanged = Self.forEachEntry(in: block) { path, entry in
                    entry.matches(path, in: folder, archive: archive)
                }
                if !isUnchanged { next.withLock { $0 = .max } }
            }
        }
        return next.withLock { $0 == factsOffset }
    }

    /// Whether at least one file of the manifest is unchanged.
    func matchesAnyFile(in folder: OpenFolder) -> Bool {
        var offset = Int64(Self.title.count)
        while let block = block(at: &offset) {
            var isFound = false
            _ = Self.forEachEntry(in: block) { path, entry in
                isFound = isFound || entry.matches(FileStatus(path, in: folder))
                return !isFound
            }
            if isFound { return true }
        }
        return false
    }

    /// Reads the block at `offset`, and sets `offset` to the next block. Returns nil at the end of the blocks. If the
    /// file is damaged or cannot be read, returns nil and sets `offset` to `Int64.max`.
    private func block(at offset: inout Int64) -> [UInt8]? {
        guard offset < factsOffset else { return nil }
        do {
            let start = offset + 8
            offset = .max
            guard let length = try file.read(8, at: start - 8).number(at: 0), length <= Limit.block,
                Int64(length) <= factsOffset - start
            else { return nil }
            let block = try file.read(Int(length), at: start)
            offset = start + Int64(length)
            return block
        } catch {
            return nil
        }
    }

    /// Calls the body for each file of a block until it returns false.
    /// - Returns: whether all files were visited.
    private static func forEachEntry(in block: [UInt8], _ body: (UnsafePointer<CChar>, Entry) -> Bool) -> Bool {
        var position = 0
        while position < block.count {
            guard let entry = Entry(block, at: position) else { return false }
            let path = block[(position + Entry.size)...].prefix(Limit.path + 1)
            guard let end = path.firstIndex(of: 0), end > path.startIndex else { return false }
            let isWanted = path.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { body($0, entry) } ?? false }
            }
            guard isWanted else { return false }
            position = end + 1
        }
        return true
    }
}

extension Manifest {
    /// The state of one file. The manifest stores it as eight numbers of eight bytes, then the path and a zero byte.
    struct Entry: Sendable, Equatable {
        /// How a file was created.
        enum Provenance: UInt64, Sendable {
            case written
            /// A hard link to the archive's picture.
            case link
            /// A copy of the archive's picture with the same modification time.
            case copy
        }

        let provenance: Provenance
        let size: Int64
        let modified: Int64
        let inode: UInt64
        /// The digest of a picture; zeros for other files.
        let digest: SHA256

        fileprivate static let size = 64

        init(_ status: FileStatus, pictureOf digest: SHA256? = nil, _ provenance: Provenance = .written) {
            self.provenance = provenance
            size = status.size
            modified = status.modified
            inode = status.inode
            self.digest = digest ?? SHA256(words: (0, 0, 0, 0))
        }

        fileprivate init?(_ bytes: [UInt8], at position: Int) {
            let numbers = (0..<8).compactMap { bytes.number(at: position + 8 * $0) }
            guard numbers.count == 8, let provenance = Provenance(rawValue: numbers[0]) else { return nil }
            self.provenance = provenance
            size = Int64(bitPattern: numbers[1])
            modified = Int64(bitPattern: numbers[2])
            inode = numbers[3]
            digest = SHA256(words: (numbers[4], numbers[5], numbers[6], numbers[7]))
        }

        fileprivate var numbers: [UInt64] {
            let (first, second, third, fourth) = digest.words
            return [
                provenance.rawValue, UInt64(bitPattern: size), UInt64(bitPattern: modified), inode, first, second,
                third, fourth,
            ]
        }

        func matches(_ status: FileStatus?) -> Bool {
            guard let status, status.isRegular else { return false }
            return status.size == size && status.modified == modified && status.inode == inode
        }

        /// Whether the file is unchanged. A picture must also still match the archive.
        fileprivate func matches(
            _ path: UnsafePointer<CChar>, in folder: OpenFolder, archive: OpenFolder
        ) -> Bool {
            guard let status = FileStatus(path, in: folder), matches(status) else { return false }
            guard provenance != .written else { return true }
            guard let original = FileStatus(ArchiveFolder.assetName(digest), in: archive) else { return false }
            return provenance == .link ? status.isSameFile(as: original) : status.modified == original.modified
        }
    }
}

/// Writes a manifest while its tree is built. Several threads can add entries at the same time. The facts are written
/// last.
final class ManifestWriter: Sendable {
    private let draft: String
    private let folder: OpenFolder
    private let file: File
    private let state = Locked<(entries: [UInt8], offset: Int64)>(([], Int64(Manifest.title.count)))

    /// The minimum size of a block in bytes. Threads that check a manifest divide its blocks among themselves.
    private static let blockSize = 1 << 15

    init(_ draft: String, in folder: OpenFolder) throws {
        try File.remove(draft, in: folder)
        file = try File(new: draft, in: folder)
        try file.write(Manifest.title, at: 0)
        self.draft = draft
        self.folder = folder
    }

    func append(_ path: SitePath, _ entry: Manifest.Entry) throws {
        try state.withLock { state in
            for number in entry.numbers { state.entries.appendNumber(number) }
            state.entries += path.text.utf8
            state.entries.append(0)
            if state.entries.count >= Self.blockSize { try writeBlock(&state) }
        }
    }

    /// Writes the facts and renames the manifest to its final path.
    func finish(_ facts: Manifest.Facts, at path: String) throws {
        try state.withLock { state in
            try writeBlock(&state)
            let lines: [any CustomStringConvertible] = [
                facts.key, facts.catalogue, facts.origin.rawValue, facts.pages, facts.files, facts.bytes,
                facts.rootHash,
            ]
            var end = Array(lines.map(\.description).joined(separator: "\n").utf8)
            end.appendNumber(UInt64(state.offset))
            try file.write(end, at: state.offset)
        }
        try File.rename(draft, to: path, in: folder)
    }

    private func writeBlock(_ state: inout (entries: [UInt8], offset: Int64)) throws {
        var block: [UInt8] = []
        block.appendNumber(UInt64(state.entries.count))
        block += state.entries
        try file.write(block, at: state.offset)
        state.offset += Int64(block.count)
        state.entries.removeAll(keepingCapacity: true)
    }
}

extension [UInt8] {
    /// The number in the eight bytes at an offset, little-endian; nil if there are fewer bytes.
    fileprivate func number(at offset: Int) -> UInt64? {
        guard count - offset >= 8 else { return nil }
        return UInt64(littleEndian: withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) })
    }

    fileprivate mutating func appendNumber(_ number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
