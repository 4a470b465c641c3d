package import Archive

/// A file of the site that is neither a page nor a picture.
public struct SiteFile: Sendable {
    package let path: SitePath
    package let bytes: [UInt8]

    package init(path: SitePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// A picture of the archive, with its path in the site.
public struct SitePicture: Sendable {
    package let path: SitePath
    package let asset: Asset

    package init(path: SitePath, asset: Asset) {
        self.path = path
        self.asset = asset
    }
}
