import Catalogue
import Platform

/// Lists of values that are not declared: a table, or a list if a table would be too wide.
extension RecordMarkup {
    /// The maximum numbers of columns of a table, and of one whose rows are short.
    private static let (mostColumns, mostShortColumns) = (6, 8)
    /// The maximum number of bytes of a short row, roughly.
    private static let longestRow = 100
    /// On small screens, a row of a table with more columns becomes lines.
    private static let fewColumns = 3

    mutating func entries(_ elements: ArraySlice<JSON>, _ name: String, isNested: Bool) {
        let rows = elements.map(Self.columns)
        let names = rows.joined().map(\.key).unique()
        // A table in a table is hard to read.
        let areShort = rows.allSatisfy { row in
            let widths = row.map { max($0.key.utf8.count, $0.value.scalar?.utf8.count ?? 12) }
            return row.allSatisfy { isInline($0.value) } && widths.reduce(0, +) <= Self.longestRow
        }
        let most = areShort ? Self.mostShortColumns : Self.mostColumns
        if !isNested, (2...most).contains(names.count) { return table(rows, names) }
        element("ul", " class=\"entries\"") { html in
            for row in rows {
                html.element("li") { html in
                    if row.count == 1 {
                        html.flow(row[0].value, row[0].key.isEmpty ? name : row[0].key)
                    } else {
                        html.list(row)
                    }
                }
            }
        }
    }

    private mutating func table(_ rows: [[Member]], _ names: [String]) {
        let attributes = names.map { name in
            let values = rows.joined().lazy.filter { $0.key == name }.map(\.value)
            return values.allSatisfy(\.isNumber) ? " class=\"numeric\"" : ""
        }
        element("table", names.count > Self.fewColumns ? " class=\"wide\"" : "") { html in
            html.element("thead") { html in
                html.element("tr") { html in
                    for (name, attributes) in zip(names, attributes) {
                        html.element("th", text: html.label(name), " scope=\"col\"\(attributes)")
                    }
                }
            }
            html.element("tbody") { html in
                for row in rows {
                    html.element("tr") { html in
                        for (name, attributes) in zip(names, attributes) {
                            let label = " data-label=\"\(Self.escaped(html.label(name)))\""
                            html.element("td", label + attributes) { html in
                                if let value = row.first(where: { $0.key == name })?.value { html.flow(value, name) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The members of an element of a list. A nested object that is no link becomes members named after both.
    private static func columns(_ element: JSON) -> [Member] {
        guard case .object(let members) = element, !isLink(members) else { return [("", element)] }
        return members.flatMap { name, value -> [Member] in
            guard case .object(let inner) = value, !isLink(inner), value.nameAndID == nil, value.quantity == nil else {
                return [(name, value)]
            }
            return inner.map { ("\(name) \($0.key)", $0.value) }
        }
    }
}
