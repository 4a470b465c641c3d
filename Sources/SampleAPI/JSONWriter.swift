/// Compact JSON in the order in which it is written, UTF-8 as it is.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Punctuation, keys and whatever else is JSON already.
    mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func raw(_ other: [UInt8]) {
        bytes.append(contentsOf: other)
    }

    mutating func number(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0a: raw("\\n")
            case 0x0d: raw("\\r")
            case 0x09: raw("\\t")
            case 0..<0x20:
                raw("\\u00")
                let digits = String(byte, radix: 16)
                if digits.utf8.count < 2 { raw("0") }
                bytes.append(contentsOf: digits.utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The canonical address of a record, in quotes.
    mutating func link(_ kind: Universe.Kind, _ id: Int) {
        raw("\"")
        bytes.append(contentsOf: Universe.canonicalBase.utf8)
        raw("/")
        bytes.append(contentsOf: kind.rawValue.utf8)
        raw("/")
        number(id)
        raw("\"")
    }

    /// The canonical addresses of records, as an array.
    mutating func links(_ kind: Universe.Kind, _ ids: some Sequence<Int32>) {
        raw("[")
        var first = true
        for id in ids {
            if !first { raw(",") }
            first = false
            link(kind, Int(id))
        }
        raw("]")
    }
}
