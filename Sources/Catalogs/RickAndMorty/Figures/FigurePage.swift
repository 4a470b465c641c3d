import Catalogue
import Mustache

/// The page of figures: what is counted, in which order, and how much of it is shown.
struct FigurePage {
    let data: FigureData
    let texts: any FigureTexts

    static let speciesShown = 12
    static let peopleShown = 20
    static let peopleCompared = 25
    static let placesShown = 15
}

extension FigurePage {
    /// The values for `Models.figuresOwn`.
    func values() -> KeyValuePairs<String, Value> {
        let people = Self.most(data.people)
        let status = parts("status", "figureStatus", data.statuses).value(texts)
        let gender = parts("gender", "figureGender", data.genders).value(texts)
        let species = parts("species", "figureSpecies", data.species, shown: Self.speciesShown).value(texts)
        let episodes = FigureSeasons(data.episodes).value(texts)
        let appearances = appearances(people).value(texts)
        let places = residents().value(texts)
        let shared = FigureMatrix(Array(people.prefix(Self.peopleCompared))).value(texts)
        let isEmpty = [status, gender, species, episodes, appearances, places].allSatisfy {
            if case .null = $0 { true } else { false }
        }
        return [
            "status": status, "gender": gender, "species": species, "episodes": episodes, "people": appearances,
            "places": places,
            "shared": shared, "empty": .flag(isEmpty),
        ]
    }

    /// Who is in an episode at all, by the number of episodes, then by id.
    static func most(_ people: [FigureData.Person]) -> [FigureData.Person] {
        let counted = people.map { (person: $0, count: Set($0.episodes).count) }.filter { $0.count > 0 }
        return counted.sorted { (-$0.count, $0.person.id) < (-$1.count, $1.person.id) }.map(\.person)
    }

    /// Parts of all characters, the biggest first; the parts behind the last shown are one bar.
    func parts(_ group: String, _ key: String, _ parts: [FigureData.Part], shown: Int = .max) -> FigureBars {
        let sorted = parts.filter { $0.count > 0 }.sorted { (-$0.count, $0.value) < (-$1.count, $1.value) }
        let whole = sorted.reduce(0) { $0 + $1.count }
        var bars = sorted.prefix(shown).map { part in
            let name = texts.value(group, part.value)
            return FigureBar(
                name: texts.shown(name), served: name == part.value && texts.shown(name) == name, count: part.count,
                share: texts.share(part.count, of: whole), path: part.path,
                kind: group == "status" ? PageMaker.mood(part.value) : "plain")
        }
        let rest = sorted.dropFirst(shown)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.count }
            bars.append(
                FigureBar(
                    name: texts.plural("figureOtherSpecies", rest.count), served: false, count: count,
                    share: texts.share(count, of: whole)))
        }
        return FigureBars(
            id: group, caption: texts.text(key), note: texts.plural("figureCharacterCount", whole),
            nameHead: texts.text(key + "Head"),
            countHead: texts.text("figureCharacters"), full: whole, bars: bars)
    }

    private func appearances(_ people: [FigureData.Person]) -> FigureBars {
        let bars = people.prefix(Self.peopleShown).map { person in
            FigureBar(
                name: texts.shown(person.name), served: true, count: Set(person.episodes).count, path: person.path)
        }
        return FigureBars(
            id: "people", caption: texts.text("figurePeople"), note: texts.text("figurePeopleNote"),
            nameHead: texts.text("figureCharacter"), countHead: texts.text("figureEpisodes"),
            full: bars.first?.count ?? 0, bars: bars)
    }

    private func residents() -> FigureBars {
        let places = data.places.filter { $0.residents > 0 }.sorted { (-$0.residents, $0.id) < (-$1.residents, $1.id) }
        let bars = places.prefix(Self.placesShown).map { place in
            FigureBar(name: texts.shown(place.name), served: true, count: place.residents, path: place.path)
        }
        return FigureBars(
            id: "places", caption: texts.text("figurePlaces"), note: texts.text("figurePlacesNote"),
            nameHead: texts.text("figureLocation"),
            countHead: texts.text("figureResidents"), full: bars.first?.count ?? 0, bars: bars)
    }
}
