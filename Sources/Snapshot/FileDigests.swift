public import Archive

/// What is told of a file's bytes: their number and both digests.
public struct FileDigests: Sendable, Equatable {
    /// The length in bytes.
    public let size: Int64
    /// The SHA-256 of the bytes.
    public let sha256: SHA256
    /// The SHA-512 of the bytes.
    public let sha512: SHA512

    /// Those of some bytes.
    public init(of bytes: [UInt8]) {
        var hasher = FileHasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    init(size: Int64, sha256: SHA256, sha512: SHA512) {
        self.size = size
        self.sha256 = sha256
        self.sha512 = sha512
    }
}

/// Counts bytes and makes both digests of them, piece by piece.
struct FileHasher: ~Copyable {
    private var size: Int64 = 0
    private var sha256 = SHA256Hasher()
    private var sha512 = SHA512Hasher()

    mutating func update(_ bytes: [UInt8]) {
        size += Int64(bytes.count)
        sha256.update(bytes)
        sha512.update(bytes)
    }

    consuming func finish() -> FileDigests {
        FileDigests(size: size, sha256: sha256.finish(), sha512: sha512.finish())
    }
}
