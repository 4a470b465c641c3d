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
        /// The first 16 bytes of the content's SHA-256, in hexadecimal; of a picture all of them, and how it was made.
        let digest: String

        func holds(for status: FileStatus?) -> Bool {
            guard let status else { return false }
            return status.size == size && status.modified == modified && status.inode == inode
        }

        /// The same for a picture, which holds only while it is still what the archive has: the very file, or a copy of its time.
        func holds(for status: FileStatus?, madeFrom original: FileStatus?) -> Bool {
            guard let status, let original, let picture, holds(for: status) else { return false }
            return picture.isCopy ? status.modified == original.modified : status.isSameFile(as: original)
        }

        /// The picture's SHA-256 in hexadecimal, and whether it is a copy or a second name of the archive's file; nil for a text.
        var picture: (hex: Substring, isCopy: Bool)? {
            for (prefix, isCopy) in [(Self.link, false), (Self.copy, true)] where digest.hasPrefix(prefix) {
                return (digest.dropFirst(prefix.count), isCopy)
            }
            return nil
        }

        static func digest(ofPicture sha256: SHA256, isCopy: Bool) -> String { (isCopy ? copy : link) + sha256.hex }

        private static let link = "link:"
        private static let copy = "copy:"
    }

    /// What the tree was built from; nil while it is being brought up to date.
    var key: String?
    /// Whether the data is real.
    var origin: Source.Origin
    var entries: [String: Entry] = [:]

    private static let title = "amber manifest 2"

    /// The last line: without it, the manifest is not whole.
    private static func end(_ count: Int) -> String { "\(count) files" }
}

extension Manifest {
    /// Reads a manifest; nil where there is none, or none that this version understands: its tree is then built anew.
    init?(_ path: String) throws(SystemError) {
        guard FileStatus(path) != nil else { return nil }
        let lines = try File.read(path).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count >= 5, lines[0].elementsEqual(Self.title.utf8), lines[lines.count - 1].isEmpty,
            lines[lines.count - 2].elementsEqual(Self.end(lines.count - 5).utf8),
            let origin = Source.Origin(rawValue: String(decoding: lines[2], as: UTF8.self))
        else { return nil }
        self.origin = origin
        key = lines[1].isEmpty ? nil : String(decoding: lines[1], as: UTF8.self)
        entries.reserveCapacity(lines.count - 5)
        for line in lines[3..<lines.count - 2] {
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
        text += "\(Self.end(entries.count))\n"
        try File.replace(Array(text.utf8), at: path)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
