import Archive
import Catalogue
import Mustache
import Pages
import Platform

/// Lists of records that share a value of a field. Each frequent value has its own list.
struct Facets: Sendable {
    /// A value of a field with its own list.
    struct Value: Sendable {
        let field: FieldDeclaration
        /// The folder of the field's lists.
        let folder: String
        let value: String
        let slug: String
        let rows: [Int32]
    }

    /// A field, the values that have lists, and the number of all values.
    typealias Facet = (field: FieldDeclaration, values: [Value], count: Int)

    let facets: [Facet]
    /// By the name of the facet and by value.
    private let values: [String: [String: Value]]
    /// A cache, because many pages have the same options. Its key is the field, the maximum number and the language.
    private let options = Locked<[String: Options]>([:])

    private typealias Options = (slugs: [String], models: [Mustache.Value])

    /// The maximum number of lists for one field. Records with rarer values are only in the list of all records. If the
    /// field is not a facet, only values of at least two records have a list.
    private static let maxLists = 1_000
    /// The maximum number of options of a filter on the first page of a list, and on further pages.
    private static let (maxOptions, optionsOnLaterPages) = (60, 12)

    init(_ columns: [(field: FieldDeclaration, folder: String, values: ValueColumn<String>)]) {
        facets = columns.map { field, folder, all in
            let (column, rows) = all.elements
            let listed = column.byCount.filter {
                field.isFacet || column.counts[$0] > 1 && !column.values[$0].isBlank
            }
            let chosen = listed.prefix(Self.maxLists)
            var rowsOfCode = Dictionary(uniqueKeysWithValues: chosen.map { (UInt32($0), [Int32]()) })
            for (code, row) in zip(column.codes, rows) { rowsOfCode[code]?.append(row) }
            let slugs = Self.slugs(of: chosen.map { column.values[$0] }, among: column.values)
            let values = zip(chosen, slugs).map { code, slug in
                Value(
                    field: field, folder: folder, value: column.values[code], slug: slug,
                    rows: rowsOfCode[UInt32(code)] ?? [])
            }
            return (field, values, listed.count)
        }
        values = facets.reduce(into: [:]) { values, facet in
            for value in facet.values { values[facet.field.name, default: [:]][value.value] = value }
        }
    }

    /// The file names of values: their words, joined by hyphens. If several values have the same words, the first in
    /// the order of bytes gets the plain name. The others also get a part of their digest, and so do values without
    /// words and values whose words are reserved. The empty value is "other".
    /// - Parameter all: all values, also those without a list. So names do not depend on the numbers of records.
    private static func slugs(of chosen: [String], among all: [String]) -> [String] {
        func words(_ value: String) -> String { SitePath.words(value, bytes: maxSlugLength) }
        let first = Dictionary(all.lazy.map { (words($0), $0) }) { first, other in
            other.utf8.lexicographicallyPrecedes(first.utf8) ? other : first
        }
        var used = PortableName.reserved
        return chosen.map { value in
            let words = words(value)
            let base = words.isEmpty ? "other" : words
            let isPlain = value.isBlank ? words.isEmpty : !words.isEmpty && words != "other"
            if isPlain, first[words] == value, used.insert(base).inserted { return base }
            let digest = SHA256(of: Array(value.utf8))
            var bytes = 2
            func slug() -> String { "\(base)-\(digest.prefixInHex(bytes: bytes))" }
            while first[slug()] != nil || !used.insert(slug()).inserted { bytes += 2 }
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
                var number = 1
                func slug() -> String { number == 1 ? base : "\(base)-\(number)" }
                while !used.insert(slug()).inserted { number += 1 }
                guard !present.contains(slug()) else { return [] }
                return (0..<Paging(count: value.rows.count, perPage: perPage).pages).map { page in
                    (value.path(slug(), page: page), value.path(page: page))
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
        .init("options", .list(.object(option)), "its most frequent values, sorted by count; numbers by size"),
        .init("more", .text, "the number of its other values, in words; empty for none"))

    /// The filters as a list of `facet` objects; empty on the list of a field that is not a facet.
    /// - Parameters:
    ///   - current: the value of the current list; nil for the list of all records.
    ///   - page: the page of the list, from 0. Further pages have few options, so that they are small.
    func value(current: Value?, page: Int, _ texts: Texts) -> Mustache.Value {
        guard current?.field.isFacet ?? true else { return .list([]) }
        let most = page == 0 ? Self.maxOptions : Self.optionsOnLaterPages
        return .list(
            facets.filter(\.field.isFacet).map { facet in
                var (slugs, options) = self.options(of: facet, most, texts)
                if let current, current.field === facet.field {
                    let index = slugs.firstIndex(of: current.slug) ?? slugs.count
                    options[index..<min(index + 1, slugs.count)] = [current.option(isCurrent: true, texts)]
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
            let frequent = Array(facet.values.prefix(most))
            let areNumbers = frequent.allSatisfy { $0.value.isBlank || $0.value.number != nil }
            let values = areNumbers ? frequent.byNumber(\.value) : frequent
            let options = (slugs: values.map(\.slug), models: values.map { $0.option(isCurrent: false, texts) })
            known[key] = options
            return options
        }
    }

    /// The classes for the colours of the most frequent values, such as "status.dead=bad", with spaces between them.
    var tones: String {
        facets.filter { !$0.field.tones.isEmpty }.flatMap { $0.values.prefix(Self.maxOptions) }
            .filter { !$0.tone.isEmpty }.map { "\($0.field.name).\($0.slug)=\($0.tone)" }.joined(separator: " ")
    }

    var hasFilters: Bool { facets.contains { $0.field.isFacet } }

    /// A value of a field; nil if it has no list.
    subscript(field: String, value: String) -> Value? { values[field]?[value] }
}

extension Facets.Value {
    var tone: String { field.tone(value) }

    fileprivate func option(isCurrent: Bool, _ texts: Texts) -> Mustache.Value {
        let label = label(texts)
        return Facets.option([
            "label": label.text, "asServed": label.asServed, "value": value, "path": path(), "count": rows.count,
            "current": isCurrent,
        ])
    }

    /// The text to show for the value, and whether it is the value as served.
    func label(_ texts: Texts) -> (text: String, asServed: Bool) {
        if let label = texts.label(field.name, value) { return (label, false) }
        if value.isBlank { return (texts[PageFrame.noValue], false) }
        let text = field.text(value, texts)
        return (text, text == value)
    }

    /// The path of a page of its list. Pages count from 0.
    /// - Parameter former: the slug of a former address; nil for the present one.
    func path(_ former: String? = nil, page: Int = 0) -> SitePath {
        SitePath(joined: "\(folder)/\(former ?? slug)" + (page == 0 ? ".html" : "/\(page + 1).html"))
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
    var number: Double? { Double(self).flatMap { $0.isFinite ? $0 : nil } }
}
