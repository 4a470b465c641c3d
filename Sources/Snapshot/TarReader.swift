import Platform

/// Reads only tars in the exact form that TarWriter writes. For every byte outside the files' content, only one value
/// is valid.
///
/// The reader does not store names. The caller checks the entries and their order.
struct TarReader: ~Copyable {
    private let path: String
    private var file: FileReader
    private var offset: Int64 = 0
    /// The number of unread bytes of the current entry's content.
    private var remaining: Int64 = 0
    /// The number of zeros after the content.
    private var padding = 0
    private var isAtEnd = false

    /// The maximum size in bytes of the pax values before a header.
    private static let maximumRecordsSize: Int64 = 1 << 16

    init(_ path: String) throws {
        _ = try PackageFile.status(path)
        file = try FileReader(path)
        self.path = path
    }

    /// Checks that the headers of a tar are valid and that the entries fill the file. Contents are skipped.
    static func checkHeaders(of path: String) throws {
        var reader = try TarReader(path)
        while try reader.next() != nil {}
    }

    /// Returns the next entry, or nil after the last one. Skips content of the current entry that was not read.
    mutating func next() throws -> TarEntry? {
        guard !isAtEnd else { return nil }
        guard remaining <= file.status.size - offset else { throw fault("an unexpected end", file.status.size) }
        try file.skip(remaining)
        offset += remaining
        remaining = 0
        try content { _ in }
        let start = offset
        var raw = try read(TarEntry.blockSize)
        if raw.allSatisfy({ $0 == 0 }) {
            try finish(startingAt: start)
            return nil
        }
        var values: [String: String] = [:]
        if raw[156] == UInt8(ascii: "x") {
            let size = Self.number(raw, at: 124)
            guard size <= Self.maximumRecordsSize else { throw fault("a header of \(size) bytes", start) }
            let records = try read(Int(size) + TarEntry.padding(after: size))
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
        remaining = entry.size
        padding = TarEntry.padding(after: remaining)
        return entry
    }

    /// Passes the rest of the entry's content to the body, piece by piece, and checks the padding.
    mutating func content(_ body: ([UInt8]) throws -> Void) throws {
        while remaining > 0 {
            let piece = try read(Int(min(remaining, PackageContent.pieceSize)))
            remaining -= Int64(piece.count)
            try body(piece)
        }
        let start = offset
        guard try read(padding).allSatisfy({ $0 == 0 }) else { throw fault("padding that is not zero", start) }
        padding = 0
    }

    /// Reads the end of the tar: two blocks of zeros, and zeros up to the end of the record. The first block was
    /// already read.
    private mutating func finish(startingAt start: Int64) throws {
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
        guard bytes.count == count else { throw fault("an unexpected end", offset) }
        return bytes
    }

    private func fault(_ what: String, _ offset: Int64) -> SnapshotError {
        .damaged("\(path) has \(what) at byte \(offset)")
    }

    /// The number in eleven octal digits; 0 for other bytes. The comparison of the headers then fails.
    private static func number(_ block: [UInt8], at start: Int) -> Int64 {
        max(0, Int64(String(decoding: block[start..<start + 11], as: UTF8.self), radix: 8) ?? 0)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The values in a pax header, up to the first invalid record.
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
