import Archive
import CCrypto
import Dispatch
import Platform

struct FileDigests: Sendable, Equatable {
    let size: Int64
    let sha256: SHA256
    let sha512: [UInt8]
}

extension FileDigests {
    init(of bytes: [UInt8]) {
        let hasher = FileHasher()
        hasher.update(bytes)
        self = hasher.finish()
    }
}

/// Computes both digests of bytes that arrive piece by piece.
final class FileHasher {
    private var size: Int64 = 0
    private var sha256 = SHA256Hasher()
    private let sha512: OpaquePointer

    init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha512(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-512")
        }
        sha512 = context
    }

    deinit { EVP_MD_CTX_free(sha512) }

    func update(_ bytes: [UInt8]) {
        size += Int64(bytes.count)
        sha256.update(bytes)
        // This fails only if the algorithm is missing.
        _ = EVP_DigestUpdate(sha512, bytes, bytes.count)
    }

    /// The digests of all bytes. No bytes can be added after this.
    func finish() -> FileDigests {
        var digest = [UInt8](repeating: 0, count: 64)
        guard EVP_DigestFinal_ex(sha512, &digest, nil) == 1 else {
            preconditionFailure("libcrypto cannot finish a digest")
        }
        var hasher = SHA256Hasher()
        swap(&hasher, &sha256)
        return FileDigests(size: size, sha256: hasher.finish(), sha512: digest)
    }
}

/// Base 32 (RFC 4648, section 6), the encoding of digests in web archives.
enum Base32 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits: UInt64 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt64(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(digits[Int(bits >> UInt64(count) & 31)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << UInt64(5 - count) & 31)]) }
        text += [UInt8](repeating: UInt8(ascii: "="), count: (8 - text.count % 8) % 8)
        return String(decoding: text, as: UTF8.self)
    }
}

extension RandomAccessCollection where Self: Sendable, Index == Int {
    /// Transforms the elements in parallel on all cores.
    /// - Returns: the results in the order of the elements.
    /// - Throws: the error of the first element that failed.
    func concurrentMap<Value: Sendable>(_ transform: @Sendable (Element) throws -> Value) throws -> [Value] {
        let results = Locked([Result<Value, any Error>?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { offset in
            let result = Result { try transform(self[startIndex + offset]) }
            results.withLock { $0[offset] = result }
        }
        return try results.withLock { try $0.compactMap { try $0?.get() } }
    }
}
