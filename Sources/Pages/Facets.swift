package import Catalogue
package import Mustache

/// Lists of records that share a value of a property. Each frequent value has its own list.
public struct Facets: Sendable {
    /// A value with its own list.
    public struct Value: Sendable {
        package let value: String
        package let slug: String
        package let rows: [Int32]
    }

    /// A property, with its frequent values.
    public struct Facet: Sendable {
        package let name: String
        package let label: TextDeclaration
        package let values: [Value]
    }

    package typealias Choice = (value: Value, facet: Facet)

    package let facets: [Facet]

    /// The maximum number of lists for one property. Records with rarer values are only in the list of all records.
    private static let maxValues = 60

    package init(_ columns: [(name: String, label: TextDeclaration, values: ValueColumn)]) {
        facets = columns.map { Self.facet($0.name, $0.label, $0.values) }
    }

    private static func facet(_ name: String, _ label: TextDeclaration, _ column: ValueColumn) -> Facet {
        let chosen = Array(column.byCount.prefix(maxValues))
        var rows: [UInt32: [Int32]] = [:]
        for code in chosen { rows[UInt32(code)] = [] }
        for code in chosen { rows[UInt32(code)]?.reserveCapacity(column.counts[code]) }
        for row in 0..<column.codes.count { rows[column.codes[row]]?.append(Int32(row)) }
        var usedSlugs = PortableName.reserved
        let values = chosen.map { code in
            Value(
                value: column.values[code], slug: uniqueSlug(column.values[code], &usedSlugs),
                rows: rows[UInt32(code)] ?? [])
        }
        return Facet(name: name, label: label, values: values)
    }

    /// A unique file name for a value: lower-case letters and digits, joined by hyphens. Names that are equal or
    /// reserved get a number.
    private static func uniqueSlug(_ value: String, _ usedSlugs: inout Set<String>) -> String {
        let base = SitePath.words(value, bytes: 64)
        var slug = base.isEmpty ? "other" : base
        var number = 2
        while !usedSlugs.insert(slug).inserted {
            slug = "\(base.isEmpty ? "other" : base)-\(number)"
            number += 1
        }
        return slug
    }
}

extension Facets {
    package static let noValue = TextDeclaration("noValue")
    package static let valueTitle = TextDeclaration("valueTitle", filling: ["title", "value"])
    package static let listDescription = TextDeclaration("listDescription", filling: ["count", "page"])

    package static let option = Shape(
        "option",
        [
            .init("label", .text, "the value in the page's language, or as served"),
            .init("asServed", .flag, "whether the label is the value as served"),
            .init("value", .text, "the value as served"),
            .init("path", .text, "the list of records with this value, relative to the language's root"),
            .init("count", .number, "the number of records with this value"),
            .init("current", .flag, "whether this is the current list"),
        ])
    package static let facet = Shape(
        "facet",
        [
            .init("label", .text, "the property's name in the page's language"),
            .init("name", .text, "the property's name in the paths of its lists"),
            .init("options", .list(.object(option)), "its values, the most frequent first"),
        ])

    /// A list of `facet` objects.
    /// - Parameter current: the value and property of the current list; nil for the list of all records.
    package func value(current: Choice?, _ texts: Texts) -> Mustache.Value {
        .list(
            facets.map { facet in
                let options = facet.values.map { value in
                    let label = Self.label(of: value, facet, texts)
                    return Self.option([
                        "label": label.text, "asServed": label.asServed, "value": value.value,
                        "path": Self.path(value, of: facet, page: 0), "count": value.rows.count,
                        "current": current?.value.slug == value.slug && current?.facet.name == facet.name,
                    ])
                }
                return Self.facet(["label": texts[facet.label], "name": facet.name, "options": options])
            })
    }

    /// The path of a page of a value's list. Pages count from 0.
    package static func path(_ value: Value, of facet: Facet, page: Int) -> SitePath {
        SitePath(joined: "\(facet.name)/\(value.slug)" + (page == 0 ? ".html" : "/\(page + 1).html"))
    }

    /// The text to show for a value, and whether it is the value as served.
    package static func label(of value: Value, _ facet: Facet, _ texts: Texts) -> (text: String, asServed: Bool) {
        if let label = texts.label(facet.name, value.value) { return (label, false) }
        if value.value.isBlank { return (texts[noValue], false) }
        return (value.value, true)
    }
}
