import Platform

/// The header of a file in a tar, or of a link to an earlier file (POSIX.1-2017, pax, "ustar Interchange Format").
struct TarEntry: Sendable, Equatable {
    let path: String
    /// For a link, the path of the earlier file; nil for a file. The bytes of a file follow the header.
    var link: String?
    var size: Int64 = 0
    let modified: Int64

    static let blockSize = 512
    /// The size of POSIX's record of twenty blocks.
    static let recordSize = 10_240
    /// The largest number in eleven octal digits.
    private static let largest = Int64(1) << 33 - 1

    /// The number of zeros after content of this size, or after this offset.
    static func padding(after size: Int64) -> Int { Int(-size & Int64(blockSize - 1)) }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// The end of a tar whose content has this size: two blocks of zeros, and further zeros up to a full record.
    static func end(after size: Int64) -> [UInt8] {
        let end = Int(size) + padding(after: size) + 2 * blockSize
        return zeros((end + recordSize - 1) / recordSize * recordSize - Int(size))
    }

    /// The header block. If a value does not fit into it, the result begins with another block and the pax values.
    var header: [UInt8] {
        var records = ""
        for (name, value) in [("path", path), ("linkpath", link ?? "")] {
            // A path does not fit if it has more than 100 bytes or is not in ASCII.
            if value.utf8.count > 100 || value.utf8.contains(where: { $0 >= 0x80 }) {
                records += Self.record(name, value)
            }
        }
        if size > Self.largest { records += Self.record("size", "\(size)") }
        let block = block(path, link ?? "", size > Self.largest ? 0 : size, link == nil ? "0" : "1")
        guard !records.isEmpty else { return block }
        let length = Int64(records.utf8.count)
        return self.block("././@PaxHeader", "", length, "x") + records.utf8
            + Self.zeros(Self.padding(after: length)) + block
    }

    /// A pax record, such as "30 mtime=1350244992.023960108\n". The length includes its own digits.
    private static func record(_ name: String, _ value: String) -> String {
        let rest = " \(name)=\(value)\n"
        var length = rest.utf8.count
        while length != rest.utf8.count + "\(length)".utf8.count { length = rest.utf8.count + "\(length)".utf8.count }
        return "\(length)\(rest)"
    }

    private func block(_ name: String, _ link: String, _ size: Int64, _ flag: UInt8) -> [UInt8] {
        var block = Self.zeros(Self.blockSize)
        func put(_ text: some Collection<UInt8>, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.count, with: text)
        }
        func put(octal number: Int64, digits: Int, at offset: Int) {
            put(number.padded(digits, radix: 8).utf8, at: offset)
        }
        put(name.utf8.prefix(100), at: 0)
        // The fields are mode, owner, group, size, time, checksum, type, link, format, and two device numbers.
        put(octal: 0o644, digits: 7, at: 100)
        for offset in [108, 116, 329, 337] { put(octal: 0, digits: 7, at: offset) }
        put(octal: size, digits: 11, at: 124)
        put(octal: min(max(0, modified), Self.largest), digits: 11, at: 136)
        put("        ".utf8, at: 148)
        block[156] = flag
        put(link.utf8.prefix(100), at: 157)
        put("ustar\u{0}00".utf8, at: 257)
        put(octal: block.reduce(0) { $0 + Int64($1) }, digits: 6, at: 148)
        block[154] = 0
        return block
    }

    /// The number in eleven octal digits of a header; 0 for other bytes.
    static func number(_ header: ArraySlice<UInt8>, at offset: Int) -> Int64 {
        max(0, Int64(String(decoding: header.dropFirst(offset).prefix(11), as: UTF8.self), radix: 8) ?? 0)
    }

    /// The value of the pax record "LENGTH linkpath=VALUE\n"; nil if there is none.
    private static func linkPath(in records: [UInt8]) -> ArraySlice<UInt8>? {
        var rest = records[...]
        while let space = rest.firstIndex(of: " "), let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
            length > space - rest.startIndex, length <= rest.count
        {
            let pair = rest.prefix(length)[(space + 1)...].dropLast()
            if pair.starts(with: "linkpath=".utf8) { return pair.dropFirst("linkpath=".utf8.count) }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    /// The target of the link at an offset of a tar; nil if there is no link. If the header is invalid, any text.
    static func link(in file: File, at offset: Int64) throws -> String? {
        var header = try file.read(blockSize, at: offset)
        var target: ArraySlice<UInt8>?
        if header.count == blockSize, header[156] == "x" {
            let size = min(number(header[...], at: 124), 1 << 16)
            target = linkPath(in: try file.read(Int(size), at: offset + Int64(blockSize)))
            header = try file.read(blockSize, at: offset + Int64(blockSize) + size + Int64(padding(after: size)))
        }
        guard header.count == blockSize, header[156] == "1" else { return nil }
        return String(decoding: target ?? header[157..<257].prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// Writes a tar. Its bytes depend only on the files and on `modified`, the time of all entries. Owner and group are 0.
struct TarWriter {
    let file: FileWriter
    let modified: Int64

    /// Begins a file, whose bytes follow with `append`, or a link to an earlier file.
    func begin(_ path: String, size: Int64 = 0, link: String? = nil) throws {
        try PackageFile.checkPath(path)
        try append(TarEntry.zeros(TarEntry.padding(after: file.count)))
        try append(TarEntry(path: path, link: link, size: size, modified: modified).header)
    }

    func append(_ bytes: [UInt8]) throws { try file.append(bytes) }

    func addFile(_ path: String, _ bytes: [UInt8]) throws {
        try begin(path, size: Int64(bytes.count))
        try append(bytes)
    }

    func finish() throws {
        try append(TarEntry.end(after: file.count))
        try file.finish()
    }
}
