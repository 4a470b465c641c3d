import Catalogue

/// A parameter of the roots, or of the names of kinds.
struct Parameter: Sendable {
    /// A value, and further texts by their names, such as "entity".
    typealias Choice = (value: String, words: [(name: String, value: String)])

    enum Values: Sendable {
        case text
        case integer(ClosedRange<Int>, default: Int)
        /// A few values, the default first.
        case choices([Choice])
    }

    let name: String
    let values: Values

    init(_ name: String, _ value: DeclarationValue, at path: String) throws {
        try DeclarationObject.checkName(name, at: path)
        guard !["kind", "ids", "list"].contains(name) else {
            throw ContentFault(path, "has the same name as another placeholder: \(name)")
        }
        self.name = name
        let any = try DeclarationObject(value, at: path, keys: ["type", "least", "most", "default", "values"])
        guard any.value("values") == nil else {
            values = .choices(try Self.choices(try DeclarationObject(value, at: path, keys: ["values"])))
            return
        }
        guard try any.text("type") == "integer" else {
            guard try DeclarationObject(value, at: path, keys: ["type"]).text("type") == "text" else {
                throw ContentFault(any.path("type"), "is not \"text\" or \"integer\"")
            }
            values = .text
            return
        }
        let object = try DeclarationObject(value, at: path, keys: ["type", "least", "most", "default"])
        let least = try object.integer("least", 0...1_000_000, default: 1)
        let most = try object.integer("most", least...1_000_000, default: max(least, 1_000))
        values = .integer(least...most, default: try object.integer("default", least...most, default: least))
    }

    private static func choices(_ object: DeclarationObject) throws -> [Choice] {
        guard let declared = try object.object("values", keys: nil), (1...20).contains(declared.members.count) else {
            throw ContentFault(object.path("values"), "are not 1 to 20 values")
        }
        var choices: [Choice] = []
        for member in declared.members {
            let words = try declared.pairs(member.name, named: true)
            for (name, text) in [("", member.name)] + words where !isWord(text) {
                throw ContentFault(
                    declared.path(member.name) + (name.isEmpty ? "" : ".\(name)"),
                    "is not 1 to 40 letters, digits and the characters \"_\", \"-\" and \".\"")
            }
            guard Set(words.map(\.name)) == Set((choices.first?.words ?? words).map(\.name)) else {
                throw ContentFault(declared.path(member.name), "has other words than the first value")
            }
            choices.append((member.name, words))
        }
        return choices
    }

    /// Whether a text can be a part of names and addresses.
    private static func isWord(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                DeclarationObject.isNameByte($0) || DeclarationObject.isUpper($0) || "-.".utf8.contains($0)
            }
    }

    /// Whether the parameter has all values of an earlier one, with the same words.
    func covers(_ earlier: Parameter) -> Bool {
        guard name == earlier.name else { return false }
        switch (values, earlier.values) {
        case (.text, .text), (.integer, .integer): return true
        case (.choices(let own), .choices(let old)):
            return old.allSatisfy { old in
                own.contains { Self.words(name, $0) == Self.words(name, old) }
            }
        default: return false
        }
    }

    /// The names of the placeholders of parameters.
    static func words(of parameters: [Parameter]) -> Set<String> {
        Set(
            parameters.flatMap { parameter -> [String] in
                guard case .choices(let choices) = parameter.values else { return [parameter.name] }
                return choices.flatMap { words(parameter.name, $0).keys }
            })
    }

    /// The values for placeholders that a choice gives: `{media}` and `{media.entity}`.
    static func words(_ name: String, _ choice: Choice) -> [String: String] {
        choice.words.reduce(into: [name: choice.value]) { $0["\(name).\($1.name)"] = $1.value }
    }
}
