extension MediaLibrary {
    func row(of place: Place, in store: MediaStore) -> [UInt8] {
        var row = MediaRow(in: store)
        switch place.kind {
        case .artist: write(artists[place.index], to: &row)
        case .album: write(albums[place.index], to: &row)
        case .song: write(songs[place.index], to: &row)
        case .movie: write(movies[place.index], to: &row)
        case .book: write(books[place.index], to: &row)
        }
        return row.bytes
    }

    /// Whose name stands on an album.
    func artistName(of album: MediaAlbum) -> String {
        let name = artists[album.artist].name
        return album.guest.map { "\(name) & \(artists[$0].name)" } ?? name
    }

    func artistName(of movie: MediaMovie) -> String { movie.isByStudio ? artists[movie.studio].name : movie.director }

    func artistName(of book: MediaBook) -> String { book.authors.map { artists[$0].name }.joined(separator: " & ") }
}

extension MediaLibrary {
    private func write(_ artist: MediaArtist, to row: inout MediaRow) {
        row.text("wrapperType", "artist")
        row.text("artistType", artist.trade.rawValue)
        row.text("artistName", artist.name)
        row.text("artistLinkUrl", address(of: artist, in: row))
        row.number("artistId", artist.id)
        if artist.trade == .musician, artist.id / 64 % 5 < 2 { row.number("amgArtistId", artist.id / 640) }
        row.text("primaryGenreName", artist.genre?.name(in: row.store))
        row.number("primaryGenreId", artist.genre?.id)
    }

    private func address(of artist: MediaArtist, in row: MediaRow) -> String {
        row.page(artist.trade == .studio ? "studio" : "artist", artist.name, String(artist.id))
    }

    private func write(_ album: MediaAlbum, to row: inout MediaRow) {
        let artist = artists[album.artist]
        row.text("wrapperType", "collection")
        row.text("collectionType", "Album")
        row.number("artistId", artist.id)
        row.number("collectionId", album.id)
        if artist.id / 64 % 5 < 2 { row.number("amgArtistId", artist.id / 640) }
        row.text("artistName", artistName(of: album))
        row.text("collectionName", album.name)
        row.text("collectionCensoredName", album.name)
        row.text("artistViewUrl", address(of: artist, in: row))
        row.text("collectionViewUrl", row.page("album", album.name, String(album.id)))
        row.artwork(album.artwork, with: false)
        row.price("collectionPrice", album.price)
        row.text("collectionExplicitness", album.explicitness.rawValue)
        row.text("contentAdvisoryRating", album.explicitness.advisory)
        row.number("trackCount", album.trackCount)
        row.text("copyright", album.copyright)
        row.sale()
        row.text("releaseDate", album.date)
        row.text("primaryGenreName", album.genre.name(in: row.store))
    }

    private func write(_ song: MediaSong, to row: inout MediaRow) {
        let album = albums[song.album]
        let artist = artists[album.artist]
        row.text("wrapperType", "track")
        row.text("kind", "song")
        row.number("artistId", artist.id)
        row.number("collectionId", album.id)
        row.number("trackId", song.id)
        row.text("artistName", artistName(of: album))
        row.text("collectionName", album.name)
        row.text("trackName", song.name)
        row.text("collectionCensoredName", album.name)
        row.text("trackCensoredName", song.name)
        row.text("artistViewUrl", address(of: artist, in: row))
        row.text("collectionViewUrl", row.page("album", song.name, String(album.id), song: song.id))
        row.text("trackViewUrl", row.page("album", song.name, String(album.id), song: song.id))
        row.text("previewUrl", "\(Self.canonicalBase)/preview/\(song.id).m4a")
        row.artwork(album.artwork, with: true)
        row.price("collectionPrice", album.price)
        row.price("trackPrice", song.price)
        row.text("releaseDate", album.date)
        row.text("collectionExplicitness", album.explicitness.rawValue)
        row.text("trackExplicitness", song.explicitness.rawValue)
        row.text("contentAdvisoryRating", song.explicitness.advisory)
        row.number("discCount", 1)
        row.number("discNumber", 1)
        row.number("trackCount", album.trackCount)
        row.number("trackNumber", song.number)
        row.number("trackTimeMillis", song.milliseconds)
        row.sale()
        row.text("primaryGenreName", album.genre.name(in: row.store))
        row.flag("isStreamable", song.isStreamable)
    }
}

extension MediaLibrary {
    private func write(_ movie: MediaMovie, to row: inout MediaRow) {
        let studio = artists[movie.studio]
        let page = row.page("movie", movie.name, "id\(movie.id)")
        row.text("wrapperType", "track")
        row.text("kind", "feature-movie")
        if movie.isByStudio { row.number("artistId", studio.id) }
        row.number("collectionId", movie.bundle?.id)
        row.number("trackId", movie.id)
        row.text("artistName", artistName(of: movie))
        row.text("collectionName", movie.bundle?.name)
        row.text("trackName", movie.name)
        row.text("collectionCensoredName", movie.bundle?.name)
        row.text("trackCensoredName", movie.name)
        if movie.bundle != nil {
            row.number("collectionArtistId", studio.id)
            row.text("collectionArtistViewUrl", row.page("artist", studio.name, String(studio.id)))
            row.text("collectionViewUrl", page)
        }
        if movie.isByStudio { row.text("artistViewUrl", address(of: studio, in: row)) }
        row.text("trackViewUrl", page)
        row.text("previewUrl", "\(Self.canonicalBase)/preview/\(movie.id).m4v")
        row.artwork(movie.artwork, with: true)
        row.price("collectionPrice", movie.price)
        row.price("trackPrice", movie.price)
        row.price("trackRentalPrice", 399)
        row.price("collectionHdPrice", movie.price)
        row.price("trackHdPrice", movie.price)
        row.price("trackHdRentalPrice", 399)
        row.text("releaseDate", movie.date)
        row.text("collectionExplicitness", Explicitness.notExplicit.rawValue)
        row.text("trackExplicitness", Explicitness.notExplicit.rawValue)
        if let bundle = movie.bundle {
            row.number("discCount", 1)
            row.number("discNumber", 1)
            row.number("trackCount", bundle.count)
            row.number("trackNumber", bundle.number)
        }
        row.number("trackTimeMillis", movie.milliseconds)
        row.sale()
        row.text("primaryGenreName", movie.genre.name(in: row.store))
        let ratings = row.store.isRussian ? MediaWords.russianRatings : MediaWords.ratings
        row.text("contentAdvisoryRating", ratings[movie.rating % ratings.count])
        if movie.id / 64 % 2 == 0 { row.text("shortDescription", movie.description.map { String($0.prefix(100)) }) }
        row.text("longDescription", movie.description)
    }

    private func write(_ book: MediaBook, to row: inout MediaRow) {
        let authors = book.authors.map { artists[$0] }
        row.artwork(book.artwork, with: false)
        row.text("artistViewUrl", address(of: authors[0], in: row))
        row.text("trackCensoredName", book.name)
        row.number("fileSizeBytes", book.size)
        row.text("formattedPrice", row.store.shown(book.price))
        row.text("trackViewUrl", row.page("book", book.name, "id\(book.id)"))
        row.numbers("artistIds", authors.map(\.id))
        row.texts("genres", book.genres.map { $0.name(in: row.store) })
        row.texts("genreIds", book.genres.map { String($0.id) })
        row.text("releaseDate", book.date)
        row.number("trackId", book.id)
        row.text("trackName", book.name)
        row.text("kind", "ebook")
        row.text("currency", row.store.currency)
        row.text("description", book.description)
        row.number("artistId", authors[0].id)
        row.text("artistName", artistName(of: book))
        row.price("price", book.price)
        if let rating = book.rating {
            row.halves("averageUserRating", rating.halves)
            row.number("userRatingCount", rating.count)
        }
    }
}
