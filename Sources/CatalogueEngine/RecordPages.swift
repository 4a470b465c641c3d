import Archive
import Catalogue
import Mustache
import Pages
import Platform

/// The pages of each record of a kind, and its pictures. A record with long lists has further pages.
struct RecordPages: PageSet {
    let maker: PageMaker
    let table: RecordTable
    private let rows: ListRows
    /// The position of the kind's first record in its list.
    private let start: Int
    private let batches: Paging

    var kind: KindDeclaration { table.kind }

    init(_ maker: PageMaker, _ table: RecordTable, in rows: ListRows) {
        self.maker = maker
        self.table = table
        self.rows = rows
        start = rows.start(of: table)
        batches = Paging(count: table.count, perPage: table.kind.cardsField == nil ? 20 : 10)
    }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).flatMap { row in
            (0..<table.pages(row)).flatMap { page in maker.frame.editions.map { $0.path(table.path(row, page: page)) } }
        }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).compactMap { row in
            table.pictures[row].map { kind.picturePath(table.fileName(row), $0.format) }
        }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = batches.positions(of: batch)
        let records = try maker.tables.records(of: table, at: rows, from: reader)
        var pages: [DeferredPage] = []
        // Only one content is kept, because those of a batch could fill the memory.
        let last = Locked<RecordContent?>(nil)
        let briefs = BriefCache()
        for (row, (record, origin)) in zip(rows, records) {
            let fields = try JSONFields(record.bytes)
            let files = try RecordFiles(of: fields, kind, maker.tables.links, from: reader)
            for page in 0..<table.pages(row) {
                for edition in maker.frame.editions {
                    pages.append {
                        let content = last.withLock { last in
                            if let last, last.row == row { return last }
                            let content = self.content(of: record, fields, at: row, files, briefs)
                            last = content
                            return content
                        }
                        return self.page(content, page, origin, in: edition)
                    }
                }
            }
        }
        let pictures = zip(rows, records).compactMap { row, record in
            record.record.picture.map { (kind.picturePath(table.fileName(row), $0.format), $0) }
        }
        return PageBatch(pages: pages, pictures: pictures)
    }
}

extension RecordPages {
    private func page(_ record: RecordContent, _ page: Int, _ origin: RecordOrigin, in edition: Edition) -> Page {
        let (row, texts) = (record.row, edition.texts)
        let tables = maker.tables
        let models = tables.models[kind]
        let name = record.heading.shortened
        let own = table.path(row, page: page)
        let rest = RecordMarkup(tables: tables, texts: texts, home: own.root, root: edition.path(own).root)
        let content = kind.fields.compactMap { value($0, record, page, rest) }
        let facts = kind.facts.compactMap { fact($0, record, texts) }
        let title = kind.pageTitle.map { texts.filled($0, with: words(record, name, texts)) }
        // Most alternative texts have only the name.
        let alternative = kind.alternative.map {
            texts.filled($0, with: $0.placeholders.count > 1 ? words(record, name, texts) : ["name": name])
        }
        func sections(_ fields: [FieldDeclaration]) -> Value {
            .deferred { .html(rest.sections(of: record, fields, page)) }
        }
        let position = start + row
        let listPage = position / rows.list.perPage
        return maker.frame.page(
            kind.template, models.page, own, number: page, title: title ?? name,
            description: description(name, record, texts), section: rows.list.page,
            picture: tables.picturePath(table[row]),
            type: kind.jsonLD.first { $0.key == "@type" }?.value.text ?? "WebPage", jsonLD: kind.jsonLD(record.texts),
            in: edition,
            [
                "name": record.heading, "alternative": alternative ?? record.heading,
                "picture": tables.picture(table[row]), "field": Value.object(Object(models.fields, content)),
                "hasFacts": !facts.isEmpty, "facts": facts.map(\.templateValue),
                "restFacts": Value.deferred {
                    .html(rest.facts(kind.otherFacts.compactMap { fact($0, record, texts) }, record.undeclared))
                },
                "restSections": Value.deferred { .html(rest.sections(record.undeclared, page)) },
                "sections": sections(kind.fields), "longTexts": sections(kind.fields.filter(\.type.isLongText)),
                "otherSections": sections(kind.fields.filter { !$0.type.isLongText }),
                "paging": Paging(count: table.pages(row), perPage: 1).value(page, texts) { table.path(row, page: $0) },
                "hasPicture": tables.shownPicture(table[row]) != nil, "listTitle": texts[rows.list.title],
                "history": maker.history.history(of: RecordKey(kind.name, table.ids[row]), texts),
                "provenance": maker.frame.provenance(origin, texts),
                "list": Paging.number(listPage, current: listPage, rows.list.path(page:)),
                "previous": neighbour(position - 1), "next": neighbour(position + 1),
            ])
    }

    /// The values for the placeholders of a page's title.
    private func words(_ record: RecordContent, _ name: String, _ texts: Texts) -> [String: String] {
        var words = ["name": name]
        for field in kind.fields where field.type.isText { words[field.name] = text(field, record.texts, texts) }
        return words
    }

    private func text(_ field: FieldDeclaration, _ values: [String], _ texts: Texts) -> String {
        kind.text(field, values[field.index], texts) { values[$0.index] }
    }

    /// A fact with its label; nil if it has no value.
    private func fact(_ field: FieldDeclaration, _ record: RecordContent, _ texts: Texts) -> RecordFact? {
        let served = record.texts[field.index]
        if case .reference(let name, let found)? = record.contents[field.index] {
            return maker.tables.link(field, name, found, texts).map { value, notes in
                RecordFact(label: texts[field.label], tone: "", value: value, notes: notes)
            }
        }
        let text = text(field, record.texts, texts)
        guard !text.isBlank else { return nil }
        var value = ShownValue(text, path: list(of: field, served), isServed: text == field.joined(served))
        if field.type == .url, value.path == nil {
            let found = maker.tables.find(served)
            value = ShownValue(
                found?.name ?? RecordMarkup.name(of: served), path: found?.path, link: addressEncoded(served),
                isServed: true)
        }
        // The elements of a list lead to the lists of their values.
        let elements = field.type == .list && field.isFacet ? field.elements(served) : []
        return RecordFact(
            label: texts[field.label], tone: field.tone(served), value: value,
            elements: elements.map { element in
                let text = field.text(element, texts)
                return ShownValue(text, path: list(of: field, element), isServed: text == element)
            }, moment: field.isDate ? field.machineReadable(served) : "")
    }

    /// The list of the records with a value; nil if the value has none.
    private func list(of field: FieldDeclaration, _ value: String) -> SitePath? {
        value.isBlank ? nil : maker.facets(of: rows)[field.name, field.listed(value)]?.path()
    }

    /// The value of a field; nil for fields that pages do not show.
    private func value(_ field: FieldDeclaration, _ record: RecordContent, _ page: Int, _ markup: RecordMarkup)
        -> Value?
    {
        let texts = markup.texts
        switch record.contents[field.index] {
        case .reference(let name, let found)?: return maker.tables.reference(field, name, found, texts)
        case let content?:
            let models = maker.tables.models[kind].references[field.index]
            return models.flatMap { references(content, field, $0, page, markup, record.briefs) }
        case nil: break
        }
        let value = record.texts[field.index]
        switch field.type {
        case .links:
            let links = maker.albums(of: record, kind, in: rows)
            return RecordModels.links(["any": !links.isEmpty, "items": links])
        case .list:
            let elements = field.elements(value)
            return RecordModels.texts([
                "any": !elements.isEmpty, "items": elements.map { Value.text($0) },
                "links": elements.map {
                    RecordModels.listed(["text": field.text($0, texts), "list": list(of: field, $0)])
                },
            ])
        case .enum where field.isFacet:
            return RecordModels.listedWord([
                "text": text(field, record.texts, texts), "tone": field.tone(value), "list": list(of: field, value),
            ])
        case .string where field.hasLists, .number where field.hasLists:
            return RecordModels.listed(["text": text(field, record.texts, texts), "list": list(of: field, value)])
        case _ where field.type.isText || field.type.isLongText:
            return field.model(value, text(field, record.texts, texts)) { markup.html(value, record.files) }
        default: return nil
        }
    }

    /// The records that a field refers to.
    private func references(
        _ content: RecordContent.Content, _ field: FieldDeclaration, _ models: RecordModels.References, _ page: Int,
        _ markup: RecordMarkup, _ briefs: BriefCache
    ) -> Value? {
        let (tables, texts) = (maker.tables, markup.texts)
        let target = field.target.map { tables[$0] } ?? table
        let shapes = tables.models[target.kind]
        func brief(_ row: Int, _ shape: RecordModels.Brief, _ markup: RecordMarkup? = nil) -> Value {
            briefs.value(shape, row, texts) { tables.brief(target[row], shape, texts, markup) }
        }
        switch content {
        case .rows(let related, _) where field.showsCards:
            let shown = related.rows.page(page, perPage: field.most)
            return models.shape([
                "any": !shown.isEmpty, "count": tables.plural(field.count, related.rows.count, texts),
                "pictures": page == 0 ? tables.pictures(of: related, field, in: table, most: 6) : [],
                "items": shown.map { brief(Int($0), shapes.card) },
                "missing": texts.pluralIfAny(EngineTexts.missing, related.missing),
            ])
        case .rows(let related, _):
            let shape = field.type == .inverse ? shapes.card : shapes.row
            let shown = related.rows.page(page, perPage: field.most).map { Int($0) }
            let items = shown.map { brief($0, shape, markup) }
            let ends = related.rows.count > 1 ? [related.rows.first, related.rows.last].compactMap(\.self) : []
            let groups = tables.groups(Array(zip(shown.map { target[$0] }, items)), texts)
            // Without this condition, a list could have as many headings as records.
            let isGrouped = groups.count * 2 <= items.count
            return self.rows(
                items, of: related.rows.count, ends: ends.map { brief(Int($0), shape, markup) },
                missing: related.missing, groups: isGrouped ? groups : [], field, models, texts)
        case .results(let answer):
            let items = answer.entries.map { entry in
                switch entry {
                case .row(let row): brief(row, shapes.row)
                case .broken(let title, let fault): tables.broken(title, fault, shapes.row)
                }
            }
            return rows(items, of: items.count, leftOut: answer.leftOut, field, models, texts)
        case .together(let records):
            let shared = field.source.flatMap(kind.field)?.count
            let items = records.map { row, count in
                models.item.value([
                    "record": brief(row, shapes.card), "count": .text(tables.plural(shared, count, texts)),
                ])
            }
            return models.shape(["any": !items.isEmpty, "items": items])
        case .reference: return nil
        }
    }

    /// - Parameter count: the number of all rows, including those on other pages.
    private func rows(
        _ items: [Value], of count: Int, ends: [Value] = [], missing: Int = 0, leftOut: Int = 0,
        groups: [RecordTables.Group] = [], _ field: FieldDeclaration, _ models: RecordModels.References, _ texts: Texts
    ) -> Value {
        let tables = maker.tables
        let noun = field.count ?? field.target.flatMap(tables.declaration.kind)?.count
        return models.shape([
            "any": !items.isEmpty, "count": tables.plural(noun, count, texts), "items": items,
            "missing": texts.pluralIfAny(EngineTexts.missing, missing),
            "leftOut": field.leftOut.map { texts.pluralIfAny($0, leftOut) } ?? "",
            "first": ends.first, "last": ends.last, "isGrouped": !groups.isEmpty,
            "groups": groups.map { label, anchor, _, items in
                models.item([
                    "label": label, "anchor": anchor, "count": tables.plural(noun, items.count, texts), "items": items,
                ])
            },
        ])
    }

    private func description(_ name: String, _ record: RecordContent, _ texts: Texts) -> String {
        if !record.about.isBlank { return record.about }
        let row = record.row
        let facts = kind.summary.map { text($0, record.texts, texts).shortened }.filter { !$0.isBlank }
        let counted = kind.cardsField ?? kind.fields.first { $0.type == .results }
        let count = counted.map { maker.tables.plural($0.count, table.count($0, row), texts) } ?? ""
        return texts.filled(
            kind.description,
            [
                "name": name, "facts": facts.joined(separator: ", "),
                "summary": ([name] + facts).joined(separator: ", "), "count": count,
            ])
    }

    private func neighbour(_ position: Int) -> Value? {
        guard (0..<rows.count).contains(position) else { return nil }
        let record = rows.locate(position)
        return PageParts.link(record.path, record.name)
    }
}
