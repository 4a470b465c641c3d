package import Archive
package import Catalogue
import Pages

/// A call with parameters, such as a search, from which a capture starts.
package struct Root: Sendable, Equatable {
    package let kind: String
    /// The path and query of the request, relative to the API's address. The order of the parameters is fixed, because
    /// caches distinguish addresses by it.
    package let path: String
    /// The values of the placeholders.
    let values: [String: String]

    /// Identifies the root by 40 bits of its path's digest, so it does not depend on the order of roots.
    package var key: RecordKey { RecordKey(kind, Int64(SHA256(of: Array(path.utf8)).words.0 >> 24) | 1) }

    func fill(_ text: String) -> String { text.contains("{") ? TextPattern(text).filled(with: values) : text }
}

/// The rules for the calls from which a capture starts.
package struct RootDeclaration: Sendable {
    let parameters: [Parameter]
    /// The name of the roots' kind, and the path of a call, with placeholders.
    let kind: String
    let path: String

    /// The name of the kind without parameters.
    var family: String { String(kind.prefix { $0 != "-" }) }

    /// - Throws: `ContentFault` if a root with the path could not be found again from its address.
    init(_ object: DeclarationObject, _ parameters: [Parameter]) throws {
        self.parameters = parameters
        kind = try object.text("kind")
        path = try object.text("path")
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parameters.isEmpty, parts.count == 2, !parts[0].contains("{"), DeclarationObject.isPlainPath(path) else {
            throw ContentFault(
                object.path("path"), "is not a path with a query such as \"search?term={term}\", or has no parameters")
        }
        var found: Set<String> = []
        let words = words
        for pair in parts[1].split(separator: "&", omittingEmptySubsequences: false) {
            let value = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
            guard value.contains("{") || value.contains("}") else { continue }
            let name = String(value.dropFirst().dropLast())
            guard value == "{\(name)}", words.contains(name) else {
                throw ContentFault(
                    object.path("path"), "has \(String(value).quoted), which is not a placeholder of a parameter")
            }
            found.insert(name)
        }
        for parameter in parameters where !isFound(parameter, by: found) {
            throw ContentFault(
                object.path("path"), "has no placeholder that is different for each value of \"\(parameter.name)\"")
        }
    }

    /// Whether the placeholders have another text for each value of a parameter.
    private func isFound(_ parameter: Parameter, by placeholders: Set<String>) -> Bool {
        guard case .choices(let choices) = parameter.values else { return placeholders.contains(parameter.name) }
        return placeholders.contains { name in
            let texts = choices.compactMap { Parameter.words(parameter.name, $0)[name] }
            return texts.count == choices.count && Set(texts).count == choices.count
        }
    }

    /// The names of the placeholders that a root can fill.
    var words: Set<String> { Parameter.words(of: parameters) }

    /// The maximum number of roots. Some work is done for each pair of them.
    static let most = 10_000

    /// Creates a root. Its parameters are in `values`, without the words of choices.
    private func root(_ values: [String: String]) -> Root {
        var words = values
        for parameter in parameters {
            guard case .choices(let choices) = parameter.values,
                let choice = choices.first(where: { $0.value == values[parameter.name] })
            else { continue }
            words.merge(Parameter.words(parameter.name, choice)) { $1 }
        }
        return Root(
            kind: TextPattern(kind).filled(with: words.mapValues { $0.lowercased() }),
            path: TextPattern(path).filled(with: words.mapValues(Self.encoded)), values: words)
    }

    /// The root with a path; nil if the path is not that of a root.
    func root(path found: String) -> Root? {
        func pairs(_ text: String) -> [[Substring]] {
            text.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        }
        var values: [String: String] = [:]
        for (declared, own) in zip(pairs(path), pairs(found)) {
            guard declared.count == 2, own.count == 2, let value = Self.decoded(own[1]) else { return nil }
            let placeholder = declared[1].dropFirst().dropLast().split(separator: ".").map(String.init)
            guard let parameter = parameters.first(where: { $0.name == placeholder.first }) else { continue }
            guard case .choices(let choices) = parameter.values else {
                values[parameter.name] = value
                continue
            }
            let choice = choices.first { choice in
                Parameter.words(parameter.name, choice)[placeholder.joined(separator: ".")] == value
            }
            guard let choice else { return nil }
            values[parameter.name] = values[parameter.name] ?? choice.value
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
        guard case .array(let elements) = try DeclarationValue(json), (1...Self.most).contains(elements.count) else {
            throw ContentFault(
                "", "is not a list of 1 to \(Self.most) objects such as [{\"\(names[0])\": \"love\"}]")
        }
        var roots: [Root] = []
        var indexes: [String: Int] = [:]
        for (index, element) in elements.enumerated() {
            let object = try DeclarationObject(element, at: "[\(index)]", keys: names)
            var values: [String: String] = [:]
            for parameter in parameters { values[parameter.name] = try Self.value(parameter, object) }
            let root = root(values)
            if let first = indexes.updateValue(index, forKey: root.path) {
                throw ContentFault("[\(index)]", "is the same as number \(first + 1)")
            }
            roots.append(root)
        }
        return roots
    }

    private static func value(_ parameter: Parameter, _ object: DeclarationObject) throws -> String {
        let path = object.path(parameter.name)
        switch parameter.values {
        case .integer(let range, let standard):
            return "\(try object.integer(parameter.name, range, default: standard))"
        case .choices(let choices):
            guard let value = object.value(parameter.name) else { return choices[0].value }
            var found = "not a string"
            if case .text(let text) = value {
                if choices.contains(where: { $0.value == text }) { return text }
                found = text.quoted
            }
            throw ContentFault(path, "is \(found); allowed: \(choices.map(\.value).joined(separator: ", "))")
        case .text:
            let text = try object.text(parameter.name)
            guard !text.isBlank else { throw ContentFault(path, "is blank") }
            guard text.utf8.count <= 200 else { throw ContentFault(path, "is longer than 200 bytes") }
            guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                throw ContentFault(path, "contains a line break or another control character")
            }
            return text
        }
    }

    /// The roots as the value of the configuration's key.
    package func json(_ roots: [Root]) -> JSON {
        .list(
            roots.map { root in
                .object(
                    parameters.map { parameter in
                        let value = root.values[parameter.name] ?? ""
                        guard case .integer = parameter.values, let number = Int(value) else {
                            return (parameter.name, .text(value))
                        }
                        return (parameter.name, .integer(number))
                    })
            })
    }

    /// Letters, digits, ".", "-", "_" and "*" stay. A space becomes "+", and another byte "%D1", as in forms (URL
    /// Standard, section 5.2).
    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_", "*":
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case " ": encoded += "+"
            default: encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case "+": bytes.append(" ")
            case "%":
                guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                    return nil
                }
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
