extension MediaLibrary {
    /// A JSON object: members in the order in which the service names them.
    func row(of item: MediaItem, in store: MediaStore) -> [UInt8] {
        switch item.kind {
        case .artist: row(artist: item, store).json
        case .album: row(album: item, store).json
        case .song: row(song: item, store).json
        case .movie: row(movie: item, store).json
        case .book: row(book: item, store).json
        }
    }

    private func row(artist: MediaItem, _ store: MediaStore) -> JSONObject {
        [
            "wrapperType": "artist", "artistType": artist.trade, "artistName": artist.name,
            "artistLinkUrl": store.page(of: artist), "artistId": artist.id,
            "amgArtistId": artist.trade == "Artist" ? artist.guideID : nil,
            "primaryGenreName": artist.genres.first.map(store.name), "primaryGenreId": artist.genres.first?.id,
        ]
    }

    private func row(album: MediaItem, _ store: MediaStore) -> JSONObject {
        let artist = items[album.makers[0]]
        return [
            "wrapperType": "collection", "collectionType": "Album", "artistId": artist.id, "collectionId": album.id,
            "amgArtistId": artist.guideID, "artistName": album.artistName, "collectionName": album.name,
            "collectionCensoredName": album.name, "artistViewUrl": store.page(of: artist),
            "collectionViewUrl": store.page("album", album.name, "\(album.id)"), "artworkUrl60": album.picture(60),
            "artworkUrl100": album.picture(100), "collectionPrice": store.price(album),
            "collectionExplicitness": album.explicitness, "contentAdvisoryRating": album.advisory,
            "trackCount": album.trackCount, "copyright": album.copyright, "country": store.country,
            "currency": store.currency, "releaseDate": album.date, "primaryGenreName": store.name(of: album.genres[0]),
        ]
    }

    private func row(song: MediaItem, _ store: MediaStore) -> JSONObject {
        let album = items[song.makers[0]]
        let artist = items[album.makers[0]]
        let page = store.page("album", song.name, "\(album.id)?i=\(song.id)")
        return [
            "wrapperType": "track", "kind": "song", "artistId": artist.id, "collectionId": album.id, "trackId": song.id,
            "artistName": song.artistName, "collectionName": album.name, "trackName": song.name,
            "collectionCensoredName": album.name, "trackCensoredName": song.name,
            "artistViewUrl": store.page(of: artist), "collectionViewUrl": page, "trackViewUrl": page,
            "previewUrl": "\(Self.canonicalBase)/preview/\(song.id).m4a", "artworkUrl30": song.picture(30),
            "artworkUrl60": song.picture(60), "artworkUrl100": song.picture(100), "collectionPrice": store.price(album),
            "trackPrice": store.price(song), "releaseDate": song.date, "collectionExplicitness": album.explicitness,
            "trackExplicitness": song.explicitness, "contentAdvisoryRating": song.advisory, "discCount": 1,
            "discNumber": 1, "trackCount": album.trackCount, "trackNumber": song.number,
            "trackTimeMillis": song.milliseconds, "country": store.country, "currency": store.currency,
            "primaryGenreName": store.name(of: song.genres[0]), "isStreamable": RawJSON("\(song.isStreamable)"),
        ]
    }

    private func row(movie: MediaItem, _ store: MediaStore) -> JSONObject {
        let (studio, bundle, one) = (items[movie.makers[0]], movie.bundle, movie.bundle.map { _ in 1 })
        let (price, rent) = (store.price(movie), RawJSON(store.price(399)))
        let page = store.page("movie", movie.name, "id\(movie.id)")
        let artist: MediaItem? = movie.isByStudio ? studio : nil
        let seller = bundle.map { _ in store.page("artist", studio.name, "\(studio.id)") }
        let ratings = store.isRussian ? MediaWords.russianRatings : MediaWords.ratings
        let short = movie.id / 64 % 2 == 0 ? movie.description.map { String($0.prefix(100)) } : nil
        return [
            "wrapperType": "track", "kind": "feature-movie", "artistId": artist?.id, "collectionId": bundle?.id,
            "trackId": movie.id, "artistName": movie.artistName, "collectionName": bundle?.name,
            "trackName": movie.name, "collectionCensoredName": bundle?.name, "trackCensoredName": movie.name,
            "collectionArtistId": bundle.map { _ in studio.id }, "collectionArtistViewUrl": seller,
            "collectionViewUrl": bundle.map { _ in page }, "artistViewUrl": artist.map { store.page(of: $0) },
            "trackViewUrl": page, "previewUrl": "\(Self.canonicalBase)/preview/\(movie.id).m4v",
            "artworkUrl30": movie.picture(30), "artworkUrl60": movie.picture(60), "artworkUrl100": movie.picture(100),
            "collectionPrice": price, "trackPrice": price, "trackRentalPrice": rent, "collectionHdPrice": price,
            "trackHdPrice": price, "trackHdRentalPrice": rent, "releaseDate": movie.date,
            "collectionExplicitness": movie.explicitness, "trackExplicitness": movie.explicitness, "discCount": one,
            "discNumber": one, "trackCount": bundle?.count, "trackNumber": bundle?.number,
            "trackTimeMillis": movie.milliseconds, "country": store.country, "currency": store.currency,
            "primaryGenreName": store.name(of: movie.genres[0]),
            "contentAdvisoryRating": ratings[movie.rating % ratings.count], "shortDescription": short,
            "longDescription": movie.description,
        ]
    }

    private func row(book: MediaItem, _ store: MediaStore) -> JSONObject {
        let authors = book.makers.map { items[$0] }
        return [
            "artworkUrl60": book.picture(60), "artworkUrl100": book.picture(100),
            "artistViewUrl": store.page(of: authors[0]), "trackCensoredName": book.name, "fileSizeBytes": book.size,
            "formattedPrice": store.shown(book.price ?? 0),
            "trackViewUrl": store.page("book", book.name, "id\(book.id)"), "artistIds": authors.map(\.id),
            "genres": book.genres.map(store.name), "genreIds": book.genres.map { "\($0.id)" }, "releaseDate": book.date,
            "trackId": book.id, "trackName": book.name, "kind": "ebook", "currency": store.currency,
            "description": book.description, "artistId": authors[0].id, "artistName": book.artistName,
            "price": store.price(book),
            "averageUserRating": book.stars.map { RawJSON("\($0.halves / 2).\($0.halves % 2 * 5)") },
            "userRatingCount": book.stars?.count,
        ]
    }
}

extension MediaItem {
    /// Two artists in five have one.
    fileprivate var guideID: Int? { id / 64 % 5 < 2 ? id / 640 : nil }

    fileprivate func picture(_ size: Int) -> String {
        "\(MediaLibrary.canonicalBase)/artwork/\(artwork)/\(size)x\(size)bb.jpg"
    }
}

extension MediaStore {
    /// What is not sold alone has a price of -1.
    fileprivate func price(_ item: MediaItem) -> RawJSON { RawJSON(price(item.price ?? -100)) }

    fileprivate func page(of artist: MediaItem) -> String {
        page(artist.trade == "Movie Artist" ? "studio" : "artist", artist.name, "\(artist.id)")
    }
}
