package import Archive

/// Where the answers of a revision stand in its site: below `api/`, as `docs/format.md` describes.
public enum TwinPath {
    /// What the API says of itself.
    package static let entry = SitePath(fixed: "api/index.json")
    /// What the API answers where it has nothing.
    package static let nothing = SitePath(fixed: "api/404.json")

    /// Longer names are not kept: file systems take 255 bytes, some programs for archives fewer.
    private static let longest = 200

    /// A page of a list; pages count from 1.
    package static func page(_ number: Int, of kind: String) -> SitePath {
        SitePath(joined: "api/\(kind)/page/\(number).json")
    }

    /// A single record.
    package static func record(_ key: RecordKey) -> SitePath { SitePath(joined: "api/\(key.kind)/\(key.id).json") }

    /// A picture: under the path that was asked for where that is safe for any server and disk; else under its digest.
    package static func picture(_ asked: String, _ asset: Asset) -> SitePath {
        if keepsName(asked), let path = SitePath("api/\(asked)") { return path }
        return SitePath(joined: "\(digests)\(asset.sha256.hex).\(asset.format.fileExtension)")
    }

    private static let digests = "api/picture/"

    /// Whether a picture's place is named by its digest.
    package static func isNamedByDigest(_ picture: SitePath) -> Bool { picture.text.utf8.starts(with: digests.utf8) }

    /// The digest that a picture's place is named by.
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
            let slash = bytes.lastIndex(of: UInt8(ascii: "/")),
            let dot = bytes.firstIndex(of: UInt8(ascii: ".")), dot > slash,
            endings.contains(asked[bytes.index(after: dot)...])
        else { return false }
        return !bytes.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
