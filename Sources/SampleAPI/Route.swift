/// What a path asks for. Cases and a trailing slash do not matter, as in Express.
enum Route: Equatable {
    case root
    /// A list; `slash` tells whether the path ended in one, which its links repeat.
    case page(Universe.Kind, slash: Bool)
    /// By id or ids, as sent.
    case records(Universe.Kind, String)
    case avatar(Int)
    case avatarFolder(slash: Bool)
    case nothing

    init(_ path: String) {
        let segments = path.lowercased().split(separator: "/", omittingEmptySubsequences: true)
        let slash = path.hasSuffix("/")
        guard segments.first == "api" else {
            self = .nothing
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
        case .root, .avatarFolder, .nothing: "other"
        }
    }

    private static let pageWords: [Universe.Kind: String] = [
        .character: "character_page", .location: "location_page", .episode: "episode_page",
    ]
}
