import CCrypto

/// A SHA-512 digest, made by libcrypto.
public struct SHA512: Sendable, Hashable {
    /// The 64 bytes.
    public let bytes: [UInt8]

    /// The digest of some bytes.
    public init(of content: [UInt8]) {
        var hasher = SHA512Hasher()
        hasher.update(content)
        self = hasher.finish()
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The digest as 128 lower-case hexadecimal digits.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Takes bytes piece by piece and answers their digest.
public struct SHA512Hasher: ~Copyable {
    private let context: OpaquePointer

    /// A hasher that has seen nothing.
    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha512(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-512")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    public mutating func update(_ content: [UInt8]) {
        content.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The digest of all bytes added.
    public consuming func finish() -> SHA512 {
        var bytes = [UInt8](repeating: 0, count: 64)
        let done = bytes.withUnsafeMutableBufferPointer { EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
        guard done == 1 else { preconditionFailure("libcrypto cannot finish a digest") }
        return SHA512(bytes: bytes)
    }
}
