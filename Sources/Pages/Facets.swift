import Archive
package import Catalogue
package import Mustache
import Platform

/// Lists of records that share a value of a property. Each frequent value has its own list.
public struct Facets: Sendable {
    /// A value with its own list.
    public struct Value: Sendable {
        package let value: String
        package let slug: String
        package let rows: [Int32]
    }

    /// A property, with the values that have lists.
    public struct Facet: Sendable {
        package let name: String
        /// Whether lists can be filtered by it. Other properties, such as artists, have only lists.
        package let isFilter: Bool
        /// The folder of its lists.
        package let folder: String
        package let label: TextDeclaration
        /// A value in a language.
        let text: @Sendable (String, Texts) -> String
        package let values: [Value]
        /// The number of all values, also of those without a list.
        let count: Int
    }

    package typealias Choice = (value: Value, facet: Facet)

    package let facets: [Facet]
    /// The first page of each value's list, by facet and value.
    private let paths: [String: [String: SitePath]]
    /// The options of each filter, by language. They are the same on every page of a list.
    private let options = Locked<[String: [[Mustache.Value]]]>([:])

    /// The maximum number of lists for one property. Records with rarer values are only in the list of all records. If
    /// the property is not a filter, only values of at least two records have a list.
    private static let maxLists = 1_000
    /// The maximum number of options of a filter on the first page of a list, and on further pages.
    private static let (maxOptions, optionsOnLaterPages) = (60, 12)

    package init(
        _ columns: [(
            name: String, isFilter: Bool, folder: String, label: TextDeclaration,
            text: @Sendable (String, Texts) -> String, values: ValueColumn
        )]
    ) {
        facets = columns.map { column in
            let (values, rows) = column.values.elements
            let listed =
                column.isFilter
                ? values.byCount : values.byCount.filter { values.counts[$0] > 1 && !values.values[$0].isBlank }
            return Facet(
                name: column.name, isFilter: column.isFilter, folder: column.folder, label: column.label,
                text: column.text, values: Self.values(values, rows, Array(listed.prefix(Self.maxLists))),
                count: listed.count)
        }
        paths = facets.reduce(into: [:]) { paths, facet in
            for value in facet.values {
                paths[facet.name, default: [:]][value.value] = Self.path(value, of: facet, page: 0)
            }
        }
    }

    private static func values(_ column: ValueColumn, _ rows: [Int32], _ chosen: [Int]) -> [Value] {
        var rowsOfCode: [UInt32: [Int32]] = [:]
        for code in chosen { rowsOfCode[UInt32(code)] = [] }
        for (code, row) in zip(column.codes, rows) { rowsOfCode[code]?.append(row) }
        let slugs = slugs(of: chosen.map { column.values[$0] }, among: column.values)
        return zip(chosen, slugs).map { code, slug in
            Value(value: column.values[code], slug: slug, rows: rowsOfCode[UInt32(code)] ?? [])
        }
    }

    /// The file names of values: their words, joined by hyphens. If several values have the same words, the first in
    /// the order of bytes gets the plain name. The others also get a part of their digest, and so do values without
    /// words and values whose words are reserved. The empty value is "other".
    /// - Parameter all: all values, also those without a list. So names do not depend on the numbers of records.
    private static func slugs(of chosen: [String], among all: [String]) -> [String] {
        let words = chosen.map { SitePath.words($0, bytes: maxSlugLength) }
        var first = Dictionary(zip(words, chosen), uniquingKeysWith: { one, _ in one })
        var plain: Set<String> = []
        for value in all {
            let words = SitePath.words(value, bytes: maxSlugLength)
            plain.insert(words)
            guard let other = first[words], value.utf8.lexicographicallyPrecedes(other.utf8) else { continue }
            first[words] = value
        }
        var used = PortableName.reserved
        return zip(words, chosen).map { words, value in
            let base = words.isEmpty ? "other" : words
            let isPlain = value.isBlank ? words.isEmpty : !words.isEmpty && words != "other"
            if isPlain, first[words] == value, used.insert(base).inserted { return base }
            let digest = SHA256(of: Array(value.utf8))
            var bytes = 2
            func slug() -> String { "\(base)-\(digest.prefixInHex(bytes: bytes))" }
            while plain.contains(slug()) || !used.insert(slug()).inserted { bytes += 2 }
            return slug()
        }
    }

    private static let maxSlugLength = 64
}

extension Facets {
    /// The former addresses of lists: letters outside ASCII separated words, and equal names had numbers.
    package func moved(perPage: Int) -> [MovedPage] {
        facets.filter(\.isFilter).flatMap { facet -> [MovedPage] in
            let present = Set(facet.values.map(\.slug))
            var used = PortableName.reserved
            // A property had at most as many lists at that time.
            return facet.values.prefix(Self.maxOptions).flatMap { value -> [MovedPage] in
                let words = SitePath.asciiWords(value.value, bytes: Self.maxSlugLength)
                let base = words.isEmpty ? "other" : words
                var slug = base
                var number = 2
                while !used.insert(slug).inserted {
                    slug = "\(base)-\(number)"
                    number += 1
                }
                guard !present.contains(slug) else { return [] }
                let former = Value(value: value.value, slug: slug, rows: [])
                return (0..<Paging(count: value.rows.count, perPage: perPage).pages).map { page in
                    (Self.path(former, of: facet, page: page), Self.path(value, of: facet, page: page))
                }
            }
        }
    }
}

extension Facets {
    package static let noValue = TextDeclaration("noValue")
    package static let valueTitle = TextDeclaration("valueTitle", filling: ["title", "value"])
    package static let more = TextDeclaration(plural: "andMore")
    package static let listDescription = TextDeclaration("listDescription", filling: ["count", "page"])

    package static let option = Shape(
        "option",
        .init("label", .text, "the value in the page's language, or as served"),
        .init("asServed", .flag, "whether the label is the value as served"),
        .init("value", .text, "the value as served"),
        .init("path", .text, "the list of records with this value, relative to the language's root"),
        .init("count", .number, "the number of records with this value"),
        .init("current", .flag, "whether this is the current list"))
    package static let facet = Shape(
        "facet",
        .init("label", .text, "the property's name in the page's language"),
        .init("name", .text, "the name of the field"),
        .init(
            "options", .list(.object(option)),
            "its most frequent values, the most frequent first; numbers in their order"),
        .init("more", .text, "the number of its other values, in words; empty for none"))

    /// The filters as a list of `facet` objects; empty on the list of a property that is not a filter.
    /// - Parameters:
    ///   - current: the value and property of the current list; nil for the list of all records.
    ///   - page: the page of the list, from 0. Further pages have few options, so that they are small.
    package func value(current: Choice?, page: Int, _ texts: Texts) -> Mustache.Value {
        guard current?.facet.isFilter ?? true else { return .list([]) }
        let filters = facets.filter(\.isFilter)
        let most = page == 0 ? Self.maxOptions : Self.optionsOnLaterPages
        let values = filters.map { $0.shown(most) }
        let known = options.withLock { options in
            let known =
                options["\(texts.language) \(most)"]
                ?? zip(filters, values).map { facet, values in
                    values.map { Self.option($0, of: facet, isCurrent: false, texts) }
                }
            options["\(texts.language) \(most)"] = known
            return known
        }
        return .list(
            filters.indices.map { place in
                let facet = filters[place]
                var options = known[place]
                if let current, current.facet.name == facet.name {
                    let option = Self.option(current.value, of: facet, isCurrent: true, texts)
                    if let index = values[place].firstIndex(where: { $0.slug == current.value.slug }) {
                        options[index] = option
                    } else {
                        options.append(option)
                    }
                }
                return Self.facet([
                    "label": texts[facet.label], "name": facet.name, "options": options,
                    "more": texts.pluralIfAny(Self.more, facet.count - options.count),
                ])
            })
    }

    private static func option(_ value: Value, of facet: Facet, isCurrent: Bool, _ texts: Texts) -> Mustache.Value {
        let label = label(of: value, facet, texts)
        return option([
            "label": label.text, "asServed": label.asServed, "value": value.value,
            "path": path(value, of: facet, page: 0), "count": value.rows.count, "current": isCurrent,
        ])
    }

    /// The path of a page of a value's list. Pages count from 0.
    package static func path(_ value: Value, of facet: Facet, page: Int) -> SitePath {
        SitePath(joined: "\(facet.folder)/\(value.slug)" + (page == 0 ? ".html" : "/\(page + 1).html"))
    }

    /// The list of records with a value; nil if the value has no list.
    package func path(of value: String, in facet: String) -> SitePath? { paths[facet]?[value] }

    /// The text to show for a value, and whether it is the value as served.
    package static func label(of value: Value, _ facet: Facet, _ texts: Texts) -> (text: String, asServed: Bool) {
        if let label = texts.label(facet.name, value.value) { return (label, false) }
        if value.value.isBlank { return (texts[noValue], false) }
        let text = facet.text(value.value, texts)
        return (text, text == value.value)
    }
}

extension Facets.Facet {
    /// The most frequent values, the most frequent first. If all values are numbers, they are in their order.
    fileprivate func shown(_ most: Int) -> [Facets.Value] {
        let shown = Array(values.prefix(most))
        return shown.allSatisfy { $0.value.isBlank || $0.value.number != nil } ? shown.byNumber(\.value) : shown
    }
}

extension Array {
    /// Sorted by the numbers of these texts. Texts that are no numbers come last.
    package func byNumber(_ text: (Element) -> String) -> [Element] {
        let numbers = map { text($0).number ?? .infinity }
        return indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { self[$0] }
    }
}

extension String {
    fileprivate var number: Double? { Double(self).flatMap { $0.isFinite ? $0 : nil } }
}
