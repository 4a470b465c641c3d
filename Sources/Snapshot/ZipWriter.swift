import Platform

/// Writes a zip without compression (APPNOTE.TXT 6.3.10), so that readers can access parts of a file by offset.
final class ZipWriter {
    private let file: FileWriter
    private var entries: [ZipEntry] = []
    private let time: UInt32
    private let limit: UInt64

    /// - Parameter limit: sizes and offsets from this value on have the long form (section 4.4.8). Tests use less.
    init(_ path: String, time: PackageTime, limit: UInt64 = 0xFFFF_FFFF) throws {
        file = try FileWriter(path)
        self.time = time.dos
        self.limit = limit
    }

    /// Begins a file. `append` adds its bytes, and `end` completes it.
    func begin(_ name: String) throws {
        let entry = ZipEntry(name: Array(name.utf8), offset: UInt64(file.count))
        try file.append(entry.header(time: time))
        entries.append(entry)
    }

    func append(_ bytes: [UInt8]) throws {
        let last = entries.count - 1
        entries[last].size += UInt64(bytes.count)
        entries[last].checksum = checksum(bytes, after: entries[last].checksum)
        try file.append(bytes)
    }

    /// Ends the file, and rewrites its header with the size and the checksum.
    func end() throws {
        let entry = entries[entries.count - 1]
        try file.patch(entry.header(time: time), at: Int64(entry.offset))
    }

    /// Writes the central directory and closes the zip (sections 4.3.14 to 4.3.16).
    func finish() throws {
        let start = UInt64(file.count)
        var bytes = entries.flatMap { $0.listing(time: time, limit: limit) }
        let size = UInt64(bytes.count)
        let count = UInt16(entries.count)
        let isLong = start >= limit || size >= limit
        if isLong {
            bytes.add(
                0x0606_4B50 as UInt32, 44 as UInt64, 3 << 8 | 45 as UInt16, 45 as UInt16, 0 as UInt32, 0 as UInt32)
            bytes.add(UInt64(count), UInt64(count), size, start)
            bytes.add(0x0706_4B50 as UInt32, 0 as UInt32, start + size, 1 as UInt32)
        }
        bytes.add(0x0605_4B50 as UInt32, 0 as UInt16, 0 as UInt16, isLong ? .max : count, isLong ? .max : count)
        bytes.add(isLong ? .max : UInt32(size), isLong ? .max : UInt32(start), 0 as UInt16)
        try file.append(bytes)
        try file.finish()
    }
}

/// The facts about a file in a zip. They are written in its local header and in the central directory.
private struct ZipEntry {
    let name: [UInt8]
    let offset: UInt64
    var size: UInt64 = 0
    var checksum: UInt32 = 0

    /// The local header (section 4.3.7). It always has room for a long size, because it is written before the content.
    func header(time: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.add(0x0403_4B50 as UInt32, 45 as UInt16, 0 as UInt16, 0 as UInt16, time, checksum)
        bytes.add(UInt32.max, UInt32.max, UInt16(name.count), 20 as UInt16)
        bytes += name
        bytes.add(1 as UInt16, 16 as UInt16, size, size)
        return bytes
    }

    /// The entry in the central directory (section 4.3.12). Long values follow the name (4.5.3).
    func listing(time: UInt32, limit: UInt64) -> [UInt8] {
        var long: [UInt8] = []
        if size >= limit { long.add(size, size) }
        if offset >= limit { long.add(offset) }
        var bytes: [UInt8] = []
        bytes.add(0x0201_4B50 as UInt32, 3 << 8 | 45 as UInt16, 45 as UInt16, 0 as UInt16, 0 as UInt16)
        bytes.add(time, checksum)
        let short: UInt32 = size >= limit ? .max : UInt32(size)
        bytes.add(short, short, UInt16(name.count), long.isEmpty ? 0 : UInt16(long.count + 4), 0 as UInt16)
        // The mode of a regular file: readable for all, writable for its owner.
        bytes.add(0 as UInt16, 0 as UInt16, 0o100644 << 16 as UInt32, offset >= limit ? .max : UInt32(offset))
        bytes += name
        if !long.isEmpty {
            bytes.add(1 as UInt16, UInt16(long.count))
            bytes += long
        }
        return bytes
    }
}

extension [UInt8] {
    /// Adds the bytes of each number, little-endian. The type of a number gives its width.
    fileprivate mutating func add<each Number: FixedWidthInteger>(_ numbers: repeat each Number) {
        for number in repeat each numbers {
            Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
        }
    }
}
