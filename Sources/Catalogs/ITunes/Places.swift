import Archive
import Catalogue

/// Where pages and pictures stand in each edition.
enum Places {
    static let index = SitePath(fixed: "index.html")

    /// A page of all items; pages count from 0.
    static func items(page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "media.html") : SitePath("media/", page + 1, ".html")
    }

    static func item(_ key: RecordKey) -> SitePath { SitePath(joined: "\(key.kind)/\(key.id).html") }

    static func picture(_ key: RecordKey, _ format: PictureFormat) -> SitePath {
        SitePath(joined: "\(folder(of: key.kind))\(key.id).\(format.fileExtension)")
    }

    /// The folder of a kind's pictures, with its slash.
    static func folder(of kind: String) -> String { "artwork/\(kind)/" }

    /// A search's page: its words in letters that an address can have, its medium and its store; by its number where
    /// there are none.
    static func results(_ search: Search, _ key: RecordKey, _ taken: inout Set<String>) -> SitePath {
        let words = SitePath.words(search.term, bytes: 48)
        var slug =
            "\(words.isEmpty ? "\(key.id)" : words)-\(search.medium.rawValue)-\(search.store.rawValue.lowercased())"
        if !taken.insert(slug).inserted {
            slug += "-\(key.id)"
            taken.insert(slug)
        }
        return SitePath(joined: "found/\(slug).html")
    }
}
