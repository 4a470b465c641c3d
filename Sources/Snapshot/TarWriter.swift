import Platform

/// The header of a file in a tar, or of a link to an earlier file (POSIX.1-2017, pax, "ustar Interchange Format" and
/// "pax Extended Header").
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

    /// The number of zeros after content of this size.
    static func padding(after size: Int64) -> Int { Int(-size & Int64(blockSize - 1)) }

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
        let flag = UInt8(ascii: link == nil ? "0" : "1")
        let block = block(path, link ?? "", size > Self.largest ? 0 : size, flag)
        guard !records.isEmpty else { return block }
        let length = Int64(records.utf8.count)
        return self.block("././@PaxHeader", "", length, UInt8(ascii: "x")) + records.utf8
            + [UInt8](repeating: 0, count: Self.padding(after: length)) + block
    }

    /// A pax record, such as "30 mtime=1350244992.023960108\n". The length includes its own digits.
    private static func record(_ name: String, _ value: String) -> String {
        let rest = " \(name)=\(value)\n"
        var length = rest.utf8.count
        while length != rest.utf8.count + "\(length)".utf8.count { length = rest.utf8.count + "\(length)".utf8.count }
        return "\(length)\(rest)"
    }

    private func block(_ name: String, _ link: String, _ size: Int64, _ flag: UInt8) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: some Collection<UInt8>, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.count, with: text)
        }
        func put(octal number: Int64, digits: Int, at offset: Int) {
            put(number.padded(digits, radix: 8).utf8, at: offset)
        }
        put(name.utf8.prefix(100), at: 0)
        // The fields are mode, owner, group, size, time, checksum, type, link and format. The last two are device
        // numbers.
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
}

/// Writes a tar. Its bytes depend only on the added files and on `modified`, the time of all entries. Owner and group
/// are 0, and there are no user names.
final class TarWriter {
    private var file: FileWriter
    private let modified: Int64

    init(_ path: String, modified: Int64) throws {
        file = try FileWriter(path)
        self.modified = max(0, modified)
    }

    func addFile(_ path: String, _ bytes: [UInt8]) throws {
        try begin(path, size: Int64(bytes.count))
        try append(bytes)
        try end(size: Int64(bytes.count))
    }

    /// Begins a file. `append` adds its bytes, and `end` completes it.
    func begin(_ path: String, size: Int64) throws { try append(header(of: path, size: size)) }

    func append(_ bytes: [UInt8]) throws { try file.append(bytes) }

    func end(size: Int64) throws { try append([UInt8](repeating: 0, count: TarEntry.padding(after: size))) }

    func addLink(_ path: String, to earlier: String) throws { try append(header(of: path, link: earlier)) }

    /// Writes the end and closes the file: two blocks of zeros, and further zeros up to a full record.
    func finish() throws {
        let end = Int(file.count) + 2 * TarEntry.blockSize
        let filling = (TarEntry.recordSize - end % TarEntry.recordSize) % TarEntry.recordSize
        try append([UInt8](repeating: 0, count: 2 * TarEntry.blockSize + filling))
        try file.finish()
    }

    private func header(of path: String, link: String? = nil, size: Int64 = 0) throws -> [UInt8] {
        try PackageFile.checkPath(path)
        return TarEntry(path: path, link: link, size: size, modified: modified).header
    }
}
