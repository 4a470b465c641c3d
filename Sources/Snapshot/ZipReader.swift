import Platform

/// Reads a zip as ZipWriter writes it, and nothing else: every byte that is no file's content has one value that it may have, and content
/// has its checksum.
public struct ZipReader: ~Copyable {
    private let path: String
    private var file: FileReader
    private var offset: UInt64 = 0
    private var entries: [ZipEntry] = []
    private var time: UInt32?
    private var left: UInt64 = 0
    private var checksum = CRC32()
    private var isAtEnd = false
    private let limit: UInt64

    /// Opens a zip.
    public init(_ path: String) throws(SnapshotError) { try self.init(path, limit: ZipEntry.limit) }

    init(_ path: String, limit: UInt64) throws(SnapshotError) {
        file = try FileReader.opened(path)
        self.path = path
        self.limit = limit
    }

    /// The name of the next file, nil behind the last one, when the whole of the zip was seen. Content that nobody asked for is held
    /// against its checksum all the same.
    public mutating func next() throws(SnapshotError) -> String? {
        guard !isAtEnd else { return nil }
        try content { _ in }
        let start = offset
        let head = try read(4)
        guard Self.number(head, 0, 4) == UInt64(ZipEntry.headerMark) else {
            try finish(begun: head, at: start)
            return nil
        }
        let fixed = try head + read(ZipEntry.headerSize - 4)
        let (nameSize, extraSize) = (Int(Self.number(fixed, 26, 2)), Int(Self.number(fixed, 28, 2)))
        let rest = try read(nameSize + extraSize)
        let isLong = extraSize == 20
        guard extraSize == 0 || isLong else { throw fault("a header that is not as it was written", start) }
        let entry = ZipEntry(
            name: Array(rest.prefix(nameSize)), offset: start,
            size: isLong ? Self.number(rest, nameSize + 4, 8) : Self.number(fixed, 18, 4), checksum: UInt32(Self.number(fixed, 14, 4)),
            isLong: isLong)
        let time = time ?? UInt32(Self.number(fixed, 10, 4))
        guard isLong || entry.size <= UInt64(UInt32.max), entry.header(time: time) == fixed + rest else {
            throw fault("a header that is not as it was written", start)
        }
        self.time = time
        entries.append(entry)
        left = entry.size
        checksum = CRC32()
        return String(decoding: entry.name, as: UTF8.self)
    }

    /// Hands on what is left of the file's content, a piece at a time, and holds it against its checksum.
    public mutating func content(_ body: ([UInt8]) throws(SnapshotError) -> Void) throws(SnapshotError) {
        while left > 0 {
            let piece = try read(Int(min(left, UInt64(FileReader.pieceSize))))
            left -= UInt64(piece.count)
            checksum.update(piece)
            try body(piece)
        }
        guard let entry = entries.last, checksum.value != entry.checksum else { return }
        throw .damaged("\(path) has in \(String(decoding: entry.name, as: UTF8.self)) other bytes than were written")
    }

    private mutating func finish(begun: [UInt8], at start: UInt64) throws(SnapshotError) {
        let ending = ZipEntry.ending(entries, at: start, time: time ?? 0, limit: limit)
        guard try begun + read(max(0, ending.count - 4)) == ending else { throw fault("a list that is not as it was written", start) }
        guard file.status.size == Int64(offset) else { throw fault("more bytes behind its end", offset) }
        isAtEnd = true
    }

    private mutating func read(_ count: Int) throws(SnapshotError) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try file.read(count) } catch { throw .file(error) }
        offset += UInt64(bytes.count)
        guard bytes.count == count else { throw fault("no end", offset) }
        return bytes
    }

    private func fault(_ what: String, _ offset: UInt64) -> SnapshotError { .damaged("\(path) has \(what) at byte \(offset)") }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
