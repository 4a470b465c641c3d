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
        let segments = asked.split(separator: "/", omittingEmptySubsequences: false)
        guard asked.utf8.count <= longest, segments.count > 1, let first = segments.first, first != "picture", let name = segments.last
        else { return false }
        return segments.dropLast().allSatisfy { !$0.contains(".") } && name.contains(".") && !name.lowercased().hasSuffix(".json")
    }
}
