public import Archive

/// Bytes on their way into a package.
public enum PackageContent: Sendable {
    /// These.
    case bytes([UInt8])
    /// Those of a file on disk.
    case file(String)
}

/// A file of a bag's payload.
public struct BagFile: Sendable {
    /// Its path below data/.
    public let path: String
    /// Its bytes. Files on disk that are names of one file are read once and stay names of one file.
    public let content: PackageContent
    /// The digest that the bytes must have, where it is known.
    public let sha256: SHA256?

    /// A file with its content; where its digest is known, content that differs is not taken.
    public init(_ path: String, _ content: PackageContent, sha256: SHA256? = nil) {
        self.path = path
        self.content = content
        self.sha256 = sha256
    }
}
