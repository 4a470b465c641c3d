import Archive
import Catalogue

/// What pages say of searches and items wherever they name them.
struct Telling: RecordTelling {
    let world: World

    var kinds: [(name: String, count: TextNeed)] {
        let roles: [(role: Kind.Role, media: [Search.Medium])] = [
            (.search, Search.Medium.allCases), (.item, Search.Medium.allCases), (.albums, [.music]),
        ]
        return roles.flatMap { role, media in
            media.flatMap { medium in
                Search.Store.allCases.map { (Kind(role, medium, $0).name, Self.count(role, medium)) }
            }
        }
    }

    private static func count(_ role: Kind.Role, _ medium: Search.Medium) -> TextNeed {
        switch (role, medium) {
        case (.search, _): Words.searchCount
        case (.albums, _): Words.albumsCount
        case (.item, .music): Words.songCount
        case (.item, .movie): Words.movieCount
        case (.item, .ebook): Words.bookCount
        }
    }

    func page(of key: RecordKey) -> RecordPage? {
        if let row = world.row(of: key) {
            let place = world.items[row]
            let picture = place.picture.map {
                RecordPicture(path: Places.picture(key, $0.format), width: $0.width, height: $0.height)
            }
            return RecordPage(path: Places.item(key), name: place.brief.title, picture: picture)
        }
        return world.searches.first { $0.key == key }.map { RecordPage(path: $0.path, name: $0.search.term) }
    }

    func members(of kind: String) -> [ToldMember] {
        guard let kind = Kind(kind), kind.role == .item else {
            return [ToldMember("results", Words.results), ToldMember("resultCount", nil)]
        }
        return [
            ToldMember("trackName", Words.name), ToldMember("artistName", Words.artist),
            ToldMember("collectionName", Words.album),
            ToldMember("primaryGenreName", Words.genre), ToldMember("genres", Words.genre),
            ToldMember("releaseDate", Words.released),
            ToldMember("trackExplicitness", Words.explicit), ToldMember("averageUserRating", Words.rating),
            ToldMember("longDescription", Words.description), ToldMember("description", Words.description),
            ToldMember("artworkUrl100", Words.artwork),
        ]
    }

    func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? {
        guard let kind = Kind(kind), kind.role == .search, case .literal(let digits)? = element["trackId"],
            let id = Int64(digits)
        else {
            return nil
        }
        return RecordKey(Kind(.item, kind.medium, kind.store).name, id)
    }

    func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        if member == "trackExplicitness", let word = value.text.flatMap({ texts.value("explicit", $0) }) {
            return ShownValue(word, isServed: false)
        }
        if member == "releaseDate", let day = value.text.flatMap({ Day($0) }) {
            return ShownValue(Facts.date(day, texts), isServed: false)
        }
        // Results are objects: their titles say which.
        let title = ["trackName", "collectionName", "artistName"].lazy.compactMap { value[$0]?.text }.first
        let text = (title?.showable ?? value.shown).shortened
        return value == .literal("null") || text.isBlank ? nil : ShownValue(text, isServed: true)
    }
}
