import Platform

/// Finds the rows that a query asks for.
struct MediaSearch {
    let library: MediaLibrary
    let query: MediaQuery
    let store: MediaStore

    func places() -> [MediaLibrary.Place] {
        query.isLookup ? lookedUp() : found()
    }
}

extension MediaSearch {
    /// What has every word of the term in its title, its artist's or its collection's name, in the library's order.
    private func found() -> [MediaLibrary.Place] {
        let words = query.words.map { Array($0.utf8) }
        guard !words.isEmpty else { return [] }
        var found: [MediaLibrary.Place] = []
        for kind in query.kinds {
            for index in library.count(of: kind) where found.count < query.limit {
                let place = MediaLibrary.Place(kind, index)
                guard isAllowed(place) else { continue }
                let text = Array(library.searchText(of: place).lowercased().utf8)
                if words.allSatisfy({ text.offset(of: $0) != nil }) { found.append(place) }
            }
        }
        return found
    }

    private func lookedUp() -> [MediaLibrary.Place] {
        (query.ids ?? []).flatMap { id -> [MediaLibrary.Place] in
            guard let place = library.places[id], isAllowed(place) else { return [] }
            var below = query.kinds.flatMap { library.below(place, $0) }.filter(isAllowed)
            if query.isRecentFirst {
                // Sorting is stable here: what is of one day stays in the library's order.
                let dated = below.enumerated().sorted {
                    let (one, two) = (library.date(of: $0.element), library.date(of: $1.element))
                    return one == two ? $0.offset < $1.offset : one > two
                }
                below = dated.map(\.element)
            }
            return [place] + below.prefix(query.limit)
        }
    }

    private func isAllowed(_ place: MediaLibrary.Place) -> Bool {
        if query.leavesExplicitOut, place.kind == .song, library.songs[place.index].explicitness == .explicit {
            return false
        }
        return library.isSold(place, in: store)
    }
}

extension MediaLibrary {
    fileprivate func searchText(of place: Place) -> String {
        switch place.kind {
        case .artist:
            return artists[place.index].name
        case .album:
            return "\(albums[place.index].name)\n\(artistName(of: albums[place.index]))"
        case .song:
            let song = songs[place.index]
            return "\(song.name)\n\(albums[song.album].name)\n\(artistName(of: albums[song.album]))"
        case .movie:
            let movie = movies[place.index]
            return "\(movie.name)\n\(artistName(of: movie))\n\(movie.bundle?.name ?? "")"
        case .book:
            return "\(books[place.index].name)\n\(artistName(of: books[place.index]))"
        }
    }

    /// What of a kind belongs to an artist or an album.
    fileprivate func below(_ place: Place, _ kind: Kind) -> [Place] {
        let indices: [Int]? =
            switch (place.kind, kind) {
            case (.artist, .album): albumsOfArtist[place.index]
            case (.artist, .song): albumsOfArtist[place.index]?.flatMap { songsOfAlbum[$0] ?? [] }
            case (.artist, .book): booksOfAuthor[place.index]
            case (.album, .song): songsOfAlbum[place.index]
            default: nil
            }
        return (indices ?? []).map { Place(kind, $0) }
    }

    fileprivate func date(of place: Place) -> String {
        switch place.kind {
        case .artist: ""
        case .album: albums[place.index].date
        case .song: albums[songs[place.index].album].date
        case .movie: movies[place.index].date
        case .book: books[place.index].date
        }
    }
}
