/// What is asked of `/search` or `/lookup`, checked. Source of names, defaults and limits: the service's documentation,
/// and what clients have observed of it.
struct MediaQuery {
    let isLookup: Bool
    /// How many rows are wanted, 200 at most.
    let limit: Int
    let leavesExplicitOut: Bool
    private let values: [String: String]

    /// The kinds of row by entity; the entities that are not here have none in a library.
    private static let kinds: [String: [MediaLibrary.Kind]] = [
        "song": [.song], "musicTrack": [.song], "album": [.album], "musicArtist": [.artist], "movie": [.movie],
        "ebook": [.book],
        "allTrack": [.song, .movie, .book], "allArtist": [.artist],
    ]
    /// The entities of each medium, the one it has when none is asked for first.
    private static let entities: [String: [String]] = [
        "music": ["musicTrack", "song", "album", "musicArtist", "mix", "musicVideo"],
        "movie": ["movie", "movieArtist"], "ebook": ["ebook"],
        "podcast": ["podcast", "podcastAuthor"], "musicVideo": ["musicVideo", "musicArtist"],
        "audiobook": ["audiobook", "audiobookAuthor"],
        "shortFilm": ["shortFilm", "shortFilmArtist"], "tvShow": ["tvEpisode", "tvSeason"],
        "software": ["software", "iPadSoftware", "macSoftware"],
    ]

    init(_ query: String, isLookup: Bool) {
        self.isLookup = isLookup
        values = Dictionary(Percent.pairs(query).map { ($0.name, $0.value) }) { _, last in last }
        limit = min(values["limit"].flatMap { Int($0) } ?? 50, 200)
        leavesExplicitOut = values["explicit"]?.lowercased() == "no"
    }
}

extension MediaQuery {
    /// The service's own names of the parameters that have a wrong value.
    var wrong: [String] {
        var wrong: [String] = []
        let media = values["media"] ?? "all"
        if media != "all" && Self.entities[media] == nil { wrong.append("mediaType") }
        if let entity = values["entity"], !Self.knows(entity, in: media) { wrong.append("resultEntity") }
        if store == nil { wrong.append("country") }
        if let language = values["lang"], !Self.isLanguage(language) { wrong.append("language") }
        if let limit = values["limit"], !(Int(limit).map { $0 > 0 } ?? false) { wrong.append("limit") }
        if let callback, !Self.isName(callback) { wrong.append("callback") }
        if isLookup, ids == nil { wrong.append("itunesId") }
        return wrong
    }

    /// nil for a country that has none.
    var store: MediaStore? { MediaStore(values["country"] ?? "US") }

    /// The words of the term, in lower case: the first 16, each once. Each is looked for in every row.
    var words: [String] {
        var words: [String] = []
        for word in (values["term"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        where words.count < 16 && !words.contains(word) {
            words.append(word)
        }
        return words
    }

    var isRecentFirst: Bool { values["sort"] == "recent" }

    /// What the answer is wrapped in a call of.
    var callback: String? { values["callback"] }

    /// The first 200, each once, in the order asked; nil where one is no number.
    var ids: [Int]? {
        var ids: [Int] = []
        for part in (values["id"] ?? "").split(separator: ",", omittingEmptySubsequences: (values["id"] ?? "").isEmpty)
        {
            guard let id = Int(part), id >= 0 else { return nil }
            if ids.count < 200, !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// The kinds of row that are wanted; of a lookup, below what is looked up.
    var kinds: [MediaLibrary.Kind] {
        let media = values["media"] ?? "all"
        let entity =
            values["entity"] ?? (isLookup ? "" : media == "all" ? "allTrack" : Self.entities[media]?.first ?? "")
        return Self.kinds[entity] ?? []
    }

    private static func knows(_ entity: String, in media: String) -> Bool {
        if let entities = entities[media] { return entities.contains(entity) }
        return entity == "allTrack" || entity == "allArtist" || entities.values.contains { $0.contains(entity) }
    }

    /// Such as `en_us`.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
        let isLetters = parts.allSatisfy {
            $0.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        }
        return isLetters && parts[0].utf8.count == 2
            && (parts.count == 1 || parts.count == 2 && (2...4).contains(parts[1].utf8.count))
    }

    private static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
        }
    }
}
