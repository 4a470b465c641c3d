import Platform
import TestSupport
import Testing

@testable import Snapshot

/// Writes a zip that uses the long forms (zip64) from 10 bytes on.
func writeLongZip(_ path: String) throws {
    let zip = try ZipWriter(path, time: PackageTime(milliseconds: 1_795_256_430_123), limit: 10)
    for (name, pieces) in [
        ("short", ["short"]), ("long", ["longer than ten"]), ("pieces", ["in ", "three ", "pieces"]),
    ] {
        try zip.begin(name)
        for piece in pieces { try zip.append(Array(piece.utf8)) }
        try zip.end()
    }
    try zip.finish()
}

struct ZipTests {
    @Test func `Files are stored with length, checksum and the same time`() throws {
        let folder = try ScratchFolder()
        let zip = try ZipWriter(folder["a.zip"], time: PackageTime(milliseconds: 1_795_256_431_123))
        try zip.begin("a")
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
        func header(_ name: String, _ text: String) -> String {
            let size = "0\(String(text.utf8.count, radix: 16))00000000000000"
            return "504b03042d0000000000" + time + hexChecksum(of: text) + "ffffffffffffffff01001400" + name
                + "01001000"
                + size + size
        }
        #expect(hex(0..<51) == header("61", "stored") && bytes[51..<57].elementsEqual("stored".utf8))
        #expect(hex(57..<108) == header("62", "in pieces") && bytes[108..<117].elementsEqual("in pieces".utf8))
        #expect(
            hex(117..<121) == "504b0102"
                && hex((bytes.count - 22)..<bytes.count) == "504b0506" + "00000000" + "02000200" + "5e000000"
                    + "75000000" + "0000"
        )
    }

    /// The CRC-32 with the low byte first.
    private func hexChecksum(of text: String) -> String {
        let checksum = checksum(Array(text.utf8))
        return (0..<4).map { shift in
            let byte = checksum >> UInt32(8 * shift) & 255
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
