import SampleAPI
import TestSupport
import Testing

struct MediaServerTests {
    private let server: SampleServer

    init() throws {
        server = try SampleServer(Universe(characters: 20))
    }

    private func get(_ target: String) throws -> Client.Reply { try ask(server.port, target) }

    private func rows(_ target: String) throws -> [MediaRecord] {
        let answer: MediaAnswer = try decoded(get(target).body)
        #expect(answer.resultCount == answer.results.count)
        return answer.results
    }

    @Test(arguments: [
        ("love", "music", "song"), ("dream", "music", "song"), ("star", "movie", "movie"), ("night", "movie", "movie"),
        ("sea", "ebook", "ebook"), ("life", "ebook", "ebook"),
    ])
    func `A search for common words has at least a dozen results in both stores`(
        term: String, media: String, entity: String
    ) throws {
        let kind = ["song": "song", "movie": "feature-movie", "ebook": "ebook"][entity]
        for country in ["US", "RU"] {
            let rows = try rows(
                "/search?term=\(term)&country=\(country)&media=\(media)&entity=\(entity)&limit=30&explicit=Yes")
            #expect((12...30).contains(rows.count), "\(term) in \(country): \(rows.count)")
            #expect(rows.allSatisfy { $0.text("kind") == kind })
            for row in rows {
                let text = ["trackName", "artistName", "collectionName"].compactMap { row.text($0)?.lowercased() }
                #expect(text.contains { $0.contains(term) })
            }
        }
    }

    @Test func `A search decodes percent-encoded words and requires every word`() throws {
        let found = try rows("/search?term=%D0%BC%D0%BE%D1%80%D0%B5&country=RU&media=ebook&entity=ebook")
        #expect(found.count >= 10)
        #expect(found.allSatisfy { $0.text("trackName")?.lowercased().contains("море") == true })

        let one = try rows("/search?term=love&media=music&entity=song&limit=200")
        let two = try rows("/search?term=LOVE+kettle&media=music&entity=song&limit=200")
        #expect(!two.isEmpty)
        #expect(
            two.map { $0.number("trackId") }
                == one.filter { song in
                    ["trackName", "artistName", "collectionName"].contains { song.text($0)?.contains("Kettle") == true }
                }.map { $0.number("trackId") })
        #expect(
            try get("/search?term=zzyzzx&media=music").text
                == "\n\n\n{\n \"resultCount\":0,\n \"results\": [\n]\n}\n\n\n")
        #expect(try rows("/search?media=music") == [])
    }

    @Test func `A search uses its first sixteen different words`() throws {
        let repeated = String(repeating: "love+", count: 20)
        let one = try rows("/search?term=love&media=music&entity=song&limit=200").map { $0.number("trackId") }
        let again = try rows("/search?term=\(repeated)&media=music&entity=song&limit=200")
        #expect(!one.isEmpty && again.map { $0.number("trackId") } == one)

        let letters = ["l", "o", "v", "e", "lo", "ov", "ve", "lov", "ove", "love"]
        let sixteen = letters + ["k", "ke", "ket", "kett", "kettl", "kettle"]
        let found = try rows("/search?term=\(sixteen.joined(separator: "+"))&media=music&entity=song")
        let more = try rows("/search?term=\(sixteen.joined(separator: "+"))+zzyzzx&media=music&entity=song")
        #expect(!found.isEmpty && more == found)
        let wrong = ["zzyzzx"] + sixteen
        #expect(try rows("/search?term=\(wrong.joined(separator: "+"))&media=music&entity=song").isEmpty)
    }

    @Test func `Explicit songs are left out on request`() throws {
        let all = try rows("/search?term=e&media=music&entity=song&limit=200")
        let rest = try rows("/search?term=e&media=music&entity=song&limit=200&explicit=No")
        #expect(all.contains { $0.text("trackExplicitness") == "explicit" })
        #expect(rest.contains { $0.text("trackExplicitness") == "cleaned" })
        #expect(!rest.contains { $0.text("trackExplicitness") == "explicit" })
        let clean = all.filter { $0.text("trackExplicitness") != "explicit" }
        #expect(Array(rest.prefix(clean.count)) == clean)
    }

    @Test func `A search returns at most its limit, by default 50 and never over 200`() throws {
        #expect(try rows("/search?term=e&entity=song").count == 50)
        #expect(try rows("/search?term=e&entity=song&limit=7").count == 7)
        #expect(try rows("/search?term=e&entity=song&limit=1000").count == 200)
        let mixed = try rows("/search?term=moon&limit=200")
        #expect(Set(mixed.compactMap { $0.text("kind") }) == ["song", "feature-movie", "ebook"])
    }

    @Test func `A lookup returns each artist with albums`() throws {
        let artists = server.library.ids(of: .artist).prefix(3)
        let list = artists.map(String.init).joined(separator: ",")
        let rows = try rows("/lookup?id=\(list)&entity=album&limit=2&country=RU")
        #expect(rows.count == 9)
        for (place, artist) in artists.enumerated() {
            #expect(rows[place * 3].text("wrapperType") == "artist")
            #expect(rows[place * 3].number("artistId") == Int(artist))
            let albums = rows[(place * 3 + 1)...(place * 3 + 2)]
            #expect(albums.allSatisfy { $0.text("collectionType") == "Album" && $0.text("country") == "RUS" })
        }
        #expect(try self.rows("/lookup?id=\(artists[0])").count == 1)
        #expect(try self.rows("/lookup?id=4,\(artists[0]),4").map { $0.number("artistId") } == [Int(artists[0])])
    }

    @Test func `A lookup returns at most the first two hundred ids`() throws {
        let ids = (server.library.ids(of: .song) + server.library.ids(of: .book)).prefix(300)
        #expect(ids.count == 300)
        let found = try rows("/lookup?id=\(ids.map(String.init).joined(separator: ","))")
        #expect((100...200).contains(found.count))
    }

    @Test func `Some albums of an artist have another artist's id`() throws {
        let shared = try server.library.ids(of: .artist).prefix(40).map { id in
            try rows("/lookup?id=\(id)&entity=album&limit=200").dropFirst().filter { $0.number("artistId") != Int(id) }
                .count
        }
        #expect((5...60).contains(shared.reduce(0, +)))
        #expect(shared.contains(0))
    }

    @Test func `A lookup returns an album's songs, and returns a film only in stores that sell it`() throws {
        let album = server.library.ids(of: .album)[0]
        let songs = try rows("/lookup?id=\(album)&entity=song")
        #expect(songs.count >= 2)
        #expect(songs[0].text("wrapperType") == "collection")
        #expect(songs.dropFirst().allSatisfy { $0.number("collectionId") == Int(album) && $0.text("kind") == "song" })
        let film = server.library.ids(of: .movie)[1]
        #expect(try rows("/lookup?id=\(film)").isEmpty)
        #expect(try rows("/lookup?id=\(film)&country=ru").map { $0.number("trackId") } == [Int(film)])
    }

    @Test(arguments: [("/search?term=a&country=XX", "country"), ("/lookup?id=12,abc", "itunesId")])
    func `An invalid request is refused with the service's own names`(target: String, name: String) throws {
        let reply = try get(target)
        #expect(reply.status == 400)
        #expect(reply.text == "\n\n\n{\"errorMessage\":\"Invalid value(s) for key(s): [\(name)]\"}")
        #expect(reply.header("Content-Type") == "text/javascript; charset=utf-8")
    }

    @Test func `An answer is a script after blank lines, without an entity tag`() throws {
        let plain = try get("/search?term=lantern&media=movie")
        #expect(plain.header("Content-Type") == "text/javascript; charset=utf-8")
        #expect(plain.header("ETag") == nil)
        #expect(plain.text.hasPrefix("\n\n\n{\n \"resultCount\":"))
        #expect(plain.text.hasSuffix("}\n\n\n"))
    }

    @Test func `Media requests are counted by kind and can have faults`() throws {
        server.behaviour.faults = [
            Fault(.prefix("/search"), .status(503)), Fault(.contains("/artwork/"), .truncate(100)),
        ]
        let first = try #require(rows("/lookup?id=\(server.library.ids(of: .movie)[0])").first?.text("artworkUrl100"))
        let picture = String(first.dropFirst(MediaLibrary.canonicalBase.count))
        #expect(try get("/search?term=moon").status == 503)
        #expect(try get("/search?term=moon").status == 200)
        #expect(try get(picture).body.count == 100)
        #expect(try get(picture).body.count > 100)
        #expect(server.log.map(\.kind) == ["lookup", "search", "search", "artwork", "artwork"])
        #expect(server.rootURL + "/api" == server.apiURL)
    }

    @Test func `A row can be replaced by other bytes`() throws {
        let id = server.library.ids(of: .book)[0]
        server.behaviour.replacedMedia[id] = Array(#"{"kind":"ebook","trackName":"<script>"}"#.utf8)
        #expect(
            try get("/lookup?id=\(id)").text
                == "\n\n\n{\n \"resultCount\":1,\n \"results\": [\n{\"kind\":\"ebook\",\"trackName\":\"<script>\"}]\n}\n\n\n"
        )
    }
}
