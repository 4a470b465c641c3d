/// Makes up a library, kind by kind: what is made later refers to what was made before.
struct MediaMaker {
    let seed: UInt64
    private(set) var artists: [MediaArtist] = []
    private(set) var albums: [MediaAlbum] = []
    private(set) var songs: [MediaSong] = []
    var movies: [MediaMovie] = []
    var books: [MediaBook] = []

    /// Titles that are taken, by kind, and blocks of ids.
    private var taken: Set<String> = []
    private var blocks: Set<Int> = []
    private var draws = 0

    init(seed: UInt64) {
        self.seed = seed
        for place in 0..<40 { addMusician(place) }
        addAlbums()
        addSongs()
        addStudios()
        addMovies()
        addBooks()
    }
}

extension MediaMaker {
    /// The first of 64 ids that belong together: nine or ten digits, from one space for all kinds.
    mutating func block() -> Int {
        while true {
            var dice = Dice(seed, .mediaID, draws)
            draws += 1
            let block = 3_000_000 + dice.below(22_000_000)
            if blocks.insert(block).inserted { return block * 64 }
        }
    }

    /// The first title that is not taken in its kind.
    mutating func title(in kind: String, _ make: () -> String) -> String {
        while true {
            let title = make()
            if taken.insert("\(kind) \(title)").inserted { return title }
        }
    }

    mutating func addArtist(_ name: String, _ trade: MediaArtist.Trade, isRussian: Bool, genre: MediaGenre?) {
        artists.append(MediaArtist(id: block(), name: name, trade: trade, isRussian: isRussian, genre: genre))
    }

    /// A day, as the service writes it: midnight on the Pacific coast.
    func date(_ years: ClosedRange<Int>, _ dice: inout Dice, time: String? = nil) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (year, month, day) = (years.lowerBound + dice.below(years.count), dice.below(12) + 1, dice.below(28) + 1)
        let winter = month < 4 || month > 10
        return "\(year)-\(two(month))-\(two(day))T\(time ?? (winter ? "08:00:00" : "07:00:00"))Z"
    }

    func artwork(_ id: Int) -> String {
        var dice = Dice(seed, .artwork, id)
        let digits = String(dice.next(), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// A person's name that nobody bears yet.
    mutating func person(isRussian: Bool, _ dice: inout Dice) -> String {
        title(in: "person") {
            isRussian
                ? "\(dice.one(of: MediaWords.russianGiven)) \(dice.one(of: MediaWords.russianSurnames))"
                : "\(dice.one(of: Words.given)) \(dice.one(of: Words.surnames))"
        }
    }
}

extension MediaMaker {
    private mutating func addMusician(_ place: Int) {
        var dice = Dice(seed, .musician, place)
        let isRussian = place % 4 == 1
        let turn = place / 4
        let name: String
        switch place % 4 {
        case 1:
            name = turn < MediaWords.russianBands.count ? MediaWords.russianBands[turn] : person(isRussian: true, &dice)
        case 2 where turn < MediaWords.awkwardArtists.count: name = MediaWords.awkwardArtists[turn]
        case 3: name = MediaWords.bands[turn]
        default: name = person(isRussian: false, &dice)
        }
        let genre = dice.one(of: MediaGenre.music)
        addArtist(name, .musician, isRussian: isRussian, genre: dice.chance(0.95) ? genre : nil)
    }

    private mutating func addAlbums() {
        for artist in artists.indices {
            var dice = Dice(seed, .album, artist)
            for _ in 0..<(3 + dice.below(7)) { addAlbum(of: artist, &dice) }
        }
    }

    private mutating func addAlbum(of artist: Int, _ dice: inout Dice) {
        let isRussian = artists[artist].isRussian
        let size = dice.below(10)
        let name = title(in: "album of \(artist)") { () -> String in
            if isRussian { return dice.one(of: MediaWords.russianAlbums) }
            let place = dice.one(of: Words.placeWords)
            return switch dice.below(3) {
            case 0: dice.one(of: MediaWords.albumPatterns).replacingStar(with: dice.one(of: Words.placeOf))
            case 1: "\(place) \(dice.one(of: MediaWords.albumTails))"
            default: place
            }
        }
        // Someone else's name on one in eight: for them it is an album that bears another's id.
        let other = (artist + 1 + dice.below(artists.count - 1)) % artists.count
        let guest = dice.chance(0.125) && artists[other].isRussian == isRussian ? other : nil
        let throwOfExplicit = dice.unit()
        let explicitness: Explicitness =
            throwOfExplicit < 0.12 ? .explicit : throwOfExplicit < 0.16 ? .cleaned : .notExplicit
        let date = date(1968...2024, &dice)
        let id = block()
        albums.append(
            MediaAlbum(
                id: id, name: name + (size == 0 ? " - Single" : size == 1 ? " - EP" : ""), artist: artist, guest: guest,
                genre: artists[artist].genre ?? MediaGenre.music[0], date: date, explicitness: explicitness,
                trackCount: size == 0 ? 1 : size == 1 ? 4 + dice.below(3) : 7 + dice.below(9),
                price: size == 0 ? 129 : size == 1 ? 499 : dice.one(of: [799, 999, 999, 1099, 1199]),
                copyright: "℗ \(date.prefix(4)) \(dice.one(of: MediaWords.publishers))", artwork: artwork(id)))
    }

    private mutating func addSongs() {
        // About 400 on as many albums as there happen to be: in turn, so that each has one or two of its songs here.
        var counts = [Int](repeating: 0, count: albums.count)
        for _ in 0..<2 {
            for album in albums.indices where songs.count < 400 && counts[album] < albums[album].trackCount {
                counts[album] += 1
                addSong(on: album, before: counts[album] - 1)
            }
        }
    }

    private mutating func addSong(on place: Int, before: Int) {
        let album = albums[place]
        var dice = Dice(seed, .song, songs.count)
        let isRussian = artists[album.artist].isRussian
        let turn = songs.count
        let name = title(in: "song") {
            MediaTitles.song.one(turn, isRussian: isRussian, &dice)
        }
        // An even spread over the album's tracks, one after another.
        let number =
            before == 0
            ? 1 + dice.below(max(1, album.trackCount / 2))
            : album.trackCount / 2 + 1 + dice.below((album.trackCount + 1) / 2)
        let explicitness: Explicitness =
            switch album.explicitness {
            case .explicit: dice.chance(0.7) ? .explicit : .notExplicit
            case .cleaned: .cleaned
            case .notExplicit: .notExplicit
            }
        songs.append(
            MediaSong(
                id: album.id + number, name: name, album: place, number: number,
                milliseconds: 95_000 + dice.below(325_000),
                explicitness: explicitness, price: dice.chance(0.02) ? nil : dice.one(of: [69, 99, 129, 129, 129]),
                isStreamable: dice.chance(0.98)))
    }
}
