/// Classes of ASCII bytes.
extension UInt8 {
    package var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    package var isSmallLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }

    package var isLetter: Bool { lowercased.isSmallLetter }

    /// A capital letter as a small one; any other byte unchanged.
    package var lowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }

    /// The value of a hexadecimal digit; nil for any other byte.
    package var hexValue: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let letter = lowercased
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f") ? letter - UInt8(ascii: "a") + 10 : nil
    }
}

/// Decodes a percent-encoded text (RFC 3986, section 2.1). Returns nil if two hexadecimal digits do not follow a
/// percent sign.
package func percentDecoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else { return nil }
        bytes.append(high << 4 | low)
    }
    return bytes
}
