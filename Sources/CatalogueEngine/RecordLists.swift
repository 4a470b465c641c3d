import Catalogue
import Mustache
import Pages

extension PageMaker<RecordTables> {
    /// The numbered pages with all records of a kind, or with those that share a value.
    func list(_ kind: KindDeclaration, sharing choice: Facets.Choice? = nil) -> ListPages {
        let table = tables[kind.name]
        let list = kind.list
        let paging = Paging(count: choice?.value.rows.count ?? table.count, perPage: list.perPage)
        let isHome = choice == nil && list.page == "index"
        let path: @Sendable (Int) -> SitePath = { page in
            choice.map { Facets.path($0.value, of: $0.facet, page: page) } ?? kind.listPath(page: page)
        }
        return self.list(
            list.page, tables.models[kind].list, paging, counted: kind.count, section: kind.plural, path: path
        ) { page, texts in
            let positions = paging.positions(of: page)
            let rows = choice.map { $0.value.rows[positions].map { Int($0) } } ?? Array(positions)
            let label = choice.map { Facets.label(of: $0.value, $0.facet, texts) } ?? (text: "", asServed: false)
            var title = texts[list.title]
            if choice != nil { title = texts.filled(Facets.valueTitle, ["title": title, "value": label.text]) }
            let count = texts.plural(kind.count, paging.count)
            let description =
                list.description.map { texts.filled($0, ["count": count]) }
                ?? texts.filled(Facets.listDescription, ["count": count, "page": paging.position(of: page, texts)])
            let isCards = list.layout == .cards
            let brief = isCards ? tables.models[kind].card : tables.models[kind].listRow
            let values = rows.map { tables.brief(table, $0, brief, texts) }
            return (
                title, description,
                [
                    "value": label.text, "asServed": label.asServed, "cards": isCards ? values : [],
                    "rows": isCards ? [] : values,
                    "groups": list.group.map { groups($0, table, rows, values, texts) } ?? [],
                    "facets": facets.value(current: choice, texts),
                    "canFilter": choice == nil && !facets.facets.isEmpty && canFilter,
                    "gaps": isHome && page == 0 ? gaps(texts) : "",
                ]
            )
        }
    }

    /// The rows of a page in groups. The groups are in the order of their first rows.
    private func groups(_ rule: GroupRule, _ table: RecordTable, _ rows: [Int], _ values: [Value], _ texts: Texts)
        -> [Value]
    {
        var groups: [(label: String, items: [Value])] = []
        for (row, value) in zip(rows, values) {
            let label = tables.group(rule, table, row, texts) ?? texts[rule.others]
            let index = groups.firstIndex { $0.label == label } ?? groups.count
            if index == groups.count { groups.append((label, [])) }
            groups[index].items.append(value)
        }
        let shape = tables.models[table.kind].group
        return groups.map { shape(["label": $0.label, "items": $0.items]) }
    }
}
