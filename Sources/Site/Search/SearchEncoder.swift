import Archive
import Catalogue
import Pages
import Platform

/// Encodes rows of a search table in columns, as Templates/scripts/records.js reads them.
///
///     {"total": 3, "kinds": [{"name": "character", "path": "character/", "ids": [1, [2]], "labels": "Ada\nBen\nCarl",
///      "folder": "avatar/", "endings": "jpg\npng", "pictures": "112",
///      "counted": "characterCount",
///      "columns": [{"name": "status", "uses": 7, "by": "gender", "values": "Alive\nDead", "rows": "112"},
///                  {"name": "location", "uses": 6, "of": "location", "rows": "021"}]}]}
///
/// `ids`: a number is the difference from the id before, `[n]` means n more ids in steps of one. A list of texts is one
/// string with a line for each text, or a JSON array if a text contains a line feed. `rows` and `pictures` have one
/// character for each row: "0" for none, "1" for the first value, and so on in the order of code points. `images` has
/// the paths of pictures that have other names than their rows. `counted` is the text with the number of results of the
/// kind, and `by` the column that chooses the form of a translated value.
extension SearchTable {
    /// The index of the first row of each kind in the rows of all kinds.
    var starts: [Int] { reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }.dropLast() }

    /// A file of the index.
    /// - Parameters:
    ///   - total: the number of rows of the complete index, or with the prefix of the file.
    ///   - next: the letters that continue the prefix in other files, including a space if it is also a complete word.
    ///   - rows: the indexes in the rows of all kinds, in ascending order; nil for a file with the complete index.
    func file(prefix: String? = nil, total: Int, next: String? = nil, rows: [UInt32]?) -> [UInt8] {
        var rest = (rows ?? [])[...]
        let kinds = zip(self, starts).map { kind, start in
            guard rows != nil else { return encoded(kind, [Int](0..<kind.count), isWhole: true) }
            let own = rest.prefix { $0 < start + kind.count }
            rest = rest.dropFirst(own.count)
            return encoded(kind, own.map { Int($0) - start }, isWhole: false)
        }
        let file: JSON = [
            "prefix": prefix.map { .text($0) }, "total": .integer(total), "next": next.map { .text($0) },
            "kinds": .list(kinds),
        ]
        return file.received
    }

    /// A few rows of each kind for the search page: those with the largest numbers for sorting, or the first ones.
    var examples: [UInt32] {
        zip(self, starts).flatMap { kind, start in
            let most = 1 + 5 / count
            guard let column = kind.columns.first(where: \.uses.isEmpty) else {
                return (0..<kind.count).prefix(most).map { UInt32(start + $0) }
            }
            let text = text(of: column)
            let numbers = (0..<kind.count).map { column.value($0).flatMap { Double(text($0)) } ?? 0 }
            let best = numbers.indices.sorted { (-numbers[$0], $0) < (-numbers[$1], $1) }
            return best.prefix(most).sorted().map { UInt32(start + $0) }
        }
    }

    private func encoded(_ kind: SearchKind, _ rows: [Int], isWhole: Bool) -> JSON {
        let formats: [AssetFormat] = [.jpeg, .png, .gif, .webp]
        return [
            "name": .text(kind.name), "path": .text(kind.pathPrefix),
            // Differences between ids that are texts would be too large for scripts.
            "ids": Self.encoded(ids: rows.map { kind.file == nil ? kind.id($0) : Int64($0) + 1 }),
            "labels": Self.encoded(list: rows.map(kind.label)),
            "files": kind.file.map { Self.encoded(list: rows.map($0)) },
            "folder": kind.pictures.map { .text($0.folder) },
            "endings": kind.pictures.map { _ in Self.encoded(list: formats.map(\.fileExtension)) },
            "pictures": kind.pictures.map { pictures in
                .characters(rows.map { pictures.format($0).flatMap(formats.firstIndex) })
            },
            "images": kind.picturePath.map { path in Self.encoded(list: rows.map { path($0)?.text ?? "" }) },
            "counted": kind.counted.map { .text($0.key) },
            "columns": .list(kind.columns.map { encoded($0, rows, isWhole: isWhole) }),
        ]
    }

    private func encoded(_ column: SearchColumn, _ rows: [Int], isWhole: Bool) -> JSON {
        var numbers = rows.map(column.value)
        var (values, kind): (JSON?, JSON?)
        switch column.values {
        case .listed(let texts) where isWhole: values = Self.encoded(list: texts)
        case .labels(let name) where isWhole: kind = .text(name)
        default:
            // Only the values of these rows, in the order of their first use. The numbers become indexes of them.
            let used = numbers.compactMap(\.self).unique()
            let indexes = Dictionary(uniqueKeysWithValues: zip(used, used.indices))
            numbers = numbers.map { $0.flatMap { indexes[$0] } }
            values = Self.encoded(list: used.map(text(of: column)))
        }
        return [
            "name": .text(column.name), "uses": .integer(column.uses.reduce(0) { $0 | $1.rawValue }),
            "by": column.agreesWith.map { .text($0) }, "values": values, "of": kind, "rows": .characters(numbers),
        ]
    }

    /// Returns a function that converts the number of a column's value to its text.
    func text(of column: SearchColumn) -> (Int) -> String {
        switch column.values {
        case .listed(let values): return { values[$0] }
        case .labels(let name): return first { $0.name == name }?.label ?? { _ in "" }
        }
    }

    private static func encoded(list: [String]) -> JSON {
        let list = list.map(\.showable)
        return list.isEmpty || list.contains { $0.utf8.contains("\n") }
            ? .list(list.map { .text($0) }) : .text(list.joined(separator: "\n"))
    }

    private static func encoded(ids: [Int64]) -> JSON {
        var values: [JSON] = []
        var last: Int64 = 0
        var run = 0
        for id in ids {
            if last > 0, last < .max, id == last + 1 {
                run += 1
            } else {
                if run > 0 { values.append(.list([.integer(run)])) }
                run = 0
                // Ids here are positive, so this cannot overflow. An invalid id would only cause a link without a page.
                values.append(.integer(Int(id &- last)))
            }
            last = id
        }
        return .list(run > 0 ? values + [.list([.integer(run)])] : values)
    }
}

/// JSON inside a script's single-quoted string: `amber.receive(JSON.parse('...'))`.
///
/// Text is escaped twice, for JSON (RFC 8259, section 7) and for the string around it (ECMA-262, section 12.9.4). "<"
/// and the line separators U+2028 and U+2029 are escaped, so that data is never read as markup or as the end of a line.
extension JSON {
    /// The limit of numbers in `characters`. From this number on, the code points are surrogates (U+D800).
    static let characterLimit = 0xD800 - 0x31
    /// Small numbers as one string with a character for each: nil is "0", 0 is "1", and so on.
    static func characters(_ numbers: [Int?]) -> JSON {
        var text = String.UnicodeScalarView()
        for number in numbers {
            precondition(number ?? 0 < characterLimit, "a number is too large for one character")
            text.append(Unicode.Scalar(UInt32(number.map { $0 + 0x31 } ?? 0x30)) ?? "\u{FFFD}")
        }
        return .text(String(text))
    }

    /// The value as a script that passes it to `amber.receive`.
    var received: [UInt8] {
        var bytes = Array("amber.receive(JSON.parse('".utf8)
        append(to: &bytes, quoting: Self.quote)
        bytes += "'))\n".utf8
        return bytes
    }

    /// An upper limit of the size of an encoded text in bytes.
    static func size(of text: String) -> Int { text.utf8.reduce(0) { $0 + (isSpecial($1) ? 7 : 1) } }

    /// Whether a byte can be part of a character that is escaped.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x20, 0x22, 0x27, 0x3C, 0x5C, 0xE2: true
        default: false
        }
    }

    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append("\"")
        for (index, line) in text.utf8.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { bytes += #"\\n"#.utf8 }
            if line.contains(where: isSpecial) { escape(Substring(line), to: &bytes) } else { bytes += line }
        }
        bytes.append("\"")
    }

    private static func escape(_ line: Substring, to bytes: inout [UInt8]) {
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\"": bytes += #"\\""#.utf8
            case "\\": bytes += #"\\\\"#.utf8
            case "'": bytes += #"\'"#.utf8
            case "<": bytes += #"\\u003c"#.utf8
            case "\r": bytes += #"\\r"#.utf8
            case "\t": bytes += #"\\t"#.utf8
            case "\u{2028}": bytes += #"\\u2028"#.utf8
            case "\u{2029}": bytes += #"\\u2029"#.utf8
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}
