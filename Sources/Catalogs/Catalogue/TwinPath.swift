public import Archive

/// Where the answers of a revision stand in its site: below `api/`, as `docs/format.md` describes.
public enum TwinPath {
    /// What the API says of itself.
    public static let entry = SitePath(fixed: "api/index.json")
    /// What the API answers where it has nothing.
    public static let nothing = SitePath(fixed: "api/404.json")

    /// Longer names are not kept as asked: file systems take 255 bytes, some programs for archives fewer.
    private static let longest = 200

    /// A page of a list; pages count from 1.
    public static func page(_ number: Int, of kind: String) -> SitePath { SitePath(joined: "api/\(kind)/page/\(number).json") }

    /// A single record.
    public static func record(_ key: RecordKey) -> SitePath { SitePath(joined: "api/\(key.kind)/\(key.id).json") }

    /// A picture: as it was asked for where that can be no other file or folder of the twin; else by its digest.
    public static func picture(_ asked: String, _ asset: Asset) -> SitePath {
        if keepsName(asked), let path = SitePath("api/\(asked)") { return path }
        return SitePath(joined: "\(digests)\(asset.sha256.hex).\(asset.format.fileExtension)")
    }

    private static let digests = "api/picture/"

    /// Whether a picture's place is named by its digest.
    public static func isNamedByDigest(_ picture: SitePath) -> Bool { picture.text.utf8.starts(with: digests.utf8) }

    /// The digest that a picture's place is named by.
    public static func digest(_ picture: SitePath) -> SHA256? { SHA256(hex: picture.text.dropFirst(digests.utf8.count).prefix(64)) }

    /// What was asked for a picture whose place is named by that.
    public static func asked(_ picture: SitePath) -> String { String(picture.text.dropFirst("api/".utf8.count)) }

    /// Folders have no dot in their names, files one, and records and pages end in ".json": so none stands where another does.
    private static func keepsName(_ asked: String) -> Bool {
        let bytes = asked.utf8
        guard bytes.count <= longest, let slash = bytes.lastIndex(of: UInt8(ascii: "/")), !bytes.starts(with: "picture/".utf8) else {
            return false
        }
        let dot = UInt8(ascii: ".")
        let name = bytes[bytes.index(after: slash)...]
        // With this bit capitals are small letters.
        let isJSON = name.suffix(5).elementsEqual(".json".utf8) { $0 | 0x20 == $1 }
        return !bytes[..<slash].contains(dot) && name.contains(dot) && !isJSON
    }
}
