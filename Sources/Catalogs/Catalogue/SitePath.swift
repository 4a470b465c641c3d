package import Archive

/// The place of a file in a site: portable names (`PortableName`) joined by slashes. It never leads out of the site.
public struct SitePath: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    /// The most bytes of a path: file systems take 4,096, with the folder that the site is in.
    private static let longest = 1_024

    /// - Returns: nil where a name is not portable, or the path is too long.
    package init?(_ text: String) {
        guard Self.isSafe(text) else { return nil }
        self.text = text
    }

    /// A path written in the program itself.
    package init(fixed literal: StaticString) {
        self.init(joined: "\(literal)")
        precondition(!isRefused, "\(literal) is no path in a site")
    }

    /// A numbered path written in the program itself: with any number, all its characters are allowed.
    package init(_ literal: StaticString, _ number: Int64, _ ending: StaticString) {
        text = "\(literal)\(number)\(ending)"
    }

    package init(_ literal: StaticString, _ number: Int, _ ending: StaticString) {
        self.init(literal, Int64(number), ending)
    }

    /// The page of a numbered record, or a further page of it; pages count from 0.
    package init(_ literal: StaticString, _ number: Int64, page: Int) {
        if page == 0 {
            self.init(literal, number, ".html")
        } else {
            self.init(joined: "\(literal)\(number)/\(page + 1).html")
        }
    }

    /// A path in a folder whose name is such a path itself, with a slash at the end; or nothing.
    func below(_ folder: String) -> SitePath { folder.isEmpty ? self : SitePath(joined: folder + text) }

    /// A path put together of parts. One that could leave the site, or is not portable, is refused: it becomes a single
    /// harmless name, and a build with such a path fails before anything is written.
    package init(joined text: String) {
        self.text = Self.isSafe(text) ? text : Self.refused(text)
    }

    package var isRefused: Bool { text.utf8.first == Self.refusal }

    /// The path with small letters only; nil where it has no others. File systems that ignore case take both for one.
    package var folded: SitePath? {
        guard text.utf8.contains(where: { $0 >= "A" && $0 <= "Z" }) else { return nil }
        return SitePath(joined: text.lowercased())
    }

    /// What leads from this file to the site's root: "../" for each folder.
    package var root: String {
        let depth = text.utf8.count { $0 == "/" }
        return depth < Self.roots.count ? Self.roots[depth] : String(repeating: "../", count: depth)
    }

    private static let roots = (0..<5).map { String(repeating: "../", count: $0) }

    /// Orders by the bytes of the text.
    public static func < (left: SitePath, right: SitePath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// The path as text.
    public var description: String { text }

    private static let refusal: UInt8 = "%"

    private static func isSafe(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= longest else { return false }
            var start = 0
            for index in bytes.indices where bytes[index] == "/" {
                guard PortableName.accepts(UnsafeBufferPointer(rebasing: bytes[start..<index])) else { return false }
                start = index + 1
            }
            return PortableName.accepts(UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// Names a refused path in messages: other characters than letters and digits as percent codes.
    private static func refused(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var shown = [refusal]
        for byte in text.utf8.prefix(80) {
            switch byte {
            case "a"..."z", "A"..."Z", "0"..."9":
                shown.append(byte)
            default: shown += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}

extension SitePath {
    /// The words of a text as part of a file's name: lower-case letters and digits, joined by hyphens; empty where it
    /// has none.
    /// - Parameter bytes: how much of the text counts.
    package static func words(_ text: String, bytes: Int) -> String {
        var words: [String] = [""]
        for byte in text.utf8.prefix(bytes) {
            switch byte {
            case "a"..."z", "0"..."9", "A"..."Z":
                words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            default: if words[words.count - 1] != "" { words.append("") }
            }
        }
        return words.filter { !$0.isEmpty }.joined(separator: "-")
    }
}

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

    private static let reservedWords = Set(reserved.map { $0.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } })

    /// Whether a name, one segment of a path, is portable: letters, digits, ".", "_" and "-", no dot at either end, not
    /// too long, and no device name.
    package static func accepts(_ name: some StringProtocol) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.withUnsafeBufferPointer { accepts($0) }
    }

    static func accepts(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let dot: UInt8 = "."
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
            if byte == "." { break }
            word = word << 8 | UInt32(isUpper(byte) ? byte | 0x20 : byte)
            length += 1
        }
        return (3...4).contains(length) && reservedWords.contains(word)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { byte >= "A" && byte <= "Z" }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case "a"..."z", "A"..."Z", "0"..."9":
            true
        case ".", "_", "-": true
        default: false
        }
    }
}

/// Where the answers of a revision stand in its site: below `api/`, as `docs/format.md` describes.
public enum TwinPath {
    package static let entry = SitePath(fixed: "api/index.json")
    package static let nothing = SitePath(fixed: "api/404.json")

    /// Longer names are not kept: file systems take 255 bytes, some programs for archives fewer.
    private static let longest = 200

    /// A page of a list; pages count from 1.
    package static func page(_ number: Int, of kind: String) -> SitePath {
        SitePath(joined: "api/\(kind)/page/\(number).json")
    }

    package static func record(_ key: RecordKey) -> SitePath { SitePath(joined: "api/\(key.kind)/\(key.id).json") }

    /// A picture: under the path that was asked for where that is safe for any server and disk; else under its digest.
    package static func picture(_ asked: String, _ asset: Asset) -> SitePath {
        if keepsName(asked), let path = SitePath("api/\(asked)") { return path }
        return SitePath(joined: "\(digests)\(asset.sha256.hex).\(asset.format.fileExtension)")
    }

    private static let digests = "api/picture/"

    package static func isNamedByDigest(_ picture: SitePath) -> Bool { picture.text.utf8.starts(with: digests.utf8) }

    package static func digest(_ picture: SitePath) -> SHA256? {
        SHA256(hex: picture.text.dropFirst(digests.utf8.count).prefix(64))
    }

    /// What was asked for a picture whose place is named by that.
    package static func asked(_ picture: SitePath) -> String { String(picture.text.dropFirst("api/".utf8.count)) }

    /// The endings of the names that are kept. A server takes the type of a file from the ending of its name. With any
    /// other ending, what follows a picture in its file could be a page or a program.
    private static let endings: Set<Substring> = ["png", "jpg", "jpeg", "gif", "webp"]

    /// Only the last segment has a dot, exactly one, so no file has the name of a folder, and no server finds a second
    /// ending. No two kept names differ in case alone, since capitals are not kept. Records and pages end in ".json".
    private static func keepsName(_ asked: String) -> Bool {
        let bytes = asked.utf8
        guard bytes.count <= longest, !bytes.starts(with: "picture/".utf8),
            let slash = bytes.lastIndex(of: "/"),
            let dot = bytes.firstIndex(of: "."), dot > slash,
            endings.contains(asked[bytes.index(after: dot)...])
        else { return false }
        return !bytes.contains { ("A"..."Z").contains($0) }
    }
}
