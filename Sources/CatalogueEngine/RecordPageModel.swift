import Archive
import Catalogue
import Mustache
import Pages
import Platform

/// A page of a record in one language.
///
/// It is a class, so that closures of deferred values keep one reference.
final class RecordPageModel: Sendable {
    private let pages: RecordPages
    private let record: RecordContent
    /// The number of the page, from 0.
    private let number: Int
    private let edition: Edition
    private let path: SitePath
    private let markup: RecordMarkup

    private var maker: PageMaker { pages.maker }
    private var tables: RecordTables { pages.maker.tables }
    private var table: RecordTable { pages.table }
    private var kind: KindDeclaration { pages.table.kind }
    private var texts: Texts { edition.texts }

    init(_ pages: RecordPages, _ record: RecordContent, number: Int, in edition: Edition) {
        self.pages = pages
        self.record = record
        self.number = number
        self.edition = edition
        path = pages.table.path(record.row, page: number)
        markup = RecordMarkup(
            tables: pages.maker.tables, texts: edition.texts, home: path.root, root: edition.path(path).root)
    }

    func page(_ origin: RecordOrigin) -> Page {
        let (row, models, rows) = (record.row, pages.models, pages.rows)
        let name = record.heading.shortened
        // Many templates show only some of the fields.
        let content = models.shown.map { field in Value.deferred { self.value(field) } }
        let facts = kind.facts.compactMap(fact)
        let title = kind.pageTitle.map { texts.filled($0, with: words(name)) }
        // Most alternative texts have only the name.
        let alternative = kind.alternative.map {
            texts.filled($0, with: $0.placeholders.count > 1 ? words(name) : ["name": name])
        }
        func sections(_ fields: [FieldDeclaration]) -> Value {
            .deferred { .html(self.markup.sections(of: self.record, fields, self.number)) }
        }
        let position = pages.start + row
        let listPage = position / rows.list.perPage
        return maker.frame.page(
            kind.template, models.page, path, number: number, title: title ?? name,
            description: description(name), section: rows.list.page,
            picture: tables.picturePath(table[row]),
            type: kind.jsonLD.first { $0.key == "@type" }?.value.text ?? "WebPage", jsonLD: kind.jsonLD(record.texts),
            in: edition,
            [
                "name": record.heading, "alternative": alternative ?? record.heading,
                "picture": tables.picture(table[row]), "field": Value.object(Object(models.fields, content)),
                "hasFacts": !facts.isEmpty, "facts": facts.map(\.templateValue),
                "restFacts": Value.deferred {
                    .html(self.markup.facts(self.kind.otherFacts.compactMap(self.fact), self.record.undeclared))
                },
                "restSections": Value.deferred {
                    .html(self.markup.sections(self.record.undeclared, self.number, of: self.table.pages(row)))
                },
                "sections": sections(kind.fields), "longTexts": sections(kind.fields.filter(\.type.isLongText)),
                "otherSections": sections(kind.fields.filter { !$0.type.isLongText }),
                "paging": Paging(count: table.pages(row), perPage: 1).value(number, texts) {
                    table.path(row, page: $0)
                },
                "hasPicture": tables.shownPicture(table[row]) != nil, "listTitle": texts[rows.list.title],
                "history": maker.history.history(of: RecordKey(kind.name, table.ids[row]), texts),
                "provenance": maker.frame.provenance(origin, texts),
                "list": Paging.number(listPage, current: listPage, rows.list.path(page:)),
                "previous": neighbour(position - 1), "next": neighbour(position + 1),
            ])
    }

    /// The values for the placeholders of a page's title.
    private func words(_ name: String) -> [String: String] {
        var words = ["name": name]
        for field in kind.fields where field.type.isText { words[field.name] = text(field) }
        return words
    }

    private func text(_ field: FieldDeclaration) -> String {
        kind.text(field, record.texts[field.index], texts) { record.texts[$0.index] }
    }

    /// A fact with its label; nil if it has no value.
    private func fact(_ field: FieldDeclaration) -> RecordFact? {
        let served = record.texts[field.index]
        if case .reference(let name, let found)? = record.contents[field.index] {
            return tables.link(field, name, found, texts).map { value, notes in
                RecordFact(label: texts[field.label], tone: "", value: value, notes: notes)
            }
        }
        let text = text(field)
        guard !text.isBlank else { return nil }
        var value = ShownValue(text, path: list(of: field, served), isServed: text == field.joined(served))
        if field.type == .url, value.path == nil {
            let found = tables.find(served)
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
        value.isBlank ? nil : pages.facets[field.name, field.listed(value)]?.path()
    }

    /// The value of a field that pages show.
    private func value(_ field: FieldDeclaration) -> Value {
        if let content = record.contents[field.index] { return references(content, field) }
        let value = record.texts[field.index]
        switch field.type {
        case .links:
            let links = maker.albums(of: record, kind, in: pages.rows)
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
                "text": text(field), "tone": field.tone(value), "list": list(of: field, value),
            ])
        case .string where field.hasLists, .number where field.hasLists:
            return RecordModels.listed(["text": text(field), "list": list(of: field, value)])
        default: return field.model(value, text(field)) { self.markup.html(value, self.record.files) }
        }
    }

    /// The records that a field refers to.
    private func references(_ content: RecordContent.Content, _ field: FieldDeclaration) -> Value {
        if case .reference(let name, let found) = content { return tables.reference(field, name, found, texts) }
        guard let models = pages.models.references[field.index] else { return .null }
        let target = field.target.map { tables[$0] } ?? table
        let shapes = tables.models[target.kind]
        func brief(_ row: Int, _ shape: RecordModels.Brief, _ markup: RecordMarkup? = nil) -> Value {
            record.briefs.value(shape, row, texts) { tables.brief(target[row], shape, texts, markup) }
        }
        switch content {
        case .rows(let related, _) where field.showsCards:
            let shown = related.rows.page(number, perPage: field.most)
            return models.shape([
                "any": !shown.isEmpty, "count": tables.plural(field.count, related.rows.count, texts),
                "pictures": number == 0 ? tables.pictures(of: related, field, in: table, most: 6) : [],
                "items": shown.map { brief(Int($0), shapes.card) },
                "missing": texts.pluralIfAny(EngineTexts.missing, related.missing),
            ])
        case .rows(let related, _):
            let shape = field.type == .inverse ? shapes.card : shapes.row
            let shown = related.rows.page(number, perPage: field.most).map { Int($0) }
            let items = shown.map { brief($0, shape, markup) }
            let ends = related.rows.count > 1 ? [related.rows.first, related.rows.last].compactMap(\.self) : []
            let groups = tables.groups(Array(zip(shown.map { target[$0] }, items)), texts)
            // Without this condition, a list could have as many headings as records.
            let isGrouped = groups.count * 2 <= items.count
            return rows(
                items, of: related.rows.count, ends: ends.map { brief(Int($0), shape, markup) },
                missing: related.missing, groups: isGrouped ? groups : [], field, models)
        case .results(let answer):
            let items = answer.entries.map { entry in
                switch entry {
                case .row(let row): brief(row, shapes.row)
                case .broken(let title, let fault): tables.broken(title, fault, shapes.row)
                }
            }
            return rows(items, of: items.count, leftOut: answer.leftOut, field, models)
        case .together(let records):
            let shared = field.source.flatMap(kind.field)?.count
            let items = records.map { row, count in
                models.item.value([
                    "record": brief(row, shapes.card),
                    "count": .text(count > 1 ? tables.plural(shared, count, texts) : ""),
                ])
            }
            return models.shape(["any": !items.isEmpty, "items": items])
        case .reference: return .null
        }
    }

    /// - Parameter count: the number of all rows, including those on other pages.
    private func rows(
        _ items: [Value], of count: Int, ends: [Value] = [], missing: Int = 0, leftOut: Int = 0,
        groups: [RecordTables.Group] = [], _ field: FieldDeclaration, _ models: RecordModels.References
    ) -> Value {
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

    private func description(_ name: String) -> String {
        if !record.about.isBlank { return record.about }
        let row = record.row
        let facts = kind.summary.map { text($0).shortened }.filter { !$0.isBlank }
        let counted = kind.cardsField ?? kind.fields.first { $0.type == .results }
        let count = counted.map { tables.plural($0.count, table.count($0, row), texts) } ?? ""
        return texts.filled(
            kind.description,
            [
                "name": name, "facts": facts.joined(separator: ", "),
                "summary": ([name] + facts).joined(separator: ", "), "count": count,
            ])
    }

    private func neighbour(_ position: Int) -> Value? {
        guard (0..<pages.rows.count).contains(position) else { return nil }
        let record = pages.rows.locate(position)
        return PageParts.link(["path": record.path, "name": record.name])
    }
}
