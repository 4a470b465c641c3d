/// Makes up a library, kind by kind: what is made later refers to what was made before.
struct MediaMaker {
    private let seed: UInt64
    private(set) var items: [MediaItem] = []

    /// Titles that are taken, by kind, and blocks of ids.
    private var taken: Set<String> = []
    private var blocks: Set<Int> = []
    private var draws = 0

    init(seed: UInt64) {
        self.seed = seed
        for place in 0..<40 { addMusician(place) }
        for artist in 0..<40 {
            var dice = Dice(seed, .album, artist)
            for _ in 0..<(3 + dice.below(7)) { addAlbum(of: artist, &dice) }
        }
        addSongs()
        let studios = Array(items.count..<(items.count + MediaWords.studios.count))
        for name in MediaWords.studios { add(.artist, name) { $0.trade = "Movie Artist" } }
        addMovies(studios)
        addBooks()
    }

    /// Adds a thing with a picture of its own.
    /// - Parameter id: the first of a block of its own unless named.
    private mutating func add(
        _ kind: MediaLibrary.Kind, _ name: String, id: Int? = nil, _ fill: (inout MediaItem) -> Void
    ) {
        var item = MediaItem(kind: kind, id: id ?? block(), name: name, artistName: name)
        var dice = Dice(seed, .artwork, item.id)
        item.artwork = dice.next().padded(16, radix: 16)
        fill(&item)
        items.append(item)
    }

    /// The first of 64 ids that belong together: nine or ten digits, from one space for all kinds.
    private mutating func block() -> Int {
        while true {
            var dice = Dice(seed, .mediaID, draws)
            draws += 1
            let block = 3_000_000 + dice.below(22_000_000)
            if blocks.insert(block).inserted { return block * 64 }
        }
    }

    /// The first title that is not taken in its kind.
    private mutating func title(in kind: String, _ make: () -> String) -> String {
        while true {
            let title = make()
            if taken.insert("\(kind) \(title)").inserted { return title }
        }
    }

    /// A day, as the service writes it: midnight on the Pacific coast.
    private static func date(_ years: ClosedRange<Int>, _ dice: inout Dice, time: String? = nil) -> String {
        let (year, month, day) = (years.lowerBound + dice.below(years.count), dice.below(12) + 1, dice.below(28) + 1)
        let midnight = month < 4 || month > 10 ? "08:00:00" : "07:00:00"
        return "\(year)-\(month.padded())-\(day.padded())T\(time ?? midnight)Z"
    }

    /// A person's name that is not in use yet.
    private mutating func person(isRussian: Bool, _ dice: inout Dice) -> String {
        let given = isRussian ? MediaWords.russianGiven : Words.given
        let surnames = isRussian ? MediaWords.russianSurnames : Words.surnames
        return title(in: "person") { "\(dice.one(of: given)) \(dice.one(of: surnames))" }
    }

    /// Some sentences, no two alike.
    private static func sentences(_ count: Int, isRussian: Bool, _ dice: inout Dice) -> [String] {
        var left = isRussian ? MediaWords.russianSentences : MediaWords.sentences
        return (0..<count).map { _ in left.remove(at: dice.below(left.count)) }
    }

    /// Of what there is of a kind, every fourth is Russian.
    private mutating func addMusician(_ place: Int) {
        var dice = Dice(seed, .musician, place)
        let turn = place / 4
        let names = [[], MediaWords.russianBands, MediaWords.awkwardArtists, MediaWords.bands][place % 4]
        let name = turn < names.count ? names[turn] : person(isRussian: place % 4 == 1, &dice)
        let genre = dice.one(of: MediaGenre.music)
        // Not known of some.
        let isKnown = dice.chance(0.95)
        add(.artist, name) {
            $0.trade = "Artist"
            $0.genres = isKnown ? [genre] : []
        }
    }

    private mutating func addAlbum(of artist: Int, _ dice: inout Dice) {
        let size = dice.below(10)
        let name = title(in: "album of \(artist)") {
            if artist % 4 == 1 { return dice.one(of: MediaWords.russianAlbums) }
            let place = dice.one(of: Words.placeWords)
            return switch dice.below(3) {
            case 0: dice.one(of: MediaWords.albumPatterns).filled(dice.one(of: Words.placeOf))
            case 1: "\(place) \(dice.one(of: MediaWords.albumTails))"
            default: place
            }
        }
        // Someone else's name on one in eight: for them it is an album that bears another's id.
        let other = (artist + 1 + dice.below(39)) % 40
        let hasGuest = dice.chance(0.125) && (other % 4 == 1) == (artist % 4 == 1)
        let makers = hasGuest ? [artist, other] : [artist]
        let advice = dice.unit()
        let date = Self.date(1968...2024, &dice)
        let musicians = items
        add(.album, name + (size == 0 ? " - Single" : size == 1 ? " - EP" : "")) {
            $0.makers = makers
            $0.artistName = makers.map { musicians[$0].name }.joined(separator: " & ")
            $0.genres = musicians[artist].genres.isEmpty ? [MediaGenre.music[0]] : musicians[artist].genres
            $0.date = date
            $0.explicitness = advice < 0.12 ? "explicit" : advice < 0.16 ? "cleaned" : "notExplicit"
            $0.trackCount = size == 0 ? 1 : size == 1 ? 4 + dice.below(3) : 7 + dice.below(9)
            $0.price = size == 0 ? 129 : size == 1 ? 499 : dice.one(of: [799, 999, 999, 1099, 1199])
            $0.copyright = "℗ \(date.prefix(4)) \(dice.one(of: MediaWords.publishers))"
        }
    }

    /// About 400 on as many albums as there happen to be: in turn, so that each has one or two of its songs here.
    private mutating func addSongs() {
        var count = 0
        let albums = 40..<items.count
        for round in 0..<2 {
            for place in albums where count < 400 && round < items[place].trackCount {
                addSong(count, on: place, isFirst: round == 0)
                count += 1
            }
        }
    }

    private mutating func addSong(_ turn: Int, on place: Int, isFirst: Bool) {
        let album = items[place]
        var dice = Dice(seed, .song, turn)
        let name = title(in: "song") { MediaTitles.song.one(turn, isRussian: album.makers[0] % 4 == 1, &dice) }
        // An even spread over the album's tracks, one after another.
        let half = album.trackCount / 2
        let number = isFirst ? 1 + dice.below(max(1, half)) : half + 1 + dice.below((album.trackCount + 1) / 2)
        let isClean = album.explicitness == "explicit" && !dice.chance(0.7)
        add(.song, name, id: album.id + number) {
            $0.makers = [place]
            $0.artistName = album.artistName
            $0.genres = album.genres
            $0.date = album.date
            $0.explicitness = isClean ? "notExplicit" : album.explicitness
            $0.artwork = album.artwork
            $0.number = number
            $0.milliseconds = 95_000 + dice.below(325_000)
            $0.price = dice.chance(0.02) ? nil : dice.one(of: [69, 99, 129, 129, 129])
            $0.isStreamable = dice.chance(0.98)
        }
    }

    private mutating func addMovies(_ studios: [Int]) {
        let bundles = (0..<12).map { place in
            var dice = Dice(seed, .movie, 10_000 + place)
            let count = 2 + dice.below(5)
            return (id: block(), name: "\(dice.one(of: Words.placeWords)) \(count)-Film Collection", count: count)
        }
        for place in 0..<120 {
            var dice = Dice(seed, .movie, place)
            let isRussian = place % 4 == 1
            let name = title(in: "movie") { MediaTitles.movie.one(place, isRussian: isRussian, &dice) }
            let (bundle, hasBundle) = (dice.one(of: bundles), dice.chance(0.71))
            let number = 1 + dice.below(bundle.count)
            let sentences = Self.sentences(2 + dice.below(3), isRussian: isRussian, &dice)
            let director = person(isRussian: isRussian, &dice)
            let directors = dice.chance(0.15) ? "\(director) & \(person(isRussian: isRussian, &dice))" : director
            let studio = dice.one(of: studios)
            let studioName = items[studio].name
            add(.movie, name) {
                $0.bundle = hasBundle ? (bundle.id, bundle.name, bundle.count, number) : nil
                $0.isByStudio = place % 40 == 8
                $0.artistName = $0.isByStudio ? studioName : directors
                $0.makers = [studio]
                $0.genres = [dice.one(of: MediaGenre.movies)]
                $0.date = Self.date(1931...2024, &dice)
                $0.rating = dice.below(60)
                if place % 29 != 6 {
                    let minutes = 23 + dice.below(120) + (dice.chance(0.1) ? 100 : 0)
                    $0.milliseconds = minutes * 60_000 + dice.below(60_000)
                }
                if place % 31 != 12 { $0.description = sentences.joined(separator: dice.chance(0.15) ? "\n\n" : " ") }
                $0.price = dice.one(of: [499, 999, 999, 1499, 1999])
                $0.isInAmerica = !isRussian
                $0.isInRussia = isRussian || !dice.chance(0.08)
            }
        }
    }

    private mutating func addBooks() {
        var authors: [Bool: [Int]] = [:]
        for place in 0..<48 {
            var dice = Dice(seed, .author, place)
            let name = person(isRussian: place % 4 == 1, &dice)
            authors[place % 4 == 1, default: []].append(items.count)
            add(.artist, name) { $0.trade = "Author" }
        }
        for place in 0..<120 { addBook(place, by: authors[place % 4 == 1] ?? [], isRussian: place % 4 == 1) }
    }

    private mutating func addBook(_ place: Int, by authors: [Int], isRussian: Bool) {
        var dice = Dice(seed, .book, place)
        let name = title(in: "book") { MediaTitles.book.one(place, isRussian: isRussian, &dice) }
        let first = dice.below(authors.count)
        let second = (first + 1 + dice.below(authors.count - 1)) % authors.count
        let all = MediaGenre.books
        let genre = dice.below(all.count)
        let further = (genre + 1 + dice.below(all.count - 1)) % all.count
        let isOld = dice.chance(0.15)
        let makers = dice.chance(0.15) ? [authors[first], authors[second]] : [authors[first]]
        let artistName = makers.map { items[$0].name }.joined(separator: " & ")
        add(.book, name) {
            $0.makers = makers
            $0.artistName = artistName
            $0.genres = [all[genre], MediaGenre.allBooks] + (dice.chance(0.7) ? [all[further]] : [])
            $0.date =
                isOld
                ? Self.date(1846...1938, &dice)
                : Self.date(1981...2024, &dice, time: dice.chance(0.1) ? "02:06:49" : nil)
            $0.price = isOld || dice.chance(0.1) ? 0 : dice.one(of: [299, 499, 999, 1099, 1499])
            $0.description = Self.description(of: name, isRussian: isRussian, style: place, &dice)
            $0.stars = dice.chance(0.8) ? (4 + dice.below(7), 1 + dice.below(dice.chance(0.2) ? 3000 : 120)) : nil
            $0.size = dice.chance(0.6) ? 180_000 + dice.below(dice.chance(0.2) ? 40_000_000 : 2_000_000) : nil
            $0.isInAmerica = !isRussian
            $0.isInRussia = isRussian || !dice.chance(0.08)
        }
    }

    /// A book's description as publishers send it: markup in several hands, some of it nested for nothing, some of it
    /// not closed.
    private static func description(of title: String, isRussian: Bool, style: Int, _ dice: inout Dice) -> String {
        let title = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")].reduce(title) { $0.replacing($1.0, with: $1.1) }
        let text = sentences(4, isRussian: isRussian, &dice)
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
