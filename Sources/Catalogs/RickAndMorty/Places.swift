import Archive
import Catalogue

/// Where pages and pictures stand in each edition.
enum Places {
    static let index = SitePath(fixed: "index.html")
    static let figures = SitePath(fixed: "figures.html")

    static func character(_ id: Int64) -> SitePath { SitePath("character/", id, ".html") }
    /// A location's page, or a further page of its residents; pages count from 0.
    static func location(_ id: Int64, page: Int = 0) -> SitePath {
        page == 0 ? SitePath("location/", id, ".html") : SitePath(joined: "location/\(id)/\(page + 1).html")
    }

    /// An episode's page, or a further page of its cast; pages count from 0.
    static func episode(_ id: Int64, page: Int = 0) -> SitePath {
        page == 0 ? SitePath("episode/", id, ".html") : SitePath(joined: "episode/\(id)/\(page + 1).html")
    }

    static func picture(_ id: Int64, _ format: PictureFormat) -> SitePath { SitePath("avatar/", id, format.ending) }

    /// A page of all characters; pages count from 0.
    static func characters(page: Int) -> SitePath { page == 0 ? index : SitePath("page/", page + 1, ".html") }
    static func locations(page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "locations.html") : SitePath("locations/", page + 1, ".html")
    }
    static func episodes(page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "episodes.html") : SitePath("episodes/", page + 1, ".html")
    }
}

extension PictureFormat {
    /// The ending of a picture's file name in the site.
    var ending: StaticString {
        switch self {
        case .png: ".png"
        case .jpeg: ".jpg"
        case .gif: ".gif"
        case .webp: ".webp"
        }
    }
}
