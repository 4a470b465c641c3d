import CCrypto
public import Platform

/// A SHA-256 digest, made by libcrypto.
public struct SHA256: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The digest of some bytes.
    public init(of content: some Collection<UInt8>) {
        var hasher = SHA256Hasher()
        hasher.update(content)
        self = hasher.finish()
    }

    /// A digest known from before; nil where it is not 32 bytes long.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The digest of a file, which is read a piece at a time.
    public init(ofFile path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        var reader = try FileReader(folder.map { "\($0.path)/\(path)" } ?? path)
        var hasher = SHA256Hasher()
        while true {
            let piece = try reader.read(1 << 18)
            guard !piece.isEmpty else { break }
            hasher.update(piece)
        }
        self = hasher.finish()
    }

    /// The digest as 64 lower-case hexadecimal digits.
    public var hex: String {
        prefixInHex(bytes: 32)
    }

    /// The first bytes as hexadecimal digits: a name that is short and still unlike any other's.
    public func prefixInHex(bytes count: Int) -> String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (index, byte) in bytes.prefix(count).enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// Takes bytes piece by piece and answers their digest.
public struct SHA256Hasher: ~Copyable {
    private let context: OpaquePointer

    /// A hasher that has seen nothing.
    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    public mutating func update(_ content: some Collection<UInt8>) {
        let isContiguous: Void? = content.withContiguousStorageIfAvailable { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }.map {
            _ in ()
        }
        if isContiguous == nil { Array(content).withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) } }
    }

    /// Adds the UTF-8 bytes of a text.
    public mutating func update(_ text: String) {
        update(text.utf8)
    }

    /// The digest of all bytes added.
    public consuming func finish() -> SHA256 {
        var bytes = [UInt8](repeating: 0, count: 32)
        let done = bytes.withUnsafeMutableBufferPointer { EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
        guard done == 1, let digest = SHA256(bytes: bytes) else { preconditionFailure("libcrypto cannot finish a digest") }
        return digest
    }
}
