import HTTPServer
import Platform

/// The parameters of a request for `/search` or `/lookup`. Source of names, defaults and limits: the service's
/// documentation and its observed answers (docs/apis.md).
struct MediaSearch {
    private let isLookup: Bool
    private let values: [String: String]
    private let media: String

    /// The kinds of rows for each entity. The library has no rows for other entities.
    private static let kinds: [String: [MediaLibrary.Kind]] = [
        "song": [.song], "musicTrack": [.song], "album": [.album], "musicArtist": [.artist], "movie": [.movie],
        "ebook": [.book], "allTrack": [.song, .movie, .book], "allArtist": [.artist],
    ]
    /// The entities of each medium. The first one is the default.
    private static let entities: [String: [String]] = Dictionary(
        uniqueKeysWithValues: """
            music: musicTrack song album musicArtist mix musicVideo|movie: movie movieArtist|ebook: ebook
            podcast: podcast podcastAuthor|musicVideo: musicVideo musicArtist|audiobook: audiobook audiobookAuthor
            shortFilm: shortFilm shortFilmArtist|tvShow: tvEpisode tvSeason|software: software iPadSoftware macSoftware
            """.items.map { line in
                let words = line.split { $0 == ":" || $0 == " " }.map(String.init)
                return (words[0], Array(words[1...]))
            })

    init(_ query: String, isLookup: Bool) {
        self.isLookup = isLookup
        values = Dictionary(Percent.pairs(query).map { ($0.name, $0.value) }) { _, last in last }
        media = values["media"] ?? "all"
    }

    /// The parameters with invalid values, by the names in the service's error messages.
    var invalidParameters: [String] {
        func isValid(_ name: String, _ check: (String) -> Bool) -> Bool { values[name].map(check) ?? true }
        let own = Self.entities[media]
        let entities = own ?? Self.entities.values.flatMap(\.self) + Self.kinds.keys.filter { $0.hasPrefix("all") }
        let checks = [
            ("mediaType", media == "all" || own != nil),
            ("resultEntity", isValid("entity", entities.contains)), ("country", store != nil),
            ("language", isValid("lang") { $0.wholeMatch(of: /[A-Za-z]{2}([_-][A-Za-z]{2,4})?/) != nil }),
            ("limit", isValid("limit") { Int($0) ?? 0 > 0 }),
            ("callback", isValid("callback") { $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.]*/) != nil }),
            ("itunesId", !isLookup || ids != nil),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }

    /// nil for a country without a store.
    var store: MediaStore? { MediaStore(values["country"] ?? "US") }

    /// The function that the answer calls (JSONP).
    var callback: String? { values["callback"] }

    /// The maximum number of rows, at most 200.
    private var limit: Int { min(values["limit"].flatMap { Int($0) } ?? 50, 200) }

    /// The first 16 different words of the search term, in lower case. They are limited, because each word is searched
    /// in every row.
    private var words: [String] {
        let words = (values["term"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        return words.reduce(into: []) { if $0.count < 16 && !$0.contains($1) { $0.append($1) } }
    }

    /// The first 200 different ids, in the requested order; nil if one is not a number.
    private var ids: [Int]? {
        guard let text = values["id"], !text.isEmpty else { return [] }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard ids.allSatisfy({ $0 >= 0 }) else { return nil }
        return ids.reduce(into: []) { if $0.count < 200 && !$0.contains($1) { $0.append($1) } }
    }

    /// The kinds of rows to return. For a lookup they are the kinds of the items that follow each result.
    private var kinds: [MediaLibrary.Kind] {
        let usual = isLookup ? "" : media == "all" ? "allTrack" : Self.entities[media]?.first ?? ""
        return Self.kinds[values["entity"] ?? usual] ?? []
    }

    /// The results of a search: items that have every word of the term in their title, artist or collection, in the
    /// library's order. The results of a lookup: the items with the ids, each followed by the items that belong to it.
    func items(of library: MediaLibrary, in store: MediaStore) -> [MediaItem] {
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
        return (ids ?? []).flatMap { id -> [MediaItem] in
            guard let index = library.indices[id], isAllowed(items[index]) else { return [] }
            var parts = kinds.flatMap { library.parts(of: index, $0) }.map { items[$0] }.filter(isAllowed)
            // Sorting is stable, so items of the same day keep the library's order.
            if values["sort"] == "recent" { parts.sort { $0.date > $1.date } }
            return [items[index]] + parts.prefix(limit)
        }
    }
}

extension Responder {
    private static let help = """
        {"output":"json","callback":"A javascript function to handle your search results",\
        "country":"ISO-2A country code","limit":"The number of search results to return","term":"A search string",\
        "lang":"ISO-2A language code"}
        """

    /// The answer to a search or a lookup: a JSON object between blank lines, with a JavaScript media type.
    func media(_ search: MediaSearch) -> ServerAnswer {
        let script = "text/javascript; charset=utf-8"
        let invalid = search.invalidParameters
        guard invalid.isEmpty, let store = search.store else {
            let refusal: JSONObject = [
                "errorMessage": "Invalid value(s) for key(s): [\(invalid.joined(separator: ", "))]",
                "queryParameters": RawJSON(Self.help),
            ]
            return ServerAnswer(status: 400, type: script, body: "\n\n\n".utf8 + refusal.json)
        }

        let items = search.items(of: library, in: store)
        let call = search.callback.map { ("\($0)(", ");") } ?? ("", "")
        var body = Array("\n\n\n\(call.0){\n \"resultCount\":\(items.count),\n \"results\": [\n".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { body += ", \n".utf8 }
            body += library.row(of: item, in: store)
        }
        body += "]\n}\(call.1)\n\n\n".utf8
        return ServerAnswer(status: 200, type: script, body: body)
    }
}
