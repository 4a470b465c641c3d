/// A record's page.
public struct RecordPage: Sendable, Equatable {
    /// Where it stands in each edition.
    public let path: SitePath
    /// What other pages call the record.
    public let name: String
    /// The picture that stands for it.
    public let picture: RecordPicture?

    /// A page with what stands for it elsewhere.
    public init(path: SitePath, name: String, picture: RecordPicture? = nil) {
        self.path = path
        self.name = name
        self.picture = picture
    }
}

/// A picture as pages show it.
public struct RecordPicture: Sendable, Equatable {
    /// The file, relative to the site's root.
    public let path: SitePath
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int

    /// A picture with its size.
    public init(path: SitePath, width: Int, height: Int) {
        self.path = path
        self.width = width
        self.height = height
    }
}
