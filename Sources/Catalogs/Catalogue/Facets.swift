package import Mustache

/// The lists of records that share a value: one list for each value of each property.
public struct Facets: Sendable {
    /// A value that has a list of its own.
    public struct Value: Sendable {
        package let value: String
        package let slug: String
        package let rows: [Int32]
    }

    /// One property to choose by.
    public struct Facet: Sendable {
        package let name: String
        package let label: TextNeed
        package let values: [Value]
    }

    package typealias Choice = (value: Value, facet: Facet)

    package let facets: [Facet]

    /// Lists beyond this many of one property would be a catalogue of odd values; whoever has one of those is in the
    /// list of all.
    private static let mostValues = 60

    package init(_ columns: [(name: String, label: TextNeed, values: ValueColumn)]) {
        facets = columns.map { Self.facet($0.name, $0.label, $0.values) }
    }

    private static func facet(_ name: String, _ label: TextNeed, _ column: ValueColumn) -> Facet {
        let chosen = Array(column.byCount.prefix(mostValues))
        var rows: [UInt32: [Int32]] = [:]
        for place in chosen { rows[UInt32(place)] = [] }
        for place in chosen { rows[UInt32(place)]?.reserveCapacity(column.counts[place]) }
        for row in 0..<column.codes.count { rows[column.codes[row]]?.append(Int32(row)) }
        var taken = PortableName.reserved
        let values = chosen.map { place in
            Value(
                value: column.values[place], slug: slug(column.values[place], &taken), rows: rows[UInt32(place)] ?? [])
        }
        return Facet(name: name, label: label, values: values)
    }

    /// A value as a file name: lower-case letters and digits, joined by hyphens; equal and reserved ones are numbered.
    private static func slug(_ value: String, _ taken: inout Set<String>) -> String {
        let base = SitePath.words(value, bytes: 64)
        var slug = base.isEmpty ? "other" : base
        var number = 2
        while !taken.insert(slug).inserted {
            slug = "\(base.isEmpty ? "other" : base)-\(number)"
            number += 1
        }
        return slug
    }
}

extension Facets {
    package static let noValue = TextNeed("noValue")
    static let valueTitle = TextNeed("valueTitle", filling: ["title", "value"])
    static let listDescription = TextNeed("listDescription", filling: ["count", "page"])

    package static let option = Shape(
        "option",
        [
            .init("label", .text, "the value in the page's language, or as served"),
            .init("asServed", .flag, "whether it is shown as served"),
            .init("value", .text, "the value as served"),
            .init("path", .text, "the list of those who have it, relative to the edition's root"),
            .init("count", .number, "how many they are"),
            .init("current", .flag, "whether it is the list shown"),
        ])
    package static let facet = Shape(
        "facet",
        [
            .init("label", .text, "the property in words"),
            .init("name", .text, "the property's name: the first part of its lists' addresses"),
            .init("options", .list(.object(option)), "its values, the most frequent first"),
        ])

    /// The value for a list of `facet`.
    /// - Parameter current: the value whose list is shown, with its property; nil for none.
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

    /// Where a page of a value's list stands; pages count from 0.
    package static func path(_ value: Value, of facet: Facet, page: Int) -> SitePath {
        SitePath(joined: "\(facet.name)/\(value.slug)" + (page == 0 ? ".html" : "/\(page + 1).html"))
    }

    /// What a value is called, and whether that is the value as served.
    package static func label(of value: Value, _ facet: Facet, _ texts: Texts) -> (text: String, asServed: Bool) {
        if let label = texts.label(facet.name, value.value) { return (label, false) }
        if value.value.isBlank { return (texts[noValue], false) }
        return (value.value, true)
    }
}
