import Archive
import Catalogue
import HTMLCheck
import Mustache
import Pages
import Platform

/// The values of fields: first as text that does not depend on a language, then for a page.
extension FieldDeclaration {
    /// The value in a record; empty for a missing one. A duration is the digits of its milliseconds, a day is
    /// "2010-03-05", a moment with its time is as served, and a rating is the average, a space and the number of
    /// ratings. A list has `ValueColumn.separator` between its elements.
    /// - Parameter root: the root whose answer is the record.
    /// - Throws: `ContentFault` if the value does not have the field's type.
    func read(_ record: JSONFields, of root: Root? = nil) throws -> String {
        if let value { return root.map { $0.fill(value) } ?? value }
        if function == .studio { return CatalogueExtension.studio(of: record) }
        if !none.isEmpty, none.contains(record.scalar(path)) { return "" }
        switch type {
        case .string, .enum, .date: return record.scalar(path)
        case .list:
            let elements = try elements(of: record)
            guard elements.count <= Self.mostElements else {
                throw ContentFault(
                    path.text,
                    "are \(elements.count), more than the \(Self.mostElements) that are shown; the others are skipped")
            }
            return Self.list(elements)
        case .number:
            let served = record.scalar(path)
            if let whole = Int64(served) { return "\(whole)" }
            // Many APIs write exact decimal numbers as texts, such as "12.50".
            let isDecimal = served.utf8.allSatisfy { $0.isDigit || "-.".utf8.contains($0) }
            if isDecimal, let number = Double(served) { return "\(number)" }
            return served.isEmpty ? "" : "\(try record.number(path))"
        case .bytes:
            guard record.has(path) else { return "" }
            let (size, most) = (try record.integer(path), 1_000_000_000_000 as Int64)
            guard (1...most).contains(size) else { throw ContentFault(path.text, "is \(size), not 1 to \(most)") }
            return "\(size)"
        case .rating:
            guard record.has(path), let votes, record.has(votes) else { return "" }
            let (average, count) = (try record.number(path), try record.integer(votes))
            // The service writes 0 for a record without ratings.
            return average > 0 && average <= 5 && count > 0 ? "\(average) \(count)" : ""
        case .datetime, .duration:
            let served = record.scalar(path)
            let text = try served.isBlank ? text(record) : served
            guard let value = text.isEmpty ? "" : value(of: text) else {
                let wanted = type == .datetime ? "a moment as 2010-03-05T08:00:00Z" : "a duration up to 11 days"
                throw ContentFault(path.text, "is \(text.quoted), not \(wanted)")
            }
            return value
        case .url:
            let link = try text(record)
            guard link.isEmpty || link.utf8.count <= LinkReader.longest && WebAddress.encoded(link) != nil else {
                throw ContentFault(path.text, "is \(link.quoted), which is no address on the web")
            }
            return link
        case .prose, .html, .image: return try text(record)
        case .file: return try addresses(of: record).first ?? ""
        case .links, .results, .roots, .reference, .references, .inverse, .together, .tree, .hidden: return ""
        }
    }

    /// The addresses in a field of the type `file`.
    func addresses(of record: JSONFields) throws -> [String] {
        let isArray = address == nil && record.value(at: path)?.elements != nil
        return try (isArray ? record.texts(path) : [text(record)]).filter { !$0.isBlank }
    }

    /// The addresses of the files of a field, or of the pictures in a text that are captured, each once; and a fault if
    /// there are too many.
    func fileLinks(of record: JSONFields) throws -> (links: [String], fault: ContentFault?) {
        guard type == .file || capturesPictures else { return ([], nil) }
        // The bytes of a data URL are in the text itself.
        let all =
            try type == .file
            ? addresses(of: record)
            : HTMLSanitizer.pictures(in: read(record)).filter { !$0.utf8.starts(with: "data:".utf8) }
        let links = all.unique { Array($0.utf8) }
        guard links.count > Self.mostFiles else { return (links, nil) }
        let text = "has \(links.count) files; only the first \(Self.mostFiles) are captured"
        return (Array(links.prefix(Self.mostFiles)), ContentFault(path.text, text))
    }

    private static let mostFiles = 1_000

    /// The value for pages. An invalid value counts as missing.
    func shown(_ record: JSONFields, of root: Root? = nil) -> String { valid(record, of: root) ?? "" }

    /// The value for pages; nil for an invalid value, which the capture reported as a gap. A text instead of a
    /// number is shown as served.
    func valid(_ record: JSONFields, of root: Root? = nil) -> String? {
        // `try?`, because the fault of an invalid value is a gap already.
        guard type == .list else { return (try? read(record, of: root)) ?? unreadable(record) }
        // `try?`, for the same reason.
        return (try? elements(of: record)).map { Self.list($0.prefix(Self.mostElements)) }
    }

    /// A text that is not blank; empty for a missing one. The texts of an array become paragraphs, without duplicates.
    /// A single line end in them becomes a space.
    private func text(_ record: JSONFields) throws -> String {
        if let address { return address.filled(with: record) }
        if path.elements != nil, record.has(path) {
            // The line ends of preformatted text are kept.
            if type == .html { return try record.texts(path).filter { !$0.isBlank }.joined(separator: "\n") }
            let texts = try record.texts(path).flatMap { text in
                text.replacing("\u{AD}\n", with: "").replacing("\n\n", with: "\u{2029}").split(separator: "\u{2029}")
            }
            return texts.map { $0.split { $0.isWhitespace || $0 == "\u{AD}" }.joined(separator: " ") }
                .unique { $0.lowercased() }.joined(separator: "\n")
        }
        for path in [path] + (fallbackPath.map { [$0] } ?? []) where record.has(path) {
            let text = try record.text(path)
            if !text.isBlank { return text }
        }
        return ""
    }

    /// The maximum number of elements of a list on a page.
    private static let mostElements = 100

    /// The elements of a list that are not blank.
    private func elements(of record: JSONFields) throws -> [String] {
        guard record.has(path) else { return [] }
        let texts =
            function == .genres ? try CatalogueExtension.genres(of: record) : try record.texts(path, orWords: true)
        return texts.filter { !$0.isBlank }
    }

    private static func list(_ elements: some Sequence<String>) -> String {
        let separator = ValueColumn.separator
        return elements.map { $0.contains(separator) ? $0.replacing("\(separator)", with: " ") : $0 }
            .joined(separator: "\(separator)")
    }

    /// The elements of a list; another value as it is.
    func elements(_ value: String) -> [String] {
        type == .list ? value.split(separator: ValueColumn.separator).map(String.init) : [value]
    }

    /// The value as served. The elements of a list have commas between them.
    func joined(_ value: String) -> String { type == .list ? elements(value).joined(separator: ", ") : value }

    /// The value under which facets and the search list a value. A moment is listed by its day.
    func listed(_ value: String) -> String {
        if type == .datetime, isFacet, let day = Day(moment: value) { return day.machineReadable }
        let listed = elements(value).map { value in
            let short = value.shortened
            return facetValues.first { $0.name == short }?.value ?? short
        }.unique()
        guard type == .list else { return listed[0] }
        var size = 0
        return Self.list(
            listed.prefix { element in
                size += element.utf8.count
                return size <= Self.longestList
            })
    }

    /// The maximum size of the elements of a list in tables, in bytes.
    private static let longestList = 4_096
}

extension KindDeclaration {
    /// The text of a field's value in a language. A translated value can have a form that agrees with another field.
    func text(_ field: FieldDeclaration, _ value: String, _ texts: Texts, other: (FieldDeclaration) -> String)
        -> String
    {
        field.text(value, agreesWith: field.agreesWith.flatMap(self.field).map(other) ?? "", texts)
    }
}

extension FieldDeclaration {
    /// A value as text of one language. Values that the language has words for are translated.
    func text(_ value: String, agreesWith other: String = "", _ texts: Texts) -> String {
        switch type {
        case .enum, .string:
            return texts.value(name, value, by: other)
                ?? Bool(value).map { texts[$0 ? EngineTexts.yes : EngineTexts.no] } ?? value
        case .date: return WrittenDate.day(value).map(texts.date) ?? value
        case .list: return elements(value).map { texts.value(name, $0) ?? $0 }.joined(separator: ", ")
        case .datetime: return Day(moment: value).map { texts.date($0) + Day.time(of: value) } ?? value
        case .duration: return Self.seconds(value).map { showsHours ? Self.hours($0, texts) : Self.clock($0) } ?? value
        case .number:
            guard let number = Double(value) else { return value }
            let shown = Self.decimal(number / Double(divisor), decimals, texts)
            return unit.map { texts.filled($0, ["number": shown]) } ?? shown
        case .bytes:
            return Double(value).map { Self.size($0, texts) } ?? value
        case .rating:
            let parts = value.split(separator: " ")
            guard parts.count == 2, let average = Double(parts[0]), let count = Int64(parts[1]) else { return "" }
            return texts.plural(EngineTexts.rating, Int(clamping: count), ["rating": Self.decimal(average, 1, texts)])
        default: return value
        }
    }

    /// The same for machines: a date as 2010-03-05, a moment as 2010-03-05T08:00Z, a duration as PT0H3M45S; empty for
    /// other values.
    func machineReadable(_ value: String) -> String {
        switch type {
        case .date: WrittenDate.day(value)?.machineReadable ?? ""
        case .datetime: Day.machineReadable(moment: value)
        case .duration: Self.seconds(value).map { "PT\($0 / 3_600)H\($0 % 3_600 / 60)M\($0 % 60)S" } ?? ""
        default: ""
        }
    }

    /// The model of a value on a page, which shows it as a text.
    func model(_ value: String, _ text: String) -> Value {
        switch type {
        case .enum: RecordModels.word.value(["text": .text(text), "tone": .text(tone(value))])
        case .date, .datetime, .duration:
            RecordModels.date.value(["text": .text(text), "machine": .text(machineReadable(value))])
        default: RecordModels.text.value(["text": .text(text), "asServed": .flag(text == joined(value))])
        }
    }

    /// The model of a long text.
    func prose(_ value: String) -> Value {
        let paragraphs = value.paragraphs
        return RecordModels.prose(["any": !paragraphs.isEmpty, "paragraphs": paragraphs.map { Value.text($0) }])
    }

    /// A long text on one line, without elements.
    func plain(_ value: String) -> String {
        type == .html ? HTMLSanitizer.text(value) : value.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func seconds(_ milliseconds: String) -> Int? { Int(milliseconds).map { ($0 / 100 + 5) / 10 } }

    /// Hours and minutes in words, rounded down, such as "1 h 4 min".
    private static func hours(_ seconds: Int, _ texts: Texts) -> String {
        texts.filled(
            seconds < 3_600 ? EngineTexts.minutes : EngineTexts.hours,
            ["hours": "\(seconds / 3_600)", "minutes": "\(seconds % 3_600 / 60)"])
    }

    /// Minutes and seconds such as "3:28", with hours if there are any.
    private static func clock(_ seconds: Int) -> String {
        let (hours, minutes, rest) = (seconds / 3_600, seconds % 3_600 / 60, (seconds % 60).padded())
        return hours == 0 ? "\(minutes):\(rest)" : "\(hours):\(minutes.padded()):\(rest)"
    }

    static func clock(milliseconds: String) -> String? { seconds(milliseconds).map(clock) }

    static func size(_ bytes: Double, _ texts: Texts) -> String {
        let (unit, text) =
            bytes < 100_000 ? (1_000.0, EngineTexts.kilobytes) : (1_000_000.0, EngineTexts.megabytes)
        return texts.filled(text, ["number": decimal(max(bytes / unit, 0.1), 1, texts)])
    }

    /// The number with at most this many decimals, or with all of them.
    private static func decimal(_ number: Double, _ decimals: Int?, _ texts: Texts) -> String {
        let power = (0..<(decimals ?? 0)).reduce(1.0) { power, _ in power * 10 }
        let scaled = (number * power).rounded()
        let rounded = decimals == nil || !scaled.isFinite ? number.roundedTo15Digits ?? number : scaled / power
        let sign = rounded < 0 ? "-" : ""
        if let whole = Int(exactly: rounded.magnitude) { return sign + texts.grouped(whole) }
        let parts = "\(rounded.magnitude)".split(separator: ".")
        guard parts.count == 2, let whole = Int(parts[0]) else { return "\(rounded)" }
        return "\(sign)\(texts.grouped(whole))\(texts[EngineTexts.decimalMark])\(parts[1])"
    }
}

extension KindDeclaration {
    /// The type of a page's JSON-LD.
    var jsonLDType: String? { jsonLD.first { $0.key == "@type" }?.value.text }

    /// The other members of a page's JSON-LD. A member whose placeholder has no value is left out.
    /// - Parameter values: the texts of the fields.
    func jsonLD(_ values: [String]) -> [(key: String, value: JSON)] {
        jsonLD.filter { $0.key != "@type" }.compactMap { name, value in
            value.filled { text in
                guard let (field, part) = placeholder(text) else { return nil }
                let value = values[field.index]
                if let part { return field.number(of: part, in: value).map { .integer($0) } }
                if field.type == .list { return value.isEmpty ? nil : .list(field.elements(value).map { .text($0) }) }
                let isDate = field.type == .date || field.type == .datetime
                let text = isDate ? field.machineReadable(value) : value
                return text.isEmpty ? nil : .text(text)
            }.map { (key: name, value: $0) }
        }
    }

    /// The field of a placeholder such as "{code.season}", and a part of its format; nil if pages do not show it.
    func placeholder(_ text: String) -> (field: FieldDeclaration, part: String?)? {
        let names = text.dropFirst().dropLast().split(separator: ".").map(String.init)
        guard (1...2).contains(names.count), let field = field(names[0]), field.type.isText,
            names.count == 1 || field.format?.parts.contains(names[1]) == true
        else { return nil }
        return (field, names.count == 2 ? names[1] : nil)
    }
}
