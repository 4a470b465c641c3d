/// What a zip says of one of its files, before it and in the list at the end (APPNOTE.TXT 6.3.10). Times and limits are
/// the zip's.
struct ZipEntry: Equatable {
    let name: [UInt8]
    let offset: UInt64
    var size: UInt64 = 0
    var checksum: UInt32 = 0
    /// Whether the header before it has room for a long size.
    let isLong: Bool

    static let headerSize = 30
    static let headerMark: UInt32 = 0x0403_4B50
    /// From where on sizes and offsets are written long (section 4.4.8).
    static let limit: UInt64 = 0xFFFF_FFFF
}

extension ZipEntry {
    /// Section 4.3.7.
    func header(time: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.add(Self.headerMark, isLong ? 45 : 20 as UInt16, 0 as UInt16, 0 as UInt16, time, checksum)
        let short: UInt32 = isLong ? .max : UInt32(size)
        bytes.add(short, short, UInt16(name.count), isLong ? 20 : 0 as UInt16)
        bytes += name
        if isLong { bytes.add(1 as UInt16, 16 as UInt16, size, size) }
        return bytes
    }

    /// Section 4.3.12, with what is too long for it behind the name (4.5.3).
    func listing(time: UInt32, limit: UInt64) -> [UInt8] {
        var long: [UInt8] = []
        if size >= limit { long.add(size, size) }
        if offset >= limit { long.add(offset) }
        var bytes: [UInt8] = []
        let version: UInt16 = isLong || !long.isEmpty ? 45 : 20
        bytes.add(0x0201_4B50 as UInt32, 3 << 8 | version, version, 0 as UInt16, 0 as UInt16, time, checksum)
        let short: UInt32 = size >= limit ? .max : UInt32(size)
        bytes.add(short, short, UInt16(name.count), long.isEmpty ? 0 : UInt16(long.count + 4), 0 as UInt16)
        // A plain file that all may read and its owner may write.
        bytes.add(0 as UInt16, 0 as UInt16, 0o100644 << 16 as UInt32, offset >= limit ? .max : UInt32(offset))
        bytes += name
        if !long.isEmpty {
            bytes.add(1 as UInt16, UInt16(long.count))
            bytes += long
        }
        return bytes
    }

    /// The list of all files that stands at an offset, and the end of the zip (sections 4.3.14 to 4.3.16).
    static func ending(_ entries: [ZipEntry], at start: UInt64, time: UInt32, limit: UInt64) -> [UInt8] {
        var bytes = entries.flatMap { $0.listing(time: time, limit: limit) }
        let size = UInt64(bytes.count)
        let isLong = start >= limit || size >= limit || entries.count >= 0xFFFF
        if isLong {
            bytes.add(
                0x0606_4B50 as UInt32, 44 as UInt64, 3 << 8 | 45 as UInt16, 45 as UInt16, 0 as UInt32, 0 as UInt32)
            bytes.add(UInt64(entries.count), UInt64(entries.count), size, start)
            bytes.add(0x0706_4B50 as UInt32, 0 as UInt32, start + size, 1 as UInt32)
        }
        let count = isLong ? 0xFFFF : UInt16(entries.count)
        bytes.add(0x0605_4B50 as UInt32, 0 as UInt16, 0 as UInt16, count, count)
        bytes.add(isLong ? .max : UInt32(size), isLong ? .max : UInt32(start), 0 as UInt16)
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
