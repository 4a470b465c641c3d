import Archive
import Catalogue
import Mustache
import Pages
import Platform

/// Lists of records that share a value of a field. Each frequent value has its own list.
struct Facets: Sendable {
    /// A value with its own list.
    struct Value: Sendable {
        let value: String
        let slug: String
        let rows: [Int32]
    }

    /// A field, with the values that have lists.
    struct Facet: Sendable {
        let field: FieldDeclaration
        /// The folder of its lists.
        let folder: String
        let values: [Value]
        /// The number of all values, also of those without a list.
        let count: Int
    }

    typealias Choice = (value: Value, facet: Facet)

    let facets: [Facet]
    /// The values with their facets, by the name of the facet and by value.
    private let choices: [String: [String: Choice]]
    /// A cache, because many pages have the same options. A key consists of the field, the maximum number of options
    /// and the language.
    private let options = Locked<[String: Options]>([:])

    private typealias Options = (slugs: [String], models: [Mustache.Value])

    /// The maximum number of lists for one field. Records with rarer values are only in the list of all records. If the
    /// field is not a facet, only values of at least two records have a list.
    private static let maxLists = 1_000
    /// The maximum number of options of a filter on the first page of a list, and on further pages.
    private static let (maxOptions, optionsOnLaterPages) = (60, 12)

    init(_ columns: [(field: FieldDeclaration, folder: String, values: ValueColumn<String>)]) {
        facets = columns.map { field, folder, column in
            let (values, rows) = column.elements
            let listed =
                field.isFacet
                ? values.byCount : values.byCount.filter { values.counts[$0] > 1 && !values.values[$0].isBlank }
            return Facet(
                field: field, folder: folder, values: Self.values(values, rows, Array(listed.prefix(Self.maxLists))),
                count: listed.count)
        }
        choices = facets.reduce(into: [:]) { choices, facet in
            for value in facet.values { choices[facet.field.name, default: [:]][value.value] = (value, facet) }
        }
    }

    private static func values(_ column: ValueColumn<String>, _ rows: [Int32], _ chosen: [Int]) -> [Value] {
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
    func moved(perPage: Int) -> [MovedPage] {
        facets.filter(\.field.isFacet).flatMap { facet -> [MovedPage] in
            let present = Set(facet.values.map(\.slug))
            var used = PortableName.reserved
            // A field had at most as many lists at that time.
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
    static let option = Shape(
        "option",
        .init("label", .text, "the value in the page's language, or as served"),
        .init("asServed", .flag, "whether the label is the value as served"),
        .init("value", .text, "the value as served"),
        .init("path", .text, "the list of records with this value, relative to the language's root"),
        .init("count", .number, "the number of records with this value"),
        .init("current", .flag, "whether this is the current list"))
    static let facet = Shape(
        "facet",
        .init("label", .text, "the property's name in the page's language"),
        .init("name", .text, "the name of the field"),
        .init(
            "options", .list(.object(option)),
            "its most frequent values, the most frequent first; numbers in their order"),
        .init("more", .text, "the number of its other values, in words; empty for none"))

    /// The filters as a list of `facet` objects; empty on the list of a field that is not a facet.
    /// - Parameters:
    ///   - current: the value and field of the current list; nil for the list of all records.
    ///   - page: the page of the list, from 0. Further pages have few options, so that they are small.
    func value(current: Choice?, page: Int, _ texts: Texts) -> Mustache.Value {
        guard current?.facet.field.isFacet ?? true else { return .list([]) }
        let most = page == 0 ? Self.maxOptions : Self.optionsOnLaterPages
        return .list(
            facets.filter(\.field.isFacet).map { facet in
                var (slugs, options) = self.options(of: facet, most, texts)
                if let current, current.facet.field === facet.field {
                    let index = slugs.firstIndex(of: current.value.slug) ?? slugs.count
                    options[index..<min(index + 1, slugs.count)] = [
                        Self.option(current.value, of: facet, isCurrent: true, texts)
                    ]
                }
                return Self.facet([
                    "label": texts[facet.field.label], "name": facet.field.name, "options": options,
                    "more": texts.pluralIfAny(PageFrame.more, facet.count - options.count),
                ])
            })
    }

    private func options(of facet: Facet, _ most: Int, _ texts: Texts) -> Options {
        options.withLock { known in
            let key = "\(facet.field.name) \(most) \(texts.language)"
            if let options = known[key] { return options }
            let values = facet.shown(most)
            let options = (
                slugs: values.map(\.slug),
                models: values.map { Self.option($0, of: facet, isCurrent: false, texts) }
            )
            known[key] = options
            return options
        }
    }

    private static func option(_ value: Value, of facet: Facet, isCurrent: Bool, _ texts: Texts) -> Mustache.Value {
        let label = label(of: value, facet, texts)
        return option([
            "label": label.text, "asServed": label.asServed, "value": value.value,
            "path": path(value, of: facet, page: 0), "count": value.rows.count, "current": isCurrent,
        ])
    }

    /// The path of a page of a value's list. Pages count from 0.
    static func path(_ value: Value, of facet: Facet, page: Int) -> SitePath {
        SitePath(joined: "\(facet.folder)/\(value.slug)" + (page == 0 ? ".html" : "/\(page + 1).html"))
    }

    /// The classes for the colours of the most frequent values, such as "status.dead=bad", with spaces between them.
    var tones: String {
        facets.filter { !$0.field.tones.isEmpty }.flatMap { facet in
            facet.values.prefix(Self.maxOptions).map { ("\(facet.field.name).\($0.slug)", facet.field.tone($0.value)) }
        }.filter { !$1.isEmpty }.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    var hasFilters: Bool { facets.contains { $0.field.isFacet } }

    /// The list of records with a value; nil if the value has no list.
    func path(of value: String, in facet: String) -> SitePath? {
        choices[facet]?[value].map { Self.path($0.value, of: $0.facet, page: 0) }
    }

    /// The positions of the records with a value; none if the value has no list.
    func rows(of value: String, in facet: String) -> [Int32] { choices[facet]?[value]?.value.rows ?? [] }

    /// The text to show for a value, and whether it is the value as served.
    static func label(of value: Value, _ facet: Facet, _ texts: Texts) -> (text: String, asServed: Bool) {
        if let label = texts.label(facet.field.name, value.value) { return (label, false) }
        if value.value.isBlank { return (texts[PageFrame.noValue], false) }
        let text = facet.field.text(value.value, texts)
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
    func byNumber(_ text: (Element) -> String) -> [Element] {
        let numbers = map { text($0).number ?? .infinity }
        return indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { self[$0] }
    }
}

extension String {
    fileprivate var number: Double? { Double(self).flatMap { $0.isFinite ? $0 : nil } }
}
