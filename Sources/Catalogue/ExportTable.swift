package import Archive
import Platform

/// A table of the records of a kind. It becomes a view in an exported archive, and a CSV file.
public struct ExportTable: Sendable {
    /// The content of a column.
    public enum Content: Sendable {
        /// The record's id.
        case id
        /// The string, number or Boolean at a path.
        case value(FieldPath)
        /// The numbers at the ends of the links in an array, separated by spaces.
        case links(FieldPath)
        /// The same text for all records.
        case constant(String)
    }

    /// A column. The name consists of letters and underscores.
    public typealias Column = (name: String, content: Content)

    package let kind: String
    package let columns: [Column]

    package init(_ kind: String, _ columns: [Column]) {
        self.kind = kind
        self.columns = columns
    }
}

extension ExportTable {
    /// The SQL that creates the view from the view `document`. Hyphens in the name become underscores.
    package func view(named name: String) -> String {
        let columns = columns.map { column in
            let value =
                switch column.content {
                case .id: "id"
                case .constant(let text): Self.literal(text)
                case .value(let path): "json_extract(document.json, '$.\(path.text)')"
                case .links(let path):
                    """
                    (SELECT group_concat(\(Self.lastNumber(of: "value")), ' ')
                    FROM (SELECT value FROM json_each(document.json, '$.\(path.text)')
                    ORDER BY key))
                    """
                }
            return "\(value) AS \(column.name)"
        }
        return """
            CREATE VIEW \(name.replacing("-", with: "_")) AS SELECT \(columns.joined(separator: ", ")) FROM document \
            WHERE kind = '\(kind)' ORDER BY position
            """
    }

    /// The SQL that creates a view of pairs of records in which the first record links to the second. Its two columns
    /// are named after the two kinds.
    package static func view(ofLinks name: String, from kind: String, _ member: FieldPath, to other: String) -> String {
        """
        CREATE VIEW \(name) AS SELECT document.id AS \(kind), \(lastNumber(of: "link.value")) AS \(other)
        FROM document, json_each(document.json, '$.\(member.text)') AS link WHERE document.kind = '\(kind)'
        ORDER BY position, link.key
        """
    }

    /// A text as an SQL literal. Bytes are compared, because a quote with a combining mark is another `Character`.
    private static func literal(_ text: String) -> String {
        "'\(String(decoding: doubling("'", in: text), as: UTF8.self))'"
    }

    private static func doubling(_ quote: UInt8, in text: String) -> [UInt8] {
        text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    }

    private static func lastNumber(of value: String) -> String {
        "CAST(replace(\(value), rtrim(\(value), '0123456789'), '') AS INTEGER)"
    }
}

/// Comma-separated values (RFC 4180). Lines end with CR LF, and the first line contains the column names. An apostrophe
/// is put before cells that a spreadsheet would run as a formula (docs/format.md, "The data as files").
extension ExportTable {
    package var header: [UInt8] { Self.line(columns.map(\.name)) }

    /// A record's line.
    /// - Throws: `ContentFault` if the record is not a JSON object.
    package func line(of record: StoredRecord) throws -> [UInt8] {
        let fields = try JSONFields(record.bytes)
        return Self.line(
            columns.map { column in
                switch column.content {
                case .id: "\(record.key.id)"
                case .constant(let text): Self.protectedFromFormulas(text)
                case .value(let path): fields.value(at: path).map(Self.cell) ?? ""
                case .links(let path): Self.numbers(in: fields.value(at: path))
                }
            })
    }

    private static func cell(_ value: JSON) -> String {
        switch value {
        case .word("null"): ""
        case .word(let word) where isNumber(word): word
        default: protectedFromFormulas(value.text ?? "\(value)")
        }
    }

    /// Puts an apostrophe before a text that a spreadsheet would run as a formula. A text that begins with an
    /// apostrophe gets another one, so that readers can undo the change. Spreadsheets ignore blanks before the sign of
    /// a formula, and some accept full-width signs.
    private static func protectedFromFormulas(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, !("A"..."z").contains(first) else { return text }
        let firstVisible = text.unicodeScalars.first { scalar in
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && properties.generalCategory != .control
        }
        let isSuspect =
            "'\t\r\n".unicodeScalars.contains(first) || firstVisible.map("=+-@＝＋－＠".unicodeScalars.contains) ?? false
        return isSuspect ? "'\(text)" : text
    }

    /// Whether a word is a JSON number. Archives can contain other words.
    private static func isNumber(_ word: String) -> Bool {
        word.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(word) != nil && word.utf8.first != "+"
    }

    private static func numbers(in value: JSON?) -> String {
        guard case .list(let links)? = value else { return "" }
        let numbers = links.compactMap(\.text).map { link in
            String(decoding: link.utf8.reversed().prefix(while: \.isDigit).reversed(), as: UTF8.self)
        }
        return numbers.joined(separator: " ")
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        let cells = cells.map { cell -> [UInt8] in
            guard cell.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return Array(cell.utf8) }
            return ["\""] + doubling("\"", in: cell) + ["\""]
        }
        return Array(cells.joined(separator: [","])) + [13, 10]
    }
}
