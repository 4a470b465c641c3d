package import Archive
import Platform

/// A table of the records of a kind. It becomes a view in an exported archive, and a CSV file.
package struct ExportTable: Sendable {
    package indirect enum Content: Sendable {
        /// The record's id.
        case id
        /// An id that can be any text, or the address of its record.
        case textID(FieldPath)
        /// An id of several values.
        case parts([FieldPath])
        /// The same as `textID` for an id that is usually a number.
        case numberID(FieldPath)
        /// The string, number or Boolean at a path. A path through arrays selects the first one.
        case value(FieldPath)
        /// All values at a path through arrays, as a JSON array.
        case values(FieldPath)
        /// The ids in an array of ids and addresses of records, separated by spaces.
        case links(FieldPath)
        /// The same text for all records.
        case constant(String)
        /// The content of a record of another kind, to which a member refers. `id` is the content of its id.
        case other(FieldPath, kind: String, id: Content, Content)
    }

    /// A column. The name consists of letters and underscores.
    package typealias Column = (name: String, content: Content)

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
        "CREATE VIEW \(name.replacing("-", with: "_")) AS \(Self.query(columns, of: kind)) ORDER BY document.position"
    }

    /// The query for columns. Other records are joined, because SQLite makes an index for a join. If an id is repeated,
    /// the function `min` in `more` selects its first record (https://sqlite.org/lang_select.html#bareagg).
    private static func query(_ columns: [Column], of kind: String, _ more: String = "") -> String {
        var joins = ""
        let columns = columns.map { name, content in
            guard case .other(let path, let other, let id, let value) = content else {
                return "\(sql(of: content)) AS \"\(name)\""
            }
            let reference: Content = if case .id = id { .numberID(path) } else { .textID(path) }
            let records = query([("id", id), ("value", value)], of: other, ", min(document.position)")
            let table = "\"of \(name)\""
            joins += " LEFT JOIN (\(records) GROUP BY 1) AS \(table) ON \(table).id = \(sql(of: reference))"
            return "\(table).value AS \"\(name)\""
        }
        return "SELECT \(columns.joined(separator: ", "))\(more) FROM document\(joins) WHERE kind = '\(kind)'"
    }

    /// The SQL of a view of pairs of records. The first record links to the second. Columns are named after kinds.
    /// - Parameters:
    ///   - id: the column with the id of the first record.
    ///   - areNumbers: whether the ids of the second kind are numbers.
    package static func view(
        ofLinks name: String, from kind: String, _ id: Content, _ member: FieldPath, to other: String, areNumbers: Bool
    ) -> String {
        let links = elements(at: member)
        let link = areNumbers ? "CAST(\(Self.id(in: links.value)) AS INTEGER)" : Self.id(in: links.value)
        let conditions = (["document.kind = '\(kind)'"] + links.conditions).joined(separator: " AND ")
        let order = (["document.position"] + links.order).joined(separator: ", ")
        return """
            CREATE VIEW \(name) AS SELECT \(sql(of: id)) AS "\(kind)", \(link) AS "\(other)"
            FROM document, \(links.tables.joined(separator: ", ")) WHERE \(conditions) ORDER BY \(order)
            """
    }

    private static func sql(of content: Content) -> String {
        switch content {
        case .id: "document.id"
        case .constant(let text): literal(text)
        case .other: "NULL"
        case .parts(let paths): paths.map { sql(of: .value($0)) }.joined(separator: " || '/' || ")
        case .textID(let path): id(in: sql(of: .value(path)))
        case .numberID(let path):
            """
            (SELECT CASE WHEN id GLOB '*[^0-9]*' OR id = '' THEN id ELSE CAST(id AS INTEGER) END \
            FROM (SELECT \(sql(of: .textID(path))) AS id))
            """
        case .value(let path) where path.elements == nil: search(path).value
        case .value(let path): "(\(select(path)) LIMIT 1)"
        case .values(let path): "(SELECT json_group_array(value) FROM (\(select(path))))"
        case .links(let path): "(SELECT group_concat(\(id(in: "value")), ' ') FROM (\(select(path))))"
        }
    }

    private static func select(_ path: FieldPath) -> String {
        let (tables, conditions, order, value) = elements(at: path)
        return """
            SELECT \(value) AS value FROM \(tables.joined(separator: ", ")) \
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order.joined(separator: ", "))
            """
    }

    /// The parts of an SQL query for values.
    private typealias Search = (tables: [String], conditions: [String], order: [String], value: String)

    /// Finds the values at a path through arrays, or the elements of the array at the path.
    private static func elements(at path: FieldPath) -> Search {
        search(path.elements == nil ? FieldPath("\(path.text)[]") : path)
    }

    /// - Parameter start: the table with the object in which the path begins; nil for the record.
    private static func search(_ path: FieldPath, in start: String? = nil, depth: Int = 0) -> Search {
        let names = path.names.joined(separator: ".")
        let place = "document.json, " + (start.map { "\($0).fullkey || '.\(names)'" } ?? "'$.\(names)'")
        let table = "e\(depth)"
        guard let elements = path.elements else { return ([], [], [], "json_extract(\(place))") }
        var conditions: [String] = []
        switch elements {
        case .all: break
        case .at(let index, _): conditions = ["\(table).key = \(index)"]
        case .matching(let path, let wanted, _):
            let other = search(path, in: table, depth: depth + 1)
            // SQLite has 1 for true.
            let value = literal(wanted == "true" ? "1" : wanted == "false" ? "0" : wanted)
            let tables = other.tables.isEmpty ? "" : " FROM \(other.tables.joined(separator: ", "))"
            conditions = ["\(value) IN (SELECT CAST(\(other.value) AS TEXT)\(tables))"]
        }
        let inner = elements.rest.map { search($0, in: table, depth: depth + 1) }
        let value = inner?.value ?? "\(table).value"
        return (
            ["json_each(\(place)) AS \(table)"] + (inner?.tables ?? []),
            ["\(value) IS NOT NULL"] + conditions + (inner?.conditions ?? []),
            ["\(table).key"] + (inner?.order ?? []), value
        )
    }

    /// SQL that returns an id as it is, or the id at the end of a record's address. Its counterpart in Swift is below.
    private static func id(in value: String) -> String {
        let address = "rtrim(\(value), '/')"
        return """
            CASE WHEN \(value) GLOB 'http*://*' \
            THEN replace(\(address), rtrim(\(address), replace(\(value), '/', '')), '') ELSE \(value) || '' END
            """
    }

    /// A text as an SQL literal. Bytes are compared, because a quote with a combining mark is another `Character`.
    private static func literal(_ text: String) -> String {
        "'\(String(decoding: doubling("'", in: text), as: UTF8.self))'"
    }

    private static func doubling(_ quote: UInt8, in text: String) -> [UInt8] {
        text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    }
}

/// Comma-separated values (RFC 4180). Lines end with CR LF, and the first line contains the column names. An apostrophe
/// is put before cells that a spreadsheet would run as a formula (docs/format.md, "The data as files").
extension ExportTable {
    package var header: [UInt8] { Self.line(columns.map(\.name)) }

    /// A record's line.
    /// - Parameter find: returns the record with a key.
    /// - Throws: `ContentFault` if the record is not a JSON object.
    package func line(of record: StoredRecord, _ find: (RecordKey) throws -> StoredRecord? = { _ in nil }) throws
        -> [UInt8]
    {
        let fields = try JSONFields(record.bytes)
        return Self.line(try columns.map { try Self.cell($0.content, of: fields, record.key, find) })
    }

    private static func cell(
        _ content: Content, of fields: JSONFields, _ key: RecordKey, _ find: (RecordKey) throws -> StoredRecord?
    ) throws -> String {
        switch content {
        case .other(let path, let kind, _, let value):
            try fields.value(at: path)?.scalar.flatMap { try find(RecordKey(kind, text: id(of: $0))) }
                .map { try cell(value, of: JSONFields($0.bytes), $0.key, find) } ?? ""
        case .id: "\(key.id)"
        case .constant(let text): protectedFromFormulas(text)
        case .parts(let paths): protectedFromFormulas(paths.map(fields.scalar).joined(separator: "/"))
        case .textID(let path), .numberID(let path):
            fields.value(at: path).map { cell($0.text.map { .text(id(of: $0)) } ?? $0) } ?? ""
        case .value(let path): fields.value(at: path).map(cell) ?? ""
        case .values(let path): "\(JSON.list(fields.values(at: path)))"
        case .links(let path):
            protectedFromFormulas(fields.values(at: path).compactMap(\.scalar).map(id(of:)).joined(separator: " "))
        }
    }

    private static func cell(_ value: JSON) -> String {
        switch value {
        case .word("null"): ""
        // `try?`, because archives can contain other words, which are texts here.
        case .word(let word) where (try? JSONText.number(Array(word.utf8)[...], "")) != nil: word
        default: protectedFromFormulas(value.text ?? "\(value)")
        }
    }

    /// Puts an apostrophe before a text that a spreadsheet would run as a formula, even after blanks or with a
    /// full-width sign. A text that begins with an apostrophe gets another one, so that readers can undo the change.
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

    /// Returns an id as it is, or the id at the end of a record's address.
    private static func id(of text: String) -> String {
        guard text.hasPrefix("http"), text.contains("://") else { return text }
        return text.utf8.split(separator: "/").last.map { String(Substring($0)) } ?? text
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        let cells = cells.map { cell -> [UInt8] in
            guard cell.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return Array(cell.utf8) }
            return ["\""] + doubling("\"", in: cell) + ["\""]
        }
        return Array(cells.joined(separator: [","])) + [13, 10]
    }
}
