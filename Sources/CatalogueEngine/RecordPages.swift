import Archive
import Catalogue
import Mustache
import Pages

/// The pages of each record of a kind, and its pictures. A record with many references has further pages.
struct RecordPages: PageSet {
    let maker: PageMaker<RecordTables>
    let table: RecordTable
    let kind: KindDeclaration
    private let rows: ListRows
    /// The position of the kind's first record in its list.
    private let start: Int
    private let batches: Paging

    init(_ maker: PageMaker<RecordTables>, _ kind: KindDeclaration, in rows: ListRows) {
        self.maker = maker
        self.kind = kind
        self.rows = rows
        table = maker.tables[kind.name]
        start = rows.start(of: table)
        batches = Paging(count: table.count, perPage: kind.cast == nil ? Paging.cards : 10)
    }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        rowPages(in: batch).flatMap { row, page in maker.editions.map { $0.path(path(row, page: page)) } }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).compactMap { maker.tables.picturePath(table, $0) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = batches.positions(of: batch)
        let records = try maker.tables.records(of: table, at: rows, from: reader)
        var pages: [DeferredPage] = []
        for (row, page) in rowPages(in: batch) {
            let (record, origin) = records[row - rows.lowerBound]
            // Large records are read again for each language, because a batch of them could fill the memory.
            let content = record.bytes.count < 1 << 16 ? try content(of: record, at: row) : nil
            for edition in maker.editions {
                pages.append {
                    self.page(try content ?? self.content(of: record, at: row), row, page, origin, in: edition)
                }
            }
        }
        let pictures = zip(rows, records).compactMap { row, record in
            record.record.picture.map {
                SitePicture(path: kind.picturePath(table.fileName(row), $0.format), asset: $0)
            }
        }
        let areSmall = records.allSatisfy { $0.record.bytes.count < 1 << 13 }
        return PageBatch(pages: pages, pagesAtOnce: areSmall ? 16 : 1, pictures: pictures)
    }

    private func rowPages(in batch: Int) -> [(row: Int, page: Int)] {
        batches.rowPages(of: batch) { castPaging($0)?.pages ?? 1 }
    }

    private func path(_ row: Int, page: Int = 0) -> SitePath {
        page == 0 ? maker.tables.path(table, row) : kind.path(table.fileName(row), page: page)
    }

    /// The pages of the records that are shown as cards; nil if the kind has none.
    private func castPaging(_ row: Int) -> Paging? {
        kind.cast.map { Paging(count: table.count($0, row), perPage: kind.fields[$0].most) }
    }
}

extension RecordPages {
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
        let group = kind.list?.group.flatMap { tables.group($0, table, row, texts) }
        let title = kind.pageTitle.map { title in
            texts.filled(title, with: self.words(record, name, texts))
        }
        let head = PageHead(
            path(row, page: page), title: maker.title(title ?? name, page: page, texts),
            description: description(name, row, record.texts, texts), section: rows.list.page,
            picture: tables.picturePath(table, row), type: kind.jsonLDType ?? "WebPage",
            jsonLD: kind.jsonLD(record.texts))
        let own = path(row, page: page)
        let rest = RecordRest(tables: tables, texts: texts, home: own.root, root: edition.path(own).root)
        let position = start + row
        let listPage = position / rows.list.perPage
        return maker.page(
            kind.template, models.page, head, in: edition,
            [
                "name": record.heading,
                "alternative": kind.alternative.map { texts.filled($0, ["name": name]) } ?? "",
                "picture": tables.picture(table, row), "field": Value.object(Object(models.fields, content)),
                "hasFacts": !facts.isEmpty, "facts": facts,
                "restFacts": Value.deferred { [table] in rest.html(.facts, of: record.undeclared, table, row) },
                "restSections": Value.deferred { [table] in rest.html(.sections, of: record.undeclared, table, row) },
                "sections": Value.deferred { [table] in rest.sections(record, table, row) },
                "hasPicture": table.pictures[row] != nil, "listTitle": texts[rows.list.title],
                "group": group?.label ?? "",
                "groupAnchor": group?.anchor ?? "",
                "history": maker.history(RecordKey(kind.name, id), texts),
                "provenance": maker.provenance(origin, texts),
                "list": Paging.number(listPage, current: listPage, rows.list.path(page:)),
                "previous": neighbour(position - 1), "next": neighbour(position + 1),
            ])
    }

    /// The values for the placeholders of a page's title.
    private func words(_ record: RecordContent, _ name: String, _ texts: Texts) -> [String: String] {
        var words = ["name": name]
        for (index, field) in kind.fields.enumerated() where field.type.isText {
            words[field.name] = field.text(
                record.texts[index], agreesWith: agreement(field, record.texts), texts)
        }
        return words
    }

    /// A fact with its label; nil if it has no value.
    private func fact(_ index: Int, _ record: RecordContent, _ texts: Texts) -> Value? {
        let field = kind.fields[index]
        let content: KeyValuePairs<String, Value>
        var tone = ""
        if let reference = record.references[index] {
            guard let link = maker.tables.link(field, reference.name, reference.found, texts) else { return nil }
            content = link
        } else {
            let text = field.text(record.texts[index], agreesWith: agreement(field, record.texts), texts)
            guard !text.isBlank else { return nil }
            content = [
                "name": .text(text), "path": list(of: field, record.texts[index])?.templateValue ?? .null,
                "asServed": .flag(text == record.texts[index]), "note": .text(""), "noteAsServed": .flag(false),
            ]
            tone = field.tone(record.texts[index])
        }
        return .object(RecordModels.fact.object(["label": texts[field.label], "tone": tone], content))
    }

    /// The list of the records with a value; nil if the value has none.
    private func list(of field: FieldDeclaration, _ value: String) -> SitePath? {
        value.isBlank ? nil : maker.facets.path(of: field.listed(value.shortened), in: field.name)
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
            return record.references[index].map { tables.reference(field, $0.name, $0.found, texts) }
        case .references, .results, .roots:
            guard let models = tables.models[kind].references[index], let target = field.target.map({ tables[$0] })
            else { return nil }
            if let cast = table.cast(index, row) { return self.cast(cast, field, models, target, row, page, texts) }
            if field.type == .results { return results(table.answers[row], field, models, target, texts) }
            let found = field.type == .roots ? (rows: table.roots[row], missing: 0) : record.lists[index]
            return rows(
                found.rows, missing: found.missing, field, models, target, tables.models[target.kind].row, texts)
        case .inverse:
            guard let models = tables.models[kind].references[index], let target = field.target.map({ tables[$0] }),
                let found = table.cast(index, row)
            else { return nil }
            return rows(
                found.rows.lazy.map { Int($0) }, missing: 0, field, models, target, tables.models[target.kind].card,
                texts)
        case .together:
            guard let models = tables.models[kind].references[index], let source = field.source.flatMap(kind.field)
            else {
                return nil
            }
            let card = tables.models[kind].card
            let items = record.together[index].map { row, count in
                models.item([
                    "record": tables.brief(table, row, card, texts),
                    "count": tables.plural(kind.fields[source].count, count, texts),
                ])
            }
            return models.shape(["any": !items.isEmpty, "items": items])
        case .prose, .html: return field.prose(record.texts[index])
        case .list:
            let elements = record.elements[index]
            return RecordModels.texts(["any": !elements.isEmpty, "items": elements.map { Value.text($0) }])
        case .links:
            let links = record.links.map { RecordModels.link(["name": $0.title, "link": $0.link, "note": $0.year]) }
            return RecordModels.links(["any": !links.isEmpty, "items": links])
        case .string where field.hasLists:
            let value = record.texts[index]
            return RecordModels.listed([
                "text": field.text(value, agreesWith: agreement(field, record.texts), texts),
                "list": list(of: field, value),
            ])
        case .string, .enum, .date, .datetime, .duration, .bytes, .rating, .url:
            return field.model(record.texts[index], agreesWith: agreement(field, record.texts), texts)
        }
    }

    private func cast(
        _ cast: Cast, _ field: FieldDeclaration, _ models: RecordModels.References, _ target: RecordTable, _ row: Int,
        _ page: Int, _ texts: Texts
    ) -> Value {
        let tables = maker.tables
        let paging = Paging(count: cast.rows.count, perPage: field.most)
        let card = tables.models[target.kind].card
        return models.shape([
            "any": !cast.rows.isEmpty, "count": tables.plural(field.count, cast.rows.count, texts),
            "pictures": page == 0 ? tables.faces(cast, field, of: table, most: 6) : [],
            "items": cast.rows(on: page, perPage: field.most).map { tables.brief(target, Int($0), card, texts) },
            "paging": paging.value(page) { kind.path(table.fileName(row), page: $0) },
            "missing": Self.missing(cast.missing, texts),
        ])
    }

    private func rows(
        _ rows: some RandomAccessCollection<Int>, missing: Int, _ field: FieldDeclaration,
        _ models: RecordModels.References, _ target: RecordTable, _ brief: RecordModels.Brief, _ texts: Texts
    ) -> Value {
        let tables = maker.tables
        let shown = rows.prefix(field.most)
        let items = shown.map { tables.brief(target, $0, brief, texts) }
        let found = tables.groups(Array(zip(shown.map { (target, $0) }, items)), texts)
        // Without this condition, a list could have as many headings as records.
        let groups = found.count * 2 <= items.count ? found : []
        return models.shape([
            "any": !rows.isEmpty, "count": tables.plural(field.count, rows.count, texts), "items": items,
            "more": rows.count > shown.count ? texts.plural(EngineTexts.more, rows.count - shown.count) : "",
            "missing": Self.missing(missing, texts), "leftOut": "",
            "first": items.count > 1 ? items.first : nil, "last": items.count > 1 ? items.last : nil,
            "isGrouped": !groups.isEmpty,
            "groups": groups.map { label, anchor, items in
                models.item([
                    "label": label, "anchor": anchor, "count": tables.plural(field.count, items.count, texts),
                    "items": items,
                ])
            },
        ])
    }

    private func results(
        _ answer: RootAnswer, _ field: FieldDeclaration, _ models: RecordModels.References, _ target: RecordTable,
        _ texts: Texts
    ) -> Value {
        let tables = maker.tables
        let brief = tables.models[target.kind].row
        let items = answer.entries.map { entry in
            switch entry {
            case .row(let row): tables.brief(target, row, brief, texts)
            case .broken(let title, let fault): tables.broken(title, fault, brief)
            }
        }
        let leftOut = answer.leftOut == 0 ? nil : field.leftOut.map { texts.plural($0, answer.leftOut) }
        return models.shape([
            "any": !items.isEmpty, "count": tables.plural(field.count, items.count, texts), "items": items, "more": "",
            "missing": "", "leftOut": leftOut ?? "", "first": nil as Value?, "last": nil as Value?,
            "isGrouped": false, "groups": [] as [Value],
        ])
    }

    private static func missing(_ count: Int, _ texts: Texts) -> String {
        count == 0 ? "" : texts.plural(EngineTexts.missing, count)
    }

    private func description(_ name: String, _ row: Int, _ values: [String], _ texts: Texts) -> String {
        if let about = kind.about.map({ kind.fields[$0].plain(values[$0]) }), !about.isBlank { return about }
        let facts = kind.summary.map { index in
            let field = kind.fields[index]
            return field.text(values[index], agreesWith: agreement(field, values), texts).shortened
        }.filter { !$0.isBlank }
        let counted = kind.cast ?? kind.fields.firstIndex { $0.type == .results }
        let count = counted.map { maker.tables.plural(kind.fields[$0].count, table.count($0, row), texts) } ?? ""
        return texts.filled(
            kind.description,
            [
                "name": name, "facts": facts.joined(separator: ", "),
                "summary": ([name] + facts).joined(separator: ", "), "count": count,
            ])
    }

    private func neighbour(_ position: Int) -> Value? {
        guard (0..<rows.count).contains(position) else { return nil }
        let (table, row) = rows.locate(position)
        return PageParts.link(maker.tables.path(table, row), table.names[row])
    }
}
