import SampleAPI
import Testing

struct MediaLibraryTests {
    private static let library = MediaLibrary()
    private let library = Self.library

    /// Checks the members that every row has and those that only some have.
    private func expectMembers(
        _ rows: [MediaRecord], _ always: Set<String>, sometimes: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let keys = rows.map(\.keys)
        let everywhere = keys.reduce(always.union(sometimes)) { $0.intersection($1) }
        let somewhere = keys.reduce(into: Set<String>()) { $0.formUnion($1) }
        #expect(everywhere == always, sourceLocation: sourceLocation)
        #expect(somewhere == always.union(sometimes), sourceLocation: sourceLocation)
        for row in rows {
            #expect(!row.values.values.contains { $0 == .null || $0 == .text("") }, sourceLocation: sourceLocation)
        }
    }

    private static let pictures: Set = ["artworkUrl60", "artworkUrl100"]
    private static let sale: Set = ["country", "currency"]

    @Test func `The library has its planned size and unique ids of nine or ten digits`() {
        let counts = MediaLibrary.Kind.allCases.map { library.ids(of: $0).count }
        #expect(counts[0] == 40 + 8 + 48)
        #expect((120...360).contains(counts[1]))
        #expect((380...400).contains(counts[2]))
        #expect(counts[3...] == [120, 120])
        let ids = MediaLibrary.Kind.allCases.flatMap { library.ids(of: $0) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { (100_000_000...9_999_999_999).contains($0) })
    }

    @Test func `Songs have an advisory only if they are explicit or cleaned`() throws {
        let songs = try library.all(.song)
        let always: Set = [
            "wrapperType", "kind", "artistId", "collectionId", "trackId", "artistName", "collectionName", "trackName",
            "collectionCensoredName", "trackCensoredName", "artistViewUrl", "collectionViewUrl", "trackViewUrl",
            "previewUrl",
            "artworkUrl30", "collectionPrice", "trackPrice", "releaseDate", "collectionExplicitness",
            "trackExplicitness", "discCount",
            "discNumber", "trackCount", "trackNumber", "trackTimeMillis", "primaryGenreName", "isStreamable",
        ]
        expectMembers(songs, always.union(Self.pictures).union(Self.sale), sometimes: ["contentAdvisoryRating"])
        #expect(songs.allSatisfy { $0.text("wrapperType") == "track" && $0.text("kind") == "song" })
        let advisories = ["explicit": "Explicit", "cleaned": "Clean"]
        #expect(songs.allSatisfy { $0.text("contentAdvisoryRating") == advisories[$0.text("trackExplicitness") ?? ""] })
        #expect(Set(songs.compactMap { $0.text("trackExplicitness") }) == ["explicit", "cleaned", "notExplicit"])
        #expect(songs.contains { $0.number("trackPrice") == -1 })
        #expect(songs.allSatisfy { $0.number("trackNumber") ?? 99 <= $0.number("trackCount") ?? 0 })
    }

    @Test func `Films have a director, and bundled films have the studio's page`() throws {
        let movies = try library.all(.movie)
        let always: Set = [
            "wrapperType", "kind", "trackId", "artistName", "trackName", "trackCensoredName", "trackViewUrl",
            "previewUrl", "artworkUrl30",
            "collectionPrice", "trackPrice", "trackRentalPrice", "collectionHdPrice", "trackHdPrice",
            "trackHdRentalPrice", "releaseDate",
            "collectionExplicitness", "trackExplicitness", "primaryGenreName", "contentAdvisoryRating",
        ]
        let bundle: Set = [
            "collectionId", "collectionName", "collectionCensoredName", "collectionArtistId", "collectionArtistViewUrl",
            "collectionViewUrl", "discCount", "discNumber", "trackCount", "trackNumber",
        ]
        let sometimes: Set = ["artistId", "artistViewUrl", "trackTimeMillis", "shortDescription", "longDescription"]
        expectMembers(movies, always.union(Self.pictures).union(Self.sale), sometimes: bundle.union(sometimes))
        for movie in movies { #expect([[], bundle].contains(movie.keys.intersection(bundle))) }

        let ofStudios = movies.filter { $0.keys.contains("artistId") }
        #expect((1...5).contains(ofStudios.count))
        #expect(ofStudios.allSatisfy { $0.text("artistViewUrl")?.contains("/studio/") == true })
        #expect(movies.contains { $0.text("longDescription")?.contains("\n") == true })
        #expect(Set(movies.compactMap { $0.text("trackExplicitness") }) == ["notExplicit"])
    }

    @Test func `Books have their common genre, and both rating members or neither`() throws {
        let books = try library.all(.book)
        let always: Set = [
            "kind", "trackId", "trackName", "trackCensoredName", "trackViewUrl", "artistId", "artistIds", "artistName",
            "artistViewUrl",
            "genres", "genreIds", "description", "price", "formattedPrice", "currency", "releaseDate",
        ]
        let rating: Set = ["averageUserRating", "userRatingCount"]
        expectMembers(books, always.union(Self.pictures), sometimes: rating.union(["fileSizeBytes"]))
        for book in books {
            #expect([[], rating].contains(book.keys.intersection(rating)))
            #expect(book.texts("genres").count == book.texts("genreIds").count)
            #expect(book.texts("genres").firstIndex(of: "Books") == book.texts("genreIds").firstIndex(of: "38"))
            #expect(book.texts("genreIds").contains("38"))
        }
        let markup = books.compactMap { $0.text("description") }.joined()
        for piece in ["<b><b><b><b>", "<br />", "<p>", "<i>", "&#xa0;", "&amp;", "  "] {
            #expect(markup.contains(piece))
        }
        func count(_ piece: String) -> Int { markup.split(separator: piece, omittingEmptySubsequences: false).count }
        #expect(count("<b>") != count("</b>"))
        #expect(books.contains { $0.text("artistName")?.contains(" & ") == true })
    }

    @Test func `Albums and artists have the members of the service's lookups`() throws {
        let albums: Set = [
            "wrapperType", "collectionType", "artistId", "collectionId", "artistName", "collectionName",
            "collectionCensoredName",
            "artistViewUrl", "collectionViewUrl", "collectionPrice", "collectionExplicitness", "trackCount",
            "copyright", "releaseDate",
            "primaryGenreName",
        ]
        expectMembers(
            try library.all(.album), albums.union(Self.pictures).union(Self.sale),
            sometimes: ["amgArtistId", "contentAdvisoryRating"])
        expectMembers(
            try library.all(.artist), ["wrapperType", "artistType", "artistName", "artistLinkUrl", "artistId"],
            sometimes: ["amgArtistId", "primaryGenreName", "primaryGenreId"])
    }

    @Test func `All links are below the library's address, and dates have the service's form`() throws {
        let date = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/
        for kind in MediaLibrary.Kind.allCases {
            for row in try library.all(kind, country: "RU") {
                for (key, value) in row.values where key.contains("Url") {
                    guard case .text(let address) = value else { continue }
                    #expect(address.hasPrefix("\(MediaLibrary.canonicalBase)/"))
                    #expect(address.utf8.allSatisfy { (0x21..<0x7f).contains($0) })
                }
                if let text = row.text("releaseDate") { #expect(text.wholeMatch(of: date) != nil, "\(text)") }
            }
        }
    }

    @Test func `The Russian store has its own prices, genres and some Russian titles`() throws {
        for kind in [MediaLibrary.Kind.song, .movie, .book] {
            let rows = try library.all(kind, country: "ru")
            let isRussian = { (text: String) in text.unicodeScalars.contains { (0x400...0x4ff).contains($0.value) } }
            let titled = rows.filter { isRussian($0.text("trackName") ?? "") }.count
            #expect((rows.count / 5...rows.count / 3).contains(titled), "\(titled) of \(rows.count)")
            #expect(rows.allSatisfy { $0.text("currency") == "RUB" })
            #expect(rows.allSatisfy { $0.text("country") == (kind == .book ? nil : "RUS") })
            #expect(rows.allSatisfy { row in isRussian(row.text("primaryGenreName") ?? row.texts("genres").joined()) })
        }
        #expect(try library.all(.movie).allSatisfy { $0.text("country") == "USA" })
        #expect(library.row(library.ids(of: .movie)[1]) == nil)
        #expect(library.row(library.ids(of: .movie)[1], country: "RU") != nil)
        #expect(library.row(library.ids(of: .song)[0], country: "XX") == nil)
    }

    @Test func `The library depends only on the seed`() {
        func rows(_ library: MediaLibrary) -> [[UInt8]] {
            MediaLibrary.Kind.allCases.flatMap { library.ids(of: $0) }.compactMap { library.row($0, country: "RU") }
        }
        #expect(rows(library) == rows(MediaLibrary(seed: 1)))
        #expect(Set(rows(library)).isDisjoint(with: rows(MediaLibrary(seed: 2))))
    }
}
