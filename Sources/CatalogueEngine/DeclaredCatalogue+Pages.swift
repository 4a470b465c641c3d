package import Archive
import Catalogue
package import Pages

extension DeclaredCatalogue {
    package var pageTemplates: [PageTemplate] {
        declaration.kinds.flatMap { kind in
            [PageTemplate(kind.list.page, models[kind].list), PageTemplate(kind.name, models[kind].page)]
        } + (declaration.figures.isEmpty ? [] : [PageTemplate("figures", models.figures)])
    }

    /// The texts that the pages use in addition to those in templates.
    package var texts: [TextDeclaration] {
        let kinds = declaration.kinds.flatMap { kind in
            [kind.count, kind.list.title, kind.description]
                + [kind.list.description, kind.alternative, kind.list.group?.label, kind.list.group?.others]
                .compactMap(\.self) + kind.fields.flatMap { [$0.label] + ($0.count.map { [$0] } ?? []) }
        }
        let figures = declaration.figures.flatMap(\.texts.values) + (declaration.figures.isEmpty ? [] : FigureTexts.all)
        var known: Set<String> = []
        return (EngineTexts.all + kinds + figures).filter { known.insert($0.key).inserted }
    }

    /// Lists and pages of all kinds, the page of figures, lists by value, and the pictures.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let tables = try RecordTables(reader, self, links(context.api))
        let search = search(tables)
        let frame = PageFrame(context, outline(tables, context))
        let presenter = RecordNames(tables: tables)
        var pages: [any PageSet] = []
        var shared: [any PageSet] = []
        var facets: [String: Facets] = [:]
        for kind in declaration.kinds {
            let table = tables[kind.name]
            let own = Facets(
                kind.fields.indices.filter { kind.fields[$0].isFacet }.map { index in
                    let field = kind.fields[index]
                    return (name: field.name, label: field.label, values: table.values(index))
                })
            let maker = PageMaker(
                tables: tables, frame: frame, facets: own, canFilter: search.fitsOneFile, presenter: presenter)
            pages += [maker.list(kind), RecordPages(maker, kind)]
            shared += own.facets.flatMap { facet in facet.values.map { maker.list(kind, sharing: ($0, facet)) } }
            facets[kind.name] = own
        }
        if !declaration.figures.isEmpty {
            let maker = PageMaker(
                tables: tables, frame: frame, facets: Facets([]), canFilter: false, presenter: presenter)
            pages.append(FigurePages(maker: maker, facets: facets))
        }
        return SitePlan(pages: pages + shared, frame: frame, search: search, presenter: presenter)
    }

    private func outline(_ tables: RecordTables, _ context: SiteContext) -> SiteOutline {
        let pictured = declaration.kinds.compactMap { kind -> SitePath? in
            let table = tables[kind.name]
            return table.pictures.first.flatMap { tables.picturePath(table, $0) }
        }
        let kinds = declaration.navigation.compactMap(declaration.kind)
        return SiteOutline(
            title: context.isSample ? EngineTexts.sampleTitle : EngineTexts.title, language: declaration.language,
            sections: declaration.navigation.map { name in
                guard let kind = declaration.kind(name) else {
                    return .init("figures", at: FigurePages.path, EngineTexts.figures)
                }
                return .init(kind.plural, at: kind.listPath(page: 0), kind.list.title)
            },
            counts: kinds.map { ($0.count, tables[$0.name].count) } + [
                (EngineTexts.pictureCount, declaration.kinds.reduce(0) { $0 + tables[$1.name].pictures.count })
            ],
            picture: pictured.first, searchLabel: EngineTexts.searchLabel,
            searchDescription: EngineTexts.searchDescription)
    }

    /// The search index, in columns that are read from the tables.
    private func search(_ tables: RecordTables) -> SearchTable {
        SearchTable(
            kinds: declaration.kinds.map { kind in
                let table = tables[kind.name]
                return SearchKind(
                    name: kind.name, pathPrefix: "\(kind.name)/", count: table.count, id: { table.ids[$0] },
                    label: { table.names[$0] },
                    pictures: !kind.fields.contains { $0.type == .image }
                        ? nil : SearchPictures(folder: "\(kind.pictures)/") { table.pictures[$0]?.format },
                    columns: kind.search.map { column($0, table, tables) })
            })
    }

    private func column(_ index: Int, _ table: RecordTable, _ tables: RecordTables) -> SearchColumn {
        let field = table.kind.fields[index]
        // The words of an enum are translated, so they are not searched as served.
        var uses: SearchColumn.Uses = field.type == .enum ? [] : .searched
        if field.isFacet { uses.insert(.facet) }
        if field.isInResults { uses.insert(.shown) }
        guard let name = field.target else { return SearchColumn(field.name, uses, table.values(index)) }
        let target = tables[name]
        return SearchColumn(field.name, uses, .labels(of: name)) { table.reference(index, $0).flatMap(target.row) }
    }
}

/// The names, links and values of records on the pages of changes.
struct RecordNames: RecordPresenter {
    let tables: RecordTables

    var kinds: [(name: String, count: TextDeclaration)] {
        tables.declaration.kinds.map { ($0.name, $0.count) }
    }

    func page(of key: RecordKey) -> RecordPage? {
        guard let kind = tables.declaration.kind(key.kind) else { return nil }
        let table = tables[kind.name]
        guard let row = table.row(of: key.id) else { return nil }
        let picture: RecordPage.Picture? = table.pictures[row].map {
            (path: kind.picturePath(key.id, $0.format), width: Int($0.width), height: Int($0.height))
        }
        return RecordPage(path: kind.path(key.id), name: table.names[row], picture: picture)
    }

    func members(of kind: String) -> [FieldLabel] {
        guard let kind = tables.declaration.kind(kind) else { return [] }
        return kind.fields.map { (name: $0.path.names[0], label: $0.label) }
            + (kind.selfLink.map { [(name: $0.names[0], label: nil)] } ?? [])
    }

    private func field(_ member: String, of kind: String) -> (kind: KindDeclaration, index: Int)? {
        guard let kind = tables.declaration.kind(kind),
            let index = kind.fields.firstIndex(where: { $0.path.names[0] == member })
        else { return nil }
        return (kind, index)
    }

    func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? {
        guard let (kind, index) = field(member, of: kind), let target = kind.fields[index].target else { return nil }
        return element.text.flatMap { tables.links.key($0, kind: target) }
    }

    func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        if let (kind, index) = field(member, of: key.kind) {
            let field = kind.fields[index]
            switch (field.type, value) {
            case (.enum, .text(let word)):
                let table = tables[kind.name]
                let other = field.agreesWith.flatMap(kind.field).flatMap { other in
                    table.row(of: key.id).map { table.text(other, $0) }
                }
                if let word = texts.value(field.name, word, by: other ?? "") {
                    return ShownValue(word, isServed: false)
                }
            case (.reference, .object):
                let found = value[field.path]?.text.flatMap { tables.find($0, field.target ?? "") }
                let name = field.text.flatMap { value[$0]?.shown } ?? ""
                guard let shown = name.isBlank ? found.map({ $0.table.names[$0.row] }) : name else { return nil }
                return ShownValue(
                    shown, path: found.map { $0.table.kind.path($0.table.ids[$0.row]) }, isServed: true)
            default: break
            }
        }
        let text = value.shown
        return value == .literal("null") || text.isBlank ? nil : ShownValue(text, isServed: true)
    }
}

extension JSONValue {
    /// The value at a path whose first member is this value.
    fileprivate subscript(path: FieldPath) -> JSONValue? {
        path.names.dropFirst().reduce(self as JSONValue?) { $0?[$1] }
    }
}
