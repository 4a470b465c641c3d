package import Archive
import Platform

/// Reads single members of a JSON object, about ten times as fast as `JSONDecoder`. Faults contain the key path.
/// Strings are returned without characters that cannot be shown (`showable`).
package struct JSONFields: Sendable {
    private let bytes: [UInt8]
    private let members: [JSONSlices.Member]

    package init(_ bytes: [UInt8]) throws { try self.init(bytes, at: bytes.indices) }

    private init(_ bytes: [UInt8], at range: Range<Int>) throws {
        try Self.requireObject(bytes, at: range)
        self.bytes = bytes
        members = try JSONSlices.memberRanges(in: bytes, at: range)
    }

    private static func requireObject(_ bytes: [UInt8], at range: Range<Int>) throws {
        let first = bytes[range].first { !$0.isSpace }
        guard first == "{" || first == nil else { throw JSONText.mismatch(bytes[range], "an object") }
    }

    package func text(_ path: FieldPath) throws -> String {
        try value(path) { try JSONText.decoded(bytes[$0]).showable }
    }

    /// The text of a string; nil for another value and a missing one.
    package func optionalText(_ path: FieldPath) -> String? {
        found(path).flatMap { JSONText.decodedString(bytes[$0]) }?.showable
    }

    package func integer(_ path: FieldPath) throws -> Int64 { try value(path) { try JSONText.integer(bytes[$0]) } }

    package func number(_ path: FieldPath) throws -> Double {
        try value(path) {
            guard let number = Double(try JSONText.number(bytes[$0], "a number")), number.isFinite else {
                throw ContentFault("", "is out of range")
            }
            return number
        }
    }

    /// The text of a string, or the spelling of a number or Boolean. It is empty for another value and a missing one.
    package func scalar(_ path: FieldPath) -> String { found(path).map { scalar(at: $0) } ?? "" }

    private func scalar(at range: Range<Int>) -> String { JSON(archived: bytes, at: range).scalar?.showable ?? "" }

    /// Whether there is a value other than null; for a path through arrays, whether the first array exists.
    package func has(_ path: FieldPath) -> Bool {
        // A path that cannot be read has no value, as in `scalar`.
        let place = if case .at? = path.elements { found(path) } else { try? range(path.names[...]) }
        return place.map { bytes[$0.lowerBound] != "n" } ?? false
    }

    /// Whether a member of the path is missing. Arrays and values that are not objects are not searched.
    package func lacks(_ path: FieldPath) -> Bool {
        do { return try range(path.names[...]) == nil } catch { return false }
    }

    package func value(at path: FieldPath) -> JSON? { found(path).map { JSON(archived: bytes, at: $0) } }

    /// The values at a path through arrays, or the elements of the array at the path; none if it cannot be read.
    package func values(at path: FieldPath) -> [JSON] {
        // `try?`, because a capture has checked the record, and reports what it cannot read.
        ((try? elements(path)) ?? []).map { JSON(archived: bytes, at: $0) }
    }

    /// The object at a path, or the objects in the array at the path.
    package func objects(at path: FieldPath) -> [JSONFields] {
        guard let range = found(path) else { return [] }
        guard bytes[range.lowerBound] == "[" else { return object(at: range).map { [$0] } ?? [] }
        // The capture reported an array with too many elements.
        return ((try? JSONSlices.elements(of: bytes, at: range)) ?? []).compactMap(object)
    }

    /// The number of elements of the longest array among the members, and among the members of nested objects.
    package var longestArray: Int {
        members.reduce(0) { longest, member in
            guard bytes[member.value.lowerBound] == "[" else {
                return max(longest, object(at: member.value)?.longestArray ?? 0)
            }
            // The capture reported an array with too many elements.
            return max(longest, (try? JSONSlices.elements(of: bytes, at: member.value))?.count ?? 0)
        }
    }

    /// The names of the first members, each with the first byte of its value. Long names are left out.
    package var starts: [(name: String, byte: UInt8)] {
        members.prefix(1_000).filter { $0.name.count <= 200 }.map {
            (String(decoding: bytes[$0.name], as: UTF8.self), bytes[$0.value.lowerBound])
        }
    }

    /// The object in a range; nil for another value.
    private func object(at range: Range<Int>) -> JSONFields? {
        guard bytes[range.lowerBound] == "{" else { return nil }
        // The capture reported an object with too many members.
        return try? JSONFields(bytes, at: range)
    }

    /// The length of an array; 0 for a missing value, and for an invalid one, which the capture reported as a gap.
    package func count(_ path: FieldPath) -> Int { has(path) ? (try? elements(path).count) ?? 0 : 0 }

    /// The texts, numbers and Booleans at a path through arrays, as they are written; none if it cannot be read.
    package func scalars(_ path: FieldPath) -> [String] {
        // `try?`, as in `values`.
        (try? ranges(path))?.map { scalar(at: $0) } ?? []
    }

    /// For each value at a path through an array, the value at another path in the same element; empty if it has none.
    /// A path that cannot be read has no values, as in `scalar`.
    package func scalars(_ path: FieldPath, besides other: FieldPath) -> [String] {
        guard path.names == other.names, let own = path.elements, let others = other.elements else { return [] }
        return (value(at: FieldPath(other.beforeArrays))?.elements ?? []).flatMap { element in
            let scalar = own.values(in: .list([element])).first?.scalar?.showable ?? ""
            return others.values(in: .list([element])).map { _ in scalar }
        }
    }

    /// - Parameter orWords: whether elements can also be numbers and Booleans, which keep their spelling.
    package func texts(_ path: FieldPath, orWords: Bool = false) throws -> [String] {
        try elements(path).enumerated().map { index, range in
            if orWords, !"\"[{n".utf8.contains(bytes[range.lowerBound]) {
                return String(decoding: bytes[range], as: UTF8.self).showable
            }
            return try ContentFault.inside("\(path.text)[\(index)]") { try JSONText.decoded(bytes[range]).showable }
        }
    }

    /// The elements of an array of addresses or ids. An id can be a number.
    package func links(_ path: FieldPath) throws -> [String] { try texts(path, orWords: true) }

    /// The same; none for a missing value, and for an invalid one, which the capture reported as a gap.
    package func validLinks(_ path: FieldPath) -> [String] { has(path) ? (try? links(path)) ?? [] : [] }

    /// The key of a record.
    /// - Parameter isText: whether the id can be any text. Otherwise it is a whole number, or a string of its digits.
    package func key(_ kind: String, at path: FieldPath, isText: Bool) throws -> RecordKey {
        let id: String
        if let text = optionalText(path), isText || Int64(text).map({ "\($0)" == text }) == true {
            guard (1...Self.longestID).contains(text.utf8.count) else {
                throw ContentFault(path.text, text.isEmpty ? "is empty" : "is longer than \(Self.longestID) bytes")
            }
            id = isText ? Self.id(text) : text
        } else {
            id = "\(try integer(path))"
        }
        let key = RecordKey(kind, text: id)
        guard let text = key.text, !isText else { return key }
        throw ContentFault(
            path.text, "is \(text), not 1 to 9007199254740991; set \"textIds\" if ids of this kind can be other texts")
    }

    /// The id that a text means. Links to a record have the same last word as its own address.
    package static func id(_ text: String) -> String {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return text }
        return text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? text
    }

    /// The maximum number of bytes of an id.
    package static let longestID = 1_000

    /// Checks that the complete object is valid JSON, including members that are never read.
    package func check() throws {
        do {
            try JSONSlices.check(bytes)
        } catch {
            for member in members {
                try ContentFault.inside(JSONSlices.shownName(bytes, at: member.name)) {
                    try JSONSlices.check(Array(bytes[member.value]))
                }
            }
            throw error
        }
    }
}

extension JSONFields {
    /// Reads the value at a path. The path is put before the key paths of faults.
    private func value<Result>(_ path: FieldPath, _ read: (Range<Int>) throws -> Result) throws -> Result {
        guard let range = try first(path) else {
            let parts = path.names.indices.map { path.names[...$0] }
            let missing = try parts.first { try range($0) == nil }
            throw ContentFault(missing?.joined(separator: ".") ?? path.text, "is missing")
        }
        return try ContentFault.inside(path.text) { try read(range) }
    }

    private func elements(_ path: FieldPath) throws -> [Range<Int>] {
        if path.elements != nil { return try ranges(path) }
        return try value(path) { range in
            guard bytes[range.lowerBound] == "[" else { throw JSONText.mismatch(bytes[range], "an array") }
            return try JSONSlices.elements(of: bytes, at: range)
        }
    }

    /// The range of the value at a path; nil if it is missing or an object on the way to it cannot be read.
    private func found(_ path: FieldPath) -> Range<Int>? { try? first(path) }

    private func first(_ path: FieldPath) throws -> Range<Int>? {
        path.elements == nil ? try range(path.names[...]) : try ranges(path).first
    }

    /// The ranges of the values at a path: several if it leads through arrays, where null is no value.
    /// - Parameter object: an object in an array of the path, where the path begins; nil for this object.
    private func ranges(_ path: FieldPath, in object: Range<Int>? = nil) throws -> [Range<Int>] {
        guard let array = try range(path.names[...], in: object) else { return [] }
        guard let elements = path.elements else { return object != nil && isNull(array) ? [] : [array] }
        guard !isNull(array) else { return [] }
        return try ContentFault.inside(path.names.joined(separator: ".")) {
            guard bytes[array.lowerBound] == "[" else { throw JSONText.mismatch(bytes[array], "an array") }
            var selected = try JSONSlices.elements(of: bytes, at: array)
            switch elements {
            case .all: break
            case .at: selected = Array(elements.indexed(selected))
            case .matching(let path, let wanted, _):
                selected = try selected.filter { try has(wanted, at: path, in: $0) }
            }
            return try elements.rest.map { rest in try selected.flatMap { try ranges(rest, in: $0) } } ?? selected
        }
    }

    /// Whether one of the values at a path of an object is this text, number or Boolean.
    private func has(_ wanted: String, at path: FieldPath, in object: Range<Int>) throws -> Bool {
        try ranges(path, in: object).contains { range in
            let isText = bytes[range].first == "\""
            let content = isText ? range.dropFirst().dropLast() : range
            return bytes[content].elementsEqual(wanted.utf8)
                || bytes[range].contains("\\") && JSON(archived: bytes, at: range).scalar == wanted
        }
    }

    /// The range of the value at the names of a path; nil if it is missing.
    /// - Parameter object: an object in an array of the path, where the path begins; nil for this object.
    private func range(_ names: ArraySlice<String>, in object: Range<Int>? = nil) throws -> Range<Int>? {
        var found = try value(of: names[0], in: object)
        for index in names.indices.dropFirst() {
            guard let range = found, object == nil || !isNull(range) else { return nil }
            found = try ContentFault.inside(names[..<index].joined(separator: ".")) {
                try value(of: names[index], in: range)
            }
        }
        return found
    }

    private func isNull(_ range: Range<Int>) -> Bool { bytes[range].elementsEqual("null".utf8) }

    /// If a name is repeated, the first member is used, as in JSONDecoder.
    /// - Parameter object: an object in this one; nil for this object.
    private func value(of name: String, in object: Range<Int>?) throws -> Range<Int>? {
        var name = name
        return try name.withUTF8 { name in
            guard let object else { return members.first { isEqual($0.name, to: name) }?.value }
            try Self.requireObject(bytes, at: object)
            return try JSONSlices.firstValue(in: bytes, at: object) { isEqual($0, to: name) }
        }
    }

    /// Whether a name, which can have escapes, equals the wanted name.
    private func isEqual(_ name: Range<Int>, to wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.count > wanted.count else { return name.count == wanted.count && bytes[name].elementsEqual(wanted) }
        return bytes[name].contains("\\") && JSONText.name(bytes, at: name).utf8.elementsEqual(wanted)
    }
}
