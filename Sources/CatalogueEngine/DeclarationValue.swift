import Archive
import Catalogue
import Mustache
import Pages

/// A value of a catalogue's declaration. Members keep the order of the file, because the order of kinds, fields and
/// columns is their order on pages.
indirect enum DeclarationValue: Sendable {
    case object([(name: String, value: DeclarationValue)])
    case array([DeclarationValue])
    case text(String)
    case integer(Int)
    case flag(Bool)

    /// - Throws: `ContentFault` if the bytes are not valid JSON.
    init(_ bytes: [UInt8]) throws {
        try JSONSlices.check(bytes)
        let start = bytes.firstIndex { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } ?? 0
        try self.init(bytes, at: start..<bytes.count)
    }

    private init(_ bytes: [UInt8], at range: Range<Int>) throws {
        switch bytes[range.lowerBound] {
        case "{":
            var members: [(name: String, value: DeclarationValue)] = []
            var known: Set<String> = []
            for member in try JSONSlices.memberRanges(in: bytes, at: range) {
                // The name with its quotes, because it can have escapes.
                let quoted = bytes[member.name.lowerBound - 1...member.name.upperBound]
                let name = try JSONDecoding.decode(String.self, from: quoted)
                guard known.insert(name).inserted else { throw ContentFault(name, "exists twice") }
                let value = try ContentFault.inside(name) {
                    try DeclarationValue(bytes, at: member.value)
                }
                members.append((name, value))
            }
            self = .object(members)
        case "[":
            var elements: [DeclarationValue] = []
            for (index, element) in try JSONSlices.elements(of: bytes, at: range).enumerated() {
                let value = try ContentFault.inside("[\(index)]") {
                    try DeclarationValue(bytes, at: element)
                }
                elements.append(value)
            }
            self = .array(elements)
        case "\"": self = .text(try JSONDecoding.decode(String.self, from: bytes[range]))
        default:
            let word = String(decoding: bytes[range], as: UTF8.self).filter { !$0.isWhitespace }
            // 20.0 and 2e1 are integers too, as in JSON Schema.
            let number = Int(word) ?? Double(word).flatMap { Int(exactly: $0) }
            guard let value = number.map({ .integer($0) }) ?? Bool(word).map({ DeclarationValue.flag($0) }) else {
                throw ContentFault("", "is null, or a number that is not an integer; no key allows that")
            }
            self = value
        }
    }
}

extension DeclarationValue {
    /// The object with one more member, unless it has a member of this name.
    func adding(_ value: DeclarationValue, at name: String) -> DeclarationValue {
        guard case .object(let members) = self, !members.contains(where: { $0.name == name }) else { return self }
        return .object(members + [(name, value)])
    }

    /// The value with other texts.
    func mapTexts(_ change: (String) -> String) -> DeclarationValue {
        switch self {
        case .object(let members): .object(members.map { ($0.name, $0.value.mapTexts(change)) })
        case .array(let elements): .array(elements.map { $0.mapTexts(change) })
        case .text(let text): .text(change(text))
        case .integer, .flag: self
        }
    }

    func filled(with words: [String: String]) -> DeclarationValue {
        words.isEmpty ? self : mapTexts { $0.contains("{") ? TextPattern($0).filled(with: words) : $0 }
    }

    /// The keys of the file, of a kind and of a field that only pages and exports use.
    private static let pageKeys = [
        "$schema title language root notFound navigation figures relations complete",
        "htmlTitle count pictures list card row facts summary description alternative search jsonld export template page pageTitle about",
        "label note display most count orderBy facet lists result tone agreesWith format facetAs leftOut history hours",
    ].map { Set($0.split(separator: " ").map(String.init)) }

    /// The digest of everything that decides how records are requested, identified and read as valid. It covers all
    /// keys but those above, so a new key counts until it is added there. The types of texts do not count, because a
    /// capture reads them alike, and derived fields do not, because it does not read them. The title counts, because
    /// records need one, and so does `plural`, the name of imported files.
    var captureDigest: SHA256 { SHA256(of: capturePart(at: []).json.bytes) }

    /// The value without the keys of pages. Members are sorted by name.
    private func capturePart(at path: [String]) -> DeclarationValue {
        if case .array(let elements) = self { return .array(elements.map { $0.capturePart(at: path + [""]) }) }
        guard case .object(let members) = self else { return self }
        let isKindOrField = path.first == "kinds" && (path.count == 2 || path.count == 4 && path[2] == "fields")
        let pageKeys = path.isEmpty || isKindOrField ? Self.pageKeys[path.count / 2] : []
        let isFields = path.first == "kinds" && path.count == 3 && path[2] == "fields"
        let kept = members.filter { name, value in
            if isFields, case .object(let keys) = value,
                case .text(let type)? = keys.first(where: { $0.name == "type" })?.value,
                FieldDeclaration.FieldType(rawValue: type)?.isDerived == true
            {
                return false
            }
            // The number of connections changes only the speed.
            if path == ["request"], name == "connections" { return false }
            guard case .text(let type) = value, name == "type", isKindOrField, path.count == 4 else {
                return !pageKeys.contains(name)
            }
            return !["string", "enum", "date", "hidden"].contains(type)
        }
        return .object(
            kept.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                .map { ($0.name, $0.value.capturePart(at: path + [$0.name])) })
    }
}

/// Reads the members of an object of a declaration. Faults contain the key path from the start of the file.
struct DeclarationObject {
    let path: String
    let members: [(name: String, value: DeclarationValue)]

    init(path: String, members: [(name: String, value: DeclarationValue)]) {
        self.path = path
        self.members = members
    }

    /// - Parameter keys: the allowed keys; nil if every name is allowed.
    /// - Throws: `ContentFault` if the value is not an object, or has an unknown key.
    init(_ value: DeclarationValue, at path: String, keys: [String]?) throws {
        guard case .object(let members) = value else { throw ContentFault(path, "is not an object") }
        self.path = path
        self.members = members
        guard let keys else { return }
        for member in members where !keys.contains(member.name) {
            let advice = Spelling.hint(for: member.name, among: keys)
            throw ContentFault(
                self.path(member.name), "is unknown\(advice); the keys are: \(keys.joined(separator: ", "))")
        }
    }

    func path(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func value(_ key: String) -> DeclarationValue? { members.first { $0.name == key }?.value }

    func text(_ key: String) throws -> String {
        guard let text = try optionalText(key) else { throw ContentFault(path(key), "is missing") }
        return text
    }

    func optionalText(_ key: String) throws -> String? {
        guard let value = value(key) else { return nil }
        return try Self.text(value, path(key))
    }

    func integer(_ key: String, _ range: ClosedRange<Int>, default standard: Int) throws -> Int {
        guard let value = value(key) else { return standard }
        guard case .integer(let number) = value, range.contains(number) else {
            throw ContentFault(path(key), "is not an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func flag(_ key: String, default standard: Bool = false) throws -> Bool {
        guard let value = value(key) else { return standard }
        guard case .flag(let flag) = value else { throw ContentFault(path(key), "is not true or false") }
        return flag
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, default standard: Choice) throws
        -> Choice where Choice.RawValue == String
    {
        try optionalChoice(key, Choice.self) ?? standard
    }

    func optionalChoice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type)
        throws -> Choice? where Choice.RawValue == String
    {
        guard let text = try optionalText(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ContentFault(path(key), "is \(text.quoted); allowed: \(allowed)")
        }
        return choice
    }

    /// The strings of an array, without duplicates.
    func texts(_ key: String) throws -> [String] {
        var texts: [String] = []
        var known: Set<String> = []
        for (index, element) in try elements(key).enumerated() {
            let path = "\(path(key))[\(index)]"
            let text = try Self.text(element, path)
            guard known.insert(text).inserted else { throw ContentFault(path, "is \(text.quoted) again") }
            texts.append(text)
        }
        return texts
    }

    /// The members of an object with string values.
    /// - Parameter named: whether the names have to be names of tables or columns.
    func pairs(_ key: String, named: Bool = false) throws -> [(name: String, value: String)] {
        guard let object = try object(key, keys: nil) else { return [] }
        var pairs: [(name: String, value: String)] = []
        for member in object.members {
            if named { try Self.checkName(member.name, at: object.path(member.name)) }
            pairs.append((member.name, try Self.text(member.value, object.path(member.name))))
        }
        return pairs
    }

    func object(_ key: String, keys: [String]?) throws -> DeclarationObject? {
        guard let value = value(key) else { return nil }
        return try DeclarationObject(value, at: path(key), keys: keys)
    }

    func elements(_ key: String) throws -> [DeclarationValue] {
        guard let value = value(key) else { return [] }
        guard case .array(let elements) = value else { throw ContentFault(path(key), "is not an array") }
        return elements
    }

    private static func text(_ value: DeclarationValue, _ path: String) throws -> String {
        guard case .text(let text) = value else { throw ContentFault(path, "is not a string") }
        guard !text.isEmpty else { throw ContentFault(path, "is empty") }
        return text
    }
}

/// Texts of a certain form. catalogue.schema.json has the same forms as patterns.
extension DeclarationObject {
    /// A path of members of a record or an answer. SQL in exported data contains it, so it has no quotes.
    func fieldPath(_ key: String, steps: ClosedRange<Int> = 1...16) throws -> FieldPath? {
        guard let text = try optionalText(key) else { return nil }
        return try Self.fieldPath(text, at: path(key), steps: steps)
    }

    static func fieldPath(_ text: String, at path: String, steps: ClosedRange<Int> = 1...16) throws
        -> FieldPath
    {
        let found = FieldPath(text)
        let isValid = found.names.allSatisfy { name in
            !name.isEmpty && name.utf8.allSatisfy { isNameByte($0) || isUpper($0) || "$@:-".utf8.contains($0) }
        }
        guard isValid, steps.contains(found.names.count) else {
            throw ContentFault(path, "is \(text.quoted), which is not a path such as \"name\" or \"origin.url\"")
        }
        return found
    }

    /// Checks a name that is part of addresses, of files, and of the names of tables and columns.
    static func checkName(_ name: String, at path: String) throws {
        guard let first = name.utf8.first, ("a"..."z").contains(first), name.utf8.count <= 40,
            name.utf8.allSatisfy(isNameByte)
        else { throw ContentFault(path, "is not a name of up to 40 lower-case letters, digits and underscores") }
    }

    /// Checks that a text has only some characters.
    func text(_ key: String, of isAllowed: (UInt8) -> Bool) throws -> String? {
        guard let text = try optionalText(key) else { return nil }
        guard text.utf8.allSatisfy(isAllowed) else {
            throw ContentFault(path(key), "is \(text.quoted), which has a character that is not allowed")
        }
        return text
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        ("a"..."z").contains(byte) || ("0"..."9").contains(byte) || byte == "_"
    }

    static func isUpper(_ byte: UInt8) -> Bool { ("A"..."Z").contains(byte) }

    /// Whether a path has only characters of addresses, and no slash before it, ".." or empty segments.
    static func isPlainPath(_ text: String) -> Bool {
        text.utf8.allSatisfy { isPathByte($0) || $0 == "?" }
            && (text.split(separator: "?", omittingEmptySubsequences: false).first ?? "")
                .split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// Letters, digits, and the characters that addresses have besides "?" and "#".
    static func isPathByte(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != "?" && byte != "#" }
}

/// Names in words.
extension String {
    /// A name such as "air_date", "berry-firmness" or "featuredMedia" in words: "air date".
    var inWords: String {
        var words = ""
        for character in self {
            if character == "_" || character == "-" {
                words += " "
            } else if character.isUppercase, words.last?.isLowercase == true {
                words += " \(character.lowercased())"
            } else {
                words.append(character)
            }
        }
        return words
    }

    /// A name in words with a capital letter: "Air date".
    var label: String { "\(inWords.prefix(1).uppercased())\(inWords.dropFirst())" }

    /// The usual plural of an English noun. A name that ends with an s is not changed.
    var pluralised: String {
        if hasSuffix("s") || ["media", "data", "metadata", "information", "equipment"].contains(self) { return self }
        if ["x", "ch", "sh"].contains(where: hasSuffix) { return "\(self)es" }
        let beforeY = dropLast().last
        return hasSuffix("y") && beforeY.map({ !"aeiou".contains($0) }) == true ? "\(dropLast())ies" : "\(self)s"
    }
}
