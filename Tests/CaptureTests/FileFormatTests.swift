import Archive
import TestSupport
import Testing

@testable import Capture

struct FileFormatTests {
    private static func format(_ bytes: [UInt8], _ type: String = "") -> String {
        do {
            return try FileFormat.read(bytes, type: type)?.rawValue ?? "refused"
        } catch {
            return "\(error)"
        }
    }

    private static func box(_ type: String, _ content: [UInt8], length: Int? = nil) -> [UInt8] {
        [0, 0, 0, UInt8(length ?? content.count + 8)] + Array(type.utf8) + content
    }

    /// An old document of Microsoft Office whose directory, in the second sector, has this name.
    private static func old(_ name: String) -> [UInt8] {
        var bytes: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 1_528)
        (bytes[30], bytes[48]) = (9, 1)
        bytes.replaceSubrange(1_152..<1_152 + 2 * name.utf8.count, with: name.utf8.flatMap { [$0, 0] })
        return bytes
    }

    @Test func `The format follows from the bytes, and texts and old documents also need their Content-Type`() {
        let office = "application/vnd.openxmlformats-officedocument"
        let cases: [(bytes: [UInt8], type: String, format: String)] = [
            (SmallFile.pdf, "text/html", "pdf"), (SmallFile.mp3, "audio/mpeg", "mp3"),
            ([0xFF, 0xFB, 0x90, 0], "", "mp3"), ([0xFF, 0xF1, 0x90, 0], "audio/aac", "refused"),
            (Array("OggS\u{0}".utf8), "", "ogg"), (Array("fLaC\u{0}".utf8), "", "flac"),
            (Array("RIFF\u{4}\u{0}\u{0}\u{0}WAVE".utf8), "", "wav"),
            (Array("RIFF\u{9}\u{0}\u{0}\u{0}WAVE".utf8), "", "is a damaged or incomplete WAV file"),
            (Self.box("ftyp", Array("M4A ".utf8)), "video/mp4", "m4a"),
            (Self.box("ftyp", Array("isom".utf8)) + Self.box("free", []), "video/mp4", "mp4"),
            (Self.box("ftyp", Array("mp42".utf8)) + Self.box("mdat", [1], length: 0), "audio/mp4", "mp4"),
            (
                Self.box("ftyp", Array("isom".utf8)) + Self.box("mdat", [1], length: 20), "",
                "is a damaged or incomplete MP4 file"
            ),
            (Self.box("ftyp", Array("isom".utf8)) + [0, 0, 0], "", "is a damaged or incomplete MP4 file"),
            (Self.box("ftyp", Array("avif".utf8)), "image/avif", "refused"),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82] + Array("webm".utf8), "", "webm"),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82] + Array("matroska".utf8), "", "refused"),
            (SmallFile.zip(), "", "zip"), (SmallFile.zip(), "application/java-archive", "zip"),
            (SmallFile.zip("mimetype", "application/epub+zip"), "", "epub"),
            (SmallFile.zip("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), "", "ods"),
            (SmallFile.zip(), "\(office).wordprocessingml.document", "zip"),
            (SmallFile.zip("word/document.xml"), "", "docx"), (SmallFile.zip("xl/workbook.xml"), office, "xlsx"),
            (SmallFile.zip("ppt/presentation.xml"), "application/zip", "pptx"),
            (Self.old("WordDocument"), "application/msword; charset=x", "doc"),
            (Self.old("Workbook"), "application/msword", "xls"), (Self.old("Book"), "application/vnd.ms-excel", "xls"),
            (Self.old("PowerPoint Document"), "application/vnd.ms-excel", "ppt"),
            (Self.old("Notebook"), "application/vnd.ms-excel", "doc"), (Self.old("WordDocument"), "", "refused"),
            (SmallFile.text, "Text/Plain; charset=utf-8", "txt"),
            (SmallFile.text, "text/csv", "txt"), (SmallFile.text, "text/x-patch", "txt"),
            (SmallFile.text, "text/html", "refused"), ([0x1F, 0x8B, 8, 0], "application/gzip", "gz"),
            (Array("BZh91AY&SY".utf8), "", "bz2"), (Array("BZh9".utf8), "", "refused"),
            ([0xFD] + Array("7zXZ\0".utf8), "", "xz"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "", "7z"),
            ([UInt8](repeating: 0, count: 257) + Array("ustar".utf8), "application/x-tar", "tar"),
            (SmallFile.text, "", "refused"), ([], "text/plain", "refused"),
            (Array("a\u{0}b".utf8), "text/plain", "refused"),
            (Array(SmallFile.pdf.dropLast(7)), "", "is a damaged or incomplete PDF file"),
            (Array(SmallFile.zip().dropLast(20)), "", "is a damaged or incomplete ZIP file"),
        ]
        for (bytes, type, format) in cases {
            #expect(Self.format(bytes, type) == format, "\(bytes.prefix(12)) \(type)")
        }
    }

    @Test func `Nothing that a browser runs is accepted, whatever its Content-Type says`() {
        let active = [
            "<!doctype html><script>1</script>", "<html>", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            "<?xml version=\"1.0\"?><a/>", "alert(1)", "{\"a\":1}", "%!PS-Adobe", "MZ\u{90}",
        ]
        let types = [
            "application/pdf", "text/html", "image/svg+xml", "application/xhtml+xml", "application/xml",
            "application/javascript",
            "application/json", "application/zip", "image/png", "audio/mpeg", "application/octet-stream", "",
        ]
        for text in active {
            for type in types { #expect(Self.format(Array(text.utf8), type) == "refused", "\(text) as \(type)") }
            // As plain text it is harmless.
            for type in ["text/plain", "text/xml", "text/javascript"] {
                #expect(Self.format(Array(text.utf8), type) == "txt")
            }
        }
    }

    @Test func `Each truncated or changed file has a format, or a reason why it is refused`() {
        let whole = [
            SmallFile.pdf, SmallFile.mp3, SmallFile.zip("mimetype", "application/epub+zip"), SmallFile.png,
            Self.box("ftyp", Array("isom".utf8)) + Self.box("mdat", [UInt8](repeating: 1, count: 40), length: 1),
            Array("RIFF\u{4}\u{0}\u{0}\u{0}WAVE".utf8),
        ]
        func check(_ bytes: [UInt8], _ type: String = "") {
            let found = Self.format(bytes, type)
            let isKnown = AssetFormat(rawValue: found) != nil || found == "refused"
            #expect(isKnown || found.contains(/^is a damaged or incomplete [A-Z0-9]+ file$/), "\(found)")
        }
        for bytes in whole {
            for length in bytes.indices {
                check(Array(bytes[..<length]), "text/plain")
                for value: UInt8 in [0, 1, 0xFF] {
                    var copy = bytes
                    copy[length] = value
                    check(copy)
                }
            }
        }
    }
}
