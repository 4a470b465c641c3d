/// What a path asks for. Cases and a trailing slash do not matter, as in Express.
enum Route: Equatable {
    case root
    /// A list; `slash` tells whether the path ended in one, which its links repeat.
    case page(Universe.Kind, slash: Bool)
    /// By id or ids, as sent.
    case records(Universe.Kind, String)
    case avatar(Int)
    case avatarFolder(slash: Bool)
    /// Media by words, and by ids.
    case search
    case lookup
    /// A picture of media, by its name, and the box it is to fit into.
    case artwork(String, width: Int, height: Int)
    case nothing

    init(_ path: String) {
        let segments = path.lowercased().split(separator: "/", omittingEmptySubsequences: true)
        let slash = path.hasSuffix("/")
        guard segments.first == "api" else {
            self = Self.media(segments)
            return
        }
        guard segments.count > 1 else {
            self = .root
            return
        }
        guard let kind = Universe.Kind(rawValue: String(segments[1])) else {
            self = .nothing
            return
        }
        switch segments.count {
        case 2:
            self = .page(kind, slash: slash)
        case 3 where kind == .character && segments[2] == "avatar":
            self = .avatarFolder(slash: slash)
        case 3:
            self = .records(kind, Percent.decoded(segments[2]))
        case 4 where kind == .character && segments[2] == "avatar" && segments[3].hasSuffix(".jpeg"):
            self = Int(segments[3].dropLast(5)).map { .avatar($0) } ?? .nothing
        default:
            self = .nothing
        }
    }

    /// The word under which it is counted.
    var word: String {
        switch self {
        case .page(let kind, _): Self.pageWords[kind] ?? "other"
        case .records(let kind, _): kind.rawValue
        case .avatar: "avatar"
        case .search: "search"
        case .lookup: "lookup"
        case .artwork: "artwork"
        case .root, .avatarFolder, .nothing: "other"
        }
    }

    private static let pageWords: [Universe.Kind: String] = [
        .character: "character_page", .location: "location_page", .episode: "episode_page",
    ]

    /// What is served beside the API, such as `/artwork/0123456789abcdef/600x600bb.jpg`.
    private static func media(_ segments: [Substring]) -> Route {
        switch (segments.count, segments.first) {
        case (1, "search"): return .search
        case (1, "lookup"): return .lookup
        case (3, "artwork"):
            guard let end = segments[2].firstIndex(of: "."), [".jpg", ".png", ".webp"].contains(segments[2][end...]),
                segments[2][..<end].hasSuffix("bb")
            else { return .nothing }
            let sides = segments[2][..<end].dropLast(2).split(separator: "x", omittingEmptySubsequences: false)
            guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0 else {
                return .nothing
            }
            return .artwork(String(segments[1]), width: width, height: height)
        default: return .nothing
        }
    }
}
