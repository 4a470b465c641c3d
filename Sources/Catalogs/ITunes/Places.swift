import Archive
import Catalogue

/// Where pages and pictures stand in each edition.
enum Places {
    static let index = SitePath(fixed: "index.html")

    /// A page of all items; pages count from 0.
    static func items(page: Int) -> SitePath { page == 0 ? SitePath(fixed: "media.html") : SitePath("media/", page + 1, ".html") }

    static func item(_ key: RecordKey) -> SitePath { SitePath(joined: "\(key.kind)/\(key.id).html") }

    static func picture(_ key: RecordKey, _ format: PictureFormat) -> SitePath {
        SitePath(joined: "\(folder(of: key.kind))\(key.id).\(format.fileExtension)")
    }

    /// The folder of a kind's pictures, with its slash.
    static func folder(of kind: String) -> String { "artwork/\(kind)/" }

    /// A search's page: its words in letters that an address can have, its medium and its store; by its number where there are none.
    static func results(_ search: Search, _ key: RecordKey, _ taken: inout Set<String>) -> SitePath {
        var words: [String] = [""]
        for byte in search.term.utf8.prefix(48) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            default: if words[words.count - 1] != "" { words.append("") }
            }
        }
        let word = words.filter { !$0.isEmpty }.joined(separator: "-")
        var slug = "\(word.isEmpty ? "\(key.id)" : word)-\(search.medium.rawValue)-\(search.store.rawValue.lowercased())"
        if !taken.insert(slug).inserted {
            slug += "-\(key.id)"
            taken.insert(slug)
        }
        return SitePath(joined: "found/\(slug).html")
    }
}
