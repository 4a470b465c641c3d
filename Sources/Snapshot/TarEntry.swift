/// What a tar says of one of its files before the file's bytes: a header block, with another one and its content before
/// it where a value has no room (POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended Header").
public struct TarEntry: Sendable, Equatable {
    /// What stands in a tar.
    public enum Kind: Sendable, Equatable {
        /// A file, its bytes behind the header.
        case file
        /// A folder.
        case folder
        /// Another name of a file that stands in the tar already.
        case link(to: String)
    }

    /// The path within the tar; a folder's without a slash at its end.
    public let path: String
    /// What it is.
    public let kind: Kind
    /// The length in bytes of what follows.
    public let size: Int64
    /// Seconds since 1970.
    public let modified: Int64
}

extension TarEntry {
    static let blockSize = 512
    /// POSIX's record of twenty blocks.
    static let recordSize = 10_240
    /// What eleven octal digits hold.
    private static let largest = Int64(1) << 33 - 1

    /// How many zeros fill up the last block of that many bytes.
    static func padding(behind size: Int64) -> Int { Int(-size & Int64(blockSize - 1)) }

    /// The block or blocks that stand before the content: one way only to write each entry.
    var header: [UInt8] {
        var fields: [(name: String, value: String)] = []
        if Self.needsRoom(name) { fields.append(("path", name)) }
        if Self.needsRoom(linkName) { fields.append(("linkpath", linkName)) }
        if size > Self.largest { fields.append(("size", "\(size)")) }
        let flag =
            switch kind {
            case .file: UInt8(ascii: "0")
            case .link: UInt8(ascii: "1")
            case .folder: UInt8(ascii: "5")
            }
        let block = Self.block(name, size > Self.largest ? 0 : size, flag: flag, modified: modified, link: linkName)
        guard !fields.isEmpty else { return block }
        let records = fields.flatMap { Self.record($0.name, $0.value) }
        return Self.block("././@PaxHeader", Int64(records.count), flag: UInt8(ascii: "x"), modified: modified, link: "")
            + records
            + [UInt8](repeating: 0, count: Self.padding(behind: Int64(records.count))) + block
    }

    private var name: String { kind == .folder ? path + "/" : path }

    private var linkName: String {
        guard case .link(let target) = kind else { return "" }
        return target
    }

    private static func needsRoom(_ name: String) -> Bool { name.utf8.count > 100 || name.utf8.contains { $0 >= 0x80 } }

    /// "30 mtime=1350244992.023960108\n": the length counts itself.
    private static func record(_ name: String, _ value: String) -> [UInt8] {
        let rest = " \(name)=\(value)\n"
        var length = rest.utf8.count
        while length != rest.utf8.count + "\(length)".utf8.count { length = rest.utf8.count + "\(length)".utf8.count }
        return Array("\(length)\(rest)".utf8)
    }

    private static func block(_ name: String, _ size: Int64, flag: UInt8, modified: Int64, link: String) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockSize)
        func put(_ text: some Collection<UInt8>, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.count, with: text)
        }
        func octal(_ number: Int64, digits: Int, at offset: Int) {
            let text = String(number, radix: 8)
            put((String(repeating: "0", count: digits - text.count) + text).utf8, at: offset)
        }
        put(name.utf8.prefix(100), at: 0)
        octal(flag == UInt8(ascii: "5") ? 0o755 : 0o644, digits: 7, at: 100)
        octal(0, digits: 7, at: 108)
        octal(0, digits: 7, at: 116)
        octal(size, digits: 11, at: 124)
        octal(min(max(0, modified), largest), digits: 11, at: 136)
        put([UInt8](repeating: UInt8(ascii: " "), count: 8), at: 148)
        block[156] = flag
        put(link.utf8.prefix(100), at: 157)
        put("ustar\0".utf8, at: 257)
        put("00".utf8, at: 263)
        octal(0, digits: 7, at: 329)
        octal(0, digits: 7, at: 337)
        let sum = block.reduce(Int64(0)) { $0 + Int64($1) }
        octal(sum, digits: 6, at: 148)
        block[154] = 0
        return block
    }
}
