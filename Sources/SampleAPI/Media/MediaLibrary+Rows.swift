extension MediaLibrary {
    /// A JSON object: members in the order in which the service names them.
    func row(of item: MediaItem, in store: MediaStore) -> [UInt8] {
        var row = JSONWriter(capacity: 2048)
        row.raw("{")
        switch item.kind {
        case .artist: write(artist: item, store, to: &row)
        case .album: write(album: item, store, to: &row)
        case .song: write(song: item, store, to: &row)
        case .movie: write(movie: item, store, to: &row)
        case .book: write(book: item, store, to: &row)
        }
        row.raw("}")
        return row.bytes
    }

    private func write(artist: MediaItem, _ store: MediaStore, to row: inout JSONWriter) {
        row("wrapperType", "artist")
        row("artistType", artist.trade)
        row("artistName", artist.name)
        row("artistLinkUrl", page(of: artist, store))
        row("artistId", artist.id)
        if artist.trade == "Artist" { row("amgArtistId", guideID(of: artist)) }
        row("primaryGenreName", artist.genres.first.map(store.name))
        row("primaryGenreId", artist.genres.first?.id)
    }

    private func page(of artist: MediaItem, _ store: MediaStore) -> String {
        store.page(artist.trade == "Movie Artist" ? "studio" : "artist", artist.name, String(artist.id))
    }

    /// Two in five have one.
    private func guideID(of artist: MediaItem) -> Int? { artist.id / 64 % 5 < 2 ? artist.id / 640 : nil }

    private func write(album: MediaItem, _ store: MediaStore, to row: inout JSONWriter) {
        let artist = items[album.makers[0]]
        row("wrapperType", "collection")
        row("collectionType", "Album")
        row("artistId", artist.id)
        row("collectionId", album.id)
        row("amgArtistId", guideID(of: artist))
        row("artistName", album.artistName)
        row("collectionName", album.name)
        row("collectionCensoredName", album.name)
        row("artistViewUrl", page(of: artist, store))
        row("collectionViewUrl", store.page("album", album.name, String(album.id)))
        row.pictures(album, [60, 100])
        row.price("collectionPrice", album.price, store)
        row("collectionExplicitness", album.explicitness)
        row("contentAdvisoryRating", album.advisory)
        row("trackCount", album.trackCount)
        row("copyright", album.copyright)
        row("country", store.country)
        row("currency", store.currency)
        row("releaseDate", album.date)
        row("primaryGenreName", store.name(of: album.genres[0]))
    }

    private func write(song: MediaItem, _ store: MediaStore, to row: inout JSONWriter) {
        let album = items[song.makers[0]]
        let artist = items[album.makers[0]]
        let page = store.page("album", song.name, String(album.id), song: song.id)
        row("wrapperType", "track")
        row("kind", "song")
        row("artistId", artist.id)
        row("collectionId", album.id)
        row("trackId", song.id)
        row("artistName", song.artistName)
        row("collectionName", album.name)
        row("trackName", song.name)
        row("collectionCensoredName", album.name)
        row("trackCensoredName", song.name)
        row("artistViewUrl", self.page(of: artist, store))
        row("collectionViewUrl", page)
        row("trackViewUrl", page)
        row("previewUrl", "\(Self.canonicalBase)/preview/\(song.id).m4a")
        row.pictures(song, [30, 60, 100])
        row.price("collectionPrice", album.price, store)
        row.price("trackPrice", song.price, store)
        row("releaseDate", song.date)
        row("collectionExplicitness", album.explicitness)
        row("trackExplicitness", song.explicitness)
        row("contentAdvisoryRating", song.advisory)
        row("discCount", 1)
        row("discNumber", 1)
        row("trackCount", album.trackCount)
        row("trackNumber", song.number)
        row("trackTimeMillis", song.milliseconds)
        row("country", store.country)
        row("currency", store.currency)
        row("primaryGenreName", store.name(of: song.genres[0]))
        row("isStreamable", raw: "\(song.isStreamable)")
    }

    private func write(movie: MediaItem, _ store: MediaStore, to row: inout JSONWriter) {
        let studio = items[movie.makers[0]]
        let page = store.page("movie", movie.name, "id\(movie.id)")
        row("wrapperType", "track")
        row("kind", "feature-movie")
        row("artistId", movie.isByStudio ? studio.id : nil)
        row("collectionId", movie.bundle?.id)
        row("trackId", movie.id)
        row("artistName", movie.artistName)
        row("collectionName", movie.bundle?.name)
        row("trackName", movie.name)
        row("collectionCensoredName", movie.bundle?.name)
        row("trackCensoredName", movie.name)
        if movie.bundle != nil {
            row("collectionArtistId", studio.id)
            row("collectionArtistViewUrl", store.page("artist", studio.name, String(studio.id)))
            row("collectionViewUrl", page)
        }
        row("artistViewUrl", movie.isByStudio ? self.page(of: studio, store) : nil)
        row("trackViewUrl", page)
        row("previewUrl", "\(Self.canonicalBase)/preview/\(movie.id).m4v")
        row.pictures(movie, [30, 60, 100])
        row.price("collectionPrice", movie.price, store)
        row.price("trackPrice", movie.price, store)
        row.price("trackRentalPrice", 399, store)
        row.price("collectionHdPrice", movie.price, store)
        row.price("trackHdPrice", movie.price, store)
        row.price("trackHdRentalPrice", 399, store)
        row("releaseDate", movie.date)
        row("collectionExplicitness", movie.explicitness)
        row("trackExplicitness", movie.explicitness)
        if let bundle = movie.bundle {
            row("discCount", 1)
            row("discNumber", 1)
            row("trackCount", bundle.count)
            row("trackNumber", bundle.number)
        }
        row("trackTimeMillis", movie.milliseconds)
        row("country", store.country)
        row("currency", store.currency)
        row("primaryGenreName", store.name(of: movie.genres[0]))
        let ratings = store.isRussian ? MediaWords.russianRatings : MediaWords.ratings
        row("contentAdvisoryRating", ratings[movie.rating % ratings.count])
        if movie.id / 64 % 2 == 0 { row("shortDescription", movie.description.map { String($0.prefix(100)) }) }
        row("longDescription", movie.description)
    }

    private func write(book: MediaItem, _ store: MediaStore, to row: inout JSONWriter) {
        let authors = book.makers.map { items[$0] }
        row.pictures(book, [60, 100])
        row("artistViewUrl", page(of: authors[0], store))
        row("trackCensoredName", book.name)
        row("fileSizeBytes", book.size)
        row("formattedPrice", store.shown(book.price ?? 0))
        row("trackViewUrl", store.page("book", book.name, "id\(book.id)"))
        row("artistIds", raw: "[\(authors.map { String($0.id) }.joined(separator: ","))]")
        row("genres", book.genres.map(store.name))
        row("genreIds", book.genres.map { String($0.id) })
        row("releaseDate", book.date)
        row("trackId", book.id)
        row("trackName", book.name)
        row("kind", "ebook")
        row("currency", store.currency)
        row("description", book.description)
        row("artistId", authors[0].id)
        row("artistName", book.artistName)
        row.price("price", book.price, store)
        if let stars = book.stars {
            row("averageUserRating", raw: "\(stars.halves / 2).\(stars.halves % 2 * 5)")
            row("userRatingCount", stars.count)
        }
    }
}

extension JSONWriter {
    /// - Parameter cents: in the American store; nil for what is not sold alone, which has a price of -1.
    fileprivate mutating func price(_ name: String, _ cents: Int?, _ store: MediaStore) {
        self(name, raw: store.price(cents ?? -100))
    }

    /// The pictures' addresses.
    fileprivate mutating func pictures(_ item: MediaItem, _ sizes: [Int]) {
        for size in sizes {
            let file = "\(size)x\(size)bb.jpg"
            self("artworkUrl\(size)", "\(MediaLibrary.canonicalBase)/artwork/\(item.artwork)/\(file)")
        }
    }
}
