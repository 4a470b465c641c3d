import Archive
import Catalogue
import Platform

/// The rows of the records that a field refers to, each once, as shown, and the number of those that are not captured.
typealias RelatedRows = (rows: ArraySlice<Int32>, missing: Int)

/// The related rows of each record in one array, which takes less memory than an array for each.
struct RelatedRowsColumn: Sendable {
    /// The ids, until they are resolved.
    private var ids: [Int64] = []
    private var rows: [Int32] = []
    /// The position of the first id or row of each record, and the end of the last one's.
    private var starts = [0]
    private var missing: [Int32] = []

    init() {}

    /// The rows of an inverse reference.
    /// - Parameters:
    ///   - sources: the rows of the other table, in the order in which they are shown.
    ///   - targets: the rows that a row of the other table refers to.
    init(grouping sources: [Int], count: Int, _ targets: (Int) -> ArraySlice<Int32>) {
        starts = [Int](repeating: 0, count: count + 1)
        for source in sources {
            for row in targets(source) { starts[Int(row) + 1] += 1 }
        }
        for row in 0..<count { starts[row + 1] += starts[row] }
        missing = [Int32](repeating: 0, count: count)
        rows = [Int32](repeating: 0, count: starts[count])
        var next = starts
        for source in sources {
            for row in targets(source) {
                rows[next[Int(row)]] = Int32(source)
                next[Int(row)] += 1
            }
        }
    }

    mutating func append(_ links: [Int64?]) {
        for id in links { ids.append(id ?? 0) }
        starts.append(ids.count)
    }

    /// Replaces the ids by the rows of a table.
    /// - Parameter orderBy: the field whose number of references sorts the rows, the largest number first.
    mutating func resolve(_ table: RecordTable, orderBy: FieldDeclaration?) {
        rows.reserveCapacity(ids.count)
        for (row, (start, end)) in zip(starts, starts.dropFirst()).enumerated() {
            let found = ids[start..<end].map { table.row(of: $0).map { Int32($0) } }
            var own = found.compactMap(\.self).unique()
            if let orderBy {
                // Equal numbers keep the API's order.
                let counts = own.map { table.count(orderBy, Int($0)) }
                own = own.indices.sorted { (-counts[$0], $0) < (-counts[$1], $1) }.map { own[$0] }
            }
            rows += own
            missing.append(Int32(clamping: found.count { $0 == nil }))
            starts[row + 1] = rows.count
        }
        ids = []
    }

    subscript(row: Int) -> RelatedRows { (rows[starts[row]..<starts[row + 1]], Int(missing[row])) }
}

extension RecordTable {
    /// All rows in the order of a field's values. Rows without a value come last.
    func rows(by field: FieldDeclaration) -> [Int] {
        let values = (0..<count).map { row -> (number: Double, text: String, row: Int) in
            let text = text(field, row)
            if field.isNumber { return (Double(text) ?? .infinity, "", row) }
            return (text.isBlank ? .infinity : 0, field.type == .date ? field.machineReadable(text) : text, row)
        }
        return values.sorted { $0 < $1 }.map(\.row)
    }
}

/// A column with few different values. Each value is stored once.
struct ValueColumn<Value: Hashable & Sendable>: Sendable {
    private(set) var values: [Value] = []
    private(set) var counts: [Int] = []
    private(set) var codes: [UInt32] = []
    private var codesByValue: [Value: UInt32] = [:]
    /// Whether the values are lists of texts, each with `separator` between its elements.
    private let hasLists: Bool

    mutating func reserve(_ count: Int) { codes.reserveCapacity(count) }

    init(hasLists: Bool = false) { self.hasLists = hasLists }

    mutating func append(_ value: Value) {
        let code = codesByValue[value] ?? UInt32(values.count)
        if code == values.count {
            codesByValue[value] = code
            values.append(value)
            counts.append(0)
        }
        codes.append(code)
        counts[Int(code)] += 1
    }

    subscript(row: Int) -> Value { values[Int(codes[row])] }

    /// Frees the memory that only `append` needs.
    mutating func finish() { codesByValue = [:] }
}

extension ValueColumn<String> {
    static let separator: Character = "\t"

    /// The column with each element of a list as a value, and the row of each value. An empty list has the empty value.
    var elements: (column: Self, rows: [Int32]) {
        guard hasLists else { return (self, codes.indices.map { Int32($0) }) }
        var (column, rows) = (Self(), [Int32]())
        for row in codes.indices {
            let list = self[row].split(separator: Self.separator).map(String.init).unique()
            for element in list.isEmpty ? [""] : list {
                column.append(element)
                rows.append(Int32(row))
            }
        }
        return (column, rows)
    }

    /// The indices of the values, the most frequent first. Values with equal counts are sorted by their bytes.
    var byCount: [Int] {
        values.indices.sorted {
            counts[$0] != counts[$1]
                ? counts[$0] > counts[$1] : values[$0].utf8.lexicographicallyPrecedes(values[$1].utf8)
        }
    }
}

/// The properties of a picture that pages show.
struct RecordPicture: Sendable, Hashable {
    let format: AssetFormat
    let width: Int32
    let height: Int32
}

extension ValueColumn<RecordPicture?> {
    var isEmpty: Bool { values.allSatisfy { $0 == nil } }
    var first: Int? { codes.firstIndex { values[Int($0)] != nil } }
}

extension CatalogueDeclaration {
    /// The type of a field's column; nil if only the record's own page needs the field.
    func columnType(of field: FieldDeclaration, of kind: KindDeclaration) -> RecordTable.ColumnType? {
        guard field.type.isText || field.type.isLongText || field.target != nil,
            ![.results, .roots, .tree].contains(field.type)
        else { return nil }
        let isInFigure = figures.contains { $0.field === field }
        let isCounted = isInFigure || field.hasLists || kind.search.contains { $0 === field }
        let hasRows = field.showsCards || field.type == .inverse
        guard hasRows || isCounted || field.from != nil || isNeeded(field, of: kind) else { return nil }
        return switch field.type {
        case _ where hasRows: .relatedRows
        case .references: isInFigure || isSource(field, of: kind) ? .relatedRows : .counts
        case .reference: .references
        default: isCounted ? .values : .texts
        }
    }

    /// Whether an inverse field is computed from a field.
    private func isSource(_ field: FieldDeclaration, of kind: KindDeclaration) -> Bool {
        kinds.contains { other in
            other.fields.contains { $0.type == .inverse && $0.target == kind.name && $0.source == field.name }
        }
    }

    /// Whether a list, or the page of another record, needs a field.
    private func isNeeded(_ field: FieldDeclaration, of kind: KindDeclaration) -> Bool {
        let isUsed = kinds.contains { other in
            other.list?.highlights.contains { $0.kind == kind.name && $0.field == field.name } == true
                || other.fields.contains { own in
                    own.target == kind.name && (own.note.contains(field.name) || own.orderBy == field.name)
                        || own.from.map { from in
                            from.field == field.name && other.field(from.reference)?.target == kind.name
                                || other === kind && from.reference == field.name
                        } ?? false
                }
        }
        return isUsed || field.isPrimary || kind.feed === field || isSource(field, of: kind)
            || kind.list?.group?.field === field || kind.fields.contains { $0.agreesWith == field.name }
            || [kind.card, kind.row, kind.columns].joined().contains { $0 === field }
    }
}
