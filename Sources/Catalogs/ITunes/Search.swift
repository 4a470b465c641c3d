package import Archive
import Catalogue

/// One search: what is asked for, in which store. Source: docs/apis.md, 1.
package struct Search: Sendable, Hashable {
    package enum Medium: String, Sendable, CaseIterable {
        case music
        case movie
        /// Books to be read on a screen.
        case ebook
    }

    package enum Store: String, Sendable, CaseIterable {
        case us = "US"
        case ru = "RU"
    }

    package let term: String
    package let medium: Medium
    package let store: Store
    /// Whether explicit songs are wanted too.
    package let explicit: Bool
    package let limit: Int

    /// As many as the service gives at once.
    package static let limits = 1...200
    /// The most searches of a configuration or a revision: each is a page, and some work is done for each pair.
    package static let most = 10_000
    package static let usualLimit = 30

    package init(
        _ term: String, _ medium: Medium = .music, in store: Store = .us, explicit: Bool = true,
        limit: Int = Search.usualLimit
    ) {
        self.term = term
        self.medium = medium
        self.store = store
        self.explicit = explicit
        self.limit = limit
    }
}

extension Search {
    /// Whether explicit results are left out: only songs are marked so (docs/apis.md, 5.1).
    var isClean: Bool { medium == .music && !explicit }

    /// Where it is asked for, relative to the service's address; always in this order, since caches tell addresses
    /// apart by it.
    package var path: String {
        """
        search?term=\(Self.encoded(term))&country=\(store.rawValue)&media=\(medium.rawValue)&entity=\(medium.entity)\
        &limit=\(limit)&explicit=\(explicit ? "Yes" : "No")
        """
    }

    init?(path: String) {
        guard path.hasPrefix("search?") else { return nil }
        var values: [Substring: Substring] = [:]
        for pair in path.dropFirst("search?".count).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            values[parts[0]] = parts[1]
        }
        guard let term = values["term"].flatMap(Self.decoded),
            let medium = values["media"].flatMap({ Medium(rawValue: String($0)) }),
            let store = values["country"].flatMap({ Store(rawValue: String($0)) }),
            let limit = values["limit"].flatMap({ Int($0) }),
            let explicit = values["explicit"]
        else { return nil }
        self.init(term, medium, in: store, explicit: explicit == "Yes", limit: limit)
    }

    static func number(of path: String) -> Int64 { Int64(SHA256(of: Array(path.utf8)).words.0 >> 24) | 1 }

    /// Tells it from other searches of its kind, whatever their order is: 40 bits of its path's digest.
    package var key: RecordKey {
        RecordKey(Kind(.search, medium, store).name, Self.number(of: path))
    }

    /// Letters, digits, ".", "-", "_" and "*" as they are, a space as "+", every other byte as "%D1" (docs/apis.md, 1).
    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_", "*":
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case " ": encoded += "+"
            default: encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case "+": bytes.append(" ")
            case "%":
                guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                    return nil
                }
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Search.Medium {
    /// The service's word for what a search of it brings; sent with every search, or kinds mix (docs/apis.md, 5.2).
    var entity: String {
        switch self {
        case .music: "song"
        case .movie: "movie"
        case .ebook: "ebook"
        }
    }

    /// What its results say that they are.
    var kind: String {
        switch self {
        case .music: "song"
        case .movie: "feature-movie"
        case .ebook: "ebook"
        }
    }
}

/// The kinds of record: what a search brought, an item, or albums; each of one medium and store, since a number means
/// something in a store only (docs/apis.md, 1).
struct Kind: Hashable {
    enum Role: String {
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

    /// The kinds of a role by their media and stores.
    static func all(_ role: Role) -> [Kind] {
        Search.Medium.allCases.flatMap { medium in Search.Store.allCases.map { Kind(role, medium, $0) } }
    }

    // Albums have one name for all media: they are those of songs.
    private static let named = Dictionary(
        [Role.search, .item, .albums].flatMap(all).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    init?(_ name: String) {
        guard let kind = Self.named[name] else { return nil }
        self = kind
    }

    /// The kind as archives, files and addresses call it: "song-us".
    var name: String { "\(word(isPlural: false))-\(store.rawValue.lowercased())" }

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
