/// The lists of records that share a value: one list for each value of each property.
public struct Facets: Sendable {
    /// A value that has a list of its own.
    public struct Value: Sendable {
        /// As served; empty where the record has none.
        package let value: String
        /// Its part of the path.
        package let slug: String
        /// Those who have it, as rows of their table.
        package let rows: [Int32]
    }

    /// One property to choose by.
    public struct Facet: Sendable {
        /// The property: the first part of its lists' paths, and the group of its values' translations.
        package let name: String
        /// What it is called.
        package let label: TextNeed
        /// The most frequent first.
        package let values: [Value]
    }

    /// The properties.
    package let facets: [Facet]

    /// Lists beyond this many of one property would be a catalogue of odd values; whoever has one of those is in the
    /// list of all.
    private static let mostValues = 60

    /// The properties with their values by row.
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
