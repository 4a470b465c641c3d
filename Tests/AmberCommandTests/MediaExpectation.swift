import Foundation
import TestSupport

/// A search of a configuration, which a test can also send to a replica.
struct MediaSearch {
    var term: String
    var media = "music"
    var country = "US"
    var explicit = true
    var limit = 30

    var json: [String: Any] {
        ["term": term, "media": media, "country": country, "explicit": explicit ? "yes" : "no", "limit": limit]
    }

    /// Reads an entry of a configuration. Missing members have the defaults.
    init(json: [String: Any]) {
        term = json["term"] as? String ?? ""
        media = json["media"] as? String ?? "music"
        country = json["country"] as? String ?? "US"
        explicit = json["explicit"] as? String != "no"
        limit = json["limit"] as? Int ?? 30
    }

    /// The searches of the shipped media.json.
    static func shipped() throws -> [MediaSearch] {
        let object = try jsonObject(Data(contentsOf: URL(fileURLWithPath: "\(Program.root)/media.json")))
        return (object["searches"] as? [[String: Any]] ?? []).map(MediaSearch.init(json:))
    }

    init(_ term: String, _ media: String, _ country: String, limit: Int) {
        self.init(json: ["term": term, "media": media, "country": country, "limit": limit])
    }

    var folder: String {
        "\(["music": "song", "movie": "movie", "ebook": "book"][media] ?? "")-\(country.lowercased())"
    }

    var path: String {
        let term = term.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let entity = media == "music" ? "song" : media
        return "search?term=\(term)&country=\(country)&media=\(media)&entity=\(entity)&limit=\(limit)"
    }

    func rows(from replica: Replica) async throws -> [[String: Any]] {
        let rows = try await replica.object(path)["results"] as? [[String: Any]] ?? []
        return rows.filter { explicit || $0["trackExplicitness"] as? String != "explicit" }
    }
}

/// The expected content of an item's page, computed from the recorded row.
struct MediaExpectation {
    let row: [String: Any]
    let words: MediaWords

    /// C1 controls, which HTML cannot contain, are shown as U+FFFD.
    private func text(_ key: String) -> String {
        String(
            String.UnicodeScalarView(
                (row[key] as? String ?? "").unicodeScalars.map { (0x80..<0xA0).contains($0.value) ? "\u{FFFD}" : $0 }))
    }

    /// - Parameters:
    ///   - albums: the rows of the artist's albums, including the row of the artist.
    ///   - captured: the moment of the answer with the row.
    func facts(country: String, albums: [[String: Any]], captured: String) -> MediaFacts {
        var shown = MediaFacts()
        shown.title = text("trackName")
        shown.heading = shown.title
        let kind = text("kind")
        if text("trackExplicitness") == "explicit" { shown.mark = words["explicitMark"] }
        func add(_ label: String, _ text: String, _ link: String = "") {
            guard !text.isEmpty else { return }
            shown.facts.append("\(label): \(text)")
            if !link.isEmpty { shown.links.append("\(label): \(link)") }
        }
        let name = words.value("kind", kind)
        let store = "\(words.value("store", country)), \(words.date(captured))"
        switch kind {
        case "song":
            add(words["artist"], text("artistName"), text("artistViewUrl"))
            add(words["album"], text("collectionName"), text("collectionViewUrl"))
            add(words["albumArtist"], text("collectionArtistName"))
            add(words["track"], part("trackNumber", "trackCount"))
            if row["discCount"] as? Int != 1 { add(words["disc"], part("discNumber", "discCount")) }
            add(words["genre"], text("primaryGenreName"))
            add(words["mediaKind"], [name, duration].filter { !$0.isEmpty }.joined(separator: ", "))
            add(words["advisory"], words.value("advisory", text("contentAdvisoryRating")))
            add(words["price"], price("trackPrice", isMain: true))
            add(words["albumPrice"], price("collectionPrice"))
            if row["trackPrice"] != nil { add(words["prices"], store) }
            add(words["streamable"], (row["isStreamable"] as? Bool).map { words.value("streamable", "\($0)") } ?? "")
        case "feature-movie":
            add(
                text("artistViewUrl").contains("/studio/") ? words["company"] : words["director"],
                text("artistName") == "Unknown" ? "" : text("artistName"), text("artistViewUrl"))
            if text("artistViewUrl").isEmpty, !text("collectionArtistViewUrl").isEmpty {
                add(words["company"], words["companyAtApple"], text("collectionArtistViewUrl"))
            }
            add(words["genre"], text("primaryGenreName"))
            add(words["advisory"], text("contentAdvisoryRating"))
            add(words["mediaKind"], [name, duration].filter { !$0.isEmpty }.joined(separator: ", "))
            if !text("collectionName").isEmpty {
                let number = part("trackNumber", "trackCount")
                add(words["bundle"], [text("collectionName"), number].filter { !$0.isEmpty }.joined(separator: ", "))
            }
            if row["discCount"] as? Int != 1 { add(words["disc"], part("discNumber", "discCount")) }
            add(words["price"], withHD(price("trackPrice", isMain: true), price("trackHdPrice")))
            if !text("collectionName").isEmpty {
                add(words["bundlePrice"], withHD(price("collectionPrice"), price("collectionHdPrice")))
            }
            add(words["rentalPrice"], withHD(price("trackRentalPrice"), price("trackHdRentalPrice")))
            if row["trackPrice"] != nil { add(words["prices"], store) }
            if row["hasITunesExtras"] as? Bool == true { add(words["extras"], words.value("extras", "true")) }
            shown.tagline = text("shortDescription")
            let description = text("longDescription").isEmpty ? text("shortDescription") : text("longDescription")
            shown.description = description.components(separatedBy: .newlines).filter { !$0.isEmpty }
        default:
            add(words["author"], text("artistName"), text("artistViewUrl"))
            add(words["genres"], genres.joined(separator: " "))
            add(words["rating"], rating)
            let size = (row["fileSizeBytes"] as? Int).map { words.size($0) } ?? ""
            add(words["mediaKind"], [name, size].filter { !$0.isEmpty }.joined(separator: ", "))
            add(words["price"], price("price", isMain: true))
            if row["price"] != nil { add(words["prices"], store) }
            shown.description = [MediaFacts.words(text("description"))].filter { !$0.isEmpty }
        }
        add(words["released"], words.date(text("releaseDate")))
        add(words["country"], words.value("country", country))
        let stores = ["song": "openMusic", "feature-movie": "openTV", "ebook": "openBooks"]
        shown.links.append("\(words[stores[kind] ?? ""]): \(text("trackViewUrl"))")
        if let preview = ["song": "listen", "feature-movie": "watch"][kind], !text("previewUrl").isEmpty {
            shown.links.append("\(words[preview]): \(text("previewUrl"))")
        }
        shown.albums = kind == "song" ? others(albums) : []
        return shown
    }

    /// A result on the page of its search: "name | mark | facts".
    var short: String {
        let kind = text("kind")
        let facts =
            switch kind {
            case "song": [text("artistName"), duration]
            case "feature-movie": [text("primaryGenreName"), words.date(text("releaseDate"))]
            default: [text("artistName"), rating]
            }
        let mark = text("trackExplicitness") == "explicit" ? words["explicitMark"] : ""
        return "\(text("trackName")) | \(mark) | \(facts.filter { !$0.isEmpty }.joined(separator: " "))"
    }

    /// A number and a count, such as "3 of 12".
    private func part(_ number: String, _ count: String) -> String {
        guard let number = row[number] as? Int else { return "" }
        return (row[count] as? Int).map { "\(number) \(words["of"]) \($0)" } ?? "\(number)"
    }

    /// A price with its currency. The service writes -1 for an item that is not sold alone.
    /// - Parameter isMain: whether 0 and -1 are words. Otherwise -1 is left out.
    private func price(_ key: String, isMain: Bool = false) -> String {
        guard let value = (row[key] as? NSNumber)?.doubleValue else { return "" }
        if isMain, value == 0 { return words.value("price", "0") }
        if value == -1 { return isMain ? words.value("price", "-1") : "" }
        return words.money(value, text("currency"))
    }

    private func withHD(_ price: String, _ other: String) -> String {
        price.isEmpty || other.isEmpty ? price : "\(price), HD \(other)"
    }

    /// Hours and minutes for films; minutes and seconds for songs, with hours if there are any.
    private var duration: String {
        guard let milliseconds = row["trackTimeMillis"] as? Int else { return "" }
        let seconds = Int((Double(milliseconds) / 1_000).rounded())
        if text("kind") == "feature-movie" {
            return words[seconds < 3_600 ? "minutes" : "hoursAndMinutes"]
                .replacing("{hours}", with: "\(seconds / 3_600)").replacing("{minutes}", with: "\(seconds / 60 % 60)")
        }
        return seconds < 3_600
            ? String(format: "%d:%02d", seconds / 60, seconds % 60)
            : String(format: "%d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }

    private var genres: [String] {
        let names = row["genres"] as? [String] ?? []
        let numbers = row["genreIds"] as? [String] ?? []
        return zip(names, numbers).filter { $1 != "38" }.map(\.0)
    }

    private var rating: String {
        guard let average = row["averageUserRating"] as? Double, let count = row["userRatingCount"] as? Int, count > 0
        else { return "" }
        return words.rating(average, count)
    }

    /// The first five albums, without the song's own.
    private func others(_ albums: [[String: Any]]) -> [String] {
        let others = albums.filter { album in
            album["collectionType"] as? String == "Album"
                && album["collectionId"] as? Int != row["collectionId"] as? Int
        }
        return others.prefix(5).map { album in
            let year = (album["releaseDate"] as? String ?? "").prefix(4)
            return
                "\(album["collectionName"] as? String ?? "") | \(album["collectionViewUrl"] as? String ?? "") | \(year)"
        }
    }
}
