/// Base 32 (RFC 4648, section 6), in which web archives write digests.
enum Base32 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 5) {
            let group = bytes[start..<min(start + 5, bytes.count)]
            // Five bytes are eight digits of five bits; fewer bytes fewer digits, the rest is filled up.
            let bits = group.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } << UInt64(8 * (5 - group.count))
            let count = (8 * group.count + 4) / 5
            for place in 0..<8 {
                text.append(place < count ? digits[Int(bits >> UInt64(35 - 5 * place) & 31)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
