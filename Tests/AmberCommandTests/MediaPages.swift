import Foundation
import TestSupport
import Testing

/// Compares a site of media with the rows of a replica, page by page, in both languages.
struct MediaPages {
    let site: String
    let replica: Replica
    private var rows: [(search: MediaSearch, rows: [[String: Any]])] = []
    /// Rows by folder and number.
    private(set) var items: [String: [Int: [String: Any]]] = [:]
    private var albums: [String: [[String: Any]]] = [:]

    /// Requests the results of each search and the albums of each song's artist.
    init(_ site: String, of searches: [MediaSearch], from replica: Replica) async throws {
        self.site = site
        self.replica = replica
        for search in searches {
            let found = try await search.rows(from: replica)
            rows.append((search, found))
            for row in found {
                let id = try #require(row["trackId"] as? Int)
                items[search.folder, default: [:]][id] = row
                guard search.media == "music", let artist = row["artistId"] as? Int,
                    albums["\(artist) \(search.country)"] == nil
                else {
                    continue
                }
                let path = "lookup?id=\(artist)&entity=album&limit=6&country=\(search.country)"
                albums["\(artist) \(search.country)"] = try await replica.object(path)["results"] as? [[String: Any]]
            }
        }
    }
}

extension MediaPages {
    func expectAgreement() async throws {
        try expectPages()
        try await expectPictures()
        for words in [MediaWords.english, .russian] {
            try expectItems(words)
            try expectSearches(words)
        }
    }

    private func page(_ path: String) throws -> String {
        try String(contentsOfFile: "\(site)/\(path)", encoding: .utf8)
    }

    private func expectPages() throws {
        for folder in ["song-us", "song-ru", "movie-us", "movie-ru", "book-us", "book-ru"] {
            let expected = (items[folder] ?? [:]).keys.map { "\($0).html" }.sorted()
            for edition in ["", "ru/"] {
                let path = "\(site)/\(edition)\(folder)"
                let names =
                    FileManager.default.fileExists(atPath: path)
                    ? try FileManager.default.contentsOfDirectory(atPath: path) : []
                #expect(names.sorted() == expected, "\(edition)\(folder)")
            }
        }
    }

    /// The links to lists are compared with the numbers of records, and the others with the recorded answers.
    private func expectItems(_ words: MediaWords) throws {
        let artists = items.values.flatMap(\.values).reduce(into: [String: Int]()) { counts, row in
            counts[row["artistName"] as? String ?? "", default: 0] += 1
        }
        for (folder, rows) in items {
            let country = folder.hasSuffix("us") ? "US" : "RU"
            for (id, row) in rows {
                let html = try page("\(words.folder)\(folder)/\(id).html")
                var shown = MediaFacts(html, isBook: folder.hasPrefix("book"))
                #expect(shown.picture == "artwork/\(folder)/\(id).png 600 600")
                shown.picture = ""
                let lists = shown.links.filter { $0.contains(": ../") }
                shown.links.removeAll { lists.contains($0) }
                shown.facts = shown.facts.map {
                    $0.replacing(" · at Apple", with: "").replacing(" · в Apple", with: "")
                }
                let artist = row["artistName"] as? String ?? ""
                let hasList = artists[artist] ?? 0 > 1 && artist != "Unknown"
                #expect(lists.contains { $0.contains("/artist/") } == hasList, "\(folder)/\(id): \(lists)")
                #expect(lists.contains { $0.contains("/kind/") } && lists.contains { $0.contains("/genre/") })
                let own = albums["\(row["artistId"] as? Int ?? 0) \(country)"] ?? []
                let captured = MediaFacts.first(#"<time datetime="([^"]*)">[^<]* UTC</time>"#, in: html)
                let expected = MediaExpectation(row: row, words: words).facts(
                    country: country, albums: own, captured: captured)
                #expect(shown == expected, "\(words.folder)\(folder)/\(id)")
            }
        }
    }

    /// The rows have addresses of pictures with 100 by 100 pixels. The site has those with 600 by 600.
    private func expectPictures() async throws {
        var served: [String: Data] = [:]
        for (folder, rows) in items {
            for (id, row) in rows {
                let address = try #require(row["artworkUrl100"] as? String)
                let path = String(address.dropFirst(replica.root.count + 1)).replacingOccurrences(
                    of: "100x100bb", with: "600x600bb")
                if served[path] == nil { served[path] = try await replica.get(path) }
                let file = try Data(contentsOf: URL(fileURLWithPath: "\(site)/artwork/\(folder)/\(id).png"))
                #expect(file == served[path], "the artwork of \(folder)/\(id)")
                #expect(Array(file.dropFirst(16).prefix(8)) == [0, 0, 2, 88, 0, 0, 2, 88], "600 by 600 pixels")
            }
        }
    }

    /// The page of a search has all results in the replica's order, and the first page has the counts.
    private func expectSearches(_ words: MediaWords) throws {
        let index = try page("\(words.folder)index.html")
        let entries = MediaFacts.all(#"<li><a href="([^"]*found/[^"]*)">(.*?)</a></li>"#, in: index)
        #expect(entries.count == rows.count)
        var shown: [String: [String]] = [:]
        for entry in entries {
            let spans = MediaFacts.all(#"<span class="(?:name|about)"[^>]*>(.*?)</span>"#, in: entry[1]).map {
                MediaFacts.text($0[0])
            }
            shown[spans.joined(separator: " | "), default: []].append(entry[0])
        }
        for (search, rows) in rows {
            let terms = words.value(
                "terms", "\(search.media) \(search.country) \(search.explicit ? "yes" : "no")")
            let paths = shown["\(search.term) | \(terms) | \(words.results(rows.count))"] ?? []
            let suffix = "-\(search.media)-\(search.country.lowercased())"
            let path = try #require(
                paths.first { $0.contains(suffix) }, "\(search) is not on \(words.folder)index.html: \(shown.keys)")
            let html = try page("\(words.folder)\(path)")
            #expect(html.contains(words.results(rows.count)))
            #expect(html.contains(words["nothingFound"]) == rows.isEmpty)
            let results = MediaFacts.all(#"<li class="result">(.*?)</li>"#, in: html).map { Self.short($0[0]) }
            let expected = rows.map { row in
                "\(search.folder)/\(row["trackId"] ?? "").html | \(MediaExpectation(row: row, words: words).short)"
            }
            #expect(results == expected, "\(path)")
        }
    }

    /// "path | name | mark | facts" of a result.
    private static func short(_ html: String) -> String {
        let path = MediaFacts.first(#"<a href="(?:\.\./)*(?:ru/)?(.*?)""#, in: html)
        let name = MediaFacts.first(#"<span class="name">(.*?)</span>\n"#, in: html)
        let mark = MediaFacts.first(#"<span class="explicit">(.*?)</span>"#, in: name)
        let title = MediaFacts.first(#"^<span[^>]*>(.*?)</span>"#, in: name)
        let about = MediaFacts.first(#"<span class="about">(.*?)</span>\n"#, in: html)
        return [path, title, mark, about].map(MediaFacts.text).joined(separator: " | ")
    }
}
