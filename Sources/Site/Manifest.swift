import Archive
import Catalogue
import Platform

/// What Amber wrote into a tree, so that the next build makes only what differs, and a build of nothing new makes
/// nothing.
///
/// A file of segments, one for each batch of pages, with what the batch was made from and an entry for each of its
/// files; behind them the places of the segments, and what the tree as a whole is. It is read a segment at a time, so
/// that its length costs no memory. An entry holds as long as the file's size, time and inode are still those noted;
/// what was edited by hand is written anew.
final class Manifest: Sendable {
    /// What is known of the tree as a whole.
    struct Facts: Sendable, Equatable {
        /// What it was built from; nil while it is being brought up to date.
        var key: String?
        /// The name of the catalogue that it is of.
        var catalogue: String
        /// Whether the data is real.
        var origin: Source.Origin
        /// Of the places of all files, in whatever order: equal for trees that have the same.
        var places: UInt64 = 0
        /// How many pages there are.
        var pages = 0
        /// The digest of all answers of the API, where the site has it.
        var rootHash: String?
        /// Fragments of pages that links of other pages name.
        var anchors: Set<SitePageChecker.Anchor> = []
    }

    /// Where a segment is in the file. It has 16 bytes: a large site has millions.
    struct Place: Sendable {
        let offset: Int64
        fileprivate let batch: UInt32
        fileprivate let size: UInt32

        var length: Int { Int(size) }
    }

    let facts: Facts
    private let file: OpenFile
    /// The places of each set's segments, sorted by batch.
    private let places: [String: [Place]]

    /// Which batch of which set a segment is of.
    struct SegmentID: Hashable, Sendable {
        let set: String
        let batch: Int
    }

    static let title = Array("amber manifest 4\n".utf8)

    /// The most bytes that are read at once. A folder that was received may have any manifest.
    enum Limit {
        /// Bytes of a segment. The largest is that of the template folder's files: 10,000 of 60 bytes and a path of
        /// up to 1,024 bytes, 11 MB.
        static let segment: UInt64 = 32 << 20
        /// Bytes of the end, which has 24 for each batch. A large site of the first catalogue has 6 batches for each 20
        /// characters (pages, lists of four kinds, the API's files), so one of 10^7 has 3 million: 72 MB.
        static let end: Int64 = 80 << 20
        /// How many fragments of pages.
        static let anchors: UInt64 = 1 << 18
    }

    /// Opens a manifest; nil where there is none, or none that is whole and of this version: its tree is then built
    /// from the beginning.
    init?(_ path: String, in folder: OpenFolder) throws(SystemError) {
        guard let file = try OpenFile(path, in: folder), file.status.size >= Int64(Self.title.count + 8),
            try file.read(at: 0, Self.title.count) == Self.title
        else { return nil }
        // The last eight bytes say where the end begins; it has its own length in it, so that one that was cut is
        // known.
        var tail = ManifestBytes(try file.read(at: file.status.size - 8, 8))
        let offset = Int64(bitPattern: tail.number() ?? 0)
        guard offset >= Int64(Self.title.count), offset < file.status.size - 8,
            file.status.size - 8 - offset <= Limit.end
        else { return nil }
        var end = ManifestBytes(try file.read(at: offset, Int(file.status.size - 8 - offset)))
        guard let (facts, places) = Self.read(&end, before: offset) else { return nil }
        self.file = file
        self.facts = facts
        self.places = places
    }

    /// The segment of a batch; nil where there is none.
    func segment(_ id: SegmentID) throws(SystemError) -> ManifestSegment? {
        guard let places = places[id.set], let batch = UInt32(exactly: id.batch) else { return nil }
        var (start, end) = (0, places.count)
        while start < end {
            let middle = (start + end) / 2
            if places[middle].batch < batch { start = middle + 1 } else { end = middle }
        }
        return start < places.count && places[start].batch == batch ? try segment(at: places[start]) : nil
    }

    /// The places of all segments, in the order of the file.
    var segments: [Place] { places.values.joined().sorted { $0.offset < $1.offset } }

    /// The segment at a place; nil where the file is damaged there.
    func segment(at place: Place) throws(SystemError) -> ManifestSegment? {
        ManifestSegment(try file.read(at: place.offset, place.length))
    }
}

extension Manifest {
    private static func read(_ end: inout ManifestBytes, before offset: Int64) -> (Facts, [String: [Place]])? {
        guard let key = end.text(), let catalogue = end.text(), let originText = end.text(),
            let origin = Source.Origin(rawValue: originText), let sum = end.number(),
            let pages = end.number(), let rootHash = end.text(), let anchorCount = end.number(),
            anchorCount <= Limit.anchors
        else { return nil }
        var facts = Facts(
            key: key.isEmpty ? nil : key, catalogue: catalogue, origin: origin, places: sum,
            pages: Int(truncatingIfNeeded: pages))
        facts.rootHash = rootHash.isEmpty ? nil : rootHash
        for _ in 0..<anchorCount {
            guard let page = end.text(), let fragment = end.text(), let from = end.text(), let line = end.number()
            else { return nil }
            facts.anchors.insert(.init(page: page, fragment: fragment, from: from, line: Int(truncatingIfNeeded: line)))
        }
        guard let setCount = end.number() else { return nil }
        var places: [String: [Place]] = [:]
        // Segments do not overlap: together they are no longer than what lies before the end.
        var left = UInt64(offset)
        for _ in 0..<setCount {
            guard let set = end.text(), let count = end.number(), count > 0, count <= UInt64(end.left / 24) else {
                return nil
            }
            var segments: [Place] = []
            segments.reserveCapacity(Int(count))
            for _ in 0..<count {
                guard let batch = end.number().flatMap(UInt32.init(exactly:)), let start = end.number(),
                    let length = end.number(), start >= UInt64(title.count), length <= min(left, Limit.segment),
                    start <= UInt64(offset) - length
                else { return nil }
                left -= length
                segments.append(Place(offset: Int64(start), batch: batch, size: UInt32(length)))
            }
            segments.sort { $0.batch < $1.batch }
            guard places.updateValue(segments, forKey: set) == nil else { return nil }
        }
        guard end.left == 0 else { return nil }
        return (facts, places)
    }
}

extension Manifest {
    /// What is known of one file.
    struct Entry: Sendable, Equatable {
        /// How a file came to its place.
        enum Way: UInt8, Sendable {
            /// It was written.
            case written
            /// It is a second name of the archive's picture.
            case link
            /// It is a copy of the archive's picture, with that one's time.
            case copy
        }

        let size: Int64
        let modified: Int64
        let inode: UInt64
        let digest: SHA256
        let way: Way

        init(_ status: FileStatus, _ digest: SHA256, _ way: Way) {
            self.init(size: status.size, modified: status.modified, inode: status.inode, digest: digest, way: way)
        }

        init(size: Int64, modified: Int64, inode: UInt64, digest: SHA256, way: Way) {
            self.size = size
            self.modified = modified
            self.inode = inode
            self.digest = digest
            self.way = way
        }

        /// Whether the file is still what was noted; a picture only while it is still what the archive has.
        func holds(at path: UnsafePointer<CChar>, in folder: OpenFolder, madeFrom archive: OpenArchive) -> Bool {
            let status = FileStatus(path, in: folder)
            guard way != .written else { return holds(for: status) }
            guard let original = archive.status(ofPicture: digest) else { return false }
            return holds(for: status, madeFrom: original)
        }

        func holds(for status: FileStatus?) -> Bool {
            guard let status, status.isRegular else { return false }
            return status.size == size && status.modified == modified && status.inode == inode
        }

        /// The same for a picture, which holds only while it is still what the archive has: the very file, or a copy of
        /// its time.
        func holds(for status: FileStatus?, madeFrom original: FileStatus) -> Bool {
            guard let status, holds(for: status) else { return false }
            switch way {
            case .written: return false
            case .link: return status.isSameFile(as: original)
            case .copy: return status.modified == original.modified
            }
        }
    }
}
