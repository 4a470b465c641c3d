import Archive

/// A SHA-256 digest in 32 bytes without an allocation of its own, ordered as its bytes are.
struct CompactDigest: Hashable {
    private let words: SIMD4<UInt64>

    init(_ sha256: SHA256) {
        var words = SIMD4<UInt64>()
        for (index, byte) in sha256.bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
        self.words = words
    }

    var sha256: SHA256 {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - 8 * ($0 % 8))) }
        guard let sha256 = SHA256(bytes: bytes) else { preconditionFailure("32 bytes are a digest") }
        return sha256
    }

    func precedes(_ other: CompactDigest) -> Bool {
        for index in 0..<4 where words[index] != other.words[index] { return words[index] < other.words[index] }
        return false
    }
}
