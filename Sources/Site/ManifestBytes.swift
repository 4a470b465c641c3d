import Catalogue

/// Reads a manifest's numbers and texts one after another: numbers as eight bytes, little-endian; texts with their
/// length before them.
struct ManifestBytes {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// How many bytes are left.
    var left: Int { bytes.count - position }

    /// The next number; nil at the end.
    mutating func number() -> UInt64? {
        guard left >= 8 else { return nil }
        defer { position += 8 }
        return UInt64(
            littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) })
    }

    /// The most bytes of a text. It is a path, a digest, the name of a set, or a fragment of a page.
    static let longestText = 1_024

    /// The next text; nil at the end, and for one that is too long.
    mutating func text() -> String? {
        guard let count = number(), count <= UInt64(min(left, Self.longestText)) else { return nil }
        defer { position += Int(count) }
        return String(decoding: bytes[position..<position + Int(count)], as: UTF8.self)
    }
}

extension [UInt8] {
    /// Adds a number as a manifest has it.
    mutating func appendNumber(_ number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Adds a text as a manifest has it.
    mutating func appendText(_ text: String) {
        appendNumber(UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
