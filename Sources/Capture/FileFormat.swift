import Archive
import Catalogue

/// The format of a captured file other than a picture. Only the bytes determine it: a web page with the Content-Type of
/// a PDF is refused, and equal bytes have the same format in all revisions. Texts and old documents of Microsoft Office
/// also need their Content-Type, but it does not choose the format.
enum FileFormat {
    /// - Parameter type: the Content-Type field; empty for none.
    /// - Returns: nil if the file has none of the formats.
    /// - Throws: `ContentFault` if the file is incomplete.
    static func read(_ bytes: [UInt8], type: String) throws -> AssetFormat? {
        guard let format = format(bytes, type.prefix { $0 != ";" && $0 != " " }.lowercased()) else { return nil }
        guard isComplete(bytes, format) else {
            throw ContentFault("", "is a damaged or incomplete \(format.rawValue.uppercased()) file")
        }
        return format
    }

    /// The types of ZIP files whose first entry contains the type, without compression (EPUB OCF 3.3, section 4.3).
    private static let zips: [String: AssetFormat] = [
        "application/epub+zip": .epub, "application/vnd.oasis.opendocument.text": .odt,
        "application/vnd.oasis.opendocument.spreadsheet": .ods, "application/vnd.oasis.opendocument.presentation": .odp,
    ]
    /// The names of the main parts in the central directory of documents of Microsoft Office.
    private static let mainParts: [(name: String, format: AssetFormat)] = [
        ("word/document.xml", .docx), ("xl/workbook.xml", .xlsx), ("ppt/presentation.xml", .pptx),
    ]
    /// The names of the main streams of old documents. The directories of the documents contain them in UTF-16.
    private static let mainStreams: [(name: String, format: AssetFormat)] = [
        ("WordDocument", .doc), ("Workbook", .xls), ("Book", .xls), ("PowerPoint Document", .ppt),
    ]
    private static let oldDocuments: Set = [
        "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint",
    ]
    /// The first bytes of files. Browsers do not open the last three formats, which are compressed.
    private static let starts: [(bytes: [UInt8], format: AssetFormat)] = [
        (Array("%PDF-".utf8), .pdf), (Array("ID3".utf8), .mp3), (Array("OggS".utf8), .ogg),
        (Array("fLaC".utf8), .flac), ([0x1F, 0x8B, 8], .gz), ([0xFD] + "7zXZ\0".utf8, .xz),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
    ]

    /// The maximum size of the record at the end of a ZIP file, with its comment (APPNOTE.TXT, section 4.3.16).
    private static let largestEnd = 22 + 65_535

    private static func format(_ bytes: [UInt8], _ type: String) -> AssetFormat? {
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if let found = starts.first(where: { bytes.starts(with: $0.bytes) }) { return found.format }
        // The header of an MPEG frame of layer III.
        if bytes.count > 2 && bytes[0] == 0xFF && bytes[1] & 0xE6 == 0xE2 { return .mp3 }
        if has("RIFF"), has("WAVE", at: 8) { return .wav }
        if has("ftypM4", at: 4), !has("V", at: 10) { return .m4a }
        if ["ftypiso", "ftypmp4", "ftypavc", "ftypM4V", "ftypdash"].contains(where: { has($0, at: 4) }) { return .mp4 }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), bytes.prefix(64).firstRange(of: "webm".utf8) != nil {
            return .webm
        }
        if has("PK\u{3}\u{4}") {
            if let zip = zips.first(where: { has("mimetype\($0.key)", at: 30) }) { return zip.value }
            let end = bytes.suffix(largestEnd)
            return mainParts.first { end.firstRange(of: $0.name.utf8) != nil }?.format ?? .zip
        }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            return oldDocuments.contains(type) ? oldDocument(bytes) : nil
        }
        if has("BZh"), has("1AY&SY", at: 4) { return .bz2 }
        if has("ustar", at: 257) { return .tar }
        // A server can answer the address of a missing file with a web page. Other texts are harmless as plain text.
        let isTextType = type.hasPrefix("text/") && type != "text/html" || type == "application/csv"
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
        return isText && !bytes.isEmpty && isTextType ? .txt : nil
    }

    /// The format of an old document, from the first entries of its directory. The header contains the position of the
    /// directory (MS-CFB, section 2.2). Programs for `doc` files also open the other formats.
    private static func oldDocument(_ bytes: [UInt8]) -> AssetFormat {
        guard bytes.count >= 512, case let shift = Int(bytes[30]), shift == 9 || shift == 12 else { return .doc }
        let directory = bytes.dropFirst((bytes.little(48, 4) + 1) << shift).prefix(4_096)
        return mainStreams.first { name, _ in
            directory.firstRange(of: name.utf8.flatMap { [$0, 0] } + [0, 0]) != nil
        }?.format ?? .doc
    }

    /// Whether the end of the file is present, for formats that mark it. For others, only the Content-Length shows it.
    private static func isComplete(_ bytes: [UInt8], _ format: AssetFormat) -> Bool {
        switch format {
        case .pdf: return bytes.suffix(1_024).firstRange(of: "%%EOF".utf8) != nil
        case .zip, .epub, .docx, .xlsx, .pptx, .odt, .ods, .odp:
            return bytes.suffix(largestEnd).firstRange(of: "PK\u{5}\u{6}".utf8) != nil
        // A stream has an unknown length.
        case .wav: return bytes.little(4, 4) + 8 <= bytes.count || bytes.little(4, 4) == UInt32.max
        case .mp4, .m4a:
            // A box begins with its length (ISO/IEC 14496-12, section 4.2): 1 for a 64-bit one, 0 for all that follows.
            var position = 0
            while position < bytes.count {
                guard position + 8 <= bytes.count, case let short = bytes.big(position, 4) else { return false }
                let length = short == 1 && position + 16 <= bytes.count ? bytes.big(position + 9, 7) : short
                if short == 0 { return true }
                guard length >= 8, length <= bytes.count - position else { return false }
                position += length
            }
            return true
        default: return true
        }
    }
}
