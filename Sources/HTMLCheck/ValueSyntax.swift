/// The microsyntaxes of attribute values (HTML Living Standard, section 2.3).
enum ValueSyntax {
    /// A valid integer: digits, perhaps after a minus.
    static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let negative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(negative ? 1 : 0)
        guard !digits.isEmpty, digits.count <= 12 else { return nil }
        var number = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return negative ? -number : number
    }

    /// A valid floating-point number without exponent: -1, 0.5.
    static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let parts = bytes.dropFirst(bytes.first == UInt8(ascii: "-") ? 1 : 0).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return !parts.isEmpty && parts.count <= 2
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy(\.isDigit) }
    }

    /// Well-formed by RFC 5646: letters, then subtags of 1 to 8 letters and digits.
    static func isLanguage(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var length = 0
        var isPrimary = true
        for byte in bytes {
            if byte == UInt8(ascii: "-") {
                guard isPrimary ? length == 2 || length == 3 : length > 0 else { return false }
                isPrimary = false
                length = 0
            } else {
                length += 1
                guard byte.isLetter || byte.isDigit && !isPrimary, length <= 8 else { return false }
            }
        }
        return isPrimary ? length == 2 || length == 3 : length > 0
    }

    static func isMediaType(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
            }
    }

    static func isIconSizes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.equals("any") { return true }
        return !bytes.isBlank
            && bytes.split(separator: 0x20).allSatisfy { size in
                let sides = size.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
                return sides.count == 2
                    && sides.allSatisfy { side in
                        side.first.map { $0 != UInt8(ascii: "0") } ?? false && side.allSatisfy(\.isDigit)
                    }
            }
    }

    /// - Returns: why it is no valid URL string (URL Standard, section 4.3), or nil. Letters beyond ASCII are allowed.
    static func urlProblem(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        if bytes.isEmpty { return "must not be empty" }
        var fragments = 0
        if bytes.begins(with: "http:"), !namesHost(bytes, after: 5) { return "must name a host" }
        if bytes.begins(with: "https:"), !namesHost(bytes, after: 6) { return "must name a host" }
        for position in bytes.indices {
            let byte = bytes[position]
            if byte.isLetter || byte.isDigit || byte >= 0x80 { continue }
            switch byte {
            case 0...0x20: return "must write white space as percent codes"
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
                UInt8(ascii: "`"),
                UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
                return "must write \(Character(Unicode.Scalar(byte))) as a percent code"
            case UInt8(ascii: "%"):
                guard position + 2 < bytes.count, bytes[position + 1].hexValue != nil,
                    bytes[position + 2].hexValue != nil
                else {
                    return "has a % without two hexadecimal digits"
                }
            case UInt8(ascii: "#"):
                fragments += 1
                if fragments > 1 { return "has more than one #" }
            default: break
            }
        }
        return nil
    }

    private static func namesHost(_ bytes: UnsafeBufferPointer<UInt8>, after scheme: Int) -> Bool {
        let slash = UInt8(ascii: "/")
        return bytes.count >= scheme + 3 && bytes[scheme] == slash && bytes[scheme + 1] == slash
            && bytes[scheme + 2] != slash
    }

    static func isAbsoluteURL(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.begins(with: "https://") && bytes.count > 8 || bytes.begins(with: "http://") && bytes.count > 7
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isSmallLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    var isLetter: Bool { (self | 0x20).isSmallLetter }

    /// 0 to 15 for a hexadecimal digit.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    func equals(spelling text: String) -> Bool {
        elementsEqual(text.utf8)
    }
}

/// Percent codes as the bytes they stand for; a % without two digits stays.
func percentDecoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
        let digits = rest.prefix(2).compactMap(\.hexValue)
        if byte == UInt8(ascii: "%"), digits.count == 2 {
            decoded.append(digits[0] << 4 | digits[1])
            rest = rest.dropFirst(2)
        } else {
            decoded.append(byte)
        }
    }
    return decoded
}
