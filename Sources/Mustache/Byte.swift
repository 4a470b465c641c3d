/// The bytes that mean something to the parser.
extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let dot = UInt8(ascii: ".")
    static let star = UInt8(ascii: "*")
    static let equals = UInt8(ascii: "=")

    /// Space and tab: what may stand before and after a tag that is alone on its line.
    var isBlank: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
    }

    /// What may stand around the name in a tag.
    var isSpace: Bool {
        isBlank || self == .newline || self == .carriageReturn
    }
}

extension [UInt8] {
    /// The stretch without the space at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        guard let first = self[range].firstIndex(where: { !$0.isSpace }),
            let last = self[range].lastIndex(where: { !$0.isSpace })
        else {
            return range.lowerBound..<range.lowerBound
        }

        return first..<last + 1
    }

    /// Whether these bytes stand at this place.
    func has(_ other: [UInt8], at start: Int) -> Bool {
        start + other.count <= count && self[start..<start + other.count].elementsEqual(other)
    }
}
