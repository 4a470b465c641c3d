package import Archive
import Catalogue

/// One search: what is asked for, in which store. Source: docs/apis.md, 1.
package struct Search: Sendable, Hashable {
    /// What is looked for.
    package enum Medium: String, Sendable, CaseIterable {
        /// Songs.
        case music
        /// Films.
        case movie
        /// Books to be read on a screen.
        case ebook
    }

    /// A country's store.
    package enum Store: String, Sendable, CaseIterable {
        /// The United States.
        case us = "US"
        /// Russia.
        case ru = "RU"
    }

    /// The words that are looked for.
    package let term: String
    /// What is looked for.
    package let medium: Medium
    /// The store that is looked in.
    package let store: Store
    /// Whether explicit songs are wanted too.
    package let explicit: Bool
    /// How many results at most.
    package let limit: Int

    /// As many as the service gives at once.
    package static let limits = 1...200
    /// The most searches of a configuration or a revision: each is a page, and some work is done for each pair.
    package static let most = 10_000
    /// Where nothing is said of it.
    package static let usualLimit = 30

    /// A search with its parts.
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

    /// The search that was asked for at a path; nil where it was none.
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

    /// Tells it from other searches of its kind, whatever their order is: 40 bits of its path's digest.
    package var key: RecordKey {
        RecordKey(Kind(.search, medium, store).name, Int64(SHA256(of: Array(path.utf8)).words.0 >> 24) | 1)
    }

    /// Letters, digits, ".", "-", "_" and "*" as they are, a space as "+", every other byte as "%D1" (docs/apis.md, 1).
    private static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "*"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): encoded += "+"
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
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
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
