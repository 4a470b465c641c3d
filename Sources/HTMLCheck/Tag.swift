internal import CLibXML2

/// The attributes of one start tag as libxml2's SAX2 event hands them on: five pointers each (name, prefix, namespace,
/// start and end of the value).
struct Tag {
    let name: UnsafePointer<xmlChar>
    let line: Int
    let attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    let count: Int

    func name(_ position: Int) -> UnsafePointer<xmlChar>? {
        attributes?[position * 5]
    }

    func prefix(_ position: Int) -> UnsafePointer<xmlChar>? {
        attributes?[position * 5 + 1]
    }

    func value(_ position: Int) -> UnsafeBufferPointer<UInt8> {
        guard let start = attributes?[position * 5 + 3], let end = attributes?[position * 5 + 4] else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: start, count: end - start)
    }

    /// The value of an attribute without prefix, or of `xml:lang` where `prefixed`.
    func value(of wanted: StaticString, prefixed: Bool = false) -> UnsafeBufferPointer<UInt8>? {
        for position in 0..<count where (prefix(position) != nil) == prefixed {
            if let name = name(position), name.spells(wanted) { return value(position) }
        }
        return nil
    }

    func has(_ wanted: StaticString) -> Bool {
        value(of: wanted) != nil
    }
}

extension UnsafePointer<UInt8> {
    /// Compares a name that ends in a zero byte.
    func spells(_ text: StaticString) -> Bool {
        xmlStrcmp(self, text.utf8Start) == 0
    }
}

extension UnsafeBufferPointer<UInt8> {
    func equals(_ text: StaticString) -> Bool {
        equals(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for position in indices where self[position] != other[position] { return false }
        return true
    }

    func begins(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && UnsafeBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).equals(text)
    }

    /// The text as a message shows it.
    var quoted: String {
        count > 60 ? String(decoding: self.prefix(60), as: UTF8.self) + "..." : String(decoding: self, as: UTF8.self)
    }

    /// Nothing but spaces, tabs and line ends.
    var isBlank: Bool {
        allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    /// Calls for each token between spaces.
    func forEachToken(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var start = 0
        for position in 0...count
        where position == count || self[position] == 0x20 || self[position] == 0x0A || self[position] == 0x09 {
            if position > start { body(UnsafeBufferPointer(rebasing: self[start..<position])) }
            start = position + 1
        }
    }

    func containsToken(_ text: StaticString) -> Bool {
        var found = false
        forEachToken { if $0.equals(text) { found = true } }
        return found
    }
}
