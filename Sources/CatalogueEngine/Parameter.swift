import Catalogue
import Platform

/// A parameter of the roots, or of the names of kinds.
struct Parameter: Sendable {
    enum Values: Sendable {
        case text
        case integer(ClosedRange<Int>, default: Int)
        /// A few values, the default first, each with texts for placeholders such as `{media}` and `{media.entity}`.
        case choices([[String: String]])
    }

    let name: String
    let values: Values

    init(_ name: String, _ value: JSON, at path: String) throws {
        try DeclarationObject.checkName(name, at: path)
        try require(!["kind", "ids", "list"].contains(name), path, "has the same name as another placeholder: \(name)")
        self.name = name
        let any = try DeclarationObject(value, at: path, keys: ["type", "least", "most", "default", "values"])
        let type = any.value("values") == nil ? try any.text("type") : "values"
        let keys = ["values": ["values"], "text": ["type"], "integer": ["type", "least", "most", "default"]][type]
        let object = try DeclarationObject(
            value, at: path, keys: require(keys, any.path("type"), "is not \"text\" or \"integer\""))
        switch type {
        case "values": values = .choices(try Self.choices(object, of: name))
        case "text": values = .text
        default:
            let least = try object.integer("least", 0...1_000_000, default: 1)
            let most = try object.integer("most", least...1_000_000, default: max(least, 1_000))
            values = .integer(least...most, default: try object.integer("default", least...most, default: least))
        }
    }

    private static func choices(_ object: DeclarationObject, of name: String) throws -> [[String: String]] {
        let declared = try object.required("values") { try object.object($0) }
        try require((1...20).contains(declared.members.count), declared.path, "are not 1 to 20 values")
        var choices: [[String: String]] = []
        for (value, _) in declared.members {
            var choice = [name: value]
            for (word, text) in [("", value)] + (try declared.pairs(value, named: true)) {
                let isWord = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.".utf8.contains($0) }
                try require(
                    isWord && (1...40).contains(text.utf8.count),
                    declared.path(value) + (word.isEmpty ? "" : ".\(word)"),
                    "is not 1 to 40 letters, digits and the characters \"_\", \"-\" and \".\"")
                if !word.isEmpty { choice["\(name).\(word)"] = text }
            }
            let hasSameWords = choice.keys == choices.first?.keys ?? choice.keys
            try require(hasSameWords, declared.path(value), "has other words than the first value")
            choices.append(choice)
        }
        return choices
    }

    /// Whether the parameter has all values of an earlier one, with the same words.
    func covers(_ earlier: Parameter) -> Bool {
        guard name == earlier.name else { return false }
        switch (values, earlier.values) {
        case (.text, .text), (.integer, .integer): return true
        case (.choices(let own), .choices(let old)): return old.allSatisfy(own.contains)
        default: return false
        }
    }

    /// The names of the placeholders that have values.
    var words: Set<String> { if case .choices(let choices) = values { Set(choices.flatMap(\.keys)) } else { [name] } }
}
