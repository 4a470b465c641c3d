import Archive
import Catalogue
import Platform

/// What Amber wrote into a tree, so that the next build writes only what differs, and a build of nothing new writes nothing.
///
/// An entry holds as long as the file's size, time and inode are still those noted; what was edited by hand is written anew.
struct Manifest: Sendable {
    struct Entry: Sendable, Equatable {
        let size: Int64
        let modified: Int64
        let inode: UInt64
        /// The first 16 bytes of the content's SHA-256, in hexadecimal.
        let digest: String

        func holds(for status: FileStatus?) -> Bool {
            guard let status else { return false }
            return status.size == size && status.modified == modified && status.inode == inode
        }
    }

    /// What the tree was built from; nil while it is being brought up to date.
    var key: String?
    /// Whether the data is real.
    var origin: Source.Origin
    var entries: [String: Entry] = [:]

    private static let title = "amber manifest 1"
}

extension Manifest {
    /// Reads a manifest; nil where there is none, or none that this version understands: its tree is then built anew.
    init?(_ path: String) throws(SystemError) {
        guard FileStatus(path) != nil else { return nil }
        let lines = try File.read(path).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count >= 4, lines[0].elementsEqual(Self.title.utf8),
            let origin = Source.Origin(rawValue: String(decoding: lines[2], as: UTF8.self))
        else { return nil }
        self.origin = origin
        key = lines[1].isEmpty ? nil : String(decoding: lines[1], as: UTF8.self)
        entries.reserveCapacity(lines.count - 4)
        for line in lines[3...] where !line.isEmpty {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
            guard fields.count == 5, let size = Int64(Self.text(fields[0])), let modified = Int64(Self.text(fields[1])),
                let inode = UInt64(Self.text(fields[2]))
            else { return nil }
            entries[Self.text(fields[4])] = Entry(size: size, modified: modified, inode: inode, digest: Self.text(fields[3]))
        }
    }

    func write(to path: String) throws(SystemError) {
        var text = "\(Self.title)\n\(key ?? "")\n\(origin.rawValue)\n"
        text.reserveCapacity(text.utf8.count + entries.count * 112)
        // Sorted: a file that people may look into.
        for (path, entry) in entries.sorted(by: { $0.key < $1.key }) {
            text += "\(entry.size) \(entry.modified) \(entry.inode) \(entry.digest) \(path)\n"
        }
        try File.replace(Array(text.utf8), at: path)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
