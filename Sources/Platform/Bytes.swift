import Glibc

/// Classes of ASCII bytes.
extension UInt8 {
    @inlinable package var isDigit: Bool { self >= "0" && self <= "9" }

    @inlinable package var isSmallLetter: Bool { self >= "a" && self <= "z" }

    @inlinable package var isLetter: Bool { (self | 0x20).isSmallLetter }

    /// Whether it is a space, tab, line feed or carriage return.
    @inlinable package var isSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }

    /// A capital letter as a small one; any other byte unchanged.
    @inlinable package var lowercased: UInt8 { self >= "A" && self <= "Z" ? self | 0x20 : self }

    /// The lower-case hexadecimal digit for a number below 16.
    @inlinable package var hexDigit: UInt8 { self < 10 ? "0" + self : "a" + self - 10 }

    /// The value of a hexadecimal digit; nil for any other byte.
    @inlinable package var hexValue: UInt8? {
        if isDigit { return self - "0" }
        let letter = lowercased
        return letter >= "a" && letter <= "f" ? letter - "a" + 10 : nil
    }
}

/// Lets parsers of bytes write ASCII characters: `byte == "{"`.
extension UInt8: @retroactive ExpressibleByUnicodeScalarLiteral {
    /// The character's ASCII code.
    @inlinable public init(unicodeScalarLiteral value: Unicode.Scalar) { self.init(ascii: value) }
}

/// A text with percent codes for all bytes but letters, digits, "-", ".", "_" and "~" (RFC 3986, section 2.3).
package func percentEncoded(_ text: String) -> String {
    percentEncoded(text) { $0.isLetter || $0.isDigit || "-._~".utf8.contains($0) }
}

/// An address with percent codes for the bytes that addresses cannot contain. Its own percent codes are kept.
package func addressEncoded(_ address: String) -> String {
    percentEncoded(address) { (0x21...0x7E).contains($0) && !"\"<>[\\]^`{|}".utf8.contains($0) }
}

/// A text with percent codes for all other bytes.
package func percentEncoded(_ text: String, except isPlain: (UInt8) -> Bool) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    let encoded = text.utf8.flatMap { byte -> [UInt8] in
        isPlain(byte) ? [byte] : ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: encoded, as: UTF8.self)
}

/// Decodes a percent-encoded text (RFC 3986, 2.1); nil if a percent sign has no two hexadecimal digits after it.
@inlinable package func percentDecoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    let decoded = percentDecodedLeniently(text)
    // Each decoded sign is two bytes shorter.
    return decoded.count + 2 * text.count(where: { $0 == "%" }) == text.count ? decoded : nil
}

/// Decodes a percent-encoded text as browsers do: a percent sign without two hexadecimal digits is kept.
@inlinable package func percentDecodedLeniently(_ text: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
        let digits = byte == "%" ? rest.prefix(2).compactMap(\.hexValue) : []
        bytes.append(digits.count == 2 ? digits[0] << 4 | digits[1] : byte)
        if digits.count == 2 { rest = rest.dropFirst(2) }
    }
    return bytes
}

extension Unicode.Scalar {
    /// Whether HTML or XML forbids it (HTML standard, 13.2.3.5; XML 1.0, 2.2).
    @inlinable package var isForbidden: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether a terminal shows the character as a glyph in its own position.
    package var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
        default: true
        }
    }

    /// Whether it starts or ends an embedding, override or isolate of text direction (UAX #9, section 2).
    @inlinable package var isDirectional: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}

extension String {
    /// The maximum number of consecutive combining marks. Swift sorts them when it compares texts. This takes time that
    /// grows with the square of their number. Unicode considers 30 marks enough for any text
    /// (https://unicode.org/reports/tr15/#Stream_Safe_Text_Format).
    package static let maximumMarks = 200

    /// Whether the text has more than `maximumMarks` consecutive combining marks. Directional formatting between marks
    /// is ignored, because a page may leave it out.
    package var hasTooManyMarks: Bool {
        var marks = 0
        for scalar in unicodeScalars where !scalar.isDirectional {
            marks = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered ? marks + 1 : 0
            if marks > Self.maximumMarks { return true }
        }
        return false
    }

    /// The text with U+FFFD in place of invisible characters.
    package var visible: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isVisible ? $0 : "\u{FFFD}" }))
    }

    /// A text from elsewhere for an error message. It has at most 200 characters; invisible ones become U+FFFD.
    package var safeText: String {
        String(unicodeScalars.prefix(200)).visible + (unicodeScalars.dropFirst(200).isEmpty ? "" : "…")
    }
}

extension [UInt8] {
    /// The same as `==`, but several times as fast.
    package func equals(_ other: [UInt8]) -> Bool { count == other.count && memcmp(self, other, count) == 0 }
}

extension Collection<UInt8> {
    /// The same as `starts(with:)`, but several times as fast for texts.
    @inlinable package func begins(with prefix: some Collection<UInt8>) -> Bool {
        let result = withContiguousStorageIfAvailable { bytes in
            prefix.withContiguousStorageIfAvailable { prefix in
                bytes.count >= prefix.count && prefix.indices.allSatisfy { bytes[$0] == prefix[$0] }
            }
        }
        return (result ?? nil) ?? starts(with: prefix)
    }

    /// Whether no segment between slashes is empty, "." or "..".
    @inlinable package var hasPlainSegments: Bool {
        // Each link of a record is checked, and splitting it would allocate memory.
        var (length, dots) = (0, 0)
        for byte in self {
            if byte == "/" {
                guard length > 2 || dots < length else { return false }
                (length, dots) = (0, 0)
            } else {
                length += 1
                if byte == "." { dots += 1 }
            }
        }
        return length > 2 || dots < length
    }

    /// The bytes in lower-case hexadecimal digits.
    @inlinable package var hex: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in enumerated() {
                text.initializeElement(at: 2 * index, to: (byte >> 4).hexDigit)
                text.initializeElement(at: 2 * index + 1, to: (byte & 0xF).hexDigit)
            }
            return 2 * count
        }
    }

    /// A UUID of version 8 (RFC 9562, section 5.8) from the first 16 bytes.
    package var uuid: String {
        var bytes = Array(prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hex }.joined(separator: "-")
    }
}

extension BinaryInteger {
    /// The number with leading zeros.
    @inlinable package func padded(_ width: Int = 2, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }

    /// The number in decimal digits, in groups of three.
    @inlinable package func grouped(by separator: String) -> String {
        self < 1_000 ? String(self) : (self / 1_000).grouped(by: separator) + separator + (self % 1_000).padded(3)
    }
}

extension Range where Bound: BinaryInteger {
    /// The first number for which a condition is true, by binary search; the upper bound if there is none.
    @inlinable package func lowest(where isTrue: (Bound) -> Bool) -> Bound {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isTrue(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension BidirectionalCollection {
    /// The elements without those that match at both ends.
    @inlinable package func trimmed(while isRemoved: (Element) -> Bool) -> SubSequence {
        guard let last = lastIndex(where: { !isRemoved($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isRemoved)
    }
}

extension RandomAccessCollection where Index == Int {
    /// Successive parts with this number of elements. The last one can have fewer.
    @inlinable package func chunks(of size: Int) -> [SubSequence] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}

extension Sequence {
    /// The elements whose key no earlier element has.
    @inlinable package func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var known: Set<Key> = []
        return filter { known.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, in the order of the first ones.
    @inlinable package func unique() -> [Element] { unique { $0 } }
}
