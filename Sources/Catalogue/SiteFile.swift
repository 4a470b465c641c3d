public import Archive

/// A file of the site that is neither a page nor a picture.
public typealias SiteFile = (path: SitePath, bytes: [UInt8])

/// A picture of the archive, with its path in the site.
public typealias SitePicture = (path: SitePath, asset: Asset)
