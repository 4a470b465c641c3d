import HTTPServer
import Platform

/// The parameters of a request for `/search` or `/lookup`, as observed and documented (docs/apis.md).
struct MediaSearch {
    private let isLookup: Bool
    private let values: [String: String]

    /// The kinds of rows for each entity, and for each medium without an entity. The library has no others.
    private static let kinds: [String: [MediaLibrary.Kind]] = [
        "song": [.song], "album": [.album], "movie": [.movie], "ebook": [.book], "music": [.song],
        "all": [.song, .movie, .book],
    ]

    init(_ request: ServerRequest, isLookup: Bool) {
        self.isLookup = isLookup
        values = request.parameters
    }

    /// nil for a country without a store.
    var store: MediaStore? { MediaStore(values["country"] ?? "US") }

    /// The maximum number of rows, at most 200.
    private var limit: Int { min(max(values["limit"].flatMap { Int($0) } ?? 50, 0), 200) }

    /// The first 16 different words of the search term in lower case. Each is searched in every row.
    private var words: [String] {
        let words = (values["term"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        return Array(words.unique().prefix(16))
    }

    /// The first 200 different ids, in the requested order; nil if one is not a number.
    private var ids: [Int]? {
        guard let text = values["id"], !text.isEmpty else { return [] }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard ids.allSatisfy({ $0 >= 0 }) else { return nil }
        return Array(ids.unique().prefix(200))
    }

    /// The kinds of rows to return. For a lookup they are the kinds of the items that follow each result.
    private var kinds: [MediaLibrary.Kind] {
        let usual = isLookup ? "" : values["media"] ?? "all"
        return Self.kinds[values["entity"] ?? usual] ?? []
    }

    /// For a search, the items with every word of the term in title, artist or collection, in the library's order. For
    /// a lookup, the items with the ids, each followed by the items that belong to it; nil if an id is not a number.
    func items(of library: MediaLibrary, in store: MediaStore) -> [MediaItem]? {
        let items = library.items
        let leavesExplicitOut = values["explicit"]?.lowercased() == "no"
        func isAllowed(_ item: MediaItem) -> Bool {
            store.sells(item) && !(leavesExplicitOut && item.kind == .song && item.explicitness == "explicit")
        }
        guard isLookup else {
            let words = words.map { Array($0.utf8) }
            guard !words.isEmpty else { return [] }
            let results = kinds.lazy.flatMap { kind in items.lazy.filter { $0.kind == kind } }.filter { item in
                guard isAllowed(item) else { return false }
                let collection = item.kind == .song ? items[item.makers[0]].name : item.bundle?.name ?? ""
                let text = Array("\(item.name)\n\(collection)\n\(item.artistName)".lowercased().utf8)
                return words.allSatisfy { text.offset(of: $0) != nil }
            }
            return Array(results.prefix(limit))
        }
        return ids?.flatMap { id -> [MediaItem] in
            guard let index = library.indices[id], isAllowed(items[index]) else { return [] }
            let parts = kinds.flatMap { library.parts(of: index, $0) }.map { items[$0] }.filter(isAllowed)
            return [items[index]] + parts.prefix(limit)
        }
    }
}

extension Responder {
    /// The answer to a search or a lookup: a JSON object between blank lines, with a JavaScript media type.
    func media(_ search: MediaSearch) -> ServerAnswer {
        let script = "text/javascript; charset=utf-8"
        guard let store = search.store, let items = search.items(of: library, in: store) else {
            let name = search.store == nil ? "country" : "itunesId"
            let refusal: JSONObject = ["errorMessage": "Invalid value(s) for key(s): [\(name)]"]
            return ServerAnswer(status: 400, type: script, body: "\n\n\n".utf8 + refusal.json)
        }
        let rows = Array<UInt8>(items.map { library.row(of: $0, in: store) }.joined(separator: ", \n".utf8))
        let start = Array("\n\n\n{\n \"resultCount\":\(items.count),\n \"results\": [\n".utf8)
        return ServerAnswer(status: 200, type: script, body: start + rows + "]\n}\n\n\n".utf8)
    }
}
