import Platform
import TestSupport
import Testing

@testable import Snapshot

/// Writes a zip that uses the long forms (zip64) from 10 bytes on.
func writeLongZip(_ path: String) throws {
    let zip = try ZipWriter(path, time: PackageTime(milliseconds: 1_795_256_430_123), limit: 10)
    for (name, size, pieces) in [
        ("short", 5, ["short"]), ("long", 15 as UInt64?, ["longer than ten"]),
        ("pieces", nil, ["in ", "three ", "pieces"]),
    ] {
        try zip.begin(name, size: size)
        for piece in pieces { try zip.append(Array(piece.utf8)) }
        try zip.end()
    }
    try zip.finish()
}

struct ZipTests {
    @Test func `Files are stored with length, checksum and the same time`() throws {
        let folder = try ScratchFolder()
        let zip = try ZipWriter(folder["a.zip"], time: PackageTime(milliseconds: 1_795_256_431_123))
        try zip.begin("a", size: 6)
        try zip.append(Array("stored".utf8))
        try zip.end()
        try zip.begin("b")
        try zip.append(Array("in pie".utf8))
        try zip.append(Array("ces".utf8))
        try zip.end()
        try zip.finish()
        let bytes = try File.read(folder["a.zip"])
        func hex(_ range: Range<Int>) -> String {
            bytes[range].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        // 2026-11-21 10:20:31 becomes 10:20:30: (2026-1980)<<25 | 11<<21 | 21<<16 | 10<<11 | 20<<5 | 15.
        let time = "8f52755d"
        let stored = hexChecksum(of: "stored")
        #expect(
            hex(0..<31) == "504b0304" + "1400" + "0000" + "0000" + time + stored + "06000000" + "06000000" + "0100"
                + "0000" + "61")
        #expect(bytes[31..<37].elementsEqual("stored".utf8))
        let pieces = hexChecksum(of: "in pieces")
        #expect(
            hex(37..<88) == "504b0304" + "2d00" + "0000" + "0000" + time + pieces + "ffffffff" + "ffffffff" + "0100"
                + "1400" + "62"
                + "0100" + "1000" + "0900000000000000" + "0900000000000000")
        #expect(bytes[88..<97].elementsEqual("in pieces".utf8))
        #expect(
            hex(97..<101) == "504b0102"
                && hex((bytes.count - 22)..<bytes.count) == "504b0506" + "00000000" + "02000200" + "5e000000"
                    + "61000000" + "0000"
        )
    }

    /// The CRC-32 with the low byte first.
    private func hexChecksum(of text: String) -> String {
        var checksum = CRC32()
        checksum.update(Array(text.utf8))
        return (0..<4).map { shift in
            let byte = checksum.value >> UInt32(8 * shift) & 255
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
