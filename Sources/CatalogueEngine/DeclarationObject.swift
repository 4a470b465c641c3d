import Catalogue
import Mustache
import Platform

/// - Throws: `ContentFault` with a key path, unless a condition holds.
func require(_ isValid: Bool, _ path: @autoclosure () -> String, _ reason: @autoclosure () -> String) throws {
    guard isValid else { throw ContentFault(path(), reason()) }
}

/// - Throws: `ContentFault` with a key path if the value is nil.
func require<Value>(_ value: Value?, _ path: @autoclosure () -> String, _ reason: @autoclosure () -> String) throws
    -> Value
{
    guard let value else { throw ContentFault(path(), reason()) }
    return value
}

/// Reads the members of an object of a declaration. Faults contain the key path from the start of the file.
struct DeclarationObject {
    let path: String
    let members: [JSON.Member]
    /// The keys whose values are those of the object "list".
    var shared: [String] = []
}

extension DeclarationObject {
    /// - Parameter keys: the allowed keys; nil if every name is allowed.
    /// - Throws: `ContentFault` if the value is not an object, or has an unknown key.
    init(_ value: JSON, at path: String, keys: [String]? = nil) throws {
        guard case .object(let members) = value else { throw ContentFault(path, "is not an object") }
        self.init(path: path, members: members)
        guard let keys else { return }
        for (key, _) in members where !keys.contains(key) {
            let advice = Spelling.hint(for: key, among: keys)
            throw ContentFault(self.path(key), "is unknown\(advice); the keys are: \(keys.joined(separator: ", "))")
        }
    }

    func path(_ key: String) -> String { shared.contains(key) ? "list.\(key)" : path.isEmpty ? key : "\(path).\(key)" }

    func value(_ key: String) -> JSON? { members.first { $0.key == key }?.value }

    func text(_ key: String) throws -> String { try required(key, optionalText) }

    func required<Value>(_ key: String, _ read: (String) throws -> Value?) throws -> Value {
        try require(read(key), path(key), "is missing")
    }

    func optionalText(_ key: String) throws -> String? { try value(key).map { try Self.text($0, path(key)) } }

    static func text(_ value: JSON, _ path: String) throws -> String {
        guard case .text(let text) = value else { throw ContentFault(path, "is not a string") }
        try require(!text.isEmpty, path, "is empty")
        return text
    }

    func integer(_ key: String, _ range: ClosedRange<Int>, default standard: Int) throws -> Int {
        try optionalInteger(key, range) ?? standard
    }

    func optionalInteger(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
        try read(key, "an integer from \(range.lowerBound) to \(range.upperBound)") { value in
            value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func flag(_ key: String, default standard: Bool = false) throws -> Bool {
        try read(key, "true or false") { $0.text == nil ? $0.scalar.flatMap(Bool.init) : nil } ?? standard
    }

    private func read<Value>(_ key: String, _ wanted: String, _ value: (JSON) -> Value?) throws -> Value? {
        try self.value(key).map { try require(value($0), path(key), "is not \(wanted)") }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: Choice.Type) throws -> Choice? {
        guard let text = try optionalText(key) else { return nil }
        return try require(
            Choice(rawValue: text), path(key),
            "is \(text.quoted); allowed: \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }

    func object(_ key: String, keys: [String]? = nil) throws -> DeclarationObject? {
        try value(key).map { try DeclarationObject($0, at: path(key), keys: keys) }
    }

    /// The elements of an array, each with its key path.
    func elements(_ key: String, most: Int = .max) throws -> [(value: JSON, path: String)] {
        let elements = try read(key, "an array", \.elements) ?? []
        try require(elements.count <= most, path(key), "has more than the \(most) \(key) allowed")
        return elements.enumerated().map { ($1, "\(path(key))[\($0)]") }
    }

    /// The strings of an array, without duplicates.
    /// - Parameter fault: why a string cannot be in the array; nil if it can.
    func texts(_ key: String, most: Int = .max, unless fault: (String) -> String? = { _ in nil }) throws -> [String] {
        var known: Set<String> = []
        return try elements(key, most: most).map { element, path in
            let text = try Self.text(element, path)
            try require(known.insert(text).inserted, path, "is \(text.quoted) again")
            if let fault = fault(text) { throw ContentFault(path, "is \(text.quoted), \(fault)") }
            return text
        }
    }

    /// The members of an object with string values.
    /// - Parameter named: whether the names have to be names of tables or columns.
    func pairs(_ key: String, named: Bool = false) throws -> [(name: String, value: String)] {
        guard let object = try object(key) else { return [] }
        return try object.members.map { name, value in
            if named { try Self.checkName(name, at: object.path(name)) }
            return (name, try Self.text(value, object.path(name)))
        }
    }
}

/// Texts of a certain form. catalogue.schema.json has the same forms as patterns.
extension DeclarationObject {
    /// A path of members of a record or an answer. SQL in exported data contains it, so it has no quotes.
    func fieldPath(_ key: String, steps: ClosedRange<Int> = 1...16) throws -> FieldPath? {
        try optionalText(key).map { try Self.fieldPath($0, at: path(key), steps: steps) }
    }

    /// A path that can lead through arrays.
    func valuePath(_ key: String) throws -> FieldPath? {
        try optionalText(key).map { try Self.valuePath($0, at: path(key)) }
    }

    /// The maximum number of bytes of a path. Reading a path takes a level of the stack for each array.
    private static let longestPath = 2_048

    private static func checkLength(_ text: String, at path: String) throws {
        try require(text.utf8.count <= longestPath, path, "is longer than \(longestPath) bytes")
    }

    static func valuePath(_ text: String, at path: String) throws -> FieldPath {
        try checkLength(text, at: path)
        // `try?`, because a path that is not plain has the other form. Matching it takes longer.
        if let plain = try? fieldPath(text, at: path) { return plain }
        try require(
            "\(text).".wholeMatch(of: valuePathForm) != nil, path,
            "is \(text.quoted), which is not a path such as \"name\", \"origin.url\", \"at[0]\" or "
                + "\"names[lang=en].name\"")
        return FieldPath(text)
    }

    /// A path with a dot after each step. The path of a condition has no conditions. catalogue.schema.json has the same
    /// form. It is unsafe only because `Regex` is not `Sendable`, although nothing changes it.
    private nonisolated(unsafe) static let valuePathForm =
        #/
        (?: [\w$@:\-]+
        (?:\[ (?:\d{1,4} | [\w$@:\-]+(?:\[\])? (?:\.[\w$@:\-]+(?:\[\])?){0,15} = [\w$@:.\-]+)? \])? \. ){1,16}
        /#.asciiOnlyWordCharacters().asciiOnlyDigits()

    static func fieldPath(_ text: String, at path: String, steps: ClosedRange<Int> = 1...16) throws -> FieldPath {
        try checkLength(text, at: path)
        let found = FieldPath(text)
        try require(
            found.elements == nil && found.names.allSatisfy(\.isPathName) && steps.contains(found.names.count), path,
            "is \(text.quoted), which is not a path such as \"name\" or \"origin.url\"")
        return found
    }

    /// Checks a name. It becomes part of URLs and file names, or the name of a table or column.
    static func checkName(_ name: String, at path: String) throws {
        try require(name.isFieldName, path, "is not a name of up to 40 lower-case letters, digits and underscores")
    }

    /// The text of a key, which may have only the allowed bytes; nil if it is missing.
    /// - Parameter allowed: the allowed characters, for the message.
    func text(_ key: String, _ allowed: String, of isAllowed: (UInt8) -> Bool) throws -> String? {
        guard let text = try optionalText(key) else { return nil }
        try require(text.utf8.allSatisfy(isAllowed), path(key), "is \(text.quoted), which may have only \(allowed)")
        return text
    }

    static func isNameByte(_ byte: UInt8) -> Bool { byte.isSmallLetter || byte.isDigit || byte == "_" }

    /// Whether a path has only characters of URLs, does not start with a slash, and has no empty, "." or ".." segments.
    static func isPlainPath(_ text: String) -> Bool {
        text.utf8.allSatisfy { isPathByte($0) || $0 == "?" } && text.utf8.prefix { $0 != "?" }.hasPlainSegments
    }

    /// Letters, digits, and the characters that addresses have besides "?" and "#".
    static func isPathByte(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != "?" && byte != "#" }
}

extension String {
    /// Whether it can be a name of a path in a declaration.
    package var isPathName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || "_$@:-".utf8.contains($0) }
    }

    /// Whether it can be the name of a field.
    package var isFieldName: Bool {
        utf8.first?.isSmallLetter == true && utf8.count <= 40 && utf8.allSatisfy(DeclarationObject.isNameByte)
    }

    /// The parts of a reference such as "character.origin", before and after its first dot.
    var atDot: (start: String, rest: String?) {
        let parts = split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    /// A name such as "air_date", "berry-firmness", "featuredMedia" or "galleryID" in words: "air date", "gallery ID".
    package var inWords: String {
        var words = ""
        for (index, character) in zip(indices, self).drop(while: { $1 == "_" || $1 == "-" }) {
            if character == "_" || character == "-" {
                words += " "
            } else if character.isUppercase, words.last?.isLowercase == true {
                let isAbbreviation = self[index...].dropFirst().first?.isUppercase ?? true
                words += " \(isAbbreviation ? String(character) : character.lowercased())"
            } else {
                words.append(character)
            }
        }
        return words
    }

    /// A name in words with a capital letter: "Air date".
    package var label: String { "\(inWords.prefix(1).uppercased())\(inWords.dropFirst())" }

    /// The usual plural of an English noun. A name that ends with an s is not changed.
    package var pluralised: String {
        let same = ["media", "data", "metadata", "information", "equipment", "people", "children"]
        if hasSuffix("s") || same.contains(self) { return self }
        if ["x", "ch", "sh"].contains(where: hasSuffix) { return "\(self)es" }
        let beforeY = dropLast().last
        return hasSuffix("y") && beforeY.map({ !"aeiou".contains($0) }) == true ? "\(dropLast())ies" : "\(self)s"
    }

    /// The usual singular of an English noun. A name that may be no plural is not changed.
    package var singularised: String {
        let isSingular = !hasSuffix("s") || ["ss", "us", "is", "series", "species", "news"].contains(where: hasSuffix)
        if isSingular { return self }
        if hasSuffix("ies"), !["movies", "cookies", "calories", "zombies"].contains(where: hasSuffix) {
            return "\(dropLast(3))y"
        }
        return String(dropLast(["xes", "ches", "shes", "sses", "tuses", "nuses"].contains(where: hasSuffix) ? 2 : 1))
    }

    /// The words of a slug: "Red Fox" for "red-fox". Letters with at least two digits are an abbreviation: "TM01".
    var slugInWords: String {
        split(separator: "-").map { word in
            let isCode = word.utf8.count <= 5 && word.utf8.suffix(2).allSatisfy(\.isDigit)
            return isCode ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
        }.joined(separator: " ")
    }
}
