import Platform

/// Reads a tar as TarWriter writes it, and nothing else: every byte that is no file's content has one value that it may
/// have.
///
/// Names are not remembered: the caller knows which entries there must be, and in which order.
public struct TarReader: ~Copyable {
    private let path: String
    private var file: FileReader
    private var offset: Int64 = 0
    /// What is left of the last entry's content.
    private var left: Int64 = 0
    private var padding = 0
    private var isAtEnd = false

    /// Opens a tar.
    public init(_ path: String) throws(SnapshotError) {
        file = try PackageFile.open(path)
        self.path = path
    }

    /// Checks that a tar's headers account for its whole length, without reading its content.
    static func checkHeaders(of path: String) throws(SnapshotError) {
        var reader = try TarReader(path)
        while try reader.next() != nil {}
    }

    /// The next entry, nil behind the last one. Content that was not asked for is skipped.
    public mutating func next() throws(SnapshotError) -> TarEntry? {
        guard !isAtEnd else { return nil }
        guard left <= file.status.size - offset else { throw fault("no end", file.status.size) }
        do { try file.skip(left) } catch { throw .file(error) }
        offset += left
        left = 0
        try content { _ in }
        let start = offset
        let block = try read(TarEntry.blockSize)
        if block.allSatisfy({ $0 == 0 }) {
            try finish(begunAt: start)
            return nil
        }
        var raw = block
        var fields: [String: String] = [:]
        if block[156] == UInt8(ascii: "x") {
            let size = try octal(block, 124, 11, start)
            guard size <= 1 << 16 else { throw fault("a header of \(size) bytes", start) }
            let records = try read(Int(size) + TarEntry.padding(behind: size))
            guard let found = Self.fields(records.prefix(Int(size))) else {
                throw fault("a header that cannot be read", start)
            }
            fields = found
            raw += records
            raw += try read(TarEntry.blockSize)
        }
        let entry = try entry(raw.suffix(TarEntry.blockSize), fields, start)
        // There is one way to write an entry; whatever else stands there was changed.
        guard entry.header == raw else { throw fault("a header that is not as it was written", start) }
        left = entry.kind == .file ? entry.size : 0
        padding = TarEntry.padding(behind: left)
        return entry
    }

    /// Hands on what is left of the entry's content, a piece at a time.
    public mutating func content(_ body: ([UInt8]) throws(SnapshotError) -> Void) throws(SnapshotError) {
        while left > 0 {
            let piece = try read(Int(min(left, Int64(FileReader.pieceSize))))
            left -= Int64(piece.count)
            try body(piece)
        }
        let start = offset
        let zeros = try read(padding)
        padding = 0
        guard zeros.allSatisfy({ $0 == 0 }) else { throw fault("a filling that is not empty", start) }
    }
}

extension TarReader {
    private func entry(_ block: [UInt8].SubSequence, _ fields: [String: String], _ start: Int64) throws(SnapshotError)
        -> TarEntry
    {
        let block = Array(block)
        var name = fields["path"] ?? Self.text(block[0..<100])
        let link = fields["linkpath"] ?? Self.text(block[157..<257])
        let kind: TarEntry.Kind
        switch block[156] {
        case UInt8(ascii: "0"): kind = .file
        case UInt8(ascii: "1"): kind = .link(to: link)
        case UInt8(ascii: "5"):
            kind = .folder
            if name.hasSuffix("/") { name.removeLast() }
        default: throw fault("an entry of an unknown kind", start)
        }
        let size: Int64
        if let long = fields["size"].flatMap({ Int64($0) }) {
            size = long
        } else {
            size = try octal(block, 124, 11, start)
        }
        do { try PackagePath.check(name) } catch { throw fault("an entry with no path", start) }
        guard size >= 0, kind == .file || size == 0 else { throw fault("an entry with a wrong length", start) }
        return TarEntry(path: name, kind: kind, size: size, modified: try octal(block, 136, 11, start))
    }

    /// Two blocks of zeros, the first of which was read, and zeros up to a whole record, the last.
    private mutating func finish(begunAt start: Int64) throws(SnapshotError) {
        let record = Int64(TarEntry.recordSize)
        let end = (start + Int64(2 * TarEntry.blockSize) + record - 1) / record * record
        let zeros = try read(Int(end - offset))
        guard zeros.allSatisfy({ $0 == 0 }) else { throw fault("an end that is not empty", start) }
        guard file.status.size == end else { throw fault("more bytes behind its end", end) }
        isAtEnd = true
    }

    private mutating func read(_ count: Int) throws(SnapshotError) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try file.read(count) } catch { throw .file(error) }
        offset += Int64(bytes.count)
        guard bytes.count == count else { throw fault("no end", offset) }
        return bytes
    }

    private func octal(_ block: [UInt8], _ start: Int, _ digits: Int, _ offset: Int64) throws(SnapshotError) -> Int64 {
        guard let number = Int64(String(decoding: block[start..<start + digits], as: UTF8.self), radix: 8), number >= 0
        else {
            throw fault("a header with a wrong number", offset)
        }
        return number
    }

    private func fault(_ what: String, _ offset: Int64) -> SnapshotError {
        .damaged("\(path) has \(what) at byte \(offset)")
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The records of a pax header; nil where they cannot be read. What they say is compared with what would be
    /// written.
    private static func fields(_ bytes: ArraySlice<UInt8>) -> [String: String]? {
        var fields: [String: String] = [:]
        var rest = bytes
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
                let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > space - rest.startIndex + 1,
                length <= rest.count
            else { return nil }
            let record = rest[(space + 1)..<(rest.startIndex + length)].dropLast()
            guard let equal = record.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            fields[String(decoding: record[..<equal], as: UTF8.self)] = String(
                decoding: record[(equal + 1)...], as: UTF8.self)
            rest = rest[(rest.startIndex + length)...]
        }
        return fields
    }
}
