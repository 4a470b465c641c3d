package import Archive
import Catalogue

/// The parameters of a search. Source: docs/apis.md, 1.
package struct Search: Sendable, Hashable {
    package enum Medium: String, Sendable, CaseIterable {
        case music
        case movie
        case ebook
    }

    package enum Store: String, Sendable, CaseIterable {
        case us = "US"
        case ru = "RU"
    }

    package let term: String
    package let medium: Medium
    package let store: Store
    /// Whether to include explicit songs.
    package let explicit: Bool
    package let limit: Int

    /// The service returns at most 200 results.
    package static let limits = 1...200
    /// The maximum number of searches. Some work is done for each pair of searches.
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

    /// The path and query of the request, relative to the service's address. The order of parameters is fixed, because
    /// caches distinguish addresses by it.
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

    /// Identifies the search by 40 bits of its path's digest, so it does not depend on the order of searches.
    package var key: RecordKey {
        RecordKey(Kind(.search, medium, store).name, Self.number(of: path))
    }

    /// Letters, digits, ".", "-", "_" and "*" stay. A space becomes "+", and another byte "%D1" (docs/apis.md, 1).
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
    /// The parameter `entity`. Without it, results of other types are mixed in (docs/apis.md, 5.2).
    var entity: String {
        switch self {
        case .music: "song"
        case .movie: "movie"
        case .ebook: "ebook"
        }
    }

    /// The member `kind` of the results.
    var kind: String {
        switch self {
        case .music: "song"
        case .movie: "feature-movie"
        case .ebook: "ebook"
        }
    }
}

/// The kinds of records: searches, items and albums, each of one medium and store. A number is valid only in its store
/// (docs/apis.md, 1).
struct Kind: Hashable {
    enum Role: String {
        case search
        /// A song, film or book from a lookup.
        case item
        /// The whole answer to a lookup of several artists' albums.
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

    static func all(_ role: Role) -> [Kind] {
        Search.Medium.allCases.flatMap { medium in Search.Store.allCases.map { Kind(role, medium, $0) } }
    }

    // Albums have one name for all media, because only songs have albums.
    private static let named = Dictionary(
        [Role.search, .item, .albums].flatMap(all).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    init?(_ name: String) {
        guard let kind = Self.named[name] else { return nil }
        self = kind
    }

    /// The kind's name in archives, files and addresses, such as "song-us".
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
