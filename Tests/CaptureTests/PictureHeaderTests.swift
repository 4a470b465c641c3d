import Foundation
import TestSupport
import Testing

@testable import Capture

/// The pictures are written by hand according to the specifications of their formats.
struct PictureHeaderTests {
    static let png: [UInt8] = png(300, 264)

    static func png(_ width: UInt32, _ height: UInt32, chunks: [String] = ["IDAT", "IEND"]) -> [UInt8] {
        let size = [width, height].flatMap { number in
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        png += Array("IHDR".utf8) + size
        png += [8, 6, 0, 0, 0, 1, 2, 3, 4]
        for type in chunks {
            let content: [UInt8] = type == "IEND" ? [] : [7, 7, 7]
            png += [0, 0, 0, UInt8(content.count)]
            png += Array(type.utf8) + content
            png += [1, 2, 3, 4]
        }
        return png
    }

    /// An animation of two images, with extensions and colour tables.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [44, 1, 200, 0, 0x80, 0, 0] + [1, 2, 3, 4, 5, 6] + [0x21, 0xFF, 11]
        + Array("NETSCAPE2.0".utf8) + [
            3, 1, 0, 0, 0,
        ]
        + image(0) + image(0x81) + [0x3B]

    static func image(_ flags: UInt8) -> [UInt8] {
        [0x21, 0xF9, 4, 0, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 44, 1, 200, 0, flags]
            + [UInt8](repeating: 9, count: flags == 0 ? 0 : 12)
            + [2, 2, 0x4C, 0x01, 1, 0x3B, 0]
    }

    static func jpeg(_ marker: UInt8, before: [UInt8] = [], after: [UInt8] = scan) -> [UInt8] {
        [0xFF, 0xD8] + before + [0xFF, marker, 0, 17, 8, 1, 8, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1] + after
    }

    static let scan: [UInt8] = [
        0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9,
    ]

    static func webp(_ chunks: [(String, [UInt8])], size: Int? = nil) -> [UInt8] {
        let little = { (number: Int) -> [UInt8] in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        let body = chunks.flatMap { (type, content) -> [UInt8] in
            Array(type.utf8) + little(content.count) + content + [UInt8](repeating: 0, count: content.count % 2)
        }
        return Array("RIFF".utf8) + little(size ?? body.count + 4) + Array("WEBP".utf8) + body
    }

    static let lossy: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A, 44, 1, 200, 0, 1, 2, 3]
    static let lossless: [UInt8] = [0x2F, 0x2B, 0xC1, 0x31, 0, 1, 2, 3, 4]
    static let extended: [UInt8] = [0, 0, 0, 0, 43, 1, 0, 199, 0, 0]

    static let all: [[UInt8]] = [
        png, gif, jpeg(0xC0), jpeg(0xC2, before: [0xFF, 0xE1, 0, 4, 0xFF, 0xC0]), webp([("VP8 ", lossy)]),
        webp([("VP8L", lossless)]),
        webp([("VP8X", extended), ("ICCP", [1, 2, 3]), ("VP8 ", lossy)]),
    ]

    private func read(_ bytes: [UInt8]) -> String? {
        (try? PictureHeader.read(bytes)).map { "\($0.format) \($0.width) x \($0.height)" }
    }

    private func fault(_ bytes: [UInt8]) -> String? {
        do {
            return try PictureHeader.read(bytes) == nil ? "\(PictureHeader.fault(bytes))" : nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `The format and size of PNG, GIF and the three kinds of WebP are read`() {
        #expect(read(Self.png) == "png 300 x 264")
        #expect(read(Self.gif) == "gif 300 x 200")
        #expect(read(Self.all[4]) == "webp 300 x 200")
        #expect(read(Self.all[5]) == "webp 300 x 200")
        #expect(read(Self.all[6]) == "webp 300 x 200")
        #expect(
            read(Self.webp([("VP8X", Self.extended), ("ANIM", [0, 0, 0, 0, 0, 0]), ("ANMF", Self.lossy)]))
                == "webp 300 x 200")
        #expect(read(Self.png(1, 1)) == "png 1 x 1")
    }

    @Test func `The size of a JPEG is read from its own frame, not from a thumbnail`() {
        #expect(read(Self.jpeg(0xC0)) == "jpeg 300 x 264")
        #expect(read(Self.jpeg(0xC2)) == "jpeg 300 x 264")
        let exif: [UInt8] = [0xFF, 0xE1, 0, 21] + Array(Self.jpeg(0xC0).prefix(19))
        #expect(read(Self.jpeg(0xC1, before: exif)) == "jpeg 300 x 264")
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xFF, 0xFF])) == "jpeg 300 x 264")
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0x01, 0xFF, 0xD0])) == "jpeg 300 x 264")
        // A table (DHT) is a normal segment, before and after the frame.
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xC4, 0, 4, 0, 0])) == "jpeg 300 x 264")
        #expect(read(Self.jpeg(0xC0, after: [0xFF, 0xC4, 0, 4, 0, 0] + Self.scan)) == "jpeg 300 x 264")
        let longest: [UInt8] = [0xFF, 0xEF, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 65_533)
        #expect(read(Self.jpeg(0xC0, before: longest)) == "jpeg 300 x 264")
    }

    @Test func `A JPEG with a missing frame, scan or segment length is refused`() {
        #expect(read(Self.jpeg(0xDA)) == nil)
        #expect(read(Self.jpeg(0xD9)) == nil)
        for length in [0, 1] as [UInt8] { #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xE0, 0, length])) == nil) }
        #expect(read(Self.jpeg(0xC0, before: [0, 0])) == nil)
        #expect(read(Self.jpeg(0xC0, before: [0xFF, 0xE0, 0xFF, 0xFF])) == nil)
        #expect(read(Self.jpeg(0xC0, after: [])) == nil)
        #expect(read(Self.jpeg(0xC0, after: [0xFF, 0xD9])) == nil)
        // Endless segments, and endless fill bytes.
        let segments = (0..<100_000).flatMap { _ in [0xFF, 0xE0, 0, 2] as [UInt8] }
        #expect(read([0xFF, 0xD8] + segments) == nil)
        #expect(read([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 1_000_000)) == nil)
    }

    @Test func `A picture with an invalid size is refused with its format`() {
        #expect(fault(Self.png(0, 264)) == "is a PNG picture of 0 x 264 pixels")
        #expect(fault(Self.png(300, 0)) == "is a PNG picture of 300 x 0 pixels")
        #expect(fault(Self.png(1 << 31, 1)) == "is a damaged or incomplete PNG picture")
        #expect(
            read(Self.png(1 << 31 - 1, 1 << 31 - 1)) == "png 2147483647 x 2147483647",
            "the capture refuses too many pixels")
        var gif = Self.gif
        gif.replaceSubrange(6..<10, with: [0, 0, 0, 0])
        #expect(fault(gif) == "is a GIF picture of 0 x 0 pixels")
        #expect(
            fault(Self.webp([("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0, 0, 0, 0])])) == "is a WebP picture of 0 x 0 pixels"
        )
    }

    @Test func `A truncated picture is refused at every length`() {
        for picture in Self.all {
            for length in picture.indices {
                #expect(read(Array(picture[..<length])) == nil, "\(length) of \(picture.count) bytes")
            }
        }
        #expect(fault([]) == "is empty")
        #expect(fault(Array(Self.png.dropLast())) == "is a damaged or incomplete PNG picture")
    }

    @Test func `Text that begins like a picture is refused, and bytes after the end are ignored`() {
        let html = Array("<html><script>alert(1)</script></html>".utf8)
        let none = "is not a PNG, JPEG, GIF or WebP picture"
        #expect(fault(html) == none)
        #expect(
            fault(Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8))
                == "is an SVG picture; only PNG, JPEG, GIF and WebP are accepted")
        #expect(fault([0xEF, 0xBB, 0xBF] + Self.png) == none)
        #expect(
            fault(Array("GIF89a/*".utf8) + html + Array("*/=1;alert(1)".utf8))
                == "is a damaged or incomplete GIF picture")
        #expect(fault(Array(Self.png.prefix(33)) + html) == "is a damaged or incomplete PNG picture")
        #expect(fault([0xFF, 0xD8, 0xFF] + html) == "is a damaged or incomplete JPEG picture")
        #expect(
            fault(Array("RIFF\u{10}\u{0}\u{0}\u{0}WEBP".utf8) + html)
                == "is a damaged or incomplete WebP picture")
        for (picture, shown) in zip(Self.all, ["png", "gif", "jpeg", "jpeg", "webp", "webp", "webp"]) {
            #expect(read(picture + Array("PK\u{3}\u{4}".utf8) + html)?.hasPrefix(shown) == true)
        }
    }

    @Test func `Chunks and blocks that are invalid or extend past the end are refused`() {
        #expect(read(Self.png(1, 1, chunks: ["IEND"])) == nil)
        #expect(read(Self.png(1, 1, chunks: ["IDAT"])) == nil)
        var long = Self.png
        long.replaceSubrange(33..<37, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(read(long) == nil)
        #expect(read(Array(Self.gif.prefix(19)) + [0x3B]) == nil, "no image")
        #expect(read(Self.webp([("VP8 ", Self.lossy)], size: 10_000)) == nil)
        #expect(read(Self.webp([("VP8 ", Self.lossy)], size: 4)) == nil)
        #expect(read(Self.webp([("VP8X", Self.extended)])) == nil, "no image")
        #expect(read(Self.webp([("ALPH", [UInt8](repeating: 1, count: 20))])) == nil)
        #expect(read(Self.webp([("VP8 ", [UInt8](repeating: 1, count: 20))])) == nil)
        #expect(read(Self.webp([("VP8L", [UInt8](repeating: 1, count: 20))])) == nil)
    }

    @Test func `A damaged picture is read or refused without a crash`() {
        var (read, refused) = (0, 0)
        for picture in Self.all {
            for index in picture.indices {
                for byte in [UInt8(0), 1, 0x7F, 0x80, 0xC0, 0xDA, 0xFF] {
                    var copy = picture
                    copy[index] = byte
                    if let header = try? PictureHeader.read(copy) {
                        read += header.width > 0 && header.height > 0 ? 1 : 0
                    } else {
                        refused += 1
                    }
                }
            }
        }
        #expect(read > 0 && refused > 0)
        #expect(read + refused == Self.all.reduce(0) { $0 + $1.count * 7 }, "every picture that is read has a size")
    }

    @Test(
        .enabled(if: RealData.isAvailable, Comment(rawValue: RealData.comment)))
    func `All 826 real avatars are complete pictures`() throws {
        let folder = "\(RealData.folder)/data/rickandmorty/avatars"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count >= 826)
        for name in names {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            #expect(read(bytes) != nil, "\(name)")
            #expect(read(Array(bytes.dropLast())) == nil, "\(name) without its last byte")
        }
    }
}
