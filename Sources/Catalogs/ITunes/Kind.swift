import Catalogue

/// The kinds of record: what a search brought, an item, or albums; each of one medium and store, since a number means
/// something in a store only (docs/apis.md, 1).
struct Kind: Hashable {
    enum Role: String {
        /// The answer to a search, whole.
        case search
        /// A song, film or book, as a lookup gave it.
        case item
        /// The answer to a lookup of several artists' albums, whole.
        case albums
    }

    let role: Role
    let medium: Search.Medium
    let store: Search.Store

    init(_ role: Role, _ medium: Search.Medium, _ store: Search.Store) {
        self.role = role
        self.medium = medium
        self.store = store
    }

    /// The kind of that name; nil where there is none.
    init?(_ name: String) {
        for role in [Role.search, .item, .albums] {
            for medium in Search.Medium.allCases {
                for store in Search.Store.allCases where Kind(role, medium, store).name == name {
                    self.init(role, medium, store)
                    return
                }
            }
        }
        return nil
    }

    /// The kind as archives, files and addresses call it: "song-us".
    var name: String { "\(word(isPlural: false))-\(store.rawValue.lowercased())" }

    /// Several of the kind: "songs-us".
    var plural: String { "\(word(isPlural: true))-\(store.rawValue.lowercased())" }

    private func word(isPlural: Bool) -> String {
        switch role {
        case .search: "\(isPlural ? "searches" : "search")-\(medium.rawValue)"
        case .item: isPlural ? "\(Self.item(medium))s" : Self.item(medium)
        case .albums: "albums"
        }
    }

    private static func item(_ medium: Search.Medium) -> String {
        switch medium {
        case .music: "song"
        case .movie: "movie"
        case .ebook: "book"
        }
    }
}
