import Catalogue
import Pages

/// A field of a kind's records.
final class FieldDeclaration: Sendable {
    enum FieldType: String, CaseIterable, Sendable {
        case string
        /// A text of a few values, which the texts of a language can translate.
        case `enum`
        /// A day such as "December 2, 2013", as served.
        case date
        /// A moment such as "2010-03-05T08:00:00Z", shown as a day in the page's language.
        case datetime
        /// A number of milliseconds.
        case duration
        /// A number of bytes.
        case bytes
        /// An average from 0 to 5. Another member has the number of ratings.
        case rating
        case url
        /// A text of several paragraphs.
        case prose
        /// A text with HTML elements, which pages show without scripts and styles.
        case html
        /// An array of strings.
        case list
        /// Links to other sites, which an extension finds.
        case links
        /// The records in the answer of a root, such as the results of a search.
        case results
        /// The roots whose answers have the record.
        case roots
        /// The address of a record of another kind.
        case reference
        /// An array of addresses of records of another kind.
        case references
        /// The records of another kind that refer to this record.
        case inverse
        /// The records of the same kind that share the most references with this record.
        case together
        case image
        /// A value that is only in the history and in exports.
        case hidden

        /// Whether pages show the value as a text.
        var isText: Bool {
            switch self {
            case .string, .enum, .date, .datetime, .duration, .bytes, .rating, .list, .url: true
            case .prose, .html, .links, .results, .roots, .reference, .references, .inverse, .together, .image,
                .hidden:
                false
            }
        }

        /// Whether the value is computed from other records.
        var isDerived: Bool { self == .inverse || self == .together }
    }

    enum Display: String, CaseIterable, Sendable {
        case rows, cards
    }

    let name: String
    let type: FieldType
    let path: FieldPath
    /// The path of the value of records that have none at `path`.
    let otherPath: FieldPath?
    /// The value of all records, instead of one at a path. It can have placeholders for the parameters of a root.
    let value: String?
    /// The function of the catalogue's extension that finds the value.
    let function: CatalogueExtension.Function?
    /// Whether pages of changes show the member.
    let isInHistory: Bool
    /// Whether a duration is in hours and minutes, and not in minutes and seconds.
    let isInHours: Bool
    /// The path of the number of ratings.
    let votes: FieldPath?
    /// The text for the field's name.
    let label: TextDeclaration
    /// The kind of the records that it refers to.
    let target: String?
    /// The field of the kind `target` from which a derived field is computed.
    let source: String?
    /// The field of the other kind whose number of references decides the order, the largest number first.
    let orderBy: String?
    /// The member of that kind that refers back.
    let answers: String?
    /// The values of a reference that mean that there is no record, such as "0".
    let none: [String]
    /// The path of a reference's text. For the elements of results and hidden values, it is the path of their names.
    let text: FieldPath?
    /// The field of the record that it refers to, which is shown beside its name.
    let note: String?
    let display: Display
    /// The maximum number of rows on a page.
    let most: Int
    /// The plural text for the number of records that it refers to.
    let count: TextDeclaration?
    let isFacet: Bool
    /// Whether each of its values has a list, but no filter.
    let isListed: Bool
    /// Whether results of a search show it.
    let isInResults: Bool
    /// The classes for the colours of values. The class for "*" is that of all other values.
    let tones: [(value: String, tone: String)]
    /// The field that selects the form of a translated value, such as the gender.
    let agreesWith: String?
    /// The values under which facets list other values, such as a list "not explicit" for clean edits.
    let facetValues: [(name: String, value: String)]
    /// The plural text for the number of results that a root leaves out.
    let leftOut: TextDeclaration?
    /// The literal texts around the parts of a formatted value: "S{season}E{number}". The parts are digits.
    let format: ValueFormat?

    private static let referenceKeys = ["to", "answers", "text", "note", "display", "most", "count"]
    private static let keys =
        ["type", "path", "label"] + referenceKeys + [
            "facet", "result", "tone", "agreesWith", "format", "or", "value", "function", "history", "hours", "votes",
            "facetAs", "leftOut", "of", "orderBy", "lists", "none",
        ]

    init(_ name: String, _ declared: DeclarationValue, at path: String, kinds: [String]) throws {
        let object = try DeclarationObject(declared, at: path, keys: Self.keys)
        try DeclarationObject.checkName(name, at: path)
        self.name = name
        type = try object.choice("type", default: .string)
        let isReference = type == .reference || type == .references
        let isOfRoots = type == .results || type == .roots
        func refuse(_ keys: [String], unless isAllowed: Bool, _ types: String) throws {
            for key in keys where !isAllowed && object.value(key) != nil {
                throw ContentFault(object.path(key), "is only for \(types)")
            }
        }
        let isHidden = type == .hidden
        let ownKeys = isHidden ? ["text"] : type == .inverse ? ["most", "count"] : type == .together ? ["most"] : []
        let keys = Self.referenceKeys.filter { !ownKeys.contains($0) }
        try refuse(keys, unless: isReference || isOfRoots, "fields that refer to records")
        try refuse(["answers", "note", "display"], unless: isReference, "the types reference and references")
        try refuse(["of"], unless: type.isDerived, "the types inverse and together")
        try refuse(["path", "or", "history"], unless: !type.isDerived, "values of the record itself")
        try refuse(["orderBy"], unless: type == .references, "the type references")
        try refuse(["none"], unless: type == .reference, "the type reference")
        try refuse(["leftOut"], unless: type == .results, "the type results")
        try refuse(["hours"], unless: type == .duration, "the type duration")
        try refuse(["votes"], unless: type == .rating, "the type rating")
        try refuse(["facet"], unless: type.isText, "fields with a text")
        try refuse(["value"], unless: type == .string || type == .enum, "the types string and enum")
        self.path = try object.fieldPath("path") ?? FieldPath(name)
        otherPath = try object.fieldPath("or")
        if case .text("")? = object.value("value") { value = "" } else { value = try object.optionalText("value") }
        function = try object.optionalChoice("function", CatalogueExtension.Function.self)
        if let function, function.type != type || value != nil {
            throw ContentFault(object.path("function"), "is only for the type \(function.type.rawValue)")
        }
        try refuse(["path", "or"], unless: value == nil, "fields without a value of their own")
        let withOther: [FieldType] = [.datetime, .url, .prose, .html, .image]
        try refuse(["or"], unless: withOther.contains(type), "dates, addresses and long texts")
        isInHistory = try object.flag(
            "history", default: value == nil && function == nil && type != .roots && !type.isDerived)
        isInHours = try object.flag("hours")
        votes = try object.fieldPath("votes")
        if type == .rating, votes == nil { throw ContentFault(object.path("votes"), "is missing") }
        if type == .links, function == nil { throw ContentFault(object.path("function"), "is missing") }
        label = TextDeclaration(
            try object.optionalText("label") ?? name,
            standard: object.value("label") == nil ? (type == .references ? name.pluralised : name).label : nil)
        var of: [String] = []
        if type.isDerived { of = try object.text("of").split(separator: ".", maxSplits: 1).map(String.init) }
        if type.isDerived, of.count < 2 || !kinds.contains(of[0]) {
            throw ContentFault(object.path("of"), "is not a kind and one of its fields, such as \"character.origin\"")
        }
        source = of.last
        target = try of.isEmpty ? object.optionalText("to") : of[0]
        orderBy = try object.optionalText("orderBy")
        if let target, !kinds.contains(target) {
            throw ContentFault(object.path("to"), "is \(target.quoted), which is not one of the kinds")
        }
        if isReference || isOfRoots, target == nil { throw ContentFault(object.path("to"), "is missing") }
        answers = try object.optionalText("answers")
        var none: [String] = []
        for (index, value) in try object.elements("none").enumerated() {
            switch value {
            case .text(let text): none.append(text)
            case .integer(let number): none.append("\(number)")
            default: throw ContentFault("\(object.path("none"))[\(index)]", "is not a string or an integer")
            }
        }
        self.none = none
        text = try object.fieldPath("text")
        note = try object.optionalText("note")
        display = try object.choice("display", default: .rows)
        let usual = type == .together ? 10 : display == .cards || type == .inverse ? 500 : 1_000
        most = try object.integer("most", 1...1_000, default: usual)
        count =
            try object.optionalText("count").map { TextDeclaration(plural: $0) }
            ?? ([.references, .results, .inverse].contains(type)
                ? TextDeclaration(plural: "\(name)References", standard: "{count} \(name.pluralised.inWords)") : nil)
        leftOut = try object.optionalText("leftOut").map { TextDeclaration(plural: $0) }
        isFacet = try object.flag("facet")
        isListed = try object.flag("lists")
        try refuse(["lists"], unless: type == .string && !isFacet, "texts that are no facet")
        facetValues = try object.pairs("facetAs")
        let words: [FieldType] = [.string, .enum, .list]
        try refuse(["facetAs"], unless: isFacet && words.contains(type), "facets of the types string, enum and list")
        isInResults = try object.flag("result", default: true)
        tones = try object.pairs("tone").map { (value: $0.name, tone: $0.value) }
        agreesWith = try object.optionalText("agreesWith")
        if let text = try object.optionalText("format") {
            guard let format = ValueFormat(text) else {
                throw ContentFault(object.path("format"), "is not a format such as \"S{season}E{number}\"")
            }
            self.format = format
        } else {
            format = nil
        }
    }
}

extension FieldDeclaration {
    /// Whether values have lists.
    var hasLists: Bool { isFacet || isListed }

    /// The value under which facets and the search list a value.
    func listed(_ value: String) -> String { facetValues.first { $0.name == value }?.value ?? value }

    func tone(_ value: String) -> String {
        tones.first { $0.value == value }?.tone ?? tones.first { $0.value == "*" }?.tone ?? ""
    }
}

/// A format such as "S{season}E{number}": literal texts and named parts that consist of digits.
struct ValueFormat: Sendable {
    private let literals: [String]
    let parts: [String]

    /// - Returns: nil if there is no part, two parts follow one another, or a brace or the name of a part is invalid.
    init?(_ format: String) {
        var literals = [""]
        var parts: [String] = []
        var rest = format[...]
        while let open = rest.firstIndex(of: "{") {
            literals[literals.count - 1] += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}"), parts.isEmpty || !literals[literals.count - 1].isEmpty
            else { return nil }
            let part = rest[rest.index(after: open)..<close]
            guard !part.isEmpty, part.utf8.allSatisfy(DeclarationObject.isNameByte) else { return nil }
            parts.append(String(part))
            literals.append("")
            rest = rest[rest.index(after: close)...]
        }
        literals[literals.count - 1] += rest
        guard !parts.isEmpty, !literals.contains(where: { $0.contains("}") }) else { return nil }
        self.literals = literals
        self.parts = parts
    }

    /// The numbers of the parts; nil if the text has another format.
    func numbers(in text: String) -> [Int]? {
        var rest = text.utf8[...]
        var numbers: [Int] = []
        for (index, literal) in literals.enumerated() {
            guard rest.starts(with: literal.utf8) else { return nil }
            rest = rest.dropFirst(literal.utf8.count)
            guard index < parts.count else { break }
            let digits = rest.prefix { (48...57).contains($0) }
            guard let number = Int(Substring(digits)) else { return nil }
            numbers.append(number)
            rest = rest.dropFirst(digits.count)
        }
        return rest.isEmpty ? numbers : nil
    }
}
