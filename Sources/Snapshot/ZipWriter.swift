import Platform

/// Writes a zip whose files are stored as they are (APPNOTE.TXT 6.3.10), so that readers find them at an offset without unpacking.
struct ZipWriter: ~Copyable {
    private struct Entry {
        let name: [UInt8]
        let offset: UInt64
        var size: UInt64 = 0
        var checksum = CRC32()
        /// Whether the local header has room for a long size.
        let isLong: Bool
    }

    private var file: FileWriter
    private var entries: [Entry] = []
    private var open: Entry?
    private let time: UInt32
    private let limit: UInt64

    /// - Parameters:
    ///   - time: when all files are said to be last changed.
    ///   - limit: from where on sizes and offsets are written long (section 4.4.8); lower in tests only.
    init(_ path: String, time: PackageTime, limit: UInt64 = 0xFFFF_FFFF) throws(SnapshotError) {
        do { file = try FileWriter(path) } catch { throw .file(error) }
        self.time = time.dos
        self.limit = limit
    }

    /// Adds a file of these bytes.
    mutating func add(_ name: String, _ bytes: [UInt8]) throws(SnapshotError) {
        var entry = Entry(name: Array(name.utf8), offset: UInt64(file.count), isLong: UInt64(bytes.count) >= limit)
        entry.size = UInt64(bytes.count)
        entry.checksum.update(bytes)
        try write(Self.header(of: entry, time: time) + bytes)
        entries.append(entry)
    }

    /// Begins a file whose length is not known yet.
    mutating func begin(_ name: String) throws(SnapshotError) {
        let entry = Entry(name: Array(name.utf8), offset: UInt64(file.count), isLong: true)
        try write(Self.header(of: entry, time: time))
        open = entry
    }

    /// Adds bytes to the file that was begun.
    mutating func append(_ bytes: [UInt8]) throws(SnapshotError) {
        open?.size += UInt64(bytes.count)
        open?.checksum.update(bytes)
        try write(bytes)
    }

    /// Ends the file that was begun.
    mutating func end() throws(SnapshotError) {
        guard let entry = open else { return }
        do { try file.patch(Self.header(of: entry, time: time), at: Int64(entry.offset)) } catch { throw .file(error) }
        entries.append(entry)
        open = nil
    }

    /// Writes the list of all files, and closes the zip.
    mutating func finish() throws(SnapshotError) {
        let start = UInt64(file.count)
        for entry in entries { try write(Self.listing(of: entry, time: time, limit: limit)) }
        let size = UInt64(file.count) - start
        let isLong = start >= limit || size >= limit || entries.count >= 0xFFFF
        var end: [UInt8] = []
        if isLong {
            let place = UInt64(file.count)
            end.add(0x0606_4B50 as UInt32, 44 as UInt64, 3 << 8 | 45 as UInt16, 45 as UInt16, 0 as UInt32, 0 as UInt32)
            end.add(UInt64(entries.count), UInt64(entries.count), size, start)
            end.add(0x0706_4B50 as UInt32, 0 as UInt32, place, 1 as UInt32)
        }
        let count = isLong ? 0xFFFF : UInt16(entries.count)
        end.add(0x0605_4B50 as UInt32, 0 as UInt16, 0 as UInt16, count, count)
        end.add(isLong ? .max : UInt32(size), isLong ? .max : UInt32(start), 0 as UInt16)
        try write(end)
        do { try file.finish() } catch { throw .file(error) }
    }

    private mutating func write(_ bytes: [UInt8]) throws(SnapshotError) {
        do { try file.append(bytes) } catch { throw .file(error) }
    }

    /// Section 4.3.7.
    private static func header(of entry: Entry, time: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.add(0x0403_4B50 as UInt32, entry.isLong ? 45 : 20 as UInt16, 0 as UInt16, 0 as UInt16, time, entry.checksum.value)
        let size: UInt32 = entry.isLong ? .max : UInt32(entry.size)
        bytes.add(size, size, UInt16(entry.name.count), entry.isLong ? 20 : 0 as UInt16)
        bytes += entry.name
        if entry.isLong { bytes.add(1 as UInt16, 16 as UInt16, entry.size, entry.size) }
        return bytes
    }

    /// Section 4.3.12, with what is too long for it behind the name (4.5.3).
    private static func listing(of entry: Entry, time: UInt32, limit: UInt64) -> [UInt8] {
        var long: [UInt8] = []
        if entry.size >= limit { long.add(entry.size, entry.size) }
        if entry.offset >= limit { long.add(entry.offset) }
        var bytes: [UInt8] = []
        let version: UInt16 = entry.isLong || !long.isEmpty ? 45 : 20
        bytes.add(0x0201_4B50 as UInt32, 3 << 8 | version, version, 0 as UInt16, 0 as UInt16, time, entry.checksum.value)
        let size: UInt32 = entry.size >= limit ? .max : UInt32(entry.size)
        bytes.add(size, size, UInt16(entry.name.count), long.isEmpty ? 0 : UInt16(long.count + 4), 0 as UInt16)
        // A plain file that all may read and its owner may write.
        bytes.add(0 as UInt16, 0 as UInt16, 0o100644 << 16 as UInt32, entry.offset >= limit ? .max : UInt32(entry.offset))
        bytes += entry.name
        if !long.isEmpty {
            bytes.add(1 as UInt16, UInt16(long.count))
            bytes += long
        }
        return bytes
    }
}

extension [UInt8] {
    /// Adds numbers, each in its own width, the low byte first.
    fileprivate mutating func add<each Number: FixedWidthInteger>(_ numbers: repeat each Number) {
        for number in repeat each numbers {
            Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
        }
    }
}
