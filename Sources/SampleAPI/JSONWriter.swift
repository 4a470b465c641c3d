/// Compact JSON in the order in which it is written, UTF-8 as it is. Commas are put where they belong.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// Whatever is JSON already, or a part of it.
    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// A bracket that begins a value.
    mutating func open(_ bracket: String) {
        comma()
        raw(bracket)
    }

    /// A comma where a value or a name follows another value.
    mutating func comma() {
        if let last = bytes.last, !"{[:".utf8.contains(last) { raw(",") }
    }

    mutating func key(_ name: String) {
        comma()
        raw("\"\(name)\":")
    }

    mutating func string(_ text: String) {
        comma()
        raw("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0a: raw("\\n")
            case 0x0d: raw("\\r")
            case 0x09: raw("\\t")
            case 0..<0x20: raw("\\u" + byte.padded(4, radix: 16))
            default: bytes.append(byte)
            }
        }
        raw("\"")
    }
}

/// Members of an object. A value that is missing is a missing member.
extension JSONWriter {
    mutating func callAsFunction(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    mutating func callAsFunction(_ name: String, _ value: Int?) {
        if let value { callAsFunction(name, raw: String(value)) }
    }

    mutating func callAsFunction(_ name: String, _ values: [String]) {
        key(name)
        open("[")
        for value in values { string(value) }
        raw("]")
    }

    /// - Parameter value: JSON already.
    mutating func callAsFunction(_ name: String, raw value: String) {
        key(name)
        raw(value)
    }
}
