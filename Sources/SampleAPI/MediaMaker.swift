import Platform

/// Creates the items of a library, kind by kind. Later items refer to earlier items.
struct MediaMaker {
    private let seed: UInt64
    private(set) var items: [MediaItem] = []

    /// The used titles, each with its kind, and the used blocks of ids.
    private var usedTitles: Set<String> = []
    private var blocks: Set<Int> = []
    private var draws = 0

    init(seed: UInt64) {
        self.seed = seed
        for index in 0..<40 { addMusician(index) }
        for artist in 0..<40 {
            var random = SeededRandom(seed, .album, artist)
            for _ in 0..<(3 + random.integer(below: 7)) { addAlbum(of: artist, &random) }
        }
        addSongs()
        let studios = Array(items.count..<(items.count + MediaWords.studios.count))
        for name in MediaWords.studios { add(.artist, name) { $0.artistType = "Movie Artist" } }
        addMovies(studios)
        addBooks()
    }

    /// Adds an item with its own picture.
    /// - Parameter id: nil for the first id of a new block.
    private mutating func add(
        _ kind: MediaLibrary.Kind, _ name: String, id: Int? = nil, _ fill: (inout MediaItem) -> Void
    ) {
        var item = MediaItem(kind: kind, id: id ?? reserveBlock(), name: name, artistName: name)
        var random = SeededRandom(seed, .artwork, item.id)
        item.artwork = random.next().padded(16, radix: 16)
        fill(&item)
        items.append(item)
    }

    /// Reserves a block of 64 ids and returns its first id. Ids have nine or ten digits, and differ among all kinds.
    private mutating func reserveBlock() -> Int {
        while true {
            var random = SeededRandom(seed, .mediaID, draws)
            draws += 1
            let block = 3_000_000 + random.integer(below: 22_000_000)
            if blocks.insert(block).inserted { return block * 64 }
        }
    }

    /// Calls `make` until the title is unique in its kind.
    private mutating func newTitle(in kind: String, _ make: () -> String) -> String {
        while true {
            let title = make()
            if usedTitles.insert("\(kind) \(title)").inserted { return title }
        }
    }

    /// A random date in the service's format: midnight in Pacific time, written in UTC.
    private static func date(_ years: ClosedRange<Int>, _ random: inout SeededRandom, time: String? = nil) -> String {
        let year = years.lowerBound + random.integer(below: years.count)
        let (month, day) = (random.integer(below: 12) + 1, random.integer(below: 28) + 1)
        let midnight = month < 4 || month > 10 ? "08:00:00" : "07:00:00"
        return "\(year)-\(month.padded())-\(day.padded())T\(time ?? midnight)Z"
    }

    /// A name of a person that is not in use.
    private mutating func newPerson(isRussian: Bool, _ random: inout SeededRandom) -> String {
        let given = isRussian ? MediaWords.russianGiven : NameWords.given
        let surnames = isRussian ? MediaWords.russianSurnames : NameWords.surnames
        return newTitle(in: "person") { "\(random.one(of: given)) \(random.one(of: surnames))" }
    }

    /// Returns a number of different sentences in random order.
    private static func sentences(_ count: Int, isRussian: Bool, _ random: inout SeededRandom) -> [String] {
        var left = isRussian ? MediaWords.russianSentences : MediaWords.sentences
        return (0..<count).map { _ in left.remove(at: random.integer(below: left.count)) }
    }

    /// Adds a musician. As in all kinds, every fourth is Russian.
    private mutating func addMusician(_ index: Int) {
        var random = SeededRandom(seed, .musician, index)
        let group = index / 4
        let names = [[], MediaWords.russianBands, MediaWords.awkwardArtists, MediaWords.bands][index % 4]
        let name = group < names.count ? names[group] : newPerson(isRussian: index % 4 == 1, &random)
        let genre = random.one(of: MediaGenre.music)
        add(.artist, name) {
            $0.artistType = "Artist"
            // Some musicians have no genre.
            $0.genres = random.chance(0.95) ? [genre] : []
        }
    }

    private mutating func addAlbum(of artist: Int, _ random: inout SeededRandom) {
        let size = random.integer(below: 10)
        let name = newTitle(in: "album of \(artist)") {
            if artist % 4 == 1 { return random.one(of: MediaWords.russianAlbums) }
            let word = random.one(of: NameWords.placeWords)
            return switch random.integer(below: 3) {
            case 0: random.one(of: MediaWords.albumPatterns).filled(random.one(of: NameWords.placeOf))
            case 1: "\(word) \(random.one(of: MediaWords.albumTails))"
            default: word
            }
        }
        // One album in eight has a second artist, but the row has only the first artist's id.
        let other = (artist + 1 + random.integer(below: 39)) % 40
        let hasGuest = random.chance(0.125) && (other % 4 == 1) == (artist % 4 == 1)
        let makers = hasGuest ? [artist, other] : [artist]
        let musicians = items
        add(.album, name + (size == 0 ? " - Single" : size == 1 ? " - EP" : "")) {
            $0.makers = makers
            $0.artistName = makers.map { musicians[$0].name }.joined(separator: " & ")
            $0.genres = musicians[artist].genres.isEmpty ? [MediaGenre.music[0]] : musicians[artist].genres
            let draw = random.unit()
            $0.explicitness = draw < 0.12 ? "explicit" : draw < 0.16 ? "cleaned" : "notExplicit"
            $0.date = Self.date(1968...2024, &random)
            $0.trackCount = size == 0 ? 1 : size == 1 ? 4 + random.integer(below: 3) : 7 + random.integer(below: 9)
            $0.price = size == 0 ? 129 : size == 1 ? 499 : random.one(of: [799, 999, 999, 1099, 1199])
            $0.copyright = "℗ \($0.date.prefix(4)) \(random.one(of: MediaWords.publishers))"
        }
    }

    /// Adds up to 400 songs, in two rounds over all albums, so that each album has one or two of its songs.
    private mutating func addSongs() {
        let albums = items.indices.dropFirst(40)
        let rounds = albums + albums.filter { items[$0].trackCount > 1 }
        for (number, index) in rounds.prefix(400).enumerated() {
            let album = items[index]
            let isRussian = album.makers[0] % 4 == 1
            var random = SeededRandom(seed, .song, number)
            let name = newTitle(in: "song") { MediaTitles.song.title(number, isRussian: isRussian, &random) }
            // The first song is in the first half of the album, the second in the other half.
            let half = album.trackCount / 2
            let (before, count) = number < albums.count ? (0, max(1, half)) : (half, (album.trackCount + 1) / 2)
            let trackNumber = before + 1 + random.integer(below: count)
            add(.song, name, id: album.id + trackNumber) {
                $0.makers = [index]
                $0.artistName = album.artistName
                $0.genres = album.genres
                $0.date = album.date
                let isClean = album.explicitness == "explicit" && !random.chance(0.7)
                $0.explicitness = isClean ? "notExplicit" : album.explicitness
                $0.artwork = album.artwork
                $0.number = trackNumber
                $0.milliseconds = 95_000 + random.integer(below: 325_000)
                $0.price = random.chance(0.02) ? nil : random.one(of: [69, 99, 129, 129, 129])
                $0.isStreamable = random.chance(0.98)
            }
        }
    }

    private mutating func addMovies(_ studios: [Int]) {
        let bundles = (0..<12).map { index in
            var random = SeededRandom(seed, .movie, 10_000 + index)
            let count = 2 + random.integer(below: 5)
            let word = random.one(of: NameWords.placeWords)
            return (id: reserveBlock(), name: "\(word) \(count)-Film Collection", count: count)
        }
        for index in 0..<120 {
            var random = SeededRandom(seed, .movie, index)
            let isRussian = index % 4 == 1
            let name = newTitle(in: "movie") { MediaTitles.movie.title(index, isRussian: isRussian, &random) }
            let (bundle, hasBundle) = (random.one(of: bundles), random.chance(0.71))
            let number = 1 + random.integer(below: bundle.count)
            let sentences = Self.sentences(2 + random.integer(below: 3), isRussian: isRussian, &random)
            let director = newPerson(isRussian: isRussian, &random)
            let directors = random.chance(0.15) ? "\(director) & \(newPerson(isRussian: isRussian, &random))" : director
            let studio = random.one(of: studios)
            let studioName = items[studio].name
            add(.movie, name) {
                $0.bundle = hasBundle ? (bundle.id, bundle.name, bundle.count, number) : nil
                $0.isByStudio = index % 40 == 8
                $0.artistName = $0.isByStudio ? studioName : directors
                $0.makers = [studio]
                $0.genres = [random.one(of: MediaGenre.movies)]
                $0.date = Self.date(1931...2024, &random)
                $0.rating = random.integer(below: 60)
                if index % 29 != 6 {
                    let minutes = 23 + random.integer(below: 120) + (random.chance(0.1) ? 100 : 0)
                    $0.milliseconds = minutes * 60_000 + random.integer(below: 60_000)
                }
                if index % 31 != 12 { $0.description = sentences.joined(separator: random.chance(0.15) ? "\n\n" : " ") }
                $0.price = random.one(of: [499, 999, 999, 1499, 1999])
                $0.isInAmerica = !isRussian
                $0.isInRussia = isRussian || !random.chance(0.08)
            }
        }
    }

    private mutating func addBooks() {
        var authors: [Bool: [Int]] = [:]
        for index in 0..<48 {
            var random = SeededRandom(seed, .author, index)
            let name = newPerson(isRussian: index % 4 == 1, &random)
            authors[index % 4 == 1, default: []].append(items.count)
            add(.artist, name) { $0.artistType = "Author" }
        }
        for index in 0..<120 { addBook(index, by: authors[index % 4 == 1] ?? [], isRussian: index % 4 == 1) }
    }

    private mutating func addBook(_ index: Int, by authors: [Int], isRussian: Bool) {
        var random = SeededRandom(seed, .book, index)
        let name = newTitle(in: "book") { MediaTitles.book.title(index, isRussian: isRussian, &random) }
        let first = random.integer(below: authors.count)
        let second = (first + 1 + random.integer(below: authors.count - 1)) % authors.count
        let all = MediaGenre.books
        let genre = random.integer(below: all.count)
        let further = (genre + 1 + random.integer(below: all.count - 1)) % all.count
        let isOld = random.chance(0.15)
        let makers = random.chance(0.15) ? [authors[first], authors[second]] : [authors[first]]
        let artistName = makers.map { items[$0].name }.joined(separator: " & ")
        add(.book, name) {
            $0.makers = makers
            $0.artistName = artistName
            $0.genres = [all[genre], MediaGenre.allBooks] + (random.chance(0.7) ? [all[further]] : [])
            $0.date =
                isOld
                ? Self.date(1846...1938, &random)
                : Self.date(1981...2024, &random, time: random.chance(0.1) ? "02:06:49" : nil)
            $0.price = isOld || random.chance(0.1) ? 0 : random.one(of: [299, 499, 999, 1099, 1499])
            $0.description = Self.description(of: name, isRussian: isRussian, style: index, &random)
            $0.stars =
                random.chance(0.8)
                ? (4 + random.integer(below: 7), 1 + random.integer(below: random.chance(0.2) ? 3000 : 120)) : nil
            $0.size =
                random.chance(0.6) ? 180_000 + random.integer(below: random.chance(0.2) ? 40_000_000 : 2_000_000) : nil
            $0.isInAmerica = !isRussian
            $0.isInRussia = isRussian || !random.chance(0.08)
        }
    }

    /// A book's description in the varying markup of publishers. Some elements are nested needlessly or not closed.
    private static func description(of title: String, isRussian: Bool, style: Int, _ random: inout SeededRandom)
        -> String
    {
        let title = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")].reduce(title) { $0.replacing($1.0, with: $1.1) }
        let text = sentences(4, isRussian: isRussian, &random)
        return switch style % 8 {
        case 0: text.joined(separator: " ")
        case 1: "<b>\(text[0])</b><br /><br />\(text[1]) \(text[2])<br /><br /><i>\(title)</i>: \(text[3])"
        case 2: "<p>\(text[0])</p><p><i>\(title)</i>.&#xa0;\(text[1])</p><p>\(text[2])</p>"
        case 3: "<b><b><b><b>\(text[0])</b></b></b></b><br /><br />\n\(text[1])  \(text[2])"
        case 4: "<b><i>\(title)</i> • \(text[0])<br /><br />\(text[1])<br /><br />\(text[2])"
        case 5: "\(text[0])<br />\n<br />\n\(text[1])&#xa0;&amp; \(text[2])</i></b>"
        case 6: "<p>\(text[0])<br />\(text[1])</p>&#xa0;<p><b>\(text[2])</b> <i>\(text[3])</i></p>"
        default: "<i>\(text[0])</i><br /><br />\(text[1])"
        }
    }
}
