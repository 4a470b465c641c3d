import Catalogue
import Mustache
import Pages

/// The records of a list: those of one kind, or of several kinds one after the other.
final class ListRows: Sendable {
    let list: ListDeclaration
    let tables: [RecordTable]
    /// The positions after the last record of each kind.
    private let ends: [Int]

    var count: Int { ends.last ?? 0 }

    init(_ list: ListDeclaration, _ tables: [RecordTable]) {
        self.list = list
        self.tables = tables
        ends = tables.reduce(into: []) { ends, table in ends.append((ends.last ?? 0) + table.count) }
    }

    /// The position of a kind's first record.
    func start(of table: RecordTable) -> Int { tables.firstIndex { $0 === table }.map { ends[$0] - table.count } ?? 0 }

    func locate(_ position: Int) -> RecordRow {
        let index = ends.firstIndex { position < $0 } ?? 0
        return tables[index][position - ends[index] + tables[index].count]
    }

    /// The values of a field, by position.
    func values(_ name: String) -> ValueColumn<String> {
        let fields = tables.map { $0.kind.field(name) }
        if tables.count == 1, let field = fields[0] { return tables[0].values(field) }
        var column = ValueColumn<String>(hasLists: fields.contains { $0?.type == .list })
        for (table, field) in zip(tables, fields) {
            for row in 0..<table.count { column.append(field.map { table.text($0, row) } ?? "") }
        }
        return column
    }
}

extension PageMaker {
    /// The numbered pages with all records of a list, or with those that share a value.
    func list(_ all: ListRows, sharing choice: Facets.Value? = nil) -> ListPages {
        let list = all.list
        let kind = all.tables[0].kind
        let models = tables.models[kind]
        let facets = facets(of: all)
        let paging = Paging(count: choice?.rows.count ?? all.count, perPage: list.perPage)
        let isHome = choice == nil && list.page == "index"
        let path: @Sendable (Int) -> SitePath = { choice?.path(page: $0) ?? list.path(page: $0) }
        let kinds = all.tables.filter { $0.count > 0 }.map(\.kind.name).joined(separator: " ")
        return frame.list(list.page, models.list, paging, counted: list.count, path: path) { page, texts in
            let positions = paging.positions(of: page)
            let rows = choice?.rows[positions].map { Int($0) } ?? Array(positions)
            var label = choice?.label(texts) ?? (text: "", asServed: false)
            // "yes" alone does not say what is true.
            if let choice, ["true", "false"].contains(choice.value) {
                label.text = "\(texts[choice.field.label]): \(label.text)"
            }
            var title = texts[list.title]
            if choice != nil { title = texts.filled(PageFrame.valueTitle, ["title": title, "value": label.text]) }
            let count = texts.plural(list.count, paging.count)
            let others = isHome ? others(than: list, texts) : ""
            let description =
                list.description.map { texts.filled($0, ["count": count, "others": others]) }
                ?? texts.filled(PageFrame.listDescription, ["count": count, "page": paging.position(of: page, texts)])
            // Without pictures, the cards would show only placeholders.
            let isCards = list.layout == .cards && (kind.hasPictures || all.tables.count > 1)
            let located = rows.map { all.locate($0) }
            let values = located.map { record in
                let models = tables.models[record.table.kind]
                return tables.brief(record, isCards ? models.card : models.listRow, texts)
            }
            return (
                title, description,
                [
                    "listTitle": texts[list.title], "hasFacets": !facets.facets.isEmpty, "hasCards": isCards,
                    "hasColumns": !kind.columns.isEmpty,
                    "columns": kind.columns.map { field in
                        RecordModels.column(["label": texts[field.label], "number": field.isNumber])
                    },
                    "value": label.text, "asServed": label.asServed,
                    "card": kind.card.map(\.name).joined(separator: " "), "tones": facets.tones,
                    "cards": isCards ? values : [], "rows": isCards ? [] : values,
                    "groups": tables.groups(Array(zip(located, values)), texts).map { group in
                        models.group([
                            "label": group.label, "anchor": group.anchor, "path": groupList(group.first),
                            "items": group.items,
                        ])
                    },
                    "facets": facets.value(current: choice, page: page, texts), "all": list.path(page: 0),
                    "kinds": canFilter && facets.hasFilters && choice?.field.isFacet != false ? kinds : "",
                    "highlights": isHome && page == 0 ? highlights(of: all, texts) : [],
                    "asOf": choice == nil && page == 0 ? asOf(texts) : "", "others": others,
                    "gaps": isHome && page == 0 ? gaps(texts) : "",
                ]
            )
        }
    }

    /// The list of the records of a group; nil if no facet has the values of the groups.
    func groupList(_ first: RecordRow) -> SitePath? {
        let kind = first.table.kind
        guard let group = kind.list?.group else { return nil }
        let field = kind.fields.first { field in
            group.part == nil
                ? field === group.field : field.from?.reference == group.field.name && field.from?.field == group.part
        }
        return field.flatMap { facets[kind.name]?[$0.name, first.table.text($0, first.row)]?.path() }
    }

    /// The number of the capture's gaps, as text; empty if there are none.
    func gaps(_ texts: Texts) -> String { texts.pluralIfAny(PageFrame.incomplete, frame.context.gaps.count) }

    func asOf(_ texts: Texts) -> String { texts.filled(EngineTexts.asOf, ["date": texts.date(frame.context.captured)]) }

    /// The numbers of records in the other lists, in words.
    private func others(than list: ListDeclaration, _ texts: Texts) -> String {
        tables.lists.filter { $0.list.page != list.page }.map { texts.plural($0.list.count, $0.count) }
            .joined(separator: ", ")
    }
}

extension RecordTables {
    typealias Group = (label: String, anchor: String, first: RecordRow, items: [Value])

    /// The name of a row's group, and the id of its section in all languages; nil if the value has another format.
    func group(_ group: ListDeclaration.Group, _ record: RecordRow, _ texts: Texts) -> (label: String, anchor: String)?
    {
        guard let part = group.part, let label = group.label else {
            let value = record.table.text(group.field, record.row)
            return (group.field.text(value, texts), "group-\(SitePath.name(ofID: value))")
        }
        return record.table.part(part, of: group.field, record.row).map { number in
            (texts.filled(label, ["number": "\(number)"]), "group-\(number)")
        }
    }

    /// Records in the groups of their list, in the order of their first records; empty if the list has no groups.
    func groups(_ rows: [(record: RecordRow, value: Value)], _ texts: Texts) -> [Group] {
        guard let rule = rows.first?.record.table.kind.list?.group else { return [] }
        var groups: [Group] = []
        for (record, value) in rows {
            let group = group(rule, record, texts) ?? (rule.others.map { texts[$0] } ?? "", "group-others")
            let index = groups.firstIndex { $0.anchor == group.anchor } ?? groups.count
            if index == groups.count { groups.append((group.label, group.anchor, record, [])) }
            groups[index].items.append(value)
        }
        return groups
    }
}
