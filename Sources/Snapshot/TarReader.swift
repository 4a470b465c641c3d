import Platform

/// Reads a tar as TarWriter writes it, and nothing else: every byte that is no file's content has one value that it may
/// have.
///
/// Names are not remembered: the caller knows which entries there must be, and in which order.
struct TarReader: ~Copyable {
    private let path: String
    private var file: FileReader
    private var offset: Int64 = 0
    /// The rest of the last entry's content, and the zeros behind it.
    private var left: Int64 = 0
    private var padding = 0
    private var isAtEnd = false

    /// The most bytes of the values before a header.
    private static let longestRecords: Int64 = 1 << 16

    init(_ path: String) throws {
        _ = try PackageFile.status(path)
        file = try FileReader(path)
        self.path = path
    }

    /// Checks that a tar's headers account for its whole length, without reading its content.
    static func checkHeaders(of path: String) throws {
        var reader = try TarReader(path)
        while try reader.next() != nil {}
    }

    /// The next entry, nil behind the last one. Content that was not asked for is skipped.
    mutating func next() throws -> TarEntry? {
        guard !isAtEnd else { return nil }
        guard left <= file.status.size - offset else { throw fault("no end", file.status.size) }
        try file.skip(left)
        offset += left
        left = 0
        try content { _ in }
        let start = offset
        var raw = try read(TarEntry.blockSize)
        if raw.allSatisfy({ $0 == 0 }) {
            try finish(begunAt: start)
            return nil
        }
        var values: [String: String] = [:]
        if raw[156] == UInt8(ascii: "x") {
            let size = Self.number(raw, at: 124)
            guard size <= Self.longestRecords else { throw fault("a header of \(size) bytes", start) }
            let records = try read(Int(size) + TarEntry.padding(behind: size))
            values = Self.values(records.prefix(Int(size)))
            raw += records
            raw += try read(TarEntry.blockSize)
        }
        let block = Array(raw.suffix(TarEntry.blockSize))
        let name = values["path"] ?? Self.text(block[0..<100])
        let isFile = block[156] == UInt8(ascii: "0")
        let size = values["size"].flatMap { Int64($0) } ?? Self.number(block, at: 124)
        let entry = TarEntry(
            path: name, link: isFile ? nil : values["linkpath"] ?? Self.text(block[157..<257]),
            size: isFile ? max(0, size) : 0, modified: Self.number(block, at: 136))
        // There is one way to write an entry. Other kinds, checksums and lengths make another header.
        guard entry.header == raw else { throw fault("a header that is not as it was written", start) }
        do { try PackageFile.checkPath(name) } catch { throw fault("an entry with no path", start) }
        left = entry.size
        padding = TarEntry.padding(behind: left)
        return entry
    }

    /// Hands on what is left of the entry's content, a piece at a time.
    mutating func content(_ body: ([UInt8]) throws -> Void) throws {
        while left > 0 {
            let piece = try read(Int(min(left, PackageContent.pieceSize)))
            left -= Int64(piece.count)
            try body(piece)
        }
        let start = offset
        guard try read(padding).allSatisfy({ $0 == 0 }) else { throw fault("a filling that is not empty", start) }
        padding = 0
    }

    /// Two blocks of zeros, the first of which was read, and zeros up to a whole record, the last.
    private mutating func finish(begunAt start: Int64) throws {
        let record = Int64(TarEntry.recordSize)
        let end = (start + Int64(2 * TarEntry.blockSize) + record - 1) / record * record
        guard try read(Int(end - offset)).allSatisfy({ $0 == 0 }) else {
            throw fault("an end that is not empty", start)
        }
        guard file.status.size == end else { throw fault("more bytes behind its end", end) }
        isAtEnd = true
    }

    private mutating func read(_ count: Int) throws -> [UInt8] {
        let bytes = try file.read(count)
        offset += Int64(bytes.count)
        guard bytes.count == count else { throw fault("no end", offset) }
        return bytes
    }

    private func fault(_ what: String, _ offset: Int64) -> SnapshotError {
        .damaged("\(path) has \(what) at byte \(offset)")
    }

    /// Eleven octal digits; 0 where they are none, which makes another header.
    private static func number(_ block: [UInt8], at start: Int) -> Int64 {
        max(0, Int64(String(decoding: block[start..<start + 11], as: UTF8.self), radix: 8) ?? 0)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The values in a pax header, as far as they can be read.
    private static func values(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var values: [String: String] = [:]
        var rest = bytes
        while let space = rest.firstIndex(of: UInt8(ascii: " ")), let length = Int(text(rest[..<space])),
            (1...rest.count).contains(length)
        {
            let record = rest.prefix(length).dropLast().drop { $0 != UInt8(ascii: " ") }.dropFirst()
            let parts = record.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[text(parts[0])] = String(decoding: parts[1], as: UTF8.self) }
            rest = rest.dropFirst(length)
        }
        return values
    }
}
