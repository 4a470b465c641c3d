import CCrypto
package import Platform

/// A SHA-256 digest, computed by libcrypto. The 32 bytes are stored inline.
public struct SHA256: Sendable {
    /// Eight bytes each, in big-endian order.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// Returns nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard let digest = bytes.withUnsafeBytes({ SHA256(raw: $0) }) else { return nil }
        self = digest
    }

    init?(raw: UnsafeRawBufferPointer) {
        guard raw.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }
}

extension SHA256 {
    package init(of content: some Collection<UInt8>) {
        let digest = content.withContiguousStorageIfAvailable { SHA256(of: UnsafeRawBufferPointer($0)) }
        self = digest ?? SHA256(of: Array(content))
    }

    /// Computes the digest of a file, which is read in pieces.
    package init(ofFile path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        var reader = try FileReader(path, in: folder)
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        var count: Int
        repeat {
            count = try reader.read(into: buffer)
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } while count == buffer.count
        self = hasher.finish()
    }

    /// Larger buffers are not faster.
    private static let bufferSize = 1 << 16

    init(of content: UnsafeRawBufferPointer) {
        self = Self.digest { EVP_Digest(content.baseAddress, content.count, $0, nil, Self.algorithm, nil) }
    }

    fileprivate static func digest(_ finish: (UnsafeMutablePointer<UInt8>?) -> Int32) -> SHA256 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { bytes in
            guard finish(bytes.baseAddress) == 1, let digest = SHA256(raw: UnsafeRawBufferPointer(bytes)) else {
                preconditionFailure("libcrypto cannot compute a digest")
            }
            return digest
        }
    }

    /// Fetched once, because otherwise libcrypto searches for the algorithm at each use (crypto(7), "Performance").
    /// Threads can share the object: it never changes, and libcrypto protects its reference count.
    nonisolated(unsafe) fileprivate static let algorithm: OpaquePointer = {
        guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("libcrypto has no SHA-256") }
        return algorithm
    }()
}

extension SHA256 {
    package var bytes: [UInt8] { (0..<32).map(byte) }

    /// A digest from its 64 lower-case hexadecimal digits; nil for any other text.
    package init?(hex: some StringProtocol) {
        guard hex.utf8.count == 64 else { return nil }
        var words = [UInt64](repeating: 0, count: 4)
        for (index, digit) in hex.utf8.enumerated() {
            guard let value = digit.hexValue, digit == digit.lowercased else { return nil }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// Divides the range of all digests into equal parts.
    /// - Returns: the index of the part that contains this digest, from 0.
    package func part(of count: Int) -> Int { Int(words.0.multipliedFullWidth(by: UInt64(count)).high) }

    /// 64 lower-case hexadecimal digits.
    package var hex: String { prefixInHex(bytes: 32) }

    /// The first bytes as lower-case hexadecimal digits, for short names.
    package func prefixInHex(bytes count: Int) -> String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for index in 0..<count {
                let byte = byte(index)
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * count
        }
    }

    private func byte(_ index: Int) -> UInt8 {
        let word =
            switch index / 8 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8)))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension SHA256: Hashable, Comparable {
    /// Whether all 32 bytes are equal.
    public static func == (left: SHA256, right: SHA256) -> Bool { left.words == right.words }

    /// Orders by the bytes.
    public static func < (left: SHA256, right: SHA256) -> Bool { left.words < right.words }

    /// Hashes the first eight bytes, which are as evenly distributed as all 32.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// Computes a digest incrementally.
public struct SHA256Hasher: ~Copyable {
    private let context: OpaquePointer

    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, SHA256.algorithm, nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ content: some Collection<UInt8>) {
        let isContiguous: Void? = content.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isContiguous == nil { Array(content).withUnsafeBytes { update($0) } }
    }

    package mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    mutating func update(_ content: UnsafeRawBufferPointer) {
        // This fails only if the algorithm does not exist.
        _ = EVP_DigestUpdate(context, content.baseAddress, content.count)
    }

    package consuming func finish() -> SHA256 {
        SHA256.digest { EVP_DigestFinal_ex(context, $0, nil) }
    }
}
