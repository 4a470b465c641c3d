import Platform

/// A JSON value, as it was read or to be written. The members of an object keep their order.
package enum JSON: Sendable {
    /// null, true, false, a number, or a value that cannot be read, spelled as in the JSON.
    case word(String)
    /// A string with its escapes decoded.
    case text(String)
    case list([JSON])
    /// An array of this length. Each element is created when it is written, so that a long array needs little memory.
    case each(Int, @Sendable (Int) -> JSON)
    case object([Member])

    package typealias Member = (key: String, value: JSON)

    package static func integer(_ number: Int) -> JSON { .word("\(number)") }
    package static func flag(_ flag: Bool) -> JSON { .word("\(flag)") }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// An object without the members that are nil.
    package init(dictionaryLiteral members: (String, JSON?)...) {
        self = .object(members.compactMap { key, value in value.map { (key, $0) } })
    }
}

extension JSON {
    /// Reads text of another source, for pages. Names and texts are made `showable`. Names are shortened, because pages
    /// join the name of an object with that of each member.
    /// - Throws: `ContentFault` if the bytes are not valid JSON.
    package init(_ bytes: [UInt8]) throws {
        try JSONSlices.check(bytes)
        try self.init(bytes, at: JSONSlices.whole(bytes), name: { $0.showable.shortened }) { $0.showable }
    }

    /// - Parameter change: changes each name and each text.
    /// - Throws: `ContentFault` if the bytes are not valid JSON.
    package init(_ bytes: [UInt8], _ change: (String) -> String) throws {
        try JSONSlices.check(bytes)
        try self.init(bytes, at: JSONSlices.whole(bytes), name: change, text: change)
    }

    /// Reads a value of an archive. One that cannot be read, which earlier versions could store, becomes a word.
    init(archived bytes: [UInt8], at range: Range<Int>) {
        // `try?`, because the bytes of an unreadable value are compared and shown, so its fault is not needed.
        let value = try? JSON(bytes, at: range, name: { $0 }, text: { $0 })
        self = value ?? .word(String(decoding: bytes[range], as: UTF8.self))
    }

    private init(
        _ bytes: [UInt8], at range: Range<Int>, name: (String) -> String, text: (String) -> String
    ) throws {
        func value(_ range: Range<Int>) throws -> JSON { try JSON(bytes, at: range, name: name, text: text) }
        switch bytes[range.lowerBound] {
        case "{":
            let members = try JSONSlices.memberRanges(in: bytes, at: range)
            self = .object(try members.map { (name(JSONText.name(bytes, at: $0)), try value($1)) })
        case "[": self = .list(try JSONSlices.elements(of: bytes, at: range).map(value))
        case "\"": self = .text(text(try JSONText.decoded(bytes[range])))
        default: self = .word(String(decoding: bytes[range], as: UTF8.self))
        }
    }

    /// The first member of an object with a name.
    package subscript(name: String) -> JSON? { members?.first { $0.key.utf8.elementsEqual(name.utf8) }?.value }

    /// The value at a path such as "info.count". A name can have dots, such as "@odata.count".
    package func value(_ path: String) -> JSON? {
        self[path] ?? path.split(separator: ".").reduce(self) { $0?[String($1)] }
    }

    /// The values at a path, in the elements of the arrays that it leads through.
    package func values(at path: FieldPath) -> [JSON] {
        guard let value = path.names.reduce(self as JSON?, { $0?[$1] }), value != .word("null") else { return [] }
        return path.elements?.values(in: value) ?? [value]
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    package var integer: Int? { if case .word(let word) = self { Int(word) } else { nil } }

    package var elements: [JSON]? {
        switch self {
        case .list(let elements): elements
        case .each(let count, let element): (0..<count).map(element)
        case .word, .text, .object: nil
        }
    }

    /// The text of a string, or the spelling of a number or Boolean.
    package var scalar: String? {
        switch self {
        case .word(let word): word == "null" ? nil : word
        case .text(let text): text
        case .list, .each, .object: nil
        }
    }

    /// The value for a sentence: a string unchanged, another value as JSON. Both are shortened.
    package var shown: String { (text ?? description).showable.shortened }

    /// The approximate size in memory in bytes.
    var weight: Int {
        switch self {
        case .word(let text), .text(let text): 32 + (text.utf8.count > 15 ? 32 + text.utf8.count : 0)
        case .list, .each: (elements ?? []).reduce(64) { $0 + $1.weight }
        case .object(let members): members.reduce(64) { $0 + 64 + $1.key.utf8.count + $1.value.weight }
        }
    }

    /// The value without null, blank texts, empty lists and objects, and hidden values; nil if nothing is left.
    /// - Parameters:
    ///   - path: the path of this value. That of the elements of an array ends with "[]".
    ///   - isHidden: whether the value at a path is left out.
    package func pruned(at path: String = "", except isHidden: (String, JSON) -> Bool) -> JSON? {
        guard !isHidden(path, self) else { return nil }
        switch self {
        case .word(let word): return word == "null" ? nil : self
        case .text(let text): return text.isBlank ? nil : self
        case .list, .each:
            let kept = (elements ?? []).enumerated().compactMap { index, element in
                isHidden("\(path)[\(index)]", element) ? nil : element.pruned(at: "\(path)[]", except: isHidden)
            }
            return kept.isEmpty ? nil : .list(kept)
        case .object(let members):
            let kept = members.compactMap { name, value in
                value.pruned(at: path.isEmpty ? name : "\(path).\(name)", except: isHidden).map { (name, $0) }
            }
            return kept.isEmpty ? nil : .object(kept)
        }
    }
}

/// A comparison ignores white space and the order of an object's members, but not the order of an array's elements.
/// Texts and names are compared byte for byte. For `String`, an accented letter equals a letter and a combining accent.
extension JSON: Hashable {
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.word(let left), .word(let right)), (.text(let left), .text(let right)):
            return left.utf8.elementsEqual(right.utf8)
        case (.object, .object): return left.byName == right.byName
        default:
            guard let left = left.elements, let right = right.elements else { return false }
            return left == right
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .word(let text), .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .list, .each: hasher.combine(elements)
        case .object: hasher.combine(byName)
        }
    }

    /// The members of an object by the bytes of their names; of equal names, the first counts; nil for another value.
    package var byName: [[UInt8]: JSON]? {
        members.map { members in Dictionary(members.map { (Array($0.key.utf8), $0.value) }) { first, _ in first } }
    }
}

extension JSON: CustomStringConvertible {
    /// The value as compact JSON without control characters. The members of an object are sorted by name.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes, isScript: false, { Self.append($0, to: &$1, isScript: false) }) { _ in }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value for JSON-LD in pages, and for the data of scripts.
    ///
    /// It is safe in a script element and as JavaScript. Characters that HTML or XML forbids become U+FFFD.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, quoting: Self.scriptText)
        return bytes
    }

    /// - Parameter text: appends a text or a name with its quotes.
    package func append(to bytes: inout [UInt8], quoting text: (String, inout [UInt8]) -> Void) {
        append(to: &bytes, isScript: true, text) { _ in }
    }

    /// Calls `body` with the value's bytes, in pieces of about 64 KiB.
    package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
        var bytes: [UInt8] = []
        try append(to: &bytes, isScript: true, Self.scriptText) { bytes in
            guard bytes.count >= 1 << 16 else { return }
            try body(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        try body(bytes)
    }

    /// - Parameter flush: called after each element of an array. It may empty the buffer.
    private func append(
        to bytes: inout [UInt8], isScript: Bool, _ quote: (String, inout [UInt8]) -> Void,
        _ flush: (inout [UInt8]) throws -> Void
    ) rethrows {
        switch self {
        case .word(let word) where isScript && !Self.isPlain(word): quote(word, &bytes)
        case .word(let word): bytes += word.showable.utf8
        case .text(let text): quote(text, &bytes)
        case .list(let items):
            try JSON.each(items.count) { items[$0] }.append(to: &bytes, isScript: isScript, quote, flush)
        case .each(let count, let item):
            bytes.append("[")
            for index in 0..<count {
                if index > 0 { bytes.append(",") }
                try item(index).append(to: &bytes, isScript: isScript, quote, flush)
                try flush(&bytes)
            }
            bytes.append("]")
        case .object(let members):
            bytes.append("{")
            for (index, member) in (isScript ? members : sortedMembers).enumerated() {
                if index > 0 { bytes.append(",") }
                quote(member.key, &bytes)
                bytes.append(":")
                try member.value.append(to: &bytes, isScript: isScript, quote, flush)
            }
            bytes.append("}")
        }
    }

    private var sortedMembers: [Member] {
        (byName ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case "\"", "\\", "<", ">", "&": false
            default: byte >= 0x20 && byte < 0x7F
            }
        }
    }

    private static func scriptText(_ text: String, to bytes: inout [UInt8]) { append(text, to: &bytes, isScript: true) }

    /// - Parameter isScript: whether to escape more than control characters, quotes and backslashes.
    private static func append(_ text: String, to bytes: inout [UInt8], isScript: Bool) {
        bytes.append("\"")
        defer { bytes.append("\"") }
        guard !isPlain(text) else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case _
            where isScript
                ? "<>&\u{2028}\u{2029}\t\n\r".unicodeScalars.contains(scalar)
                : scalar.properties.generalCategory == .control:
                bytes += "\\u\(scalar.value.padded(4, radix: 16))".utf8
            case _ where isScript && scalar.isForbidden: bytes += UTF8.encodedReplacementCharacter
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}
