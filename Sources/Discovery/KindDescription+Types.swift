import Catalogue
import CatalogueEngine

/// The types of members, as their values show them.
extension KindDescription {
    /// The path of a text with HTML elements.
    static func markup(_ path: String, _ values: [JSON]) -> String? {
        for inner in ["", "rendered"] {
            let texts = values.compactMap { inner.isEmpty ? $0.text : $0[inner]?.text }.filter { !$0.isEmpty }
            // Texts of Markdown and Textile have blank lines between paragraphs, and can contain a few elements.
            let marked = texts.count { text in
                text.contains(/<(p|br|div|ul|ol|h\d|table|blockquote)\b/)
                    || text.contains("</") && !text.contains(/\n\r?\n/.matchingSemantics(.unicodeScalar))
            }
            if !texts.isEmpty, marked * 3 >= texts.count { return inner.isEmpty ? path : "\(path).\(inner)" }
        }
        return nil
    }

    /// The type of a column: "number", "duration", "bytes", or empty for texts; nil for too long or equal values.
    static func columnType(_ name: String, _ values: [JSON], of count: Int) -> String? {
        let scalars = values.compactMap(\.scalar)
        let words = Set(name.split(separator: "_"))
        guard words.isDisjoint(with: timeWords),
            words.isDisjoint(with: ["at", "on", "by", "lat", "lon", "lng", "latitude", "longitude"]),
            words.isDisjoint(with: ["color", "colour"]) || !scalars.allSatisfy({ $0.contains(/^#?[0-9A-Fa-f]{3,8}$/) }),
            name.isFieldName, !name.hasSuffix("id"), !isReserved(name),
            scalars.count == values.count, values.count * 10 >= count * 9, Set(scalars).count > 1,
            scalars.allSatisfy({
                $0.utf8.count <= 40 && !$0.contains(where: \.isNewline) && !$0.contains("://") && !$0.hasPrefix("/")
            })
        else { return nil }
        if values.allSatisfy({ $0.text != nil }) { return "" }
        guard values.allSatisfy({ $0.text == nil && Double($0.scalar ?? "") != nil }) else { return nil }
        let isDuration = ["ms", "millis"].contains(name.split(separator: "_").last)
        if isDuration, values.allSatisfy({ Int($0.scalar ?? "") != nil }) { return "duration" }
        return words.contains("bytes") || name.hasSuffix("file_size") ? "bytes" : "number"
    }

    /// Whether one of the names has the value in a better form: "date" of "date_gmt", "state_name" of "state_code".
    static func repeats(_ name: String, _ names: [String]) -> Bool {
        guard let end = name.firstMatch(of: /_(gmt|utc|code)$/) else { return false }
        let stem = name[..<end.range.lowerBound]
        return names.contains { end.1 == "code" ? $0 == "\(stem)_name" : $0 == stem }
    }

    /// Whether a number with this name is the id of a record, such as "author" or "featured_media".
    static func namesRecord(_ name: String, _ lists: [ListDescription]) -> Bool {
        let last = name.split(separator: "_").last.map(String.init) ?? ""
        return ["author", "creator", "editor", "owner", "parent", "user"].contains(last)
            || lists.contains { $0.singular == last }
    }

    /// The keys of numbers whose name ends with a unit, such as "elevation_m".
    static func unit(_ name: String, _ values: [JSON]) -> JSON? {
        guard let unit = NumberUnit(name), !unit.text.isEmpty, !values.isEmpty,
            values.allSatisfy({ $0.text == nil && $0.scalar.flatMap(Double.init) != nil })
        else { return nil }
        return ["label": .text(unit.name.label), "unit": .text("{number}\(unit.text)")]
    }

    private static let timeWords = Set<Substring>(
        """
        time timestamp ts date datetime created updated update modified changed edited added posted published started
        ended finished expires joined registered seen epoch unix utc mtime ctime issued accepted deposited indexed
        """.split(whereSeparator: \.isWhitespace))

    /// The type and the keys of days and moments such as "2010-03-05", "2010-03-05T08:00Z" or [2010, 3, 5], or of Unix
    /// times of the years 1973 to 2099, in seconds or in milliseconds; nil for other values.
    static func time(_ name: String, _ values: [JSON]) -> (type: String, keys: JSON)? {
        guard !values.isEmpty else { return nil }
        if values.allSatisfy({ $0.text?.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil }) { return ("date", [:]) }
        let moments = values.compactMap(\.text).filter { Day(moment: $0) != nil }
        if moments.count == values.count {
            let hasTime = moments.contains { $0.dropFirst(11).prefix(5) != "00:00" }
            return ("datetime", ["time": hasTime ? .flag(true) : nil])
        }
        let words = name.split(separator: "_")
        let isTime = words.contains(where: timeWords.contains) || ["at", "on"].contains(words.last)
        if isTime, values.allSatisfy({ $0.date != nil }) { return ("date", [:]) }
        let numbers = values.compactMap { $0.scalar.flatMap(Double.init).flatMap { Int(exactly: $0.rounded()) } }
        let seconds = 100_000_000..<4_102_444_800
        // Many APIs write 0 for "never".
        let known = numbers.filter { $0 != 0 }
        let unit = [1, 1_000].first { unit in known.allSatisfy { seconds.contains($0 / unit) } }
        // A number such as "created_by" is an id.
        guard isTime, !words.contains("by"), numbers.count == values.count, !known.isEmpty, let unit else { return nil }
        let hasTime = known.contains { $0 % (86_400 * unit) != 0 }
        return ("datetime", ["none": .list([.integer(0)]), "time": hasTime ? .flag(true) : nil])
    }

    /// The type of a facet, which lists and filters use, its rank, and the number of its texts. A larger rank is
    /// better: the number of records with a value, and then whether it is a text.
    /// - Parameter values: the values of the records that have one.
    /// - Returns: nil unless most records have one of a few short texts, a list of such texts, or true or false. Long
    ///   ids, such as UUIDs, are no such texts.
    static func facet(_ values: [JSON], of count: Int) -> (type: String, rank: Int, values: Int)? {
        let elements = values.compactMap(\.elements)
        let all = elements.isEmpty ? values : elements.flatMap(\.self)
        let texts = all.compactMap(\.text)
        let distinct = Set(texts)
        let isShort = distinct.allSatisfy {
            $0.utf8.count <= 40 && !$0.contains("://") && !$0.hasPrefix("/") && !$0.contains(where: \.isNewline)
                && !$0.contains(/^\d{4}-\d\d/) && $0.wholeMatch(of: /[0-9A-Fa-f-]{16,}/) == nil
        }
        let areTexts =
            texts.count == all.count && [0, values.count].contains(elements.count) && (2...20).contains(distinct.count)
            && distinct.count * 3 <= texts.count && isShort
        let areFlags = Set(values.map { "\($0)" }) == ["true", "false"] && elements.isEmpty && texts.isEmpty
        guard count >= 8, values.count * 2 > count, areTexts || areFlags else { return nil }
        return (elements.isEmpty ? "enum" : "list", values.count * 2 + (areTexts ? 1 : 0), distinct.count)
    }
}
