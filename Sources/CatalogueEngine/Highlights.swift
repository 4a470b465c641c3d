import Archive
import Catalogue
import Mustache
import Pages

/// A section at the beginning of a home page that is a list (the page `index`).
struct HighlightDeclaration: Sendable {
    /// The key path in the declaration.
    let path: String
    let kind: String
    /// The field that decides which records or values are shown; nil for the kind's last records.
    let field: String?
    /// Whether the section has the records that the last revision added or changed.
    let isChanged: Bool
    let most: Int
    let title: TextDeclaration

    init(_ value: JSON, at path: String, kinds: [String]) throws {
        self.path = path
        let section = try DeclarationObject(value, at: path, keys: ["of", "changed", "most", "title"])
        (kind, field) = try section.text("of").atDot
        try require(
            kinds.contains(kind), section.path("of"),
            "is not a kind, or a kind and one of its fields, such as \"character.episode\"")
        isChanged = try section.flag("changed")
        try require(
            !isChanged || field == nil, section.path("changed"), "is only for a kind; remove the field from \"of\"")
        most = try section.integer("most", 1...100, default: 10)
        title = TextDeclaration(try section.text("title"))
    }
}

extension CatalogueDeclaration {
    /// Checks a section of the home page: its kind has pages, and its field has references or is a facet.
    func check(_ section: HighlightDeclaration, of list: ListDeclaration) throws {
        try require(list.page == "index", section.path, "is only for the list with the page \"index\"")
        guard let kind = kind(section.kind), let own = kind.list else {
            throw ContentFault("\(section.path).of", "is \"\(section.kind)\", which has no pages")
        }
        guard let name = section.field else { return }
        let field = kind.fields.first { $0.name == name }
        try require(
            field?.type == .references || field?.isFacet == true && own.page == list.page, "\(section.path).of",
            "is neither a field with references nor a facet of this list")
    }
}

/// The sections at the beginning of the home page.
enum Highlights {
    static let item = Shape(
        "highlight",
        .init("name", .text, "the record's name, or the value in the page's language"),
        .init("asServed", .flag, "whether the name is as served"),
        .init("path", .text, "the page of the record or the list of the value, relative to the language's root"),
        .init("note", .text, "the number of references or records, the day of the change, or a value of the record"),
        .init("tone", .text, "the class for the colour of the value; may be empty"),
        .init("width", .number, "the part of the list's records that have the value in per cent; 0 for a record"),
        .init("pictures", .list(.object(PageParts.picture)), "the picture of the record, or those of four cards on it"))
    static let section = Shape(
        "highlights",
        .init("title", .text, "the heading of the section"),
        .init("path", .optional(.text), "the list that continues the section, relative to the language's root"),
        .init("hasPictures", .flag, "whether the items have pictures"),
        .init("items", .list(.object(item)), "records or values"))
}

extension PageMaker {
    /// The sections that have records.
    func highlights(of rows: ListRows, _ texts: Texts) -> [Value] {
        rows.list.highlights.compactMap { declared in
            let table = tables[declared.kind]
            let field = declared.field.flatMap(table.kind.field)
            let isChart = field.map { $0.type != .references } ?? false
            let items =
                switch (field, declared.isChanged) {
                case (let field?, _) where isChart: values(of: field, in: rows, declared.most, texts)
                case (let field?, _): mostReferences(table, field, declared.most, texts)
                case (nil, true): changed(table, declared.most, texts)
                case (nil, false): latest(table, declared.most, texts)
                }
            guard !items.isEmpty else { return nil }
            let isLatest = field == nil && !declared.isChanged
            return Highlights.section([
                "title": texts[declared.title], "path": isLatest ? groupList(table[table.count - 1]) : nil,
                "hasPictures": !isChart, "items": items,
            ])
        }
    }

    private func mostReferences(_ table: RecordTable, _ field: FieldDeclaration, _ most: Int, _ texts: Texts) -> [Value]
    {
        let counts = (0..<table.count).map { table.count(field, $0) }
        let rows = counts.indices.filter { counts[$0] > 0 }.sorted { (-counts[$0], $0) < (-counts[$1], $1) }
        return records(rows.prefix(most), of: table) { tables.plural(field.count, counts[$0], texts) }
    }

    /// The last records of a kind. If its list has groups, they are of the last group.
    private func latest(_ table: RecordTable, _ most: Int, _ texts: Texts) -> [Value] {
        let rule = table.kind.list?.group
        func group(_ row: Int) -> String? { rule.flatMap { tables.group($0, table[row], texts)?.anchor } }
        let last = table.count > 0 ? group(table.count - 1) : nil
        let rows = (0..<table.count).suffix(most).filter { group($0) == last }
        let first = table.kind.row.first { $0.type.isText }
        return records(rows, of: table) { row in first.map { table.text($0, row, texts) } ?? "" }
    }

    private func changed(_ table: RecordTable, _ most: Int, _ texts: Texts) -> [Value] {
        guard let changes = frame.context.history.changes.last else { return [] }
        let keys = changes.added.map(\.key) + changes.changed.map(\.key)
        let rows = keys.lazy.filter { $0.kind == table.kind.name }.compactMap { table.row(of: $0.id) }.prefix(most)
        let day = texts.date(changes.to.day)
        return records(rows, of: table) { _ in day }
    }

    private func values(of field: FieldDeclaration, in rows: ListRows, _ most: Int, _ texts: Texts) -> [Value] {
        guard let facet = facets(of: rows).facets.first(where: { $0.field.name == field.name }) else { return [] }
        return facet.values.filter { !$0.value.isBlank }.prefix(most).map { value in
            let label = value.label(texts)
            return Highlights.item([
                "name": label.text, "asServed": label.asServed, "path": value.path(),
                "note": texts.grouped(value.rows.count), "tone": value.tone,
                "width": FigureBars.rounded(Double(value.rows.count) * 100 / Double(rows.count)), "pictures": [Value](),
            ])
        }
    }

    private func records(_ rows: some Sequence<Int>, of table: RecordTable, note: (Int) -> String) -> [Value] {
        rows.map { row in
            let pictures = table.kind.cardsField.flatMap { field in
                table.relatedRows(field, row).map { tables.pictures(of: $0, field, in: table, most: 4) }
            }
            return Highlights.item([
                "name": table.names[row], "asServed": true, "path": table.path(row), "note": note(row),
                "tone": "", "width": 0, "pictures": pictures ?? [tables.picture(table[row])],
            ])
        }
    }
}
