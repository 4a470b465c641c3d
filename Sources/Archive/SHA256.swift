import CCrypto
public import Platform
import SQLite

/// A SHA-256 digest, made by libcrypto: 32 bytes without an allocation of their own, ordered as its bytes are.
public struct SHA256: Sendable {
    /// Eight bytes each, the first of them highest.
    public let words: (UInt64, UInt64, UInt64, UInt64)

    /// A digest known from before.
    public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// A digest known from before; nil where it is not 32 bytes long.
    public init?(bytes: [UInt8]) {
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
    /// The digest of some bytes.
    public init(of content: [UInt8]) {
        self = content.withUnsafeBytes { SHA256(of: $0) }
    }

    /// The digest of some bytes.
    public init(of content: some Collection<UInt8>) {
        let known = content.withContiguousStorageIfAvailable { SHA256(of: UnsafeRawBufferPointer($0)) }
        self = known ?? SHA256(of: Array(content))
    }

    /// The digest of a file, which is read a piece at a time.
    public init(ofFile path: String, in folder: OpenFolder? = nil) throws(SystemError) {
        var reader = try FileReader(path, in: folder)
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
        defer { buffer.deallocate() }
        var count: Int
        repeat {
            count = try reader.read(into: buffer)
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } while count == buffer.count
        self = hasher.finish()
    }

    /// Larger pieces take no less time.
    private static let piece = 1 << 16

    init(of content: UnsafeRawBufferPointer) {
        self = Self.finished { EVP_Digest(content.baseAddress, content.count, $0, nil, Self.algorithm, nil) }
    }

    fileprivate static func finished(_ finish: (UnsafeMutablePointer<UInt8>?) -> Int32) -> SHA256 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { bytes in
            guard finish(bytes.baseAddress) == 1, let digest = SHA256(raw: UnsafeRawBufferPointer(bytes)) else {
                preconditionFailure("libcrypto cannot make a digest")
            }
            return digest
        }
    }

    /// libcrypto looks for an algorithm anew each time where it is not fetched once (its manual, "Performance" in
    /// crypto(7)). Unchecked: nothing changes it, and libcrypto counts who uses it under a lock.
    nonisolated(unsafe) fileprivate static let algorithm: OpaquePointer = {
        guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else { preconditionFailure("libcrypto has no SHA-256") }
        return algorithm
    }()
}

extension SHA256 {
    /// The 32 bytes.
    public var bytes: [UInt8] { (0..<32).map(byte) }

    /// A digest from its 64 lower-case hexadecimal digits; nil for any other text.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 64 else { return nil }
        var words = [UInt64](repeating: 0, count: 4)
        for (index, digit) in hex.utf8.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// Which of so many equal parts of all digests it belongs to, in their order, counted from 0.
    public func part(of count: Int) -> Int { Int(words.0.multipliedFullWidth(by: UInt64(count)).high) }

    /// The first eight bytes as a number.
    public var prefix: UInt64 { words.0 }

    /// The digest as 64 lower-case hexadecimal digits.
    public var hex: String {
        prefixInHex(bytes: 32)
    }

    /// The first bytes as hexadecimal digits: a name that is short and still unlike any other's.
    public func prefixInHex(bytes count: Int) -> String {
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
    /// Compares all 32 bytes.
    public static func == (left: SHA256, right: SHA256) -> Bool { left.words == right.words }

    /// Orders by the bytes.
    public static func < (left: SHA256, right: SHA256) -> Bool { left.words < right.words }

    /// A digest's first bytes spread as well as all of them.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension Row {
    /// The digest in a column; nil where it holds none.
    func digest(_ column: Int) -> SHA256? { isNull(column) ? nil : SHA256(raw: rawBlob(column)) }
}

/// Takes bytes piece by piece and answers their digest.
public struct SHA256Hasher: ~Copyable {
    private let context: OpaquePointer

    /// A hasher that has seen nothing.
    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, SHA256.algorithm, nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    public mutating func update(_ content: some Collection<UInt8>) {
        let isContiguous: Void? = content.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isContiguous == nil { Array(content).withUnsafeBytes { update($0) } }
    }

    /// Adds the UTF-8 bytes of a text.
    public mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    /// Adds bytes.
    mutating func update(_ content: UnsafeRawBufferPointer) {
        // It fails only for an algorithm that is not there.
        _ = EVP_DigestUpdate(context, content.baseAddress, content.count)
    }

    /// The digest of all bytes added.
    public consuming func finish() -> SHA256 {
        SHA256.finished { EVP_DigestFinal_ex(context, $0, nil) }
    }
}
