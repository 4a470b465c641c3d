package import Archive
import Platform

/// Reads single members of a JSON object, about ten times as fast as `JSONDecoder`. Faults contain the key path.
/// Strings are returned without characters that cannot be shown (`showable`).
package struct JSONFields: Sendable {
    private let bytes: [UInt8]
    private let memberRanges: [(name: Range<Int>, value: Range<Int>)]
    /// The key path of this object; empty for the outermost one.
    private let path: String

    package init(_ bytes: [UInt8]) throws(ContentFault) {
        try self.init(bytes, at: bytes.indices, path: "")
    }

    private init(_ bytes: [UInt8], at range: Range<Int>, path: String) throws(ContentFault) {
        self.bytes = bytes
        self.path = path
        let first = bytes[range].first { !JSONSlices.isSpace($0) }
        guard first == "{" || first == nil else {
            throw JSONText.mismatch(bytes, at: range, "an object").inside(path)
        }
        memberRanges = try ContentFault.inside(path) { () throws(ContentFault) in
            try JSONSlices.memberRanges(in: bytes, at: range)
        }
    }
}

extension JSONFields {
    package func text(_ name: String) throws(ContentFault) -> String {
        let range = try requiredRange(name)
        return try member(name) { () throws(ContentFault) in try JSONText.decoded(bytes, at: range).showable }
    }

    /// The text of a member; nil if the member is missing or is not a string.
    package func optionalText(_ name: String) -> String? {
        memberRange(of: name).flatMap { JSONText.decodedString(bytes, at: $0) }?.showable
    }

    package func integer(_ name: String) throws(ContentFault) -> Int64 {
        let range = try requiredRange(name)
        return try member(name) { () throws(ContentFault) in try Self.integer(bytes, at: range) }
    }

    /// The whole number at a place of an answer.
    package static func integer(_ bytes: [UInt8], at range: Range<Int>) throws(ContentFault) -> Int64 {
        if range.count <= 18, bytes[range].allSatisfy({ $0 >= "0" && $0 <= "9" }), bytes[range.lowerBound] != "0" {
            return bytes[range].reduce(0) { 10 * $0 + Int64($1 - "0") }
        }
        let text = try number(bytes, at: range, "a whole number")
        // 1e3 is a whole number too.
        if let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }) { return number }
        let digits = "\(text.prefix(40))\(range.count > 40 ? "…" : "")"
        throw ContentFault("", "is \(digits), not a whole number of 64 bits")
    }

    /// The key of a record.
    /// - Parameter isText: whether the id can be any text. Otherwise it is a whole number, or a string of its digits.
    package func key(_ kind: String, at path: FieldPath, isText: Bool) throws(ContentFault) -> RecordKey {
        let fields = try parent(of: path)
        if let text = fields.optionalText(path.last), isText || Int64(text).map({ "\($0)" == text }) == true {
            guard (1...Self.longestID).contains(text.utf8.count) else {
                throw ContentFault(path.text, text.isEmpty ? "is empty" : "is longer than \(Self.longestID) bytes")
            }
            // Links to a record have the same last word as its own address.
            let isAddress = isText && (text.hasPrefix("https://") || text.hasPrefix("http://"))
            let id =
                isAddress ? text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) : text
            return try checked(RecordKey(kind, text: id ?? text), at: path, isText: isText)
        }
        let id = try fields.integer(path.last)
        return try checked(RecordKey(kind, text: "\(id)"), at: path, isText: isText)
    }

    private func checked(_ key: RecordKey, at path: FieldPath, isText: Bool) throws(ContentFault) -> RecordKey {
        guard let text = key.text, !isText else { return key }
        throw ContentFault(
            path.text, "is \(text), not 1 to 9007199254740991; set \"textIds\" if ids of this kind can be other texts")
    }

    private static let longestID = 1_000

    package func number(_ name: String) throws(ContentFault) -> Double {
        let range = try requiredRange(name)
        return try member(name) { () throws(ContentFault) in
            guard let number = Double(try Self.number(bytes, at: range, "a number")), number.isFinite else {
                throw ContentFault("", "is out of range")
            }
            return number
        }
    }

    package func has(_ name: String) -> Bool { memberRange(of: name) != nil }

    package func texts(_ name: String) throws(ContentFault) -> [String] {
        try texts(name) { (bytes, range) throws(ContentFault) in try JSONText.decoded(bytes, at: range) }
    }

    /// - Parameter read: reads an element.
    private func texts(
        _ name: String, _ read: (_ bytes: [UInt8], _ range: Range<Int>) throws(ContentFault) -> String
    ) throws(ContentFault) -> [String] {
        let elements = try elements(name)
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            let text = try member("\(name)[\(index)]") { () throws(ContentFault) in try read(bytes, element) }
            texts.append(text.showable)
        }
        return texts
    }

    package func count(_ name: String) throws(ContentFault) -> Int { try elements(name).count }

    /// The elements of an array of addresses or ids. An id can be a number.
    package func links(_ path: FieldPath) throws(ContentFault) -> [String] {
        try parent(of: path).texts(path.last) { (bytes, range) throws(ContentFault) in
            bytes[range].allSatisfy(\.isDigit)
                ? String(decoding: bytes[range], as: UTF8.self) : try JSONText.decoded(bytes, at: range)
        }
    }

    package func object(_ name: String) throws(ContentFault) -> JSONFields {
        try JSONFields(bytes, at: try requiredRange(name), path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// The value at a path of member names; nil if a member is missing.
    func value(at path: [String]) throws(ContentFault) -> JSONValue? {
        var memberRanges = memberRanges
        for (depth, name) in path.enumerated() {
            var name = name
            guard let range = name.withUTF8({ Self.memberRange(of: $0, in: memberRanges, bytes) }) else { return nil }
            if depth == path.count - 1 { return JSONValue(bytes, at: range, depth: depth + 2) }
            guard bytes[range.lowerBound] == "{" else { return nil }
            memberRanges = try JSONSlices.memberRanges(in: bytes, at: range)
        }
        return nil
    }

    /// Checks that the complete object is valid JSON, including members that are never read.
    package func check() throws(ContentFault) {
        do throws(ContentFault) {
            try JSONSlices.check(bytes)
        } catch {
            for member in memberRanges {
                do throws(ContentFault) {
                    try JSONSlices.check(Array(bytes[member.value]))
                } catch {
                    throw error.inside(String(decoding: bytes[member.name].prefix(100), as: UTF8.self).singleLine)
                }
            }
            throw error
        }
    }
}

/// The path of a value in a record: names of members, separated by dots, such as "origin.name".
package struct FieldPath: Sendable, Hashable {
    package let names: [String]

    package init(_ text: String) {
        names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    package var text: String { names.joined(separator: ".") }

    /// The name of the value's member.
    fileprivate var last: String { names[names.count - 1] }
}

extension JSONFields {
    /// The object with the last member of a path.
    private func parent(of path: FieldPath) throws(ContentFault) -> JSONFields {
        var fields = self
        for name in path.names.dropLast() { fields = try fields.object(name) }
        return fields
    }

    package func text(_ path: FieldPath) throws(ContentFault) -> String { try parent(of: path).text(path.last) }

    package func integer(_ path: FieldPath) throws(ContentFault) -> Int64 { try parent(of: path).integer(path.last) }

    package func number(_ path: FieldPath) throws(ContentFault) -> Double { try parent(of: path).number(path.last) }

    package func texts(_ path: FieldPath) throws(ContentFault) -> [String] { try parent(of: path).texts(path.last) }

    package func count(_ path: FieldPath) throws(ContentFault) -> Int { try parent(of: path).count(path.last) }

    /// The text of a string; nil for another value and a missing one.
    package func optionalText(_ path: FieldPath) -> String? {
        do throws(ContentFault) {
            return try parent(of: path).optionalText(path.last)
        } catch {
            // The object on the way to the text is missing or not valid.
            return nil
        }
    }

    /// The text of a string, or the spelling of a number or Boolean. It is empty for another value and a missing one.
    package func scalar(_ path: FieldPath) -> String {
        do throws(ContentFault) {
            switch try value(at: path.names) {
            case .text(let text)?: return text.showable
            case .literal(let word)? where word != "null": return word.showable
            default: return ""
            }
        } catch {
            // The object on the way to the value is not valid.
            return ""
        }
    }

    package func has(_ path: FieldPath) -> Bool {
        do throws(ContentFault) {
            return try value(at: path.names) != nil
        } catch {
            return false
        }
    }
}

extension JSONFields {
    private func requiredRange(_ name: String) throws(ContentFault) -> Range<Int> {
        guard let range = memberRange(of: name) else { throw ContentFault(name, "is missing").inside(path) }
        return range
    }

    private func memberRange(of name: String) -> Range<Int>? {
        var name = name
        return name.withUTF8 { Self.memberRange(of: $0, in: memberRanges, bytes) }
    }

    /// If a name is repeated, the first member is used, as in JSONDecoder.
    private static func memberRange(
        of name: UnsafeBufferPointer<UInt8>, in memberRanges: [(name: Range<Int>, value: Range<Int>)], _ bytes: [UInt8]
    ) -> Range<Int>? {
        for member in memberRanges where isEqual(member.name, to: name, bytes) { return member.value }
        return nil
    }

    /// Whether an encoded name equals the wanted name. The wanted name consists of letters. The only escape for a
    /// letter has the form `\u0041` (RFC 8259, section 7).
    private static func isEqual(_ name: Range<Int>, to wanted: UnsafeBufferPointer<UInt8>, _ bytes: [UInt8]) -> Bool {
        guard name.count > wanted.count else { return name.count == wanted.count && bytes[name].elementsEqual(wanted) }
        var position = name.lowerBound
        for letter in wanted {
            guard position < name.upperBound else { return false }
            if bytes[position] == letter {
                position += 1
            } else {
                guard JSONText.unit(bytes, at: position) == UInt32(letter) else { return false }
                position += 6
            }
        }
        return position == name.upperBound
    }

    private func elements(_ name: String) throws(ContentFault) -> [Range<Int>] {
        let range = try requiredRange(name)
        return try member(name) { () throws(ContentFault) in
            guard bytes[range.lowerBound] == "[" else {
                throw JSONText.mismatch(bytes, at: range, "an array")
            }
            return try JSONSlices.elements(of: bytes, at: range)
        }
    }

    private static func number(_ bytes: [UInt8], at range: Range<Int>, _ wanted: String) throws(ContentFault) -> String
    {
        try JSONSlices.check(Array(bytes[range]))
        guard let first = bytes[range].first, "-0123456789".utf8.contains(first) else {
            throw JSONText.mismatch(bytes, at: range, wanted)
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// Puts the member's name before the key path of the faults that `read` throws.
    private func member<Result>(_ name: @autoclosure () -> String, _ read: () throws(ContentFault) -> Result)
        throws(ContentFault) -> Result
    {
        try ContentFault.inside(path.isEmpty ? name() : "\(path).\(name())", read)
    }
}
