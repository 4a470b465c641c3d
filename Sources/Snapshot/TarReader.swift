import Platform

/// Reads only tars in the exact form that TarWriter writes: every byte outside the files' content must have its one
/// valid value.
///
/// The reader does not store names. The caller knows which entries must follow in which order.
struct TarReader: ~Copyable {
    private let path: String
    private var file: FileReader
    private var offset: Int64 = 0
    /// The rest of the last entry's content, and the zeros after it.
    private var left: Int64 = 0
    private var padding = 0
    private var isAtEnd = false

    /// The limit in bytes for the pax values before a header.
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

    /// The next entry; nil after the last one. Content that was not read is skipped.
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
        // Each entry has only one valid header. A different type, checksum or length gives a different header.
        guard entry.header == raw else { throw fault("an invalid header", start) }
        do { try PackageFile.checkPath(name) } catch { throw fault("an entry with an invalid path", start) }
        left = entry.size
        padding = TarEntry.padding(behind: left)
        return entry
    }

    /// Passes the rest of the entry's content to the body, piece by piece.
    mutating func content(_ body: ([UInt8]) throws -> Void) throws {
        while left > 0 {
            let piece = try read(Int(min(left, PackageContent.pieceSize)))
            left -= Int64(piece.count)
            try body(piece)
        }
        let start = offset
        guard try read(padding).allSatisfy({ $0 == 0 }) else { throw fault("padding that is not zero", start) }
        padding = 0
    }

    /// Reads the end: two blocks of zeros, the first of which was already read, and zeros to the end of the record.
    private mutating func finish(begunAt start: Int64) throws {
        let record = Int64(TarEntry.recordSize)
        let end = (start + Int64(2 * TarEntry.blockSize) + record - 1) / record * record
        guard try read(Int(end - offset)).allSatisfy({ $0 == 0 }) else {
            throw fault("an end that is not zero", start)
        }
        guard file.status.size == end else { throw fault("more bytes after its end", end) }
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

    /// The number in eleven octal digits; 0 for other bytes, which gives a different header.
    private static func number(_ block: [UInt8], at start: Int) -> Int64 {
        max(0, Int64(String(decoding: block[start..<start + 11], as: UTF8.self), radix: 8) ?? 0)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The readable values in a pax header.
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
