/// An absolute http or https address that a page may link to.
public enum WebAddress {
    /// Whether a text is one: a valid URL (URL Standard, section 4.3) in ASCII with a host that begins with a letter or
    /// a digit, and a port up to 65535 where it names one.
    public static func isValid(_ text: String) -> Bool {
        var text = text
        let isURL = text.withUTF8 { bytes in
            bytes.allSatisfy { $0 < 0x80 } && ValueSyntax.urlProblem(bytes) == nil && ValueSyntax.isAbsoluteURL(bytes)
        }
        guard isURL, let start = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let authority = text.utf8[start...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let host = parts.first, let first = host.first, first.isLetter || first.isDigit, parts.count <= 2,
            host.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else { return false }
        guard parts.count == 2 else { return true }
        return (1...5).contains(parts[1].count) && parts[1].allSatisfy(\.isDigit)
            && parts[1].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65_535
    }
}
