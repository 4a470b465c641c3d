import Archive
import CCrypto
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
        let bits = bytes.flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
        let text = stride(from: 0, to: bits.count, by: 5).map { start in
            digits[(start..<start + 5).reduce(0) { $0 << 1 | ($1 < bits.count ? Int(bits[$1]) : 0) }]
        }
        return String(decoding: text, as: UTF8.self) + String(repeating: "=", count: (8 - text.count % 8) % 8)
    }
}

/// Collects values, and transforms batches of them in parallel. Only one batch is in memory.
struct ParallelBatches<Value: Sendable, Output: Sendable> {
    let transform: @Sendable (Value) throws -> Output
    private var waiting: [Value] = []
    private var size: Int64 = 0

    /// The maximum number of values in a batch.
    private static var maximumCount: Int { 256 }
    /// The size of a batch in bytes. Only its last value may go beyond it.
    static var maximumSize: Int64 { 8 << 20 }

    init(_ transform: @escaping @Sendable (Value) throws -> Output) { self.transform = transform }

    /// Adds a value, and flushes a batch that is full.
    mutating func add(_ value: Value, size: Int64, _ body: (Value, Output) throws -> Void) throws {
        waiting.append(value)
        self.size += min(max(0, size), Self.maximumSize)
        if waiting.count == Self.maximumCount || self.size >= Self.maximumSize { try flush(body) }
    }

    /// Transforms the waiting values, and calls the body with each value and its result, in the order of the values.
    mutating func flush(_ body: (Value, Output) throws -> Void) throws {
        let outputs = resultsOnAllCores(waiting.count) { [waiting, transform] in try transform(waiting[$0]) }
        for (value, output) in zip(waiting, outputs) { try body(value, output.get()) }
        waiting = []
        size = 0
    }
}
