internal import CLibXML2
import Platform

/// A name in libxml2's dictionary, which is valid until the end of the page.
typealias XMLName = UnsafePointer<xmlChar>
typealias Bytes = UnsafeBufferPointer<UInt8>

/// A start tag in libxml2's SAX2 event. An attribute has five pointers: name, prefix, namespace, and ends of the value.
struct Tag {
    let name: XMLName
    let line: Int
    let attributes: UnsafeMutablePointer<XMLName?>?
    let count: Int

    func name(_ position: Int) -> XMLName? { attributes?[position * 5] }

    func prefix(_ position: Int) -> XMLName? { attributes?[position * 5 + 1] }

    func value(_ position: Int) -> Bytes {
        guard let start = attributes?[position * 5 + 3], let end = attributes?[position * 5 + 4] else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: start, count: end - start)
    }

    /// The value of an attribute without a prefix, or with the prefix `xml` if `prefixed` is true.
    func value(of wanted: StaticString, prefixed: Bool = false) -> Bytes? {
        let position = (0..<count).first { (prefix($0) != nil) == prefixed && name($0)?.spells(wanted) == true }
        return position.map { value($0) }
    }

    func has(_ wanted: StaticString) -> Bool { value(of: wanted) != nil }

    func has(_ wanted: StaticString, equalTo text: StaticString) -> Bool { value(of: wanted)?.equals(text) == true }
}

extension UnsafePointer<UInt8> {
    /// Whether this zero-terminated name equals a text.
    func spells(_ text: StaticString) -> Bool { xmlStrcmp(self, text.utf8Start) == 0 }
}

extension UnsafeBufferPointer<UInt8> {
    init(_ text: StaticString) { self.init(start: text.utf8Start, count: text.utf8CodeUnitCount) }

    func equals(_ text: StaticString) -> Bool { equals(UnsafeBufferPointer(text)) }

    func equals(_ other: Bytes) -> Bool { count == other.count && indices.allSatisfy { self[$0] == other[$0] } }

    func begins(with text: StaticString) -> Bool { begins(with: UnsafeBufferPointer(text)) }

    /// The text for messages, shortened to 60 bytes.
    var quoted: String { String(decoding: prefix(60), as: UTF8.self) + (count > 60 ? "..." : "") }

    /// Whether there are only spaces, tabs and line ends.
    var isBlank: Bool { allSatisfy { $0.isSpace } }

    func forEachToken(_ body: (Bytes) -> Void) {
        var start = 0
        for position in 0...count
        where position == count || self[position] == 0x20 || self[position] == 0x0A || self[position] == 0x09 {
            if position > start { body(UnsafeBufferPointer(rebasing: self[start..<position])) }
            start = position + 1
        }
    }

    func containsToken(_ token: StaticString) -> Bool { containsToken(UnsafeBufferPointer(token)) }

    func containsToken(_ token: Bytes) -> Bool {
        var found = false
        forEachToken { if $0.equals(token) { found = true } }
        return found
    }
}
