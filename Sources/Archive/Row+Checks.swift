import Platform
package import SQLite

/// Checked access to the values of an untrusted archive. Names become parts of paths, and numbers enter calculations.
extension Row {
    /// A kind's name: a lower-case letter, then up to 63 lower-case letters, digits, hyphens and underscores.
    func kind(_ column: Int) throws -> String {
        let kind = text(column)
        let isValid = kind.utf8.allSatisfy { $0.isSmallLetter || $0.isDigit || "-_".utf8.contains($0) }
        try ArchiveError.require(
            isValid && kind.utf8.count <= 64 && kind.utf8.first?.isSmallLetter == true,
            "the record kind \"\(kind)\" does not consist of lower-case letters, digits, hyphens and underscores")
        return kind
    }

    func key(_ kind: String, _ column: Int) throws -> RecordKey {
        let number = integer(column)
        let isValid = RecordKey.validIDs.contains(number) && number != 0
        try ArchiveError.require(isValid, "a \(kind) record has the invalid number \(number)")
        return RecordKey(kind, number)
    }

    /// The path of an answer. Captures escape all characters except the visible ones of ASCII.
    func path(_ column: Int) throws -> String {
        let path = text(column)
        try ArchiveError.require(
            path.utf8.allSatisfy { (0x21...0x7E).contains($0) } && path.utf8.count <= Self.maximumTextLength,
            "the path of an answer has spaces or characters outside ASCII, or is too long")
        return path
    }

    /// The URL, key path and reason of a gap in three columns. Their texts come from answers of any server.
    func gap(from column: Int) throws -> Gap {
        let texts = (column..<column + 3).map { text($0) }
        try ArchiveError.require(
            texts.allSatisfy { $0.utf8.count <= Self.maximumTextLength && !$0.hasTooManyMarks },
            "a gap has a text that is too long, or has more than the \(String.maximumMarks) combining marks in a row "
                + "allowed")
        return Gap(url: texts[0], keyPath: texts[1], reason: texts[2])
    }

    /// The longest path is that of a request for 1,000 records, whose ids can have 3,000 bytes each with their escapes.
    private static var maximumTextLength: Int { 1 << 22 }

    /// An imported file's name. It becomes part of a path, and of lines from which digests are computed.
    func fileName(_ column: Int) throws -> String {
        let name = text(column)
        try ArchiveError.require(
            name.isPlain && !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains("/")
                && name.utf8.count <= 255, "an imported file has an invalid name")
        return name
    }

    /// A count or a size, checked because a malicious archive can contain any number.
    func count(_ column: Int, _ name: @autoclosure () -> String, limit: Int = 1 << 53) throws -> Int {
        let count = int(column)
        try ArchiveError.require((0...limit).contains(count), "\(name()) is \(count)")
        return count
    }

    /// A date from the year 1 to 9999, in milliseconds since 1970.
    func date(_ column: Int, _ name: @autoclosure () -> String) throws -> Int64 {
        let date = integer(column)
        let isValid = (-62_135_596_800_000...253_402_300_799_999).contains(date)
        try ArchiveError.require(isValid, "\(name()) has the invalid date \(date)")
        return date
    }

    /// The digest in a column; nil if the column is null or does not have 32 bytes.
    func digest(_ column: Int) -> SHA256? { isNull(column) ? nil : SHA256(raw: rawBlob(column)) }

    func digest(_ column: Int, of name: @autoclosure () -> String) throws -> SHA256 {
        try ArchiveError.require(digest(column), "\(name()) has no digest")
    }

    /// A picture from its digest, size, format, width and height in five columns; nil if the size is null.
    func asset(from column: Int) throws -> Asset? {
        guard !isNull(column + 1) else { return nil }
        let sha256 = try ArchiveError.require(digest(column), "a picture has a digest of \(blob(column).count) bytes")
        let format = try ArchiveError.require(
            AssetFormat(rawValue: text(column + 2)),
            "the picture \(sha256.hex) has the unknown format \(text(column + 2))")
        // A function, so that the text is created only for an error. An archive has a row for each picture.
        func name(of part: String) -> String { "the \(part) of the picture \(sha256.hex)" }
        let maximumLength = Int(UInt32.max)
        return Asset(
            sha256: sha256, size: try count(column + 1, name(of: "size"), limit: File.maximumSize), format: format,
            width: try count(column + 3, name(of: "width"), limit: maximumLength),
            height: try count(column + 4, name(of: "height"), limit: maximumLength))
    }
}

extension String {
    /// Whether the text has no control characters. Then it is safe in a line or a header.
    var isPlain: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}

extension SHA256: SQLiteParameter {
    package var sqliteValue: SQLiteValue { .blob(bytes) }
}
