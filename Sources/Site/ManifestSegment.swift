import Archive
import Catalogue
import Platform

/// What a manifest knows of one batch: what it was made from, and each of its files in the order in which they were
/// made.
struct ManifestSegment: Sendable {
    /// As it stands in the manifest: the digest of what the batch was made from, then the entries.
    ///
    /// An entry is its size, time and inode, eight bytes each, its digest, one byte for the way, two for the length of
    /// the path, the path, and a zero.
    private(set) var bytes: [UInt8]

    private static let head = 16
    private static let fixed = 59

    /// A batch without files so far.
    init(from inputs: Inputs?) {
        bytes = []
        bytes.appendNumber(inputs?.high ?? 0)
        bytes.appendNumber(inputs?.low ?? 0)
    }

    /// A segment that was read; nil where it is damaged.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.head else { return nil }
        self.bytes = bytes
        var position = Self.head
        while position < bytes.count {
            guard position + Self.fixed <= bytes.count, Manifest.Entry.Way(rawValue: bytes[position + 56]) != nil else {
                return nil
            }
            let length = Int(bytes[position + 57]) | Int(bytes[position + 58]) << 8
            position += Self.fixed + length + 1
            guard (1...ManifestBytes.longestText).contains(length), position <= bytes.count, bytes[position - 1] == 0
            else { return nil }
        }
    }

    /// Adds a file.
    mutating func append(_ path: SitePath, _ entry: Manifest.Entry) {
        bytes.appendNumber(UInt64(bitPattern: entry.size))
        bytes.appendNumber(UInt64(bitPattern: entry.modified))
        bytes.appendNumber(entry.inode)
        bytes.appendNumber(entry.digest.words.0)
        bytes.appendNumber(entry.digest.words.1)
        bytes.appendNumber(entry.digest.words.2)
        bytes.appendNumber(entry.digest.words.3)
        bytes.append(entry.way.rawValue)
        let length = path.text.utf8.count
        // SitePath allows 1,024 bytes.
        bytes.append(UInt8(truncatingIfNeeded: length))
        bytes.append(UInt8(truncatingIfNeeded: length >> 8))
        bytes += path.text.utf8
        bytes.append(0)
    }

    /// What the batch was made from; nil where that was not noted, so that it has to be made again.
    var inputs: Inputs? {
        let inputs = Inputs(high: number(at: 0), low: number(at: 8))
        return inputs.high | inputs.low == 0 ? nil : inputs
    }

    /// Hands over each file, until the body answers false.
    /// - Returns: whether it came to the end.
    @discardableResult
    func forEach(_ body: (_ path: UnsafeBufferPointer<CChar>, _ entry: Manifest.Entry) throws -> Bool) rethrows -> Bool
    {
        try bytes.withUnsafeBytes { raw in
            var position = Self.head
            while position < raw.count {
                func number(_ place: Int) -> UInt64 {
                    UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position + place, as: UInt64.self))
                }
                let entry = Manifest.Entry(
                    size: Int64(bitPattern: number(0)), modified: Int64(bitPattern: number(8)), inode: number(16),
                    digest: SHA256(words: (number(24), number(32), number(40), number(48))),
                    way: .init(rawValue: raw[position + 56]) ?? .written)
                let length = Int(raw[position + 57]) | Int(raw[position + 58]) << 8
                let start = position + Self.fixed
                position = start + length + 1
                let path = UnsafeRawBufferPointer(rebasing: raw[start..<position])
                guard try path.withMemoryRebound(to: CChar.self, { try body($0, entry) }) else { return false }
            }
            return true
        }
    }

    /// The files by their paths.
    var entries: [String: Manifest.Entry] {
        var entries: [String: Manifest.Entry] = [:]
        forEach { path, entry in
            entries[String(decoding: UnsafeRawBufferPointer(path).dropLast(), as: UTF8.self)] = entry
            return true
        }
        return entries
    }

    /// Whether these are its files, in this order.
    func hasFiles(at places: [SitePath]) -> Bool {
        var index = 0
        let isSame = forEach { path, _ in
            guard index < places.count, UnsafeRawBufferPointer(path).dropLast().elementsEqual(places[index].text.utf8)
            else { return false }
            index += 1
            return true
        }
        return isSame && index == places.count
    }

    /// Whether every file is still what was noted.
    func holds(in folder: OpenFolder, madeFrom archive: OpenArchive) -> Bool {
        forEach { path, entry in path.baseAddress.map { entry.holds(at: $0, in: folder, madeFrom: archive) } ?? false }
    }

    private func number(at place: Int) -> UInt64 {
        UInt64(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) })
    }
}
