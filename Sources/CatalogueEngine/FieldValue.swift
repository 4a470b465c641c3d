import Catalogue
import HTMLCheck
import Pages
import Platform

/// The values of fields, as texts that do not depend on a language.
extension FieldDeclaration {
    /// The value in a record; empty for a missing one. A duration is the digits of its milliseconds, a day is
    /// "2010-03-05", a moment with its time is as served, a rating is the average, a space and the number of ratings,
    /// and money is the amount, a space and the currency. A list has `ValueColumn<String>.separator` between elements.
    /// - Parameter root: the root whose answer is the record.
    /// - Throws: `ContentFault` if the value does not have the field's type.
    func read(_ record: JSONFields, of root: Root? = nil) throws -> String {
        if let value { return root.map { $0.fill(value) } ?? value }
        if function == .studio { return CatalogueExtension.studio(of: record) }
        if !none.isEmpty, none.contains(record.scalar(path)) { return "" }
        if isDate, let date = record.value(at: path)?.date { return date }
        switch type {
        case .string, .enum, .date: return record.scalar(path)
        case .list:
            let elements = try elements(of: record)
            try require(
                elements.count <= Self.mostElements, path.text,
                "are \(elements.count), more than the \(Self.mostElements) that are shown; the others are skipped")
            return Self.list(elements)
        case .number: return try number(record)
        case .money:
            let amount = try number(record)
            return amount.isEmpty ? "" : "\(amount) \(currency.map { record.scalar($0) } ?? "")"
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
            let wanted = type == .datetime ? "a moment as 2010-03-05T08:00:00Z" : "a duration up to 11 days"
            return try require(text.isEmpty ? "" : value(of: text), path.text, "is \(text.quoted), not \(wanted)")
        case .url:
            let link = try text(record)
            let isAddress = link.isEmpty || link.utf8.count <= LinkReader.longest && WebAddress.encoded(link) != nil
            try require(isAddress, path.text, "is \(link.quoted), which is no address on the web")
            return link
        case .prose, .html, .image: return try text(record)
        case .file: return try addresses(of: record).first ?? ""
        case .links, .results, .roots, .reference, .references, .inverse, .together, .tree, .hidden: return ""
        }
    }

    private func number(_ record: JSONFields) throws -> String {
        let served = record.scalar(path)
        if let whole = Int64(served) { return "\(whole)" }
        // Many APIs write exact decimal numbers as texts, such as "12.50". Large whole numbers keep their digits.
        let isDecimal = served.utf8.allSatisfy { $0.isDigit || "-.".utf8.contains($0) }
        if isDecimal, let number = Double(served) { return served.contains(".") ? "\(number)" : served }
        return served.isEmpty ? "" : "\(try record.number(path))"
    }

    /// The addresses in a field of the type `file`.
    func addresses(of record: JSONFields) throws -> [String] {
        let isArray = address == nil && record.value(at: path)?.elements != nil
        return try (isArray ? record.texts(path) : [text(record)]).filter { !$0.isBlank }
    }

    /// The addresses of a field's files, or of captured pictures in a text, each once; and a fault for too many.
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

    /// The value for pages, or a text instead of a number; nil for an invalid value, which the capture reported.
    func valid(_ record: JSONFields, of root: Root? = nil) -> String? {
        // `try?`, because the fault of an invalid value is a gap already.
        guard type == .list else { return (try? read(record, of: root)) ?? nonNumericText(record) }
        // `try?`, for the same reason.
        return (try? elements(of: record)).map { Self.list($0.prefix(Self.mostElements)) }
    }

    /// A text that is not blank; empty for a missing one. Different texts of an array become paragraphs of one line.
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
        let separator = ValueColumn<String>.separator
        return elements.map { $0.contains(separator) ? $0.replacing("\(separator)", with: " ") : $0 }
            .joined(separator: "\(separator)")
    }

    /// The elements of a list; another value as it is.
    func elements(_ value: String) -> [String] {
        type == .list ? value.split(separator: ValueColumn<String>.separator).map(String.init) : [value]
    }

    /// The value as served. The elements of a list have commas between them.
    func joined(_ value: String) -> String { type == .list ? elements(value).joined(separator: ", ") : value }

    /// The value under which facets and the search list a value. A moment is listed by its day.
    func listed(_ value: String) -> String {
        if type == .datetime, isFacet, let day = Day(moment: value) { return day.machineReadable }
        func listed(_ value: String) -> String {
            let short = value.shortened
            return facetValues.first { $0.name == short }?.value ?? short
        }
        guard type == .list else { return listed(value) }
        var size = 0
        let elements = elements(value).map(listed).unique().prefix { element in
            size += element.utf8.count
            return size <= Self.longestList
        }
        return Self.list(elements)
    }

    /// The maximum size of the elements of a list in tables, in bytes.
    private static let longestList = 4_096
}

extension FieldDeclaration {
    /// Converts a served text to the value that pages and tables use; nil for a text that is no moment or duration. A
    /// moment becomes its day, unless `showsTime` is true. A duration becomes milliseconds. Other types keep the text.
    func value(of served: String) -> String? {
        switch type {
        case .datetime:
            let moment = Day(moment: served) == nil ? Day.moment(unix: served) : served
            return showsTime ? moment : moment.map { String($0.prefix(10)) }
        case .duration:
            guard let number = Double(served) else { return nil }
            let milliseconds = (number * 1_000 / Double(divisor)).rounded()
            return (1...1e9).contains(milliseconds) ? "\(Int(milliseconds))" : nil
        default: return served
        }
    }

    /// A served text that is not a number, in a field for numbers; nil for other values and types. A moment or duration
    /// is never such a text, because its element also has a value for machines.
    func nonNumericText(_ record: JSONFields) -> String? {
        guard type == .number || type == .bytes else { return nil }
        let served = record.scalar(path)
        return served.isBlank || Double(served) != nil ? nil : served
    }
}

/// An address with values of a record, such as "iiif/2/{image_id}/full/843,/0/default.jpg".
struct AddressPattern: Sendable {
    private let pattern: TextPattern
    private let values: [(name: String, path: FieldPath)]

    /// - Parameter text: a whole address, or a path below the address of the API.
    init(_ text: String, at path: String, api: String) throws {
        let isWhole = text.prefixMatch(of: /https?:\/\/[^\/{}]+\//) != nil
        pattern = TextPattern(isWhole ? text : "\(api)/\(text)")
        values = try pattern.placeholders.sorted().map { ($0, try DeclarationObject.valuePath($0, at: path)) }
        let plain = TextPattern(text).filled(with: Dictionary(uniqueKeysWithValues: values.map { ($0.name, "x") }))
        try require(
            !values.isEmpty && (isWhole ? WebAddress.isValid(plain) : DeclaredCatalogue.isPlain(plain)), path,
            "is \(text.quoted), which is not an address with values of the record, such as \"images/{image_id}.jpg\"")
    }

    /// The address up to its first value.
    var start: String { pattern.filled(with: [:]) }

    /// The address with the values of a record, each as one segment of a path; empty if a value is missing.
    func filled(with record: JSONFields) -> String {
        let texts = values.map { record.scalar($0.path) }
        guard !texts.contains(where: \.isBlank) else { return "" }
        let segments = zip(values, texts).map { value, text in
            // Segments of dots lead to other folders.
            let isDots = text.utf8.allSatisfy { $0 == "." }
            return (value.name, isDots ? text.replacing(".", with: "%2E") : percentEncoded(text))
        }
        return pattern.filled(with: Dictionary(uniqueKeysWithValues: segments))
    }
}
