import Archive
import Catalogue
import Pages

/// The values of a declaration. They are strings, integers, Booleans, arrays and objects without repeated names.
extension JSON {
    /// - Throws: `ContentFault` if the bytes are not valid JSON, or have a value that no key allows.
    init(declaration bytes: [UInt8]) throws { self = try JSON(bytes) { $0 }.declared() }

    /// The value, with integers in their usual form.
    private func declared() throws -> JSON {
        switch self {
        case .object(let members):
            var known: Set<String> = []
            return .object(
                try members.map { name, value in
                    guard known.insert(name).inserted else { throw ContentFault(name, "exists twice") }
                    return (name, try ContentFault.inside(name) { try value.declared() })
                })
        case .list(let elements):
            return .list(
                try elements.enumerated().map { index, element in
                    try ContentFault.inside("[\(index)]") { try element.declared() }
                })
        case .word(let word) where Bool(word) == nil:
            // 20.0 and 2e1 are integers too, as in JSON Schema.
            let number = Int(word) ?? Double(word).flatMap { Int(exactly: $0) }
            return .integer(try require(number, "", "is null, or a number that is not an integer; no key allows that"))
        case .text(let text): return .text(try JSONText.intact(text))
        default: return self
        }
    }

    /// The value with words for the placeholders of its texts.
    func filled(with words: [String: String]) -> JSON {
        words.isEmpty ? self : filled { .text(TextPattern($0).filled(with: words)) } ?? self
    }

    /// The value with other values for its texts that have placeholders; nil if one of them has none.
    func filled(_ value: (_ text: String) throws -> JSON?) rethrows -> JSON? {
        switch self {
        case .object(let members):
            let filled = try members.compactMap { name, inner in try inner.filled(value).map { (key: name, value: $0) }
            }
            return filled.count == members.count ? .object(filled) : nil
        case .list(let elements):
            let filled = try elements.compactMap { try $0.filled(value) }
            return filled.count == elements.count ? .list(filled) : nil
        case .text(let text) where text.contains("{"): return try value(text)
        default: return self
        }
    }
}

/// The digest of everything that decides how records are requested, identified and read as valid.
extension JSON {
    /// It covers all keys except `pageKeys`, so a new key changes the digest until it is added there. The types of
    /// texts are left out too, because a capture reads all of them alike, and so are derived fields, because a capture
    /// does not read them. It covers the title, because a wrong one is a gap, and `plural`, the name of imported files.
    var captureDigest: SHA256 { SHA256(of: capturePart(at: []).bytes) }

    /// The value without the keys of pages. Members are sorted by name.
    private func capturePart(at path: [String]) -> JSON {
        if case .list(let elements) = self { return .list(elements.map { $0.capturePart(at: path + [""]) }) }
        guard case .object(let members) = self else { return self }
        let isInFields = path.count > 2 && path[0] == "kinds" && path[2] == "fields"
        let (isFields, isField) = (isInFields && path.count == 3, isInFields && path.count == 4)
        let kindKeys = path.count == 2 && path[0] == "kinds" ? KindDeclaration.pageKeys : []
        let pageKeys = path.isEmpty ? CatalogueDeclaration.pageKeys : isField ? FieldDeclaration.pageKeys : kindKeys
        let kept = members.filter { name, value in
            if isFields {
                let type = value["type"]?.text.flatMap(FieldDeclaration.FieldType.init) ?? .string
                if type.isDerived || type == .tree || value["from"] != nil { return false }
            }
            // The number of connections changes only the speed.
            if path == ["request"], name == "connections" { return false }
            guard isField, name == "type", let type = value.text else { return !pageKeys.contains(name) }
            return !["string", "enum", "date", "hidden"].contains(type)
        }
        return .object(
            kept.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { ($0.key, $0.value.capturePart(at: path + [$0.key])) })
    }
}
