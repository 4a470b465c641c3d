package import Archive
import Catalogue

/// The format and size of a picture, read from its bytes. Its name and Content-Type are ignored.
///
/// The reader skips from block to block up to the picture's end, so it refuses a truncated picture, and any other file
/// that begins like a picture. Bytes after the end are allowed, because browsers ignore them.
package enum PictureHeader {
    /// The fault of bytes that do not begin like a picture.
    static func fault(_ bytes: [UInt8]) -> ContentFault {
        guard bytes.prefix(1_000).firstRange(of: "<svg".utf8) == nil else {
            return ContentFault("", "is an SVG picture; only PNG, JPEG, GIF and WebP are accepted")
        }
        return ContentFault("", bytes.isEmpty ? "is empty" : "is not a PNG, JPEG, GIF or WebP picture")
    }

    /// - Returns: nil if the bytes do not begin like a PNG, JPEG, GIF or WebP picture.
    /// - Throws: `ContentFault` if the picture is not complete.
    package static func read(_ bytes: [UInt8]) throws -> AssetFacts? {
        let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        let formats: [(isFound: Bool, format: AssetFormat, name: String, size: ([UInt8]) -> Size?)] = [
            (bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), .png, "PNG", png),
            (bytes.starts(with: [0xFF, 0xD8, 0xFF]), .jpeg, "JPEG", jpeg),
            (["GIF87a", "GIF89a"].contains { bytes.starts(with: $0.utf8) }, .gif, "GIF", gif),
            (isWebP, .webp, "WebP", webp),
        ]
        guard let (_, format, name, size) = formats.first(where: \.isFound) else { return nil }
        guard let (width, height) = size(bytes) else {
            throw ContentFault("", "is a damaged or incomplete \(name) picture")
        }
        guard width > 0, height > 0 else {
            throw ContentFault("", "is a \(name) picture of \(width) x \(height) pixels")
        }
        return (format, width, height)
    }

    private typealias Size = (width: Int, height: Int)

    /// PNG (W3C, third edition, section 5.3): a signature, then chunks of length, type, content and checksum. The first
    /// chunk, IHDR, has width and height in four bytes each. IDAT has the pixels. IEND is the last chunk.
    private static func png(_ bytes: [UInt8]) -> Size? {
        guard bytes.count >= 33, bytes.big(8, 4) == 13, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        let size: Size = (bytes.big(16, 4), bytes.big(20, 4))
        guard max(size.width, size.height) <= Int(Int32.max) else { return nil }
        var position = 33
        var hasData = false
        while position + 12 <= bytes.count {
            let length = bytes.big(position, 4)
            guard length <= bytes.count - position - 12 else { return nil }
            let type = bytes[position + 4..<position + 8]
            if type.elementsEqual("IDAT".utf8) { hasData = true }
            if type.elementsEqual("IEND".utf8) { return hasData ? size : nil }
            position += 12 + length
        }
        return nil
    }

    /// JPEG (ITU T.81, annex B): the start-of-image marker, then segments. The first frame header (SOF0 to SOF15 except
    /// DHT, JPG and DAC) has height and width. The picture is between the first scan and the end-of-image marker.
    private static func jpeg(_ bytes: [UInt8]) -> Size? {
        var frame: Size?
        var position = 2
        while position + 4 <= bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            switch marker {
            // A fill byte, or a marker without a segment.
            case 0xFF, 0x01, 0xD0...0xD8:
                position += marker == 0xFF ? 1 : 2
                continue
            case 0xD9: return nil
            case 0xDA: return hasEnd(bytes, after: position + 2) ? frame : nil
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC && frame == nil:
                guard position + 9 <= bytes.count else { return nil }
                frame = (bytes.big(position + 7, 2), bytes.big(position + 5, 2))
            default: break
            }
            let length = bytes.big(position + 2, 2)
            guard length >= 2 else { return nil }
            position += 2 + length
        }
        return nil
    }

    /// Scan data cannot contain the end-of-image marker by accident, because 0 follows each FF in it.
    private static func hasEnd(_ bytes: [UInt8], after start: Int) -> Bool {
        stride(from: bytes.count - 2, through: start, by: -1).contains { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }
    }

    /// GIF89a, appendix A: a signature; width and height in two bytes each, little-endian; extensions and images, whose
    /// sub-blocks begin with their length; then the trailer.
    private static func gif(_ bytes: [UInt8]) -> Size? {
        guard bytes.count >= 13 else { return nil }
        var position = 13 + colourTableSize(bytes[10])
        var hasImage = false
        while position < bytes.count {
            switch bytes[position] {
            case 0x21: position += 2
            case 0x2C:
                guard position + 9 < bytes.count else { return nil }
                position += 10 + colourTableSize(bytes[position + 9]) + 1
                hasImage = true
            case 0x3B: return hasImage ? (bytes.little(6, 2), bytes.little(8, 2)) : nil
            default: return nil
            }
            while position < bytes.count, bytes[position] > 0 { position += 1 + Int(bytes[position]) }
            position += 1
        }
        return nil
    }

    /// The bytes of the colour table that these flags describe.
    private static func colourTableSize(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// WebP (RFC 9649): RIFF chunks of type, length and content, padded to even lengths. The first chunk is the
    /// picture, or the header of an extended picture with the size of its canvas.
    private static func webp(_ bytes: [UInt8]) -> Size? {
        let end = bytes.little(4, 4) + 8
        guard end <= bytes.count, end >= 30 else { return nil }
        var size: Size?
        var position = 12
        while position + 8 <= end {
            let length = bytes.little(position + 4, 4)
            guard length <= end - position - 8 else { return nil }
            let start = position + 8
            switch String(decoding: bytes[position..<position + 4], as: UTF8.self) {
            case "VP8 ":
                guard length >= 10, bytes[start + 3..<start + 6].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
                return size ?? (bytes.little(start + 6, 2) & 0x3FFF, bytes.little(start + 8, 2) & 0x3FFF)
            case "VP8L":
                guard length >= 5, bytes[start] == 0x2F else { return nil }
                let packed = bytes.little(start + 1, 4)
                return size ?? ((packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
            case "VP8X" where position == 12 && length >= 10:
                size = (bytes.little(start + 4, 3) + 1, bytes.little(start + 7, 3) + 1)
            case "ANMF": return size
            default: guard size != nil else { return nil }
            }
            position = start + length + length % 2
        }
        return nil
    }
}

extension [UInt8] {
    func big(_ position: Int, _ count: Int) -> Int { self[position..<position + count].reduce(0) { $0 << 8 | Int($1) } }

    func little(_ position: Int, _ count: Int) -> Int {
        self[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
