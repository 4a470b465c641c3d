import Archive
import Catalogue
import Pages

/// The values of all records of a kind that other pages need, in compact columns.
///
/// `@unchecked Sendable` is safe: while one thread loads the table, other threads read only constants.
final class RecordTable: @unchecked Sendable {
    let kind: KindDeclaration
    private(set) var ids: [Int64] = []
    /// The rows by id, after `finish`.
    private var index: NumberIndex
    /// The ids that are texts, by row; empty if all are numbers.
    private var idTexts: [String] = []
    /// The headings, shortened.
    private(set) var names = TextColumn()
    /// The types of the fields' columns; nil if no other page needs the field.
    private let types: [ColumnType?]
    /// The columns, by field. A field whose column has another type has an empty one here. Optional columns would be
    /// slower, because reading a text would copy the column's references.
    private var texts: [TextColumn]
    private var values: [ValueColumn<String>]
    private var references: [[Int64]?]
    private var counts: [[Int32]?]
    private var relatedRows: [RelatedRowsColumn?]
    private(set) var pictures = ValueColumn<RecordPicture?>()
    /// The sources of the rows; empty if the rows are the records of the archive in their order.
    private(set) var sources: [RecordSource] = []
    /// The rows of the records that roots have, until `finish`.
    private(set) var rowsByID: [Int64: Int] = [:]
    /// The answers of the roots, by row; empty for other kinds.
    private(set) var answers: [RootAnswer] = []
    /// The rows of the roots whose answers have the record, by row; empty without roots.
    private(set) var roots: [[Int32]] = []
    /// By row, the original address, and after `setPages` the path of the page, without ".html". Empty for none.
    private var pages: [String] = []
    /// The rows by the ids of the keys of their original addresses.
    var rowsByAddress: [Int64: Int] = [:]
    /// The numbers of pages that the lists in records need, by row, if they need more than one.
    private var ownPages: [Int: Int] = [:]

    init(_ kind: KindDeclaration, in declaration: CatalogueDeclaration, count: Int) {
        self.kind = kind
        let types = kind.fields.map { declaration.columnType(of: $0, of: kind) }
        self.types = types
        texts = types.map { _ in TextColumn() }
        values = kind.fields.map { ValueColumn<String>(hasLists: $0.type == .list) }
        relatedRows = types.map { $0 == .relatedRows ? RelatedRowsColumn() : nil }
        references = types.map { $0 == .references ? [] : nil }
        counts = types.map { $0 == .counts ? [] : nil }
        index = NumberIndex(kind.name, [])
        ids.reserveCapacity(count)
        names.reserve(count)
        pictures.reserve(count)
        for index in types.indices {
            if types[index] == .texts { texts[index].reserve(count) }
            if types[index] == .values { values[index].reserve(count) }
            references[index]?.reserveCapacity(count)
            counts[index]?.reserveCapacity(count)
        }
    }

    enum ColumnType: Sendable {
        /// Texts that are mostly different.
        case texts
        /// Texts that are often the same. Facets, figures and the search need their counts.
        case values
        /// The ids of the records that a field refers to; 0 for none.
        case references
        /// The lengths of arrays of references.
        case counts
        /// The rows of the records that arrays refer to, or that refer to this record.
        case relatedRows
    }

    /// The values of one record. They are read on several threads.
    struct Entry: Sendable {
        let key: RecordKey
        let name: String
        let values: [Value?]
        /// The original address, if the page can have its path.
        let address: String?
        /// The number of pages that the lists in the record need.
        let pages: Int

        enum Value: Sendable {
            case text(String)
            case id(Int64)
            case count(Int)
            /// The ids of the records that an array refers to; nil for other links.
            case ids([Int64?])
        }
    }
}

extension RecordTable {
    /// Reads the values of the columns. Texts are shortened for other pages.
    func entry(of bytes: [UInt8], _ links: LinkReader) throws -> Entry {
        let record = try JSONFields(bytes)
        return entry(of: record, try kind.key(of: record), nil, links, pages: kind.pages(of: record, bytes))
    }

    func entry(of record: JSONFields, _ key: RecordKey, _ root: Root?, _ links: LinkReader, pages: Int = 1) -> Entry {
        let values = zip(kind.fields, types).map { field, type -> Entry.Value? in
            switch type {
            case _ where field.type.isDerived || field.from != nil: return nil
            case nil: return nil
            case .texts? where field.type.isLongText: return .text(field.shown(record))
            case .texts?, .values?: return .text(field.listed(field.shown(record, of: root)))
            case .references?: return .id(links.shownKey(record.scalar(field.path), kind: field.target ?? "")?.id ?? 0)
            case .counts?: return .count(record.count(field.path))
            case .relatedRows?:
                return .ids(record.validLinks(field.path).map { links.shownKey($0, kind: field.target ?? "")?.id })
            }
        }
        let title = kind.rootTitle.flatMap { title in root.map { $0.fill(title) } } ?? kind.title(of: record)
        let address = kind.permalink.map { record.scalar($0) }
        return Entry(key: key, name: kind.heading(title.shortened, key), values: values, address: address, pages: pages)
    }

    func append(_ entry: Entry, _ asset: Asset?, from source: RecordSource) {
        rowsByID[entry.key.id] = count
        sources.append(source)
        roots.append([])
        append(entry, asset)
    }

    func append(_ entry: Entry, _ answer: RootAnswer) {
        answers.append(answer)
        append(entry, nil)
    }

    /// Notes that the answer of a root has a record.
    func add(root: Int32, to row: Int) { if roots[row].last != root { roots[row].append(root) } }

    func append(_ entry: Entry, _ asset: Asset?) {
        if let text = entry.key.text { idTexts += [String](repeating: "", count: count - idTexts.count) + [text] }
        if let address = entry.address { pages.append(address) }
        if entry.pages > 1 { ownPages[count] = entry.pages }
        ids.append(entry.key.id)
        names.append(entry.name)
        for (index, value) in entry.values.enumerated() {
            switch value {
            case .text(let text)?: append(text, to: index)
            case .id(let id)?: references[index]?.append(id)
            case .count(let count)?: counts[index]?.append(Int32(clamping: count))
            case .ids(let ids)?: relatedRows[index]?.append(ids)
            case nil: break
            }
        }
        pictures.append(
            asset.map {
                .init(format: $0.format, width: Int32(clamping: $0.width), height: Int32(clamping: $0.height))
            })
    }

    private func append(_ text: String, to field: Int) {
        if types[field] == .texts { texts[field].append(text) }
        if types[field] == .values { values[field].append(text) }
    }

    /// Must be called after the last `append` and before `row(of:)`.
    func finish() {
        rowsByID = [:]
        names.finish()
        pictures.finish()
        for index in types.indices {
            texts[index].finish()
            values[index].finish()
        }
        index = NumberIndex(kind.name, ids)
    }

    /// Replaces the original addresses by the pages that have their paths.
    func setPages(_ page: (_ row: Int, _ address: String) -> String) {
        for row in pages.indices { pages[row] = page(row, pages[row]) }
    }

    /// Copies values from other records: first names, then fields, which can be copied names, and parts of formats.
    func take(from tables: [String: RecordTable], fields isOfFields: Bool) {
        for field in kind.fields {
            guard let from = field.from, (from.field != nil) == isOfFields, let reference = kind.field(from.reference)
            else { continue }
            let target = tables[reference.target ?? ""]
            let source = from.field.flatMap { target?.kind.field($0) }
            for row in 0..<count {
                let other = target.flatMap { self.reference(reference, row).flatMap($0.row) }
                if field.type == .reference {
                    // Read before the change, because the other record can be of this kind.
                    let value = source.flatMap { field in other.flatMap { target?.reference(field, $0) } } ?? 0
                    references[field.index]?.append(value)
                    continue
                }
                let text =
                    if let target {
                        other.map { row in source.map { $0.joined(target.text($0, row)) } ?? target.names[row] }
                    } else {
                        part(from.field ?? "", of: reference, row).map { "\($0)" }
                    }
                append(text ?? "", to: field.index)
            }
        }
    }

    /// Looks up the related rows: first those of references, and then those of inverse references.
    func resolve(_ tables: [String: RecordTable], inverse: Bool) {
        for field in kind.fields where types[field.index] == .relatedRows && (field.type == .inverse) == inverse {
            guard let target = tables[field.target ?? ""] else { continue }
            if inverse, let source = field.source.flatMap(target.kind.field) {
                let rows = field.orderBy.flatMap(target.kind.field).map(target.rows) ?? Array(0..<target.count)
                relatedRows[field.index] = RelatedRowsColumn(grouping: rows, count: count) { other in
                    target.reference(source, other).flatMap { row(of: $0) }.map { [Int32($0)] }
                        ?? target.relatedRows(source, other)?.rows ?? []
                }
            } else {
                relatedRows[field.index]?.resolve(target, orderBy: field.orderBy.flatMap(target.kind.field))
            }
        }
    }
}

extension RecordTable {
    subscript(row: Int) -> RecordRow { RecordRow(table: self, row: row) }

    var count: Int { ids.count }

    /// The key of a row, with the text of its id.
    func key(_ row: Int) -> RecordKey {
        hasTextID(row) ? RecordKey(kind.name, text: idTexts[row]) : RecordKey(kind.name, ids[row])
    }

    /// The name of a row's files without the extension.
    func fileName(_ row: Int) -> String { hasTextID(row) ? SitePath.name(ofID: idTexts[row]) : "\(ids[row])" }

    /// The path of a page of a row. Pages count from 0. Roots have their own.
    func path(_ row: Int, page: Int = 0) -> SitePath {
        if page == 0, !answers.isEmpty { return answers[row].path }
        guard page == 0, !pages.isEmpty, !pages[row].isEmpty else { return kind.path(fileName(row), page: page) }
        return SitePath(joined: "\(pages[row]).html")
    }

    /// The number of a record's pages. Each shows the next part of the lists that are too long for one page.
    func pages(_ row: Int) -> Int {
        kind.pagedFields.reduce(ownPages[row] ?? 1) { pages, field in
            let count = field.type == .roots ? roots[row].count : relatedRows(field, row)?.rows.count ?? 0
            return max(pages, Paging(count: count, perPage: field.most).pages)
        }
    }

    private func hasTextID(_ row: Int) -> Bool { row < idTexts.count && !idTexts[row].isEmpty }

    /// Whether the name of a file is not always the number of its id.
    var hasTextIDs: Bool { !idTexts.isEmpty }

    /// The row of a record, the first one if an id is repeated, which is a gap; nil if it is not captured.
    func row(of id: Int64) -> Int? { index.position(of: id) ?? rowsByAddress[id] }

    /// The shortened text of a field; empty if the table does not have it.
    func text(_ field: FieldDeclaration, _ row: Int) -> String {
        switch types[field.index] {
        case .texts?: texts[field.index][row]
        case .values?: values[field.index][row]
        default: ""
        }
    }

    func text(_ field: FieldDeclaration, _ row: Int, _ texts: Texts) -> String {
        kind.text(field, text(field, row), texts) { text($0, row) }
    }

    func values(_ field: FieldDeclaration) -> ValueColumn<String> { values[field.index] }

    /// The id of the record that a field refers to; nil for none.
    func reference(_ field: FieldDeclaration, _ row: Int) -> Int64? {
        references[field.index].flatMap { $0[row] == 0 ? nil : $0[row] }
    }

    /// The number of records that a field refers to.
    func count(_ field: FieldDeclaration, _ row: Int) -> Int {
        if let counts = counts[field.index] { return Int(counts[row]) }
        if let related = relatedRows(field, row) { return related.rows.count }
        return field.type == .results ? answers[row].entries.count : 0
    }

    func relatedRows(_ field: FieldDeclaration, _ row: Int) -> RelatedRows? { relatedRows[field.index]?[row] }

    /// The number in a part of a formatted value; nil if the value has another format.
    func part(_ part: String, of field: FieldDeclaration, _ row: Int) -> Int? {
        field.number(of: part, in: text(field, row))
    }
}
