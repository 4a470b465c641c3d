import Archive
import Catalogue
import HTMLCheck
import Mustache
import Pages
import Platform

/// The tables of all kinds of a revision, and the declaration that pages are made from.
final class RecordTables: Sendable {
    let declaration: CatalogueDeclaration
    let models: RecordModels
    let links: LinkReader
    private let tables: [String: RecordTable]
    let permalinks: Permalinks
    /// The albums of artists, by country and artist.
    let albums: [String: [Int64: [ArtistAlbums.Album]]]

    /// - Parameter folders: the folders of languages.
    init(_ reader: RevisionReader, _ catalogue: DeclaredCatalogue, _ links: LinkReader, folders: [String]) throws {
        declaration = catalogue.declaration
        models = catalogue.models
        self.links = links
        let counts = try reader.recordCounts()
        var tables: [String: RecordTable] = [:]
        for kind in declaration.kinds where kind.list != nil {
            let count = declaration.roots == nil ? counts[kind.name] ?? 0 : 0
            let table = RecordTable(kind, in: declaration, count: count)
            tables[kind.name] = table
            // The answers of roots decide which records are in the tables.
            guard declaration.roots == nil else { continue }
            try reader.forEachRecord(of: kind.name, count: count) { record in
                (try table.entry(of: record.bytes, links), record.picture)
            } take: { entry, picture in
                table.append(entry, picture)
            }
            table.finish()
        }
        self.tables = tables
        let inOrder = declaration.kinds.compactMap { tables[$0.name] }
        permalinks = Permalinks(inOrder, declaration, folders: folders)
        albums = try Self.albums(declaration, reader)
        if let roots = declaration.roots { try loadRoots(roots, reader, counts) }
        for isOfFields in [false, true] {
            for table in inOrder { table.take(from: tables, fields: isOfFields) }
        }
        for inverse in [false, true] {
            for table in inOrder { table.resolve(tables, inverse: inverse) }
        }
    }

    var lists: [ListRows] {
        declaration.ownLists.map { own in ListRows(own.list, declaration.kinds(of: own.list).map { self[$0.name] }) }
    }

    subscript(kind: String) -> RecordTable {
        guard let table = tables[kind] else { preconditionFailure("the kind \(kind) is not declared") }
        return table
    }

    /// The record that a link refers to; nil if it is not captured.
    func find(_ link: String, _ kind: String) -> RecordRow? { links.shownKey(link, kind: kind).flatMap(find) }

    /// The record of any kind that an address leads to; nil if there is none.
    func find(_ address: String) -> RecordRow? {
        links.keys(address).lazy.compactMap(find).first ?? permalinks[address]
    }

    /// The row of a record; nil if it is not captured.
    func find(_ key: RecordKey) -> RecordRow? {
        tables[key.kind].flatMap { table in table.row(of: key.id).map { table[$0] } }
    }
}

struct RecordRow: Sendable {
    let table: RecordTable
    let row: Int

    var name: String { table.names[row] }
    var path: SitePath { table.path(row) }
}

/// The paths of pages and pictures in each language.
extension KindDeclaration {
    var feedPath: SitePath { SitePath(joined: "\(plural).xml") }

    /// A record's page, or a further page of its lists; pages count from 0.
    /// - Parameter file: the name of the record's files.
    func path(_ file: String, page: Int = 0) -> SitePath {
        SitePath(joined: page == 0 ? "\(name)/\(file).html" : "\(name)/\(file)/\(page + 1).html")
    }

    func picturePath(_ file: String, _ format: AssetFormat) -> SitePath {
        SitePath(joined: "\(pictures)/\(file).\(format.fileExtension)")
    }
}

extension ListDeclaration {
    func path(page number: Int) -> SitePath {
        SitePath(joined: number == 0 ? "\(page).html" : "\(folder)/\(number + 1).html")
    }
}

/// The values of fields in models.
extension RecordTables {
    /// A record in a list or on the page of another record.
    /// - Parameter markup: the markup of the page. Without it, texts with HTML have no links to pages.
    func brief(_ record: RecordRow, _ brief: RecordModels.Brief, _ texts: Texts, _ markup: RecordMarkup? = nil) -> Value
    {
        @Sendable func fields() -> [Value] {
            brief.fields.map { field in field.map { value(of: record, $0, texts, markup) } ?? .null }
        }
        let path = Value.text(record.path.text)
        let (name, picture) = (Value.text(record.name), picture(record))
        guard brief.hasCells else {
            let own = Value.object(Object(brief.fieldShape, fields()))
            return brief.shape.value(["path": path, "name": name, "picture": picture, "field": own, "fault": .text("")])
        }
        // Many templates show only the names and pictures of cards.
        return brief.shape.value([
            "path": path, "name": name, "picture": picture,
            "field": .deferred { .object(Object(brief.fieldShape, fields())) }, "fault": .text(""),
            "cells": .deferred {
                .list(
                    zip(brief.fields, fields()).compactMap { field, value in
                        field.map { self.cell($0, value, record, texts) }
                    })
            },
        ])
    }

    /// The value of a field in a list or on the page of another record.
    private func value(of record: RecordRow, _ field: FieldDeclaration, _ texts: Texts, _ markup: RecordMarkup?)
        -> Value
    {
        let (table, row) = (record.table, record.row)
        func counted(_ shape: Shape, _ pictures: [Value]? = nil) -> Value {
            let count = table.count(field, row)
            let text = Value.text(plural(field.count, count, texts))
            guard let pictures else { return shape.value(["number": .integer(count), "text": text]) }
            return shape.value(["number": .integer(count), "text": text, "pictures": .list(pictures)])
        }
        switch field.type {
        case .references where field.display == .cards:
            let pictures = table.relatedRows(field, row).map { self.pictures(of: $0, field, in: table, most: 4) }
            return counted(RecordModels.mosaic, pictures ?? [])
        case .references, .inverse: return counted(RecordModels.number)
        case .results:
            let rows = table.answers[row].entries.lazy.compactMap { if case .row(let row) = $0 { row } else { nil } }
            return counted(RecordModels.mosaic, mosaic(rows, self[field.target ?? ""], 4))
        case .reference: return referenced(by: field, of: record).map { reference(field, "", $0, texts) } ?? .null
        default:
            let text = table.text(field, row)
            return field.model(text, table.text(field, row, texts)) {
                markup?.html(text, headings: 0) ?? HTMLSanitizer.blocks(text, headings: 0)
            }
        }
    }

    /// The values of the row of a record, without missing ones.
    func row(of record: RecordRow, _ texts: Texts) -> [String] {
        record.table.kind.row.compactMap { field in
            guard case .object(let value) = value(of: record, field, texts, nil),
                case .text(let text)? = value["text"] ?? value["name"]
            else { return nil }
            return text.isBlank ? nil : text
        }
    }

    /// A column of a row, or a field of a card, whatever its type.
    private func cell(_ field: FieldDeclaration, _ value: Value, _ record: RecordRow, _ texts: Texts) -> Value {
        func served() -> String { record.table.text(field, record.row) }
        let object: Object? = if case .object(let object) = value { object } else { nil }
        let text = field.type == .prose ? .text(field.plain(served()).shortened) : object?["text"] ?? object?["name"]
        let machine = field.isNumber ? .text(served()) : object?["machine"]
        return RecordModels.cell.value([
            "label": .text(texts[field.label]), "text": text ?? .text(""), "tone": object?["tone"] ?? .text(""),
            "path": object?["path"] ?? .null, "number": .flag(field.isNumber),
            "value": object?["number"] ?? machine ?? .text(""),
        ])
    }

    /// A result that cannot be shown.
    func broken(_ title: String, _ fault: ContentFault, _ brief: RecordModels.Brief) -> Value {
        brief.shape([
            "path": "", "name": title, "picture": PageParts.placeholder,
            "field": Value.object(Object(brief.fieldShape, brief.fields.map { _ in .null })),
            "fault": fault.description.showable.shortened,
        ])
    }

    /// The maximum number of related records that are searched for pictures.
    private static let mostSearched = 200

    /// The pictures of a few related records. Records that appear in no other row come first, then those that appear
    /// in few rows. Otherwise all rows would show the same pictures.
    func pictures(of related: RelatedRows, _ field: FieldDeclaration, in table: RecordTable, most: Int) -> [Value] {
        let target = self[field.target ?? ""]
        let rows = related.rows.lazy.map { Int($0) }
        let order = field.orderBy.flatMap(target.kind.field)
        guard let order, order.target == table.kind.name else { return mosaic(rows, target, most) }
        // The rows begin with those that appear in the most rows.
        let own = rows.suffix(Self.mostSearched).reversed().prefix { target.count(order, $0) <= 1 }.count
        let first = mosaic(rows.suffix(own), target, most)
        return first + mosaic(rows.dropLast(own).reversed(), target, most - first.count)
    }

    /// The pictures of the first rows with a picture.
    func mosaic(_ rows: some Collection<Int>, _ table: RecordTable, _ most: Int) -> [Value] {
        var pictures: [Value] = []
        for row in rows.prefix(Self.mostSearched) {
            if pictures.count == most { break }
            if let shown = shownPicture(table[row]) { pictures.append(PageParts.picture(shown)) }
        }
        return pictures
    }

    func picture(_ record: RecordRow) -> Value {
        shownPicture(record).map(PageParts.picture) ?? PageParts.placeholder
    }

    func picturePath(_ record: RecordRow) -> SitePath? { shownPicture(record)?.path }

    /// The picture of a record, or that of the record in its primary field, at most three records away.
    func shownPicture(_ record: RecordRow, steps: Int = 3) -> ShownPicture? {
        let (table, row) = (record.table, record.row)
        if let own = table.pictures[row] {
            return (table.kind.picturePath(table.fileName(row), own.format), Int(own.width), Int(own.height))
        }
        guard steps > 0, let field = table.kind.primary, let other = referenced(by: field, of: record) else {
            return nil
        }
        return shownPicture(other, steps: steps - 1)
    }

    /// The record that a field with a column refers to; nil if it is not captured.
    func referenced(by field: FieldDeclaration, of record: RecordRow) -> RecordRow? {
        guard let target = field.target.map({ self[$0] }) else { return nil }
        return record.table.reference(field, record.row).flatMap(target.row).map { target[$0] }
    }

    func hasPictures(_ table: RecordTable) -> Bool { !table.pictures.isEmpty || table.kind.primary != nil }

    /// A link to another record.
    /// - Parameter name: the name that the referring record has; if it is blank, the other record's own name.
    /// - Returns: null if there is neither a name nor a record.
    func reference(_ field: FieldDeclaration, _ name: String, _ found: RecordRow?, _ texts: Texts) -> Value {
        link(field, name, found, texts).map { value, notes in
            RecordModels.reference.value([
                "name": .text(value.text), "path": value.path.templateValue, "asServed": .flag(value.isServed),
                "notes": .list(notes.map(RecordModels.note)),
            ])
        } ?? .null
    }

    /// A link to another record, and its notes; nil if there is neither a name nor a record.
    /// A name without a record, such as "unknown", in the page's language if it has words for it, and without its note.
    func link(_ field: FieldDeclaration, _ name: String, _ found: RecordRow?, _ texts: Texts) -> (
        value: ShownValue, notes: [ShownValue]
    )? {
        guard let shown = name.isBlank ? found?.name : name else { return nil }
        let word = texts.value(field.name, shown)
        let notes = field.note.compactMap { name -> ShownValue? in
            guard let found, let field = found.table.kind.field(name) else { return nil }
            let value = found.table.text(field, found.row)
            let text = field.text(value, texts)
            guard !text.isBlank, Array(shown.utf8).offset(of: Array(value.utf8)) == nil else { return nil }
            return ShownValue(text, isServed: field.joined(value) == text)
        }
        return (ShownValue(word ?? shown, path: found?.path, isServed: word == nil), notes)
    }

    func plural(_ declaration: TextDeclaration?, _ count: Int, _ texts: Texts) -> String {
        declaration.map { texts.plural($0, count) } ?? "\(count)"
    }
}
