package import Archive
import Catalogue
import Mustache
package import Pages
import Platform

/// Creates the pages of a declared catalogue.
struct PageMaker: Sendable {
    let tables: RecordTables
    let frame: PageFrame
    /// The facets of each list, by the first kind of the list.
    let facets: [String: Facets]
    /// Whether scripts can filter the list of all records. This requires a search index in one file.
    let canFilter: Bool
    let history: HistoryPresenter

    func facets(of rows: ListRows) -> Facets { facets[rows.tables[0].kind.name] ?? Facets([]) }
}

extension DeclaredCatalogue {
    package var pageTemplates: [PageTemplate] {
        let own = declaration.kinds.flatMap { kind -> [PageTemplate] in
            guard let list = kind.list else { return [] }
            return [(list.page, models[kind].list, "list"), (kind.template, models[kind].page, "record")]
        }
        return own.unique { $0.name } + (declaration.figures.isEmpty ? [] : [("figures", FigureShapes.page, nil)])
            + (declaration.hasHome ? [("home", HomePage.shape, nil)] : [])
    }

    /// The texts that the pages use in addition to those in templates.
    package var texts: [TextDeclaration] {
        let kinds = declaration.kinds.flatMap { kind -> [TextDeclaration?] in
            let labelled = Set((kind.facts + kind.otherFacts + kind.card + kind.columns).map(\.index))
            return [kind.count, kind.alternative, kind.pageTitle, kind.list == nil ? nil : kind.description]
                + kind.fields.flatMap { field in
                    let hasSection = [.prose, .html, .file, .references, .inverse, .tree].contains(field.type)
                    let isShown = hasSection || field.isFacet || labelled.contains(field.index)
                    return [isShown || field.isInHistory ? field.label : nil, field.count, field.leftOut, field.unit]
                        + field.notes.map(\.label)
                }
        }
        let lists = declaration.ownLists.flatMap { _, list -> [TextDeclaration?] in
            [list.title, list.count] + list.highlights.map(\.title)
                + [list.description, list.group?.label, list.group?.others]
        }
        let figures = declaration.figures.flatMap(\.texts.values)
        let titles = [EngineTexts.title, EngineTexts.sampleTitle].map {
            TextDeclaration($0.key, standard: declaration.title)
        }
        // A field can have the name of a text of the engine. The standard text of its label must not be lost.
        return (titles + (kinds + lists).compactMap(\.self) + figures + EngineTexts.all + [declaration.complete])
            .unique(by: \.key)
    }

    package var languages: [String] { declaration.languages }

    package var filters: [(field: String, label: TextDeclaration)] {
        declaration.kinds.flatMap { kind in kind.fields.filter(\.isFacet).map { ($0.name, $0.label) } }
    }

    package var translatedFields: [String] {
        declaration.kinds.flatMap { kind in kind.fields.filter { $0.type == .enum }.map(\.name) }
    }

    /// Lists and pages of all kinds, the page of figures, lists by value, and the pictures.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let folders = context.editions.map { $0.texts.language.lowercased() }
        let tables = try RecordTables(reader, self, links(context.api), folders: folders)
        let search = search(tables)
        var pages: [any PageSet] = []
        var valueLists: [any PageSet] = []
        var feeds: [RecordFeed] = []
        var moved = try tables.movedRoots(reader)
        let facets = tables.lists.map { rows in
            let kind = rows.tables[0].kind
            let columns = kind.fields.filter(\.hasLists).map { field in
                (field, declaration.facetFolder(field, of: kind), rows.values(field.name))
            }
            return (kind.name, Facets(columns))
        }
        let maker = PageMaker(
            tables: tables, frame: frame(tables, context), facets: Dictionary(uniqueKeysWithValues: facets),
            canFilter: search.canBeFiltered, history: HistoryPresenter(context.history, tables))
        for rows in tables.lists {
            let own = maker.facets(of: rows)
            pages.append(maker.list(rows))
            pages += rows.tables.map { RecordPages(maker, $0, in: rows) }
            feeds += rows.tables.compactMap { maker.feed(of: $0.kind, in: rows) }
            valueLists += own.facets.flatMap(\.values).map { maker.list(rows, sharing: $0) }
            moved += own.moved(perPage: rows.list.perPage)
        }
        if !declaration.figures.isEmpty { pages.append(maker.figures()) }
        if declaration.hasHome { pages.append(maker.home()) }
        let notes = [tables.permalinks.note, try declaration.unusedPath(in: reader)].compactMap(\.self)
        let note = notes.isEmpty ? nil : notes.joined(separator: "\n")
        return (pages + valueLists, (maker.frame, search, tables, moved, feeds, note))
    }

    private func frame(_ tables: RecordTables, _ context: SiteContext) -> PageFrame {
        let all = declaration.kinds.filter { $0.list != nil }.map { tables[$0.name] }
        func list(_ family: String) -> ListDeclaration? { declaration.kinds.first { $0.family == family }?.list }
        let kinds = declaration.navigation.compactMap(list).flatMap { declaration.kinds(of: $0) }
        let counts = kinds.map(\.count).unique().map { label in
            (label: label, count: kinds.filter { $0.count == label }.reduce(0) { $0 + tables[$1.name].count })
        }
        return PageFrame(
            context, title: context.isSample ? EngineTexts.sampleTitle : EngineTexts.title,
            language: declaration.language,
            sections: declaration.navigation.map { name in
                guard let list = list(name) else { return ("figures", FigureShapes.path, EngineTexts.figures) }
                return (list.page, list.path(page: 0), list.title)
            },
            counts: counts,
            picture: all.lazy.compactMap { table in table.pictures.first.flatMap { tables.picturePath(table[$0]) } }
                .first,
            searchLabel: declaration.kinds.allSatisfy(\.search.isEmpty)
                ? EngineTexts.searchNames : EngineTexts.searchLabel,
            complete: declaration.complete, feeds: all.map(\.kind).filter { $0.feed != nil }.map(\.feedPath))
    }

    /// The search index, in columns that are read from the tables.
    private func search(_ tables: RecordTables) -> SearchTable {
        declaration.kinds.compactMap { kind in
            guard kind.list != nil, kind.page == nil else { return nil }
            let table = tables[kind.name]
            // Not every value of a parameter has records.
            if kind.name != kind.family, table.count == 0 { return nil }
            let isMoved = kind.permalink != nil
            let hasPaths = (isMoved || kind.primary != nil) && tables.hasPictures(table)
            let file: @Sendable (Int) -> String = { row in
                isMoved ? String(table.path(row).text.dropLast(5)) : table.fileName(row)
            }
            let picturePath: @Sendable (Int) -> SitePath? = { tables.picturePath(table[$0]) }
            return SearchKind(
                name: kind.name, pathPrefix: isMoved ? "" : "\(kind.name)/", count: table.count,
                id: { table.ids[$0] },
                file: table.hasTextIDs || isMoved ? file : nil, label: { table.names[$0] },
                pictures: isMoved || hasPaths || !kind.fields.contains { $0.type == .image }
                    ? nil : ("\(kind.pictures)/", { table.pictures[$0]?.format }),
                picturePath: hasPaths ? picturePath : nil,
                counted: kind.count, columns: kind.search.map { column($0, table, tables) })
        }
    }

    private func column(_ field: FieldDeclaration, _ table: RecordTable, _ tables: RecordTables) -> SearchColumn {
        if field.type == .references {
            var counts = ValueColumn<String>()
            for row in 0..<table.count { counts.append("\(table.count(field, row))") }
            return (field.name, [], nil, .listed(counts.values), { [counts] in Int(counts.codes[$0]) })
        }
        // Lists can be sorted by ratings, but "4" is no word that finds them.
        var uses: Set<SearchUse> = field.type == .rating ? [] : [.searched]
        if [.date, .datetime].contains(field.type) { uses.insert(.date) }
        if field.isFacet { uses.insert(.facet) }
        if field.isInResults { uses.insert(.shown) }
        if field.type == .list { uses.insert(.list) }
        guard let name = field.target else {
            let column = table.values(field)
            // The empty value counts as no value, except in a facet, where it can be chosen.
            let values = field.type == .rating ? column.values.map(field.machineReadable) : column.values
            return (
                field.name, uses, field.agreesWith, .listed(values),
                { column[$0].isEmpty && !field.isFacet ? nil : Int(column.codes[$0]) }
            )
        }
        let target = tables[name]
        return (field.name, uses, nil, .labels(of: name), { table.reference(field, $0).flatMap(target.row) })
    }
}

extension CatalogueDeclaration {
    /// The positions of the records that are searched. The first ones nearly always have every field.
    private static let searched = [0..<10, 10..<1_000, 1_000..<10_000]

    /// A sentence about a declared path that no record has, even with null; nil if there is none.
    func unusedPath(in reader: RevisionReader) throws -> String? {
        // The items of an extension are of many sorts, which share one kind.
        guard !hasExtension else { return nil }
        var unused: [(place: String, path: FieldPath, record: [UInt8])] = []
        for kind in kinds {
            var paths = kind.fields.filter { !$0.isComputed }.map {
                (place: "\(kind.path).fields.\($0.name)", all: [$0.path, $0.fallbackPath].compactMap(\.self))
            }
            if kind.hasTitle { paths.insert(("\(kind.path).title", [kind.title]), at: 0) }
            var first: [UInt8]?
            for positions in Self.searched where !paths.isEmpty {
                _ = try reader.records(of: kind.name, at: positions) { record in
                    guard !paths.isEmpty else { return }
                    first = first ?? record.bytes
                    let members = try JSONFields(record.bytes)
                    paths.removeAll { !$0.all.allSatisfy(members.lacks) }
                }
            }
            if let first { unused += paths.map { ($0.place, $0.all[0], first) } }
        }
        guard let (place, path, record) = unused.first else { return nil }
        let others = unused.count == 1 ? "" : " (declared paths without a member: \(unused.count))"
        return "\(place): no record has a member at \(path.text.quoted)"
            + (try Self.hint(for: path, in: JSON(record))) + others
    }

    /// A member of a record whose name is similar to that of a missing one.
    private static func hint(for path: FieldPath, in record: JSON) -> String {
        var object = record
        for name in path.names {
            guard let inner = object[name] else {
                return Spelling.hint(for: name, among: object.members?.map(\.key) ?? [])
            }
            object = inner
        }
        return ""
    }
}
