import Platform

/// The microsyntaxes of attribute values (HTML Living Standard, section 2.3).
enum ValueSyntax {
    /// The value of a valid integer: 1 to 12 digits, optionally after a minus sign; nil for other bytes.
    static func integer(_ bytes: some Collection<UInt8>) -> Int? {
        let isNegative = bytes.first == "-"
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard (1...12).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - "0") }
        return isNegative ? -number : number
    }

    /// Whether the bytes are a valid floating-point number without an exponent, such as -1 or 0.5.
    static func isNumber(_ bytes: some Collection<UInt8>) -> Bool {
        let digits = bytes.dropFirst(bytes.first == "-" ? 1 : 0)
        return has(digits, 1...2, partsBetween: ".", of: \.isDigit)
    }

    /// Whether separators divide the bytes into an allowed number of parts, which have only bytes of the class.
    private static func has(
        _ bytes: some Collection<UInt8>, _ counts: ClosedRange<Int>, partsBetween separator: UInt8,
        of isInClass: (UInt8) -> Bool
    ) -> Bool {
        let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
        return counts.contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isInClass) }
    }

    /// Whether the bytes are a language tag (RFC 5646): two or three letters, then subtags of 1 to 8 characters.
    static func isLanguage(_ bytes: Bytes) -> Bool {
        if (2...3).contains(bytes.count), bytes.allSatisfy(\.isLetter) { return true }
        let tags = bytes.split(separator: "-", omittingEmptySubsequences: false)
        return (2...3).contains(tags[0].count) && tags[0].allSatisfy(\.isLetter)
            && tags.dropFirst().allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isLetter || $0.isDigit } }
    }

    static func isMediaType(_ bytes: Bytes) -> Bool {
        has(bytes, 2...2, partsBetween: "/") { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    static func isIconSizes(_ bytes: Bytes) -> Bool {
        if bytes.equals("any") { return true }
        return !bytes.isBlank
            && bytes.split(separator: 0x20).allSatisfy { size in
                has(size, 2...2, partsBetween: "x", of: \.isDigit)
                    && !size.split(separator: "x").contains { $0.first == "0" }
            }
    }

    /// - Returns: the reason why the bytes are not a valid URL string (URL Standard, section 4.3); nil if they are
    ///   valid. Characters outside ASCII are allowed.
    static func urlProblem(_ bytes: Bytes) -> String? {
        if bytes.isEmpty { return "must not be empty" }
        for scheme: StaticString in ["http:", "https:"] where bytes.begins(with: scheme) {
            let rest = bytes.dropFirst(scheme.utf8CodeUnitCount)
            guard rest.starts(with: "//".utf8), rest.count > 2, rest.dropFirst(2).first != "/" else {
                return "must name a host"
            }
        }
        // Most links have only letters, digits, "-", "." and "/".
        let plain = bytes.firstIndex { !$0.isLetter && !("-"..."9").contains($0) } ?? bytes.count
        var hasFragment = false
        for position in plain..<bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0...0x20: return "must not contain white space; write it percent-encoded"
            case "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "[", "]":
                return "must not contain \(Character(Unicode.Scalar(byte))); write it percent-encoded"
            case "%" where percentDecoded(bytes[position...].prefix(3)) == nil:
                return "has a % without two hexadecimal digits"
            case "#":
                if hasFragment { return "has more than one #" }
                hasFragment = true
            default: break
            }
        }
        return nil
    }

    static func isAbsoluteURL(_ bytes: Bytes) -> Bool {
        bytes.begins(with: "https://") && bytes.count > 8 || bytes.begins(with: "http://") && bytes.count > 7
    }
}

/// An absolute http or https address that a page may link to.
package enum WebAddress {
    /// Whether a text is a valid absolute URL (URL Standard, section 4.3) in ASCII, with the scheme http or https. The
    /// host must begin with a letter or digit, and a port must be at most 65535.
    package static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }), ValueSyntax.urlProblem(bytes) == nil,
                ValueSyntax.isAbsoluteURL(bytes), let scheme = bytes.firstIndex(of: ":")
            else { return false }
            let authority = bytes[(scheme + 3)...].prefix { !"/?#".utf8.contains($0) }
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let first = parts[0].first, first.isLetter || first.isDigit,
                parts[0].allSatisfy({ $0.isLetter || $0.isDigit || ".-".utf8.contains($0) })
            else { return false }
            guard parts.count == 2 else { return true }
            return parts[1].count <= 5 && parts[1].first != "-" && ValueSyntax.integer(parts[1]) ?? .max <= 65_535
        }
    }

    /// The address with percent codes for characters outside ASCII; nil if it is not valid. Its host must be ASCII.
    /// Invisible characters and those that change the direction of a text are refused.
    package static func encoded(_ text: String) -> String? {
        let isVisible = text.unicodeScalars.allSatisfy {
            $0.isASCII || $0.isVisible && !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
        }
        let encoded = percentEncoded(text) { $0 < 0x80 }
        return isVisible && isValid(encoded) ? encoded : nil
    }
}
