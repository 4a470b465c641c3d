import Catalogue
import Pages

/// A field of a kind's records.
final class FieldDeclaration: Sendable {
    enum FieldType: String, CaseIterable, Sendable {
        case string
        /// A text of a few values, which the texts of a language can translate.
        case `enum`
        case date
        /// The address of a record of another kind.
        case reference
        /// An array of addresses of records of another kind.
        case references
        case image
        /// A value that is only in the history and in exports.
        case hidden

        /// Whether pages show the value as a text.
        var isText: Bool { self == .string || self == .enum || self == .date }
    }

    enum Display: String, CaseIterable, Sendable {
        case rows, cards
    }

    let name: String
    let type: FieldType
    let path: FieldPath
    /// The text for the field's name.
    let label: TextDeclaration
    /// The kind of the records that it refers to.
    let target: String?
    /// The member of that kind that refers back.
    let answers: String?
    /// The path of a reference's text.
    let text: FieldPath?
    /// The field of the record that it refers to, which is shown beside its name.
    let note: String?
    let display: Display
    /// The maximum number of rows on a page.
    let most: Int
    /// The plural text for the number of records that it refers to.
    let count: TextDeclaration?
    let isFacet: Bool
    /// Whether results of a search show it.
    let isInResults: Bool
    /// The classes for the colours of values. The class for "*" is that of all other values.
    let tones: [(value: String, tone: String)]
    /// The field that selects the form of a translated value, such as the gender.
    let agreesWith: String?
    /// The literal texts around the parts of a formatted value: "S{season}E{number}". The parts are digits.
    let format: ValueFormat?

    private static let referenceKeys = ["to", "answers", "text", "note", "display", "most", "count"]
    private static let keys =
        ["type", "path", "label"] + referenceKeys + ["facet", "result", "tone", "agreesWith", "format"]

    init(_ name: String, _ value: DeclarationValue, at path: String, kinds: [String]) throws(ContentFault) {
        let object = try DeclarationObject(value, at: path, keys: Self.keys)
        try DeclarationObject.checkName(name, at: path)
        self.name = name
        type = try object.choice("type", default: .string)
        self.path = try object.fieldPath("path") ?? FieldPath(name)
        label = TextDeclaration(try object.optionalText("label") ?? name)
        target = try object.optionalText("to")
        if let target, !kinds.contains(target) {
            throw ContentFault(object.path("to"), "is \(target.quoted), which is not one of the lists")
        }
        let isReference = type == .reference || type == .references
        if isReference, target == nil { throw ContentFault(object.path("to"), "is missing") }
        for key in Self.referenceKeys where !isReference && object.value(key) != nil {
            throw ContentFault(object.path(key), "is only for the types reference and references")
        }
        answers = try object.optionalText("answers")
        text = try object.fieldPath("text")
        note = try object.optionalText("note")
        display = try object.choice("display", default: .rows)
        most = try object.integer("most", 1...1_000, default: display == .cards ? 500 : 1_000)
        count = try object.optionalText("count").map { TextDeclaration(plural: $0) }
        if type == .references, count == nil { throw ContentFault(object.path("count"), "is missing") }
        isFacet = try object.flag("facet")
        guard !isFacet || type.isText else {
            throw ContentFault(object.path("facet"), "is only for the types string, enum and date")
        }
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
