package import Archive

/// A table of the records of a kind. It becomes a view in an exported archive, and a CSV file.
public struct ExportTable: Sendable {
    /// The content of a column.
    public enum Content: Sendable {
        /// The record's id.
        case id
        /// The string, number or Boolean at a path of member names.
        case value([String])
        /// The numbers at the ends of the links in an array, separated by spaces.
        case links([String])
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

/// Pairs of records in which the first record links to the second. They become a view with two columns. The columns are
/// named after the two kinds.
public struct ExportRelation: Sendable {
    package let name: String
    package let kind: String
    package let member: String
    package let other: String

    package init(_ name: String, from kind: String, _ member: String, to other: String) {
        self.name = name
        self.kind = kind
        self.member = member
        self.other = other
    }
}

extension ExportTable {
    /// The SQL that creates the view from the view `document`. Hyphens in the name become underscores.
    package func view(named name: String) -> String {
        let name = String(name.map { $0 == "-" ? "_" : $0 })
        let columns = columns.map { column in
            switch column.content {
            case .id: "id AS \(column.name)"
            case .constant(let text): "\(Self.literal(text)) AS \(column.name)"
            case .value(let path): "json_extract(document.json, '$.\(path.joined(separator: "."))') AS \(column.name)"
            case .links(let path):
                """
                (SELECT group_concat(\(Self.lastNumber(of: "value")), ' ')
                FROM (SELECT value FROM json_each(document.json, '$.\(path.joined(separator: "."))')
                ORDER BY key)) AS \(column.name)
                """
            }
        }
        return
            "CREATE VIEW \(name) AS SELECT \(columns.joined(separator: ", ")) FROM document WHERE kind = '\(kind)' "
            + "ORDER BY position"
    }

    /// A text as an SQL literal. Bytes are compared, because a quote with a combining mark is another `Character`.
    private static func literal(_ text: String) -> String {
        let quote = UInt8(ascii: "'")
        return "'\(String(decoding: text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self))'"
    }

    fileprivate static func lastNumber(of value: String) -> String {
        "CAST(replace(\(value), rtrim(\(value), '0123456789'), '') AS INTEGER)"
    }
}

extension ExportRelation {
    package var view: String {
        """
        CREATE VIEW \(name) AS SELECT document.id AS \(kind), \(ExportTable.lastNumber(of: "link.value")) AS \(other)
        FROM document, json_each(document.json, '$.\(member)') AS link WHERE document.kind = '\(kind)'
        ORDER BY position, link.key
        """
    }
}

/// Comma-separated values (RFC 4180). Lines end with CR LF, and the first line contains the column names. An apostrophe
/// is put before cells that a spreadsheet would run as a formula (docs/format.md, "The data as files").
extension ExportTable {
    package var header: [UInt8] { Self.line(columns.map(\.name)) }

    /// A record's line.
    /// - Throws: `ContentFault` if the record is not a JSON object.
    package func line(of record: StoredRecord) throws(ContentFault) -> [UInt8] {
        let fields = try JSONFields(record.bytes)
        var cells: [String] = []
        cells.reserveCapacity(columns.count)
        for column in columns {
            switch column.content {
            case .id: cells.append("\(record.key.id)")
            case .constant(let text): cells.append(Self.protectedFromFormulas(text))
            case .value(let path): cells.append(Self.cell(try fields.value(at: path)))
            case .links(let path): cells.append(Self.numbers(in: try fields.value(at: path)))
            }
        }
        return Self.line(cells)
    }

    private static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil, .literal("null")?: ""
        case .literal(let literal)? where isNumber(literal): literal
        case .text(let text)?: protectedFromFormulas(text)
        case let value?: protectedFromFormulas("\(value)")
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

    /// Whether a literal is a JSON number. Archives can contain other literals.
    private static func isNumber(_ literal: String) -> Bool {
        literal.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(literal) != nil
            && literal.utf8.first != "+"
    }

    private static func numbers(in value: JSONValue?) -> String {
        guard case .list(let links)? = value else { return "" }
        return links.compactMap(\.text).map { link in
            let start = link.utf8.lastIndex { !("0"..."9").contains($0) }
            return String(link[(start.map(link.utf8.index(after:)) ?? link.startIndex)...])
        }.joined(separator: " ")
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { line.append(",") }
            guard
                cell.utf8.contains(where: {
                    $0 == "," || $0 == "\"" || $0 == 10 || $0 == 13
                })
            else {
                line += cell.utf8
                continue
            }
            line.append("\"")
            for byte in cell.utf8 {
                if byte == "\"" { line.append(byte) }
                line.append(byte)
            }
            line.append("\"")
        }
        return line + [13, 10]
    }
}
