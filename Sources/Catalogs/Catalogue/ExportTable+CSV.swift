public import Archive

/// Comma-separated values by RFC 4180: lines end with CR LF, the first names the columns.
extension ExportTable {
    /// The first line.
    public var header: [UInt8] { Self.line(columns.map(\.name)) }

    /// A record's line.
    /// - Throws: where the record is no JSON object.
    public func line(of record: StoredRecord) throws(ContentFault) -> [UInt8] {
        let value = try JSONValue(record.bytes, at: record.bytes.indices)
        return Self.line(
            columns.map { column in
                switch column.content {
                case .id: "\(record.key.id)"
                case .value(let path): Self.text(of: path.reduce(value) { $0?[$1] })
                case .links(let path): Self.numbers(in: path.reduce(value) { $0?[$1] })
                }
            })
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
        return links.compactMap(\.text).map { link in String(link.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()) }
            .joined(separator: " ")
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
