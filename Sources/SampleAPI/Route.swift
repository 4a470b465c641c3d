/// What a path asks for. Cases and a trailing slash do not matter, as in Express.
enum Route {
    case root
    case page(Universe.Kind)
    /// By id or ids, as sent.
    case records(Universe.Kind, String)
    case avatar(Int)
    case avatarFolder
    /// Media by words, and by ids.
    case search, lookup
    /// A picture of media, by its name, and the box it is to fit into, such as
    /// `/artwork/0123456789abcdef/600x600bb.jpg`.
    case artwork(String, width: Int, height: Int)
    case nothing

    init(_ path: String) {
        let segments = path.lowercased().split(separator: "/").map(String.init)
        let kind = segments.count > 1 ? Universe.Kind(rawValue: segments[1]) : nil
        let isAvatar = kind == .character && segments.count > 2 && segments[2] == "avatar"
        self = .nothing
        switch (segments.first, segments.count) {
        case ("api", 1): self = .root
        case ("api", 2): if let kind { self = .page(kind) }
        case ("api", 3): if let kind { self = isAvatar ? .avatarFolder : .records(kind, Percent.decoded(segments[2])) }
        case ("api", 4):
            if isAvatar, segments[3].hasSuffix(".jpeg"), let id = Int(segments[3].dropLast(5)) { self = .avatar(id) }
        case ("search", 1): self = .search
        case ("lookup", 1): self = .lookup
        case ("artwork", 3):
            if let size = segments[2].wholeMatch(of: /([+]?[0-9]+)x([+]?[0-9]+)bb\.(jpg|png|webp)/),
                let width = Int(size.1), let height = Int(size.2), width > 0, height > 0
            {
                self = .artwork(segments[1], width: width, height: height)
            }
        default: break
        }
    }

    /// The word under which it is counted.
    var word: String {
        switch self {
        case .page(let kind): kind.rawValue + "_page"
        case .records(let kind, _): kind.rawValue
        case .avatar: "avatar"
        case .search: "search"
        case .lookup: "lookup"
        case .artwork: "artwork"
        case .root, .avatarFolder, .nothing: "other"
        }
    }
}
