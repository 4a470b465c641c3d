import Archive
import Catalogue
import Mustache
import Pages

/// The pages of each record of a kind, and its pictures. A record with many references has further pages.
struct RecordPages: PageSet {
    let maker: PageMaker<RecordTables>
    let table: RecordTable
    private let kind: KindDeclaration
    private let batches: Paging

    init(_ maker: PageMaker<RecordTables>, _ kind: KindDeclaration) {
        self.maker = maker
        self.kind = kind
        table = maker.tables[kind.name]
        batches = Paging(count: table.count, perPage: kind.cast == nil ? Paging.cards : 10)
    }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        rowPages(in: batch).flatMap { row, page in maker.editions.map { $0.path(kind.path(table.ids[row], page: page)) }
        }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).compactMap { maker.tables.picturePath(table, $0) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = batches.positions(of: batch)
        let records = try reader.records(of: kind.name, at: rows)
        let origins = try reader.origins(of: kind.name, at: rows)
        guard records.map(\.key.id) == Array(table.ids[rows]), origins.map(\.key) == records.map(\.key) else {
            throw ArchiveError.damaged("the \(kind.plural) at \(rows) changed while the revision was read")
        }
        var pages: [DeferredPage] = []
        for (row, page) in rowPages(in: batch) {
            let (record, origin) = (records[row - rows.lowerBound], origins[row - rows.lowerBound])
            // Large records are read again for each language, because a batch of them could fill the memory.
            let content = record.bytes.count < 1 << 16 ? try content(of: record, at: row) : nil
            for edition in maker.editions {
                pages.append {
                    self.page(try content ?? self.content(of: record, at: row), row, page, origin, in: edition)
                }
            }
        }
        let pictures = records.compactMap { record in
            record.picture.map { SitePicture(path: kind.picturePath(record.key.id, $0.format), asset: $0) }
        }
        let areSmall = records.allSatisfy { $0.bytes.count < 1 << 13 }
        return PageBatch(pages: pages, pagesAtOnce: areSmall ? 16 : 1, pictures: pictures)
    }

    private func rowPages(in batch: Int) -> [(row: Int, page: Int)] {
        batches.rowPages(of: batch) { castPaging($0)?.pages ?? 1 }
    }

    /// The pages of the records that are shown as cards; nil if the kind has none.
    private func castPaging(_ row: Int) -> Paging? {
        kind.cast.map { Paging(count: table.count($0, row), perPage: kind.fields[$0].most) }
    }
}

/// The values of a record that do not depend on the language.
private struct RecordContent: Sendable {
    let heading: String
    /// The texts of fields; empty for other fields.
    let texts: [String]
    /// The names that references have in this record, and the records that they refer to; nil for other fields.
    let references: [(name: String, found: (table: RecordTable, row: Int)?)?]
    /// The rows of the records that lists refer to; nil for a record that is not captured.
    let lists: [[Int?]]
}

extension RecordPages {
    private func content(of record: StoredRecord, at row: Int) throws -> RecordContent {
        let tables = maker.tables
        let fields = try JSONFields(record.bytes)
        return RecordContent(
            heading: kind.heading(fields.scalar(kind.title), table.ids[row]),
            texts: kind.fields.map { $0.type.isText ? fields.scalar($0.path) : "" },
            references: kind.fields.map { field in
                guard field.type == .reference, let target = field.target else { return nil }
                return (
                    field.text.map { fields.scalar($0) } ?? "", tables.find(fields.scalar(field.path), target)
                )
            },
            lists: try kind.fields.map { field in
                guard field.type == .references, field.display == .rows, let target = field.target.map({ tables[$0] }),
                    fields.has(field.path)
                else { return [] }
                return try fields.texts(field.path).map { link in
                    tables.links.key(link, kind: target.kind.name).flatMap { target.row(of: $0.id) }
                }
            })
    }

    private func page(
        _ record: RecordContent, _ row: Int, _ page: Int, _ origin: RecordOrigin, in edition: Edition
    ) -> Page {
        let texts = edition.texts
        let tables = maker.tables
        let models = tables.models[kind]
        let id = table.ids[row]
        let name = record.heading.shortened
        let content = kind.fields.indices.compactMap { value($0, record, row, page, texts) }
        let facts = kind.facts.compactMap { fact($0, record, texts) }
        let group = kind.list.group.flatMap { tables.group($0, table, row, texts) }
        let head = PageHead(
            kind.path(id, page: page), title: maker.title(name, page: page, texts),
            description: description(name, row, record.texts, texts), section: kind.plural,
            picture: tables.picturePath(table, row), type: kind.jsonLDType ?? "WebPage",
            jsonLD: kind.jsonLD(record.texts))
        let listPage = row / kind.list.perPage
        return maker.page(
            kind.name, models.page, head, in: edition,
            [
                "name": record.heading,
                "alternative": kind.alternative.map { texts.filled($0, ["name": name]) } ?? "",
                "picture": tables.picture(table, row), "field": Value.object(Object(models.fields, content)),
                "hasFacts": !facts.isEmpty, "facts": facts, "group": group ?? "",
                "history": maker.history(origin.key, texts), "provenance": maker.provenance(origin, texts),
                "list": Paging.number(listPage, current: listPage, kind.listPath), "previous": neighbour(row - 1),
                "next": neighbour(row + 1),
            ])
    }

    /// A fact with its label; nil if it has no value.
    private func fact(_ index: Int, _ record: RecordContent, _ texts: Texts) -> Value? {
        let field = kind.fields[index]
        let content: KeyValuePairs<String, any TemplateValue>
        if let reference = record.references[index] {
            guard let link = maker.tables.link(field, reference.name, reference.found) else { return nil }
            content = link
        } else {
            let text = maker.tables.text(
                field, record.texts[index], agreesWith: agreement(field, record.texts), texts)
            guard !text.isEmpty else { return nil }
            content = ["name": text, "path": nil as SitePath?, "note": ""]
        }
        return .object(
            RecordModels.fact.object(["label": texts[field.label], "asServed": field.type != .enum], content))
    }

    /// The value that selects the form of a translated value.
    private func agreement(_ field: FieldDeclaration, _ values: [String]) -> String {
        field.agreesWith.flatMap(kind.field).map { values[$0] } ?? ""
    }

    /// The value of a field; nil for fields that pages do not show.
    private func value(_ index: Int, _ record: RecordContent, _ row: Int, _ page: Int, _ texts: Texts) -> Value? {
        let tables = maker.tables
        let field = kind.fields[index]
        switch field.type {
        case .image, .hidden: return nil
        case .reference:
            return record.references[index].map { tables.reference(field, $0.name, $0.found) }
        case .references:
            guard let shape = tables.models[kind].references[index], let target = field.target.map({ tables[$0] })
            else { return nil }
            if let cast = table.cast(index, row) { return self.cast(cast, field, shape, target, row, page, texts) }
            return rows(record.lists[index], field, shape, target, texts)
        case .string, .enum, .date:
            return tables.value(field, record.texts[index], agreesWith: agreement(field, record.texts), texts)
        }
    }

    private func cast(
        _ cast: Cast, _ field: FieldDeclaration, _ shape: Shape, _ target: RecordTable, _ row: Int, _ page: Int,
        _ texts: Texts
    ) -> Value {
        let tables = maker.tables
        let paging = Paging(count: cast.rows.count, perPage: field.most)
        let card = tables.models[target.kind].card
        return shape([
            "any": !cast.rows.isEmpty, "count": tables.plural(field.count, cast.rows.count, texts),
            "items": cast.rows(on: page, perPage: field.most).map { tables.brief(target, Int($0), card, texts) },
            "paging": paging.value(page) { kind.path(table.ids[row], page: $0) },
            "missing": Self.missing(cast.missing, texts),
        ])
    }

    private func rows(
        _ found: [Int?], _ field: FieldDeclaration, _ shape: Shape, _ target: RecordTable, _ texts: Texts
    ) -> Value {
        let tables = maker.tables
        // A record can list another one twice.
        var known: Set<Int> = []
        let rows = found.compactMap(\.self).filter { known.insert($0).inserted }
        let shown = rows.prefix(field.most)
        let brief = tables.models[target.kind].row
        return shape([
            "any": !rows.isEmpty, "count": tables.plural(field.count, rows.count, texts),
            "items": shown.map { tables.brief(target, $0, brief, texts) },
            "more": rows.count > shown.count ? texts.plural(EngineTexts.more, rows.count - shown.count) : "",
            "missing": Self.missing(found.count { $0 == nil }, texts),
        ])
    }

    private static func missing(_ count: Int, _ texts: Texts) -> String {
        count == 0 ? "" : texts.plural(EngineTexts.missing, count)
    }

    private func description(_ name: String, _ row: Int, _ values: [String], _ texts: Texts) -> String {
        let facts = kind.summary.map { index in
            let field = kind.fields[index]
            return maker.tables.text(field, values[index], agreesWith: agreement(field, values), texts).shortened
        }.filter { !$0.isBlank }
        let count = kind.cast.map { maker.tables.plural(kind.fields[$0].count, table.count($0, row), texts) } ?? ""
        return texts.filled(
            kind.description,
            [
                "name": name, "facts": facts.joined(separator: ", "),
                "summary": ([name] + facts).joined(separator: ", "), "count": count,
            ])
    }

    private func neighbour(_ row: Int) -> Value? {
        table.ids.indices.contains(row) ? PageParts.link(kind.path(table.ids[row]), table.names[row]) : nil
    }
}

extension KindDeclaration {
    /// The type of a page's JSON-LD.
    var jsonLDType: String? {
        if case .text(let type)? = jsonLD.first(where: { $0.name == "@type" })?.value { type } else { nil }
    }

    /// The other members of a page's JSON-LD. A member whose placeholder has no value is left out.
    /// - Parameter values: the texts of the fields.
    func jsonLD(_ values: [String]) -> [(key: String, value: JSON)] {
        jsonLD.filter { $0.name != "@type" }.compactMap { member in
            jsonLD(member.value, values).map { (key: member.name, value: $0) }
        }
    }

    private func jsonLD(_ value: DeclarationValue, _ values: [String]) -> JSON? {
        switch value {
        case .object(let members):
            var filled: [(key: String, value: JSON)] = []
            for member in members {
                guard let value = jsonLD(member.value, values) else { return nil }
                filled.append((member.name, value))
            }
            return .object(filled)
        case .text(let text) where text.hasPrefix("{") && text.hasSuffix("}"):
            let names = text.dropFirst().dropLast().split(separator: ".").map(String.init)
            guard let index = names.first.flatMap(field) else { return nil }
            if names.count == 2 { return fields[index].number(of: names[1], in: values[index]).map { .integer($0) } }
            let text = fields[index].type == .date ? WrittenDate.machineReadable(values[index]) ?? "" : values[index]
            return text.isEmpty ? nil : .text(text)
        default: return value.json { $0 }
        }
    }
}

extension RecordTables {
    /// The name of a row's group; nil if its value has another format.
    func group(_ group: GroupRule, _ table: RecordTable, _ row: Int, _ texts: Texts) -> String? {
        table.part(group.part, of: group.field, row).map { texts.filled(group.label, ["number": "\($0)"]) }
    }
}

/// The texts that the engine uses for every declared catalogue.
enum EngineTexts {
    static let title = TextDeclaration("siteTitle")
    static let sampleTitle = TextDeclaration("sampleTitle")
    static let searchLabel = TextDeclaration("searchLabel")
    static let searchDescription = TextDeclaration("searchDescription")
    static let figures = TextDeclaration("figures")
    static let figuresDescription = TextDeclaration("figuresDescription")
    static let pictureCount = TextDeclaration(plural: "pictureCount")
    static let missing = TextDeclaration(plural: "missingCount")
    static let more = TextDeclaration(plural: "andMore")

    static let all = [
        title, sampleTitle, searchLabel, searchDescription, figures, figuresDescription, pictureCount, missing, more,
    ]
}
