public import Archive

/// Comma-separated values by RFC 4180: lines end with CR LF, the first names the columns.
extension ExportTable {
    /// The first line.
    public var header: [UInt8] { Self.line(columns.map(\.name)) }

    /// A record's line.
    /// - Throws: where the record is no JSON object.
    public func line(of record: StoredRecord) throws(ContentFault) -> [UInt8] {
        let fields = try JSONFields(record.bytes)
        var cells: [String] = []
        cells.reserveCapacity(columns.count)
        for column in columns {
            switch column.content {
            case .id: cells.append("\(record.key.id)")
            case .value(let path): cells.append(Self.text(of: try fields.value(at: path)))
            case .links(let path): cells.append(Self.numbers(in: try fields.value(at: path)))
            }
        }
        return Self.line(cells)
    }

    private static func text(of value: JSONValue?) -> String {
        switch value {
        case nil, .literal("null")?: ""
        case .text(let text)?: text
        case let value?: "\(value)"
        }
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
            guard cell.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 10 || $0 == 13 }) else {
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
