/// Names of files that every file system accepts, and none takes for something else.
///
/// Windows reserves device names in every folder, whatever their ending, and drops a dot or a space at a name's end
/// (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). A name is ASCII here, so that Unicode
/// normalisation, as macOS does it, changes nothing. Names that differ only in case are the same file on Windows, macOS
/// and FAT: see `SiteBuild.index`.
public enum PortableName {
    /// The length of a name in bytes that ext4, APFS and NTFS allow.
    package static let longest = 255

    /// The device names that Windows reserves, in lower case.
    package static let reserved: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// The same, their bytes as one number each.
    private static let reservedWords = Set(reserved.map { $0.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } })

    /// Whether a name, one segment of a path, is portable: letters, digits, ".", "_" and "-", no dot at either end, not
    /// too long, and no device name.
    package static func accepts(_ name: some StringProtocol) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.withUnsafeBufferPointer { accepts($0) }
    }

    static func accepts(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        guard let first = name.first, let last = name.last, first != dot, last != dot, name.count <= longest else {
            return false
        }
        for byte in name where !isAllowed(byte) { return false }
        return !isReserved(name)
    }

    /// Whether the name up to its first dot is a device name, in any case: "con", "Aux.html", "com1.tar.gz".
    private static func isReserved(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        // All device names have three letters, some with a digit behind them. A site has hundreds of thousands of
        // names, so no string is made of any.
        var word: UInt32 = 0
        var length = 0
        for byte in name.prefix(5) {
            if byte == UInt8(ascii: ".") { break }
            word = word << 8 | UInt32(isUpper(byte) ? byte | 0x20 : byte)
            length += 1
        }
        return (3...4).contains(length) && reservedWords.contains(word)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
