import Testing

@testable import Capture

/// What pictures' first bytes say, made by hand from the formats' own descriptions.
struct PictureHeaderTests {
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 1, 44, 0, 0, 1, 8, 8, 6, 0, 0, 0]
        + [1, 2, 3, 4]
    static let gif: [UInt8] = Array("GIF89a".utf8) + [44, 1, 200, 0, 0, 0, 0]

    static func jpeg(_ marker: UInt8, before: [UInt8] = []) -> [UInt8] {
        [0xFF, 0xD8] + before + [0xFF, marker, 0, 17, 8, 1, 8, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
    }

    static func webp(_ chunk: String, _ content: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(chunk)".utf8) + [0, 0, 0, 0] + content + [UInt8](repeating: 0, count: 10)
    }

    static let all: [[UInt8]] = [
        png, gif, jpeg(0xC0), jpeg(0xC2, before: [0xFF, 0xE1, 0, 4, 0xFF, 0xC0]),
        webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 44, 1, 200, 0]), webp("VP8L", [0x2F, 0x2B, 0xC1, 0x31, 0]),
        webp("VP8X", [0, 0, 0, 0, 43, 1, 0, 199, 0, 0]),
    ]

    private func read(_ bytes: [UInt8]) -> String? {
        PictureHeader(bytes).map { "\($0.format) \($0.width) x \($0.height)" }
    }

    @Test("PNG, GIF and the three sorts of WebP tell format and size")
    func others() {
        #expect(read(Self.png) == "png 300 x 264")
        #expect(read(Self.gif) == "gif 300 x 200")
        #expect(read(Self.all[4]) == "webp 300 x 200")
        #expect(read(Self.all[5]) == "webp 300 x 200")
        #expect(read(Self.all[6]) == "webp 300 x 200")
    }

    @Test("JPEG: baseline and progressive, behind EXIF segments and fill bytes; a thumbnail inside a segment is not taken for it")
    func jpegs() {
        #expect(read(Self.jpeg(0xC0)) == "jpeg 300 x 264")
        #expect(read(Self.jpeg(0xC2)) == "jpeg 300 x 264")
        let exif: [UInt8] = [0xFF, 0xE1, 0, 21] + Array(Self.jpeg(0xC0).prefix(19))
        #expect(read(Self.jpeg(0xC1, before: exif)) == "jpeg 300 x 264")
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xFF, 0xFF])) == "jpeg 300 x 264")
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0x01, 0xFF, 0xD0])) == "jpeg 300 x 264")
        // A table (DHT) before the frame is a segment as any other.
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xC4, 0, 4, 0, 0])) == "jpeg 300 x 264")
    }

    @Test("A JPEG whose scan begins before any frame, ends, or has a segment of no length, is none")
    func brokenJPEGs() {
        #expect(read(Self.jpeg(0xDA)) == nil)
        #expect(read(Self.jpeg(0xD9)) == nil)
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xE0, 0, 1])) == nil)
        #expect(read(Self.jpeg(0xC0, before: [0, 0])) == nil)
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xE0, 0xFF, 0xFF])) == nil)
    }

    @Test("No size is no picture")
    func zero() {
        var png = Self.png
        png[18] = 0
        png[19] = 0
        #expect(read(png) == nil)
        #expect(read(Array("GIF89a".utf8) + [0, 0, 1, 0, 0, 0, 0]) == nil)
        #expect(read(Self.webp("VP8 ", [UInt8](repeating: 0, count: 10))) == nil)
        #expect(read(Self.webp("ALPH", [UInt8](repeating: 1, count: 10))) == nil)
    }

    @Test("Cut anywhere before its size, and damaged anyhow, a picture is read or refused without a trap")
    func damaged() {
        for picture in Self.all {
            for length in 0..<12 { #expect(read(Array(picture[..<length])) == nil) }
            for place in picture.indices {
                for byte in [UInt8(0), 1, 0x7F, 0x80, 0xC0, 0xDA, 0xFF] {
                    var copy = picture
                    copy[place] = byte
                    _ = PictureHeader(copy)
                    _ = PictureHeader(Array(copy[..<place]))
                }
            }
        }
        #expect(read([]) == nil)
        #expect(read(Array("<html>not found</html>".utf8)) == nil)
    }
}
