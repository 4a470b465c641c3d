extension MediaMaker {
    mutating func addBooks() {
        var authors: [Bool: [Int]] = [:]
        for place in 0..<48 {
            var dice = Dice(seed, .author, place)
            let isRussian = place % 4 == 1
            let name = person(isRussian: isRussian, &dice)
            authors[isRussian, default: []].append(artists.count)
            addArtist(name, .author, isRussian: isRussian, genre: nil)
        }
        for place in 0..<120 {
            var dice = Dice(seed, .book, place)
            let isRussian = place % 4 == 1
            addBook(place, by: authors[isRussian] ?? [], isRussian: isRussian, &dice)
        }
    }

    private mutating func addBook(_ place: Int, by authors: [Int], isRussian: Bool, _ dice: inout Dice) {
        let name = title(in: "book") { MediaTitles.book.one(place, isRussian: isRussian, &dice) }
        let first = dice.below(authors.count)
        let second = (first + 1 + dice.below(authors.count - 1)) % authors.count
        let genre = dice.below(MediaGenre.books.count)
        let further = (genre + 1 + dice.below(MediaGenre.books.count - 1)) % MediaGenre.books.count
        let isOld = dice.chance(0.15)
        let id = block()
        books.append(
            MediaBook(
                id: id, name: name, authors: dice.chance(0.15) ? [authors[first], authors[second]] : [authors[first]],
                genres: [MediaGenre.books[genre], .allBooks] + (dice.chance(0.7) ? [MediaGenre.books[further]] : []),
                date: isOld
                    ? date(1846...1938, &dice) : date(1981...2024, &dice, time: dice.chance(0.1) ? "02:06:49" : nil),
                price: isOld || dice.chance(0.1) ? 0 : dice.one(of: [299, 499, 999, 1099, 1499]),
                description: MediaTexts.markup(name, russian: isRussian, style: place, &dice),
                rating: dice.chance(0.8) ? (4 + dice.below(7), 1 + dice.below(dice.chance(0.2) ? 3000 : 120)) : nil,
                size: dice.chance(0.6) ? 180_000 + dice.below(dice.chance(0.2) ? 40_000_000 : 2_000_000) : nil,
                isRussian: isRussian,
                isInRussia: isRussian || !dice.chance(0.08), artwork: artwork(id)))
    }
}
