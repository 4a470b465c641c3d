package import Archive

/// Comma-separated values by RFC 4180: lines end with CR LF, the first names the columns. Cells that a spreadsheet
/// would run as a formula begin with an apostrophe (docs/format.md, "The data as files").
extension ExportTable {
    /// The first line.
    package var header: [UInt8] { Self.line(columns.map(\.name)) }

    /// A record's line.
    /// - Throws: where the record is no JSON object.
    package func line(of record: StoredRecord) throws(ContentFault) -> [UInt8] {
        let fields = try JSONFields(record.bytes)
        var cells: [String] = []
        cells.reserveCapacity(columns.count)
        for column in columns {
            switch column.content {
            case .id: cells.append("\(record.key.id)")
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
        case .text(let text)?: guarded(text)
        case let value?: guarded("\(value)")
        }
    }

    /// The text behind an apostrophe where a spreadsheet would take it for a formula, and where it begins with an
    /// apostrophe: so exactly the cells that begin with one were changed. Spreadsheets drop what is blank before the
    /// sign, and some take full-width signs.
    private static func guarded(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, !("A"..."z").contains(first) else { return text }
        let seen = text.unicodeScalars.first { scalar in
            let properties = scalar.properties
            return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
                && properties.generalCategory != .control
        }
        let isSuspect =
            "'\t\r\n".unicodeScalars.contains(first) || seen.map("=+-@＝＋－＠".unicodeScalars.contains) ?? false
        return isSuspect ? "'\(text)" : text
    }

    /// Whether a literal is a number by JSON's grammar; archives can hold others.
    private static func isNumber(_ literal: String) -> Bool {
        literal.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(literal) != nil
            && literal.utf8.first != UInt8(ascii: "+")
    }

    private static func numbers(in value: JSONValue?) -> String {
        guard case .list(let links)? = value else { return "" }
        return links.compactMap(\.text).map { link in
            let start = link.utf8.lastIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return String(link[(start.map(link.utf8.index(after:)) ?? link.startIndex)...])
        }.joined(separator: " ")
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            guard
                cell.utf8.contains(where: {
                    $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 10 || $0 == 13
                })
            else {
                line += cell.utf8
                continue
            }
            line.append(UInt8(ascii: "\""))
            for byte in cell.utf8 {
                if byte == UInt8(ascii: "\"") { line.append(byte) }
                line.append(byte)
            }
            line.append(UInt8(ascii: "\""))
        }
        return line + [13, 10]
    }
}
