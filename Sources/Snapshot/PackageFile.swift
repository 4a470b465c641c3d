import Archive
import Platform

/// Opens the files of a package. A package may be malicious, so only regular files of limited size are read.
enum PackageFile {
    /// The maximum size in bytes of a statement, a list of digests, a signature or a key.
    static let standardLimit = 1 << 16

    /// The maximum size in bytes of any file of a package. Reading a longer file would take hours.
    static let maximumSize: Int64 = 1 << 38

    static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The status of a file, which must be regular and at most `limit` bytes long.
    static func status(_ path: String, limit: Int64 = maximumSize) throws -> FileStatus {
        guard let status = FileStatus(path) else { throw SnapshotError.damaged("\(path) is missing") }
        guard status.isRegular else {
            let kind = status.isLink ? "a symbolic link" : status.isFolder ? "a folder" : "a pipe or device"
            throw SnapshotError.damaged("\(path) is \(kind), not a file")
        }
        try SnapshotError.require(status.size <= limit, "\(path) has \(status.size) bytes; the limit is \(limit)")
        return status
    }

    static func read(_ path: String, limit: Int = standardLimit) throws -> [UInt8] {
        _ = try status(path, limit: Int64(limit))
        return try File.read(path, limit: limit)
    }

    static func sha256(_ path: String) throws -> SHA256 {
        _ = try status(path)
        return try SHA256(ofFile: path)
    }

    /// Refuses a path that could lead out of its folder: not relative, with NUL, or with an empty, "." or ".." segment.
    static func checkPath(_ path: String) throws {
        guard path.utf8.hasPlainSegments, !path.utf8.contains(0) else {
            throw SnapshotError.unwritable(
                "\"\(path)\" is not a valid path in a package; use a relative path without \".\" and \"..\"")
        }
    }
}

/// The content of a file in a package: bytes in memory, or the path of a file.
enum PackageContent: Sendable {
    case bytes([UInt8])
    case file(String)

    static let pieceSize: Int64 = 1 << 20

    /// Passes the bytes to the body, piece by piece.
    /// - Throws: `SnapshotError.changed` if there are more or fewer bytes than this size.
    func forEachPiece(of size: Int64, _ body: ([UInt8]) throws -> Void) throws {
        guard case .file(let path) = self else { return try body(load(size)) }
        let file = try File(reading: path)
        var remaining = size
        while case let piece = try file.read(Int(Self.pieceSize)), !piece.isEmpty {
            remaining -= Int64(piece.count)
            guard remaining >= 0 else { break }
            try body(piece)
        }
        guard remaining == 0 else { throw SnapshotError.changed("the length of \(path) changed while it was read") }
    }

    /// The bytes.
    /// - Throws: `SnapshotError.changed` if there are more or fewer bytes than this size.
    func load(_ size: Int64) throws -> [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        var loaded: [UInt8] = []
        try forEachPiece(of: size) { loaded += $0 }
        return loaded
    }
}

struct FileDigests: Sendable, Equatable {
    let size: Int64
    let sha256: SHA256
    let sha512: [UInt8]
}

extension FileDigests {
    init(of bytes: [UInt8]) {
        var hasher = FileHasher()
        hasher.update(bytes)
        self = hasher.finish()
    }
}

/// Computes both digests of bytes that arrive piece by piece.
struct FileHasher: ~Copyable {
    private var size: Int64 = 0
    private var sha256 = DigestHasher()
    private var sha512 = DigestHasher(isLong: true)

    mutating func update(_ bytes: [UInt8]) {
        size += Int64(bytes.count)
        sha256.update(bytes)
        sha512.update(bytes)
    }

    consuming func finish() -> FileDigests {
        FileDigests(size: size, sha256: sha256.finish(), sha512: sha512.finishLong())
    }
}

/// Base 32 (RFC 4648, section 6), the encoding of digests in web archives.
func base32(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    let bits = bytes.flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
    let text = bits.chunks(of: 5).map { group in
        digits[Int(group.reduce(0) { $0 << 1 | $1 } << (5 - group.count))]
    }
    return String(decoding: text, as: UTF8.self) + String(repeating: "=", count: (8 - text.count % 8) % 8)
}

/// Collects values, and transforms batches of them in parallel. Only one batch is in memory.
struct ParallelBatches<Value: Sendable, Output: Sendable> {
    let transform: @Sendable (Value) throws -> Output
    private var waiting: [Value] = []
    private var size: Int64 = 0

    /// The size of a batch in bytes. Only its last value may go beyond it.
    static var maximumSize: Int64 { 8 << 20 }

    init(_ transform: @escaping @Sendable (Value) throws -> Output) { self.transform = transform }

    /// Adds a value, and flushes a batch that has 256 values or its size.
    mutating func add(_ value: Value, size: Int64, _ body: (Value, Output) throws -> Void) throws {
        waiting.append(value)
        self.size += min(max(0, size), Self.maximumSize)
        if waiting.count == 256 || self.size >= Self.maximumSize { try flush(body) }
    }

    /// Transforms the waiting values, and calls the body with each value and its result, in the order of the values.
    mutating func flush(_ body: (Value, Output) throws -> Void) throws {
        let outputs = resultsOnAllCores(waiting, transform)
        for (value, output) in zip(waiting, outputs) { try body(value, output.get()) }
        waiting = []
        size = 0
    }
}
