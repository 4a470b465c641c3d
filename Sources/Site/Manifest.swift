import Archive
import FoundationEssentials
import Platform

/// The facts about a tree. With them, a build quickly detects an unchanged site.
struct Manifest: Sendable, Equatable, Codable {
    private static let currentFormat = 7

    private var format = Self.currentFormat
    /// The key of the build; empty while the tree is being updated.
    var key = ""
    var catalogue: String
    var origin: String
    /// Identifies the program and the templates that checked all pages of the tree; empty if this is not known.
    var checker = ""
    /// The report of the build that wrote the tree.
    var report = BuildReport()
    /// The state of the tree's files, and of the pictures in the archive.
    var tree = TreeState()
    var pictures = TreeState()

    init(of source: Source) {
        catalogue = source.catalogue
        origin = source.origin.rawValue
    }

    /// Reads a manifest; nil if it is missing, damaged or of another version. The tree is then built from scratch.
    init?(_ path: String, in folder: OpenFolder) throws {
        // A manifest in a copied folder may be malicious, so not more than 4,096 bytes are read.
        guard let bytes = try File.readingIfExists(path, in: folder)?.read(4_096),
            // A damaged manifest is treated as a missing one, so the error is not needed.
            let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes)),
            manifest.format == Self.currentFormat
        else { return nil }
        self = manifest
    }
}

extension Encodable {
    func write(to path: String, in folder: OpenFolder) throws {
        try File.replace(Array(JSONEncoder().encode(self)), at: path, in: folder)
    }
}

/// A number that differs if the path, size, time or inode of any file of a tree differs, in any order of the files.
struct TreeState: Sendable, Equatable, Codable {
    private var sum: UInt64 = 0

    mutating func add(_ path: String, _ status: FileStatus) {
        // FNV-1a, and a last step that mixes all bits, so that two changes do not cancel each other out. All steps are
        // reversible, so a change of a single file always changes the sum.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01B3 }
        for byte in path.utf8 { add(UInt64(byte)) }
        add(UInt64(bitPattern: status.size))
        add(UInt64(bitPattern: status.modified))
        add(status.inode)
        hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
        sum &+= hash ^ hash >> 32
    }

    init() {}

    init(of folder: OpenFolder) throws {
        try folder.forEachFile { path in
            // The state of a file that was removed meanwhile is that of a tree without it.
            if let status = FileStatus(path, in: folder) { add(path, status) }
        }
    }
}
