/// Percent-encoding in paths and queries.
enum Percent {
    /// Escapes decoded, wrong ones left as they are.
    static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The pairs of a query, in the order sent.
    static func pairs(_ query: String) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { part in
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map {
                decoded(Substring($0), plusIsSpace: true)
            }
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
    }

    /// The number a text begins with, as JavaScript's parseInt reads it.
    static func leadingInteger(_ text: String) -> Int? {
        var rest = text.utf8.drop { $0 == UInt8(ascii: " ") }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !digits.isEmpty else { return nil }
        // What does not fit is past every end.
        return (Int(Substring(digits)) ?? Int.max) * (isNegative ? -1 : 1)
    }
}
