public import Archive

/// What a picture's first bytes say: its format and size. A name or a Content-Type may say otherwise; the bytes decide.
public struct PictureHeader: Sendable, Equatable {
    /// The format.
    public let format: PictureFormat
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int

    /// - Returns: nil where the bytes are no PNG, JPEG, GIF or WebP, or end before they tell their size.
    public init?(_ bytes: [UInt8]) {
        guard let found = Self.png(bytes) ?? Self.jpeg(bytes) ?? Self.gif(bytes) ?? Self.webp(bytes), found.width > 0, found.height > 0
        else { return nil }
        self = found
    }

    private init(_ format: PictureFormat, _ width: Int, _ height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }
}

extension PictureHeader {
    /// PNG, section 11.2.2: the signature, then the IHDR chunk with width and height of four bytes each.
    private static func png(_ bytes: [UInt8]) -> PictureHeader? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 33,
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        return PictureHeader(.png, bytes.big(16, 4), bytes.big(20, 4))
    }

    /// JPEG (ITU T.81, annex B): segments behind the start of image; the first frame header (SOF0 to SOF15 but for DHT, JPG and
    /// DAC) holds height and width.
    private static func jpeg(_ bytes: [UInt8]) -> PictureHeader? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var position = 2
        while position + 9 < bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF: position += 1
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                return PictureHeader(.jpeg, bytes.big(position + 7, 2), bytes.big(position + 5, 2))
            case 0x01, 0xD0...0xD8: position += 2
            case 0xD9, 0xDA: return nil
            default:
                let length = bytes.big(position + 2, 2)
                guard length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }

    /// GIF89a, section 18: the signature, then width and height of two bytes each, the low one first.
    private static func gif(_ bytes: [UInt8]) -> PictureHeader? {
        guard bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8), bytes.count >= 13 else { return nil }
        return PictureHeader(.gif, bytes.little(6, 2), bytes.little(8, 2))
    }

    /// WebP (RFC 9649): RIFF with a first chunk of one of three kinds, each with its own way to tell the size.
    private static func webp(_ bytes: [UInt8]) -> PictureHeader? {
        guard bytes.starts(with: "RIFF".utf8), bytes.count >= 30, bytes[8..<12].elementsEqual("WEBP".utf8) else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ": return PictureHeader(.webp, bytes.little(26, 2) & 0x3FFF, bytes.little(28, 2) & 0x3FFF)
        case "VP8L":
            let packed = bytes.little(21, 4)
            return PictureHeader(.webp, (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
        case "VP8X": return PictureHeader(.webp, bytes.little(24, 3) + 1, bytes.little(27, 3) + 1)
        default: return nil
        }
    }
}

extension [UInt8] {
    fileprivate func big(_ position: Int, _ count: Int) -> Int {
        self[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }

    fileprivate func little(_ position: Int, _ count: Int) -> Int {
        self[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
