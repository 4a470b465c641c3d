import CCrypto
package import Platform

/// A SHA-256 digest, computed by libcrypto. The 32 bytes are stored inline.
package struct SHA256: Sendable {
    /// Eight bytes each, in big-endian order.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// The first 16 bytes.
    package var prefix: UInt128 { UInt128(words.0) << 64 | UInt128(words.1) }

    /// Returns nil unless there are 32 bytes.
    init?(raw: UnsafeRawBufferPointer) {
        guard raw.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// A digest from its 64 lower-case hexadecimal digits; nil for any other text.
    package init?(hex: some StringProtocol) {
        let digits = hex.utf8.compactMap { $0 == $0.lowercased ? $0.hexValue : nil }
        guard hex.utf8.count == 64, digits.count == 64 else { return nil }
        func word(_ index: Int) -> UInt64 { digits[16 * index..<16 * index + 16].reduce(0) { $0 << 4 | UInt64($1) } }
        words = (word(0), word(1), word(2), word(3))
    }

    package init(of content: some Collection<UInt8>) {
        var hasher = DigestHasher()
        hasher.update(content)
        self = hasher.finish()
    }

    /// Computes the digest of a file, which is read in pieces. Larger pieces are not faster.
    package init(ofFile path: String, in folder: OpenFolder = .working) throws {
        let file = try File(reading: path, in: folder)
        var hasher = DigestHasher()
        while case let piece = try file.read(1 << 16), !piece.isEmpty { hasher.update(piece) }
        self = hasher.finish()
    }

    package var bytes: [UInt8] {
        withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)) { Array($0) }
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { bytes.hex }

    /// The first bytes as lower-case hexadecimal digits, for short names.
    package func prefixInHex(bytes count: Int) -> String { String(hex.prefix(2 * count)) }
}

extension SHA256: Hashable, Comparable {
    package static func == (left: SHA256, right: SHA256) -> Bool { left.words == right.words }

    package static func < (left: SHA256, right: SHA256) -> Bool { left.words < right.words }

    /// Hashes the first eight bytes, which are as evenly distributed as all 32.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// Computes a digest incrementally: SHA-256, or SHA-512.
package struct DigestHasher: ~Copyable {
    private let context: OpaquePointer

    /// Fetched once, because otherwise libcrypto searches for the algorithm at each use (crypto(7), "Performance").
    /// Threads can share the objects: they never change, and libcrypto protects their reference counts.
    nonisolated(unsafe) private static let algorithms = (
        sha256: EVP_MD_fetch(nil, "SHA256", nil), sha512: EVP_MD_fetch(nil, "SHA512", nil)
    )

    package init(isLong: Bool = false) {
        let algorithm = isLong ? Self.algorithms.sha512 : Self.algorithms.sha256
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, algorithm, nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256 or no SHA-512")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ content: some Collection<UInt8>) {
        let isContiguous: Void? = content.withContiguousStorageIfAvailable { update(bytes: UnsafeRawBufferPointer($0)) }
        if isContiguous == nil { Array(content).withUnsafeBytes { update(bytes: $0) } }
    }

    package mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { update(bytes: UnsafeRawBufferPointer($0)) }
    }

    private mutating func update(bytes: UnsafeRawBufferPointer) {
        // This fails only if the algorithm does not exist.
        _ = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    package consuming func finish() -> SHA256 { finish { SHA256(raw: $0) } }

    /// The bytes of a SHA-512.
    package consuming func finishLong() -> [UInt8] { finish { Array($0) } }

    private consuming func finish<Value>(_ read: (UnsafeRawBufferPointer) -> Value?) -> Value {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { bytes in
            var count: UInt32 = 0
            guard EVP_DigestFinal_ex(context, bytes.baseAddress, &count) == 1,
                let digest = read(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.prefix(Int(count)))))
            else {
                preconditionFailure("libcrypto cannot compute a digest")
            }
            return digest
        }
    }
}
