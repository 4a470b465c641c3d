package import Archive
import Platform

/// The path of a file in a site: portable names (`PortableName`) joined by slashes. It never leads out of the site.
package struct SitePath: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    /// The maximum length in bytes. File systems allow 4,096 bytes, including the folder of the site.
    private static let maxLength = 1_024

    /// - Returns: nil if a name is not portable, or the path is too long.
    package init?(_ text: String) {
        guard Self.isSafe(text) else { return nil }
        self.text = text
    }

    /// A path that is a literal in the program.
    package init(fixed literal: StaticString) {
        self.init(joined: "\(literal)")
        precondition(!isRefused, "\(literal) is not a valid path in a site")
    }

    /// A path from data. A path that is not portable, or could lead out of the site, is refused. It becomes a single
    /// harmless name, and the build fails before any file is written.
    package init(joined text: String) { self.text = Self.isSafe(text) ? text : Self.refused(text) }

    package var isRefused: Bool { text.utf8.first == Self.refusal.utf8.first }

    /// The path in lower case, which is the same file on some file systems; nil if it has no capitals.
    package var folded: SitePath? {
        text.utf8.contains { $0 != $0.lowercased } ? SitePath(joined: text.lowercased()) : nil
    }

    /// The relative path from this file to the site's root: "../" for each folder.
    package var root: String { String(repeating: "../", count: text.utf8.count { $0 == "/" }) }

    package static func < (left: SitePath, right: SitePath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package var description: String { text }

    private static let refusal = "%"

    private static func isSafe(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= maxLength else { return false }
            var start = 0
            for end in 0...bytes.count where end == bytes.count || bytes[end] == "/" {
                guard PortableName.accepts(UnsafeBufferPointer(rebasing: bytes[start..<end])) else { return false }
                start = end + 1
            }
            return true
        }
    }

    /// The name of a refused path, for messages.
    private static func refused(_ text: String) -> String {
        let shown = percentEncoded(String(decoding: text.utf8.prefix(80), as: UTF8.self))
        return refusal + shown.replacing(".", with: "%2E")
    }
}

extension SitePath {
    /// Converts a text to a part of a file name: words of lower-case letters and digits, joined by hyphens. Latin and
    /// Cyrillic letters are written in ASCII. The result is empty if the text has no such letters and no digits.
    /// - Parameter bytes: the maximum length of the result.
    package static func words(_ text: String, bytes: Int) -> String {
        asciiWords(Transliteration.ascii(text, length: bytes), bytes: bytes)
    }

    /// The name of the page of a record whose id is a text. A short id of lower-case letters, digits, hyphens and
    /// underscores stays as it is. Another one becomes words and a part of its digest.
    package static func name(ofID id: String) -> String {
        let isPlain = id.utf8.allSatisfy { $0.isDigit || $0.isSmallLetter || "-_".utf8.contains($0) }
        // An id that ends like a digest could equal the name made for another id.
        let tail = id.utf8.suffix(17)
        let hasDigest = tail.count == 17 && tail.first == "-" && tail.dropFirst().allSatisfy { $0.hexValue != nil }
        if isPlain, !hasDigest, id.utf8.count <= 100, PortableName.accepts("\(id).html") { return id }
        let words = words(id, bytes: 60)
        return "\(words.isEmpty ? "id" : words)-\(SHA256(of: id.utf8).prefixInHex(bytes: 8))"
    }

    /// Like `words`, but all characters outside ASCII separate words, as in addresses of earlier versions of Amber.
    /// - Parameter bytes: only this number of bytes of the text is used.
    package static func asciiWords(_ text: String, bytes: Int) -> String {
        text.utf8.prefix(bytes).split { !$0.isLetter && !$0.isDigit }
            .map { String(decoding: $0.map(\.lowercased), as: UTF8.self) }.joined(separator: "-")
    }
}

/// A file of the site that is neither a page nor a picture.
package typealias SiteFile = (path: SitePath, bytes: [UInt8])

/// A picture of the archive, with its path in the site.
package typealias SitePicture = (path: SitePath, asset: Asset)

/// Checks whether a file name is valid, and means the same file, on every common file system.
///
/// Windows reserves device names, with any extension, and removes a dot or space at a name's end
/// (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). macOS normalises Unicode, so a portable name is
/// ASCII. On Windows, macOS and FAT, names that differ only in case are the same file: see `SiteBuild.index`.
package enum PortableName {
    /// The maximum length of a name in bytes on ext4, APFS and NTFS.
    private static let maximumLength = 255

    /// The device names that Windows reserves, in lower case.
    package static let reserved: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// Whether a name has only letters, digits, ".", "_" and "-", no dot at an end, a valid length, and is no device.
    package static func accepts(_ name: some StringProtocol) -> Bool {
        var name = String(name)
        return name.withUTF8(accepts)
    }

    fileprivate static func accepts(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (1...maximumLength).contains(name.count), name.first != ".", name.last != ".",
            name.allSatisfy({ $0.isLetter || ("-"..."9").contains($0) && $0 != "/" || $0 == "_" })
        else { return false }
        // Other names are not looked up, because every path of every page is checked here.
        let length = name.firstIndex(of: ".") ?? name.count
        guard length == 3 || length == 4 && name[3].isDigit, !name[0].isDigit else { return true }
        return !reserved.contains(String(decoding: name[..<length].map(\.lowercased), as: UTF8.self))
    }
}

/// The paths of a revision's answers in its site, below `api/` (docs/format.md).
package enum MirrorPath {
    package static let root = SitePath(fixed: "api/index.json")
    package static let notFound = SitePath(fixed: "api/404.json")

    /// Longer names are replaced. File systems allow 255 bytes, but some archive programs allow fewer.
    private static let maxLength = 200

    /// Pages count from 1.
    /// - Parameter parent: the parent of the records in a list of children; nil for other lists.
    package static func page(_ number: Int, of list: String, parent: RecordKey? = nil) -> SitePath {
        SitePath(joined: "api/\(list)/page/\(parent.map { "\($0.fileName)/" } ?? "")\(number).json")
    }

    package static func record(_ key: RecordKey) -> SitePath {
        SitePath(joined: "api/\(key.kind)/\(key.fileName).json")
    }

    /// The path of a picture or file: its path at the API if that is safe on any server and disk, or its digest.
    package static func asset(_ requestedPath: String, _ asset: Asset) -> SitePath {
        if keepsName(requestedPath, asset.format), let path = SitePath("api/\(requestedPath)") { return path }
        return SitePath(joined: "\(digests)\(asset.sha256.hex).\(asset.format.fileExtension)")
    }

    private static let digests = "api/picture/"

    package static func isNamedByDigest(_ picture: SitePath) -> Bool { picture.text.utf8.starts(with: digests.utf8) }

    package static func digest(_ picture: SitePath) -> SHA256? {
        SHA256(hex: picture.text.dropFirst(digests.utf8.count).prefix(64))
    }

    /// The path at the API of a picture that is not named by its digest.
    package static func requestedPath(_ picture: SitePath) -> String {
        String(picture.text.dropFirst("api/".utf8.count))
    }

    /// The extensions of names that are kept. A server derives the type of a file from its extension. With another
    /// extension, a file that is a valid picture and also a valid page or program could be served as a page or program.
    private static let extensions: Set<Substring> = ["png", "jpg", "jpeg", "gif", "webp"]

    /// Whether a path can be kept. The path must have exactly one dot, in its last segment, so that no file has the
    /// name of a folder and no server finds a second extension. It must have no capitals, so that no two names differ
    /// only in case. It must end in the extension of a picture, or of the file's format, so it is no answer's path.
    private static func keepsName(_ requestedPath: String, _ format: AssetFormat) -> Bool {
        let bytes = requestedPath.utf8
        guard bytes.count <= maxLength, !bytes.starts(with: "picture/".utf8), let slash = bytes.lastIndex(of: "/"),
            let dot = bytes.firstIndex(of: "."), dot > slash,
            case let end = requestedPath[bytes.index(after: dot)...],
            format.isPicture ? extensions.contains(end) : end == format.fileExtension
        else { return false }
        return !bytes.contains { $0 != $0.lowercased }
    }
}
