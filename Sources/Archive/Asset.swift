/// A picture in the archive's folder, named by its digest.
public struct Asset: Sendable, Hashable {
    /// The digest of its bytes, and so its name.
    public let sha256: SHA256
    /// Its length in bytes.
    public let size: Int
    /// What its bytes say it is.
    public let format: PictureFormat
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int

    /// An asset with its facts.
    public init(sha256: SHA256, size: Int, format: PictureFormat, width: Int, height: Int) {
        self.sha256 = sha256
        self.size = size
        self.format = format
        self.width = width
        self.height = height
    }
}

/// A kind of picture that browsers show.
public enum PictureFormat: String, Sendable {
    case png, jpeg, gif, webp

    /// The file name's ending that servers know.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
