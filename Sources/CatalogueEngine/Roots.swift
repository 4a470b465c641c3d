package import Archive
package import Catalogue
import Pages
import Platform

/// A request with parameters, such as a search, from which a capture starts.
package struct Root: Sendable, Equatable {
    package let kind: String
    /// The path and query of the request, relative to the API. Caches need a fixed order of the parameters.
    package let path: String
    /// The values of the placeholders.
    let values: [String: String]

    /// Identifies the root by 40 bits of its path's digest, so it does not depend on the order of roots.
    package var key: RecordKey { RecordKey(kind, Int64(SHA256(of: Array(path.utf8)).words.0 >> 24) | 1) }

    func fill(_ text: String) -> String { text.contains("{") ? TextPattern(text).filled(with: values) : text }
}

/// The rules for the roots of a capture.
package struct RootDeclaration: Sendable {
    let parameters: [Parameter]
    /// The name of the roots' kind, and the path of the request, with placeholders.
    let kind: String
    let path: String
    /// The placeholder of each value of the query; nil for a value that is no placeholder.
    private let placeholders: [String?]

    /// The name of the kind without parameters.
    var family: String { String(kind.prefix { $0 != "-" }) }

    /// - Throws: `ContentFault` if a root with the path could not be found again from its address.
    init(_ object: DeclarationObject, _ parameters: [Parameter]) throws {
        self.parameters = parameters
        kind = try object.text("kind")
        path = try object.text("path")
        let place = object.path("path")
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        try require(
            !parameters.isEmpty && parts.count == 2 && !parts[0].contains("{") && DeclarationObject.isPlainPath(path),
            place, "is not a path with a query such as \"search?term={term}\", or has no parameters")
        let words = Set(parameters.flatMap(\.words))
        let placeholders = try Self.values(parts[1]).map { value -> String? in
            guard value.contains("{") || value.contains("}") else { return nil }
            let name = String(value.dropFirst().dropLast())
            try require(
                value == "{\(name)}" && words.contains(name), place,
                "has \(String(value).quoted), which is not a placeholder of a parameter")
            return name
        }
        self.placeholders = placeholders
        for parameter in parameters {
            // Its placeholders must have another text for each value.
            let isFound = placeholders.compactMap(\.self).contains { name in
                guard case .choices(let choices) = parameter.values else { return name == parameter.name }
                return Set(choices.compactMap { $0[name] }).count == choices.count
            }
            try require(isFound, place, "has no placeholder that is different for each value of \"\(parameter.name)\"")
        }
    }

    /// The names of the placeholders that a root can fill.
    var words: Set<String> { Set(parameters.flatMap(\.words)) }

    /// The values of a query.
    private static func values(_ query: Substring) -> [Substring] {
        query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        }
    }

    /// The maximum number of roots. Some work is done for each pair of them.
    static let most = 10_000

    /// Creates a root. Its parameters are in `values`, without the words of choices.
    private func root(_ values: [String: String]) -> Root {
        var words = values
        for parameter in parameters {
            guard case .choices(let choices) = parameter.values else { continue }
            words.merge(choices.first { $0[parameter.name] == values[parameter.name] } ?? [:]) { $1 }
        }
        return Root(
            kind: TextPattern(kind).filled(with: words.mapValues { $0.lowercased() }),
            path: TextPattern(path).filled(with: words.mapValues(Self.encoded)), values: words)
    }

    /// The root with a path; nil if the path is not that of a root.
    func root(path found: String) -> Root? {
        var values: [String: String] = [:]
        for (placeholder, served) in zip(placeholders, Self.values(found[...])) {
            guard let placeholder, let parameter = parameters.first(where: { $0.words.contains(placeholder) })
            else { continue }
            guard var value = Self.decoded(served) else { return nil }
            if case .choices(let choices) = parameter.values {
                guard let choice = choices.first(where: { $0[placeholder] == value }) else { return nil }
                value = values[parameter.name] ?? choice[parameter.name] ?? ""
            }
            values[parameter.name] = value
        }
        let root = root(values)
        return root.path == found ? root : nil
    }
}

/// The roots of a configuration file: a list of objects with the parameters.
extension RootDeclaration {
    /// - Throws: `ContentFault` for the first error, with its index in the list.
    package func roots(_ json: [UInt8]) throws -> [Root] {
        let names = parameters.map(\.name)
        guard case .list(let elements) = try JSON(declaration: json), (1...Self.most).contains(elements.count) else {
            throw ContentFault("", "is not a list of 1 to \(Self.most) objects such as [{\"\(names[0])\": \"love\"}]")
        }
        var indexes: [String: Int] = [:]
        return try elements.enumerated().map { index, element in
            let object = try DeclarationObject(element, at: "[\(index)]", keys: names)
            let values = try parameters.map { ($0.name, try Self.value($0, object)) }
            let root = root(Dictionary(uniqueKeysWithValues: values))
            if let first = indexes.updateValue(index, forKey: root.path) {
                throw ContentFault("[\(index)]", "is the same as number \(first + 1)")
            }
            return root
        }
    }

    private static func value(_ parameter: Parameter, _ object: DeclarationObject) throws -> String {
        let path = object.path(parameter.name)
        switch parameter.values {
        case .integer(let range, let standard): return "\(try object.integer(parameter.name, range, default: standard))"
        case .choices(let choices):
            let names = choices.compactMap { $0[parameter.name] }
            guard let value = object.value(parameter.name) else { return names[0] }
            if let text = value.text, names.contains(text) { return text }
            throw ContentFault(
                path, "is \(value.text?.quoted ?? "not a string"); allowed: \(names.joined(separator: ", "))")
        case .text:
            let text = try object.text(parameter.name)
            try require(!text.isBlank, path, "is blank")
            try require(text.utf8.count <= 200, path, "is longer than 200 bytes")
            try require(
                text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, path,
                "contains a line break or another control character")
            return text
        }
    }

    /// The roots as the value of the configuration's key.
    package func json(_ roots: [Root]) -> JSON {
        .list(roots.map { root in .object(parameters.map { ($0.name, Self.json(root.values[$0.name] ?? "", $0)) }) })
    }

    private static func json(_ value: String, _ parameter: Parameter) -> JSON {
        guard case .integer = parameter.values, let number = Int(value) else { return .text(value) }
        return .integer(number)
    }

    /// Letters, digits, ".", "-", "_" and "*" stay; a space becomes "+", another byte "%D1" (URL Standard, 5.2).
    private static func encoded(_ text: String) -> String {
        percentEncoded(text).replacing("%20", with: "+").replacing("%2A", with: "*").replacing("~", with: "%7E")
    }

    private static func decoded(_ text: Substring) -> String? {
        percentDecoded(text.utf8.map { $0 == "+" ? " " : $0 }).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
