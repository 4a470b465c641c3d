import Archive
import Catalogue
import Mustache
import Testing

@testable import ITunes

struct MediaItemTests {
    private static let song = #""kind":"song","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1""#
    private static let book = #""kind":"ebook","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1""#

    private func item(_ members: String, _ medium: Search.Medium = .music) throws -> Item {
        try Item(Array("{\(members)}".utf8), medium)
    }

    @Test func `An item needs a kind, a number, a title and a link`() throws {
        let item = try item(Self.song)
        #expect((item.id, item.title, item.link) == (1, "One", "https://m.test/1"))
        #expect(
            item.artist == nil && item.artistLink == nil && item.album == nil && item.genres.isEmpty
                && item.released == nil)
        #expect(
            item.milliseconds == nil && item.rating == nil && item.size == nil && item.artwork == nil
                && item.faults.isEmpty)
        #expect(!item.isExplicit)
    }

    @Test(arguments: [
        (#""trackTimeMillis":"225000""#, "trackTimeMillis: is not a whole number"),
        (#""artistName":5"#, "artistName: is not a string"),
        (#""releaseDate":"yesterday""#, #"releaseDate: is "yesterday", not a moment as 2010-03-05T08:00:00Z"#),
        (
            #""releaseDate":"0001-01-01T00:00:00Z""#,
            #"releaseDate: is "0001-01-01T00:00:00Z", not a moment as 2010-03-05T08:00:00Z"#
        ),
        (#""artistId":0"#, "artistId: is 0, not 1 to 9007199254740991"),
        (
            #""artistViewUrl":"javascript:alert(1)""#,
            #"artistViewUrl: is "javascript:alert(1)", which is no address on the web"#
        ),
        (#""artistViewUrl":"https://""#, #"artistViewUrl: is "https://", which is no address on the web"#),
    ])
    func `An unusable member is skipped and reported`(member: String, sentence: String) throws {
        let item = try item("\(Self.song),\(member)")
        #expect(item.faults.map { "\($0)" } == [sentence])
        #expect(
            item.milliseconds == nil && item.artist == nil && item.released == nil && item.artistID == nil
                && item.artistLink == nil)
    }

    @Test func `A clean edit is not explicit, and books have no explicitness`() throws {
        #expect(try item(#"\#(Self.song),"trackExplicitness":"explicit""#).isExplicit)
        #expect(
            try !item(#"\#(Self.song),"trackExplicitness":"cleaned","collectionExplicitness":"explicit""#).isExplicit)
        #expect(try item(#"\#(Self.book),"trackExplicitness":"explicit""#, .ebook).explicitness == nil)
    }

    @Test func `A rating needs its count, and the genre of all books is left out`() throws {
        func rating(_ members: String) throws -> Item.Rating? { try item("\(Self.book),\(members)", .ebook).rating }
        #expect(try rating(#""averageUserRating":4.5,"userRatingCount":12"#) == Item.Rating(average: 4.5, count: 12))
        #expect(try rating(#""averageUserRating":4.5"#) == nil && rating(#""userRatingCount":3"#) == nil)
        #expect(try rating(#""averageUserRating":0,"userRatingCount":0"#) == nil)
        #expect(try rating(#""averageUserRating":50,"userRatingCount":1"#) == nil)
        #expect(try item(#"\#(Self.song),"averageUserRating":4,"userRatingCount":1"#).rating == nil)
        let genres = #""genres":["Fiction","Books","Sea"],"genreIds":["9031","38","1"]"#
        #expect(try item("\(Self.book),\(genres)", .ebook).genres == ["Fiction", "Sea"])
    }

    @Test func `A film links to its studio if its director has no page`() throws {
        let film = #""kind":"feature-movie","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1""#
        let studio = #""collectionArtistViewUrl":"https://m.test/studio""#
        let both = try item(#"\#(film),\#(studio),"artistViewUrl":"https://m.test/pixar""#, .movie)
        #expect(both.companyLink == nil && both.artistLink == "https://m.test/pixar")
        #expect(try item("\(film),\(studio)", .movie).companyLink == "https://m.test/studio")
        #expect(try item(#"\#(film),"shortDescription":"Short""#, .movie).description == "Short")
        #expect(
            try item(#"\#(film),"longDescription":"Long","shortDescription":"Short""#, .movie).description == "Long")
    }

    @Test(arguments: [
        ("https://is1-ssl.mzstatic.com/a/source/100x100bb.jpg", "https://is1-ssl.mzstatic.com/a/source/600x600bb.jpg"),
        (
            "https://is1-ssl.mzstatic.com/a/cover.jpg/100x100bb-85.png",
            "https://is1-ssl.mzstatic.com/a/cover.jpg/600x600bb-85.png"
        ),
        ("https://is1-ssl.mzstatic.com/a/60x60bb.webp", "https://is1-ssl.mzstatic.com/a/600x600bb.webp"),
        ("https://is1.mzstatic.com/a/v4.100x100-75.jpg", "https://is1.mzstatic.com/a/v4.100x100-75.jpg"),
        ("https://is1.mzstatic.com/a/100x100bb-.jpg", "https://is1.mzstatic.com/a/100x100bb-.jpg"),
        ("https://is1.mzstatic.com/a/100x100bb.gif", "https://is1.mzstatic.com/a/100x100bb.gif"),
        ("http://is4.mzstatic.com/a/100x100bb.jpg", "https://is4-ssl.mzstatic.com/a/600x600bb.jpg"),
        ("http://is4-ssl.mzstatic.com/a/100x100bb.jpg", "https://is4-ssl.mzstatic.com/a/600x600bb.jpg"),
        ("http://a1.mzstatic.com/us/r30/v4.100x100-75.jpg", "https://a1-ssl.mzstatic.com/us/r30/v4.100x100-75.jpg"),
        ("http://127.0.0.1:81/artwork/ab/100x100bb.jpg", "artwork/ab/600x600bb.jpg"),
        ("https://media.test/x/100x100bb.jpg", "x/600x600bb.jpg"),
    ])
    func `Artwork is requested at 600 by 600 if its address allows it`(url: String, path: String) {
        #expect(Artwork.path(of: url, bases: ["http://127.0.0.1:81", "https://media.test"]) == path)
    }

    @Test(arguments: [
        "https://evil.test/100x100bb.jpg", "https://mzstatic.com/100x100bb.jpg", "https://mzstatic.com.evil.test/a.jpg",
        "https://evilmzstatic.com/a.jpg", "https://user@is1.mzstatic.com/a.jpg", "https://is1.mzstatic.com:8443/a.jpg",
        "https://evil.test/.mzstatic.com/a.jpg", "ftp://is1.mzstatic.com/a.jpg", "//is1.mzstatic.com/a.jpg",
        "javascript:alert(1)", "",
        "https://is1.mzstatic.com/a/../b.jpg", "http://127.0.0.1:81/artwork/../../api",
        "http://127.0.0.1:81/artwork/%2e%2e/api",
        "http://127.0.0.1:810/a.jpg", "http://127.0.0.1:81/artwork/..", "https://is1.mzstatic.com/ a.jpg",
        "https://is1.mzstatic.com/\"a.jpg",
        "http://127.0.0.1:81/./a.jpg",
    ])
    func `Artwork on other hosts or outside its folder is refused`(url: String) {
        #expect(Artwork.path(of: url, bases: ["http://127.0.0.1:81"]) == nil)
    }

    @Test(arguments: ["love", "море и небо", "a+b %41 & c=d?#", "  two  spaces ", "Ünïcödé 日本", "100%", "-._*~"])
    func `A search can be read from its address`(term: String) throws {
        for medium in Search.Medium.allCases {
            for store in Search.Store.allCases {
                for explicit in [true, false] {
                    let search = Search(term, medium, in: store, explicit: explicit, limit: 7)
                    #expect(Search(path: search.path) == search)
                    #expect(search.path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
                }
            }
        }
    }

    @Test func `Addresses and keys never change, because archives depend on them`() {
        let search = Search("love & я", .ebook, in: .ru, explicit: false, limit: 200)
        #expect(search.path == "search?term=love+%26+%D1%8F&country=RU&media=ebook&entity=ebook&limit=200&explicit=No")
        #expect(Search("love").path == "search?term=love&country=US&media=music&entity=song&limit=30&explicit=Yes")
        #expect(
            "\(Search("love").key)" == "search-music-us 574768740979"
                && "\(search.key)" == "search-ebook-ru 199103565889")
        for path in [
            "search?term=a", "lookup?id=1", "search?", "search?term&media=music",
            "search?term=%D&media=music&country=US&limit=1",
        ] {
            #expect(Search(path: path) == nil, "\(path)")
        }
        var keys: Set<RecordKey> = []
        for limit in 1...200 { keys.insert(Search("love", limit: limit).key) }
        #expect(keys.count == 200 && keys.allSatisfy { $0.id > 0 && $0.id < 1 << 53 })
        for name in ["search-music-us", "song-ru", "albums-us", "book-us", "movie-ru", "search-ebook-ru"] {
            #expect(Kind(name)?.name == name)
        }
        for name in ["song", "song-de", "", "Song-us", "album-us", "search-song-us"] {
            #expect(Kind(name) == nil, "\(name)")
        }
    }

    @Test func `The last paragraph has all text beyond the limit`() {
        func paragraphs(_ count: Int) -> [String] {
            let lines = (1...count).map { "\($0)" }.joined(separator: "\n")
            return ItemPages.paragraphs(lines).map { paragraph -> String in
                guard case .text(let text) = paragraph else { return "" }
                return text
            }
        }
        #expect(paragraphs(1_000).last == "1000")
        #expect(paragraphs(1_000).count == 1_000 && paragraphs(500_000).count == 1_000)
        #expect(paragraphs(1_002).suffix(2) == ["999", "1000\n1001\n1002"])
    }
}
