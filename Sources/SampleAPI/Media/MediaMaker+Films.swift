extension MediaMaker {
    mutating func addStudios() {
        for name in MediaWords.studios { addArtist(name, .studio, isRussian: name.contains("Маяк"), genre: nil) }
    }

    mutating func addMovies() {
        let studios = artists.indices.filter { artists[$0].trade == .studio }
        let bundles = (0..<12).map { place -> MediaMovie.Bundle in
            var dice = Dice(seed, .movie, 10_000 + place)
            let count = 2 + dice.below(5)
            return MediaMovie.Bundle(
                id: block(), name: "\(dice.one(of: Words.placeWords)) \(count)-Film Collection", count: count, number: 0
            )
        }
        for place in 0..<120 {
            var dice = Dice(seed, .movie, place)
            let isRussian = place % 4 == 1
            let name = title(in: "movie") { MediaTitles.movie.one(place, isRussian: isRussian, &dice) }
            let id = block()
            let bundle = dice.one(of: bundles)
            let hasBundle = dice.chance(0.71)
            let numbered = MediaMovie.Bundle(
                id: bundle.id, name: bundle.name, count: bundle.count, number: 1 + dice.below(bundle.count))
            let sentences = MediaTexts.some(2 + dice.below(3), russian: isRussian, &dice)
            movies.append(
                MediaMovie(
                    id: id, name: name, director: director(isRussian: isRussian, &dice), studio: dice.one(of: studios),
                    isByStudio: place % 40 == 8, bundle: hasBundle ? numbered : nil,
                    genre: dice.one(of: MediaGenre.movies),
                    date: date(1931...2024, &dice), rating: dice.below(60),
                    milliseconds: place % 29 == 6
                        ? nil : (23 + dice.below(120) + (dice.chance(0.1) ? 100 : 0)) * 60_000 + dice.below(60_000),
                    description: place % 31 == 12 ? nil : sentences.joined(separator: dice.chance(0.15) ? "\n\n" : " "),
                    price: dice.one(of: [499, 999, 999, 1499, 1999]), isRussian: isRussian,
                    isInRussia: isRussian || !dice.chance(0.08),
                    artwork: artwork(id)))
        }
    }

    /// One or two people.
    private mutating func director(isRussian: Bool, _ dice: inout Dice) -> String {
        let first = person(isRussian: isRussian, &dice)
        return dice.chance(0.15) ? "\(first) & \(person(isRussian: isRussian, &dice))" : first
    }
}
