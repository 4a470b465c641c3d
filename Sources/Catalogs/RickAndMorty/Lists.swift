import Catalogue
import Mustache

extension PageMaker<CharacterTables> {
    func characters(sharing choice: Facets.Choice? = nil) -> ListPages {
        let isAll = choice == nil
        return cards(
            "index", CharacterModels.index, tables.characters.count, counted: CharacterTexts.characterCount,
            title: CharacterTexts.characters,
            section: "characters", path: CharacterAddresses.characters, sharing: choice,
            last: ("gaps", { page, texts in isAll && page == 0 ? gaps(texts) : "" }), card: card)
    }

    /// The episodes by season, on one page up to a hundred.
    func episodes() -> ListPages {
        let paging = Paging(count: tables.episodes.count, perPage: CharacterAddresses.episodesPerPage)
        return list(
            "episodes", CharacterModels.episodes, paging, counted: CharacterTexts.episodeCount, section: "episodes",
            path: CharacterAddresses.episodes
        ) { page, texts in
            var seasons: [(label: String, episodes: [Value])] = []
            for episode in tables.episodes[paging.positions(of: page)] {
                let label = episode.seasonName(texts) ?? texts[CharacterTexts.otherEpisodes]
                let place = seasons.firstIndex { $0.label == label } ?? seasons.count
                if place == seasons.count { seasons.append((label, [])) }
                let count = texts.plural(CharacterTexts.characterCount, episode.cast.rows.count)
                seasons[place].episodes.append(
                    .object(CharacterModels.countedEpisode.object(episode.values, ["count": count])))
            }
            let count = texts.plural(CharacterTexts.episodeCount, paging.count)
            return (
                texts[CharacterTexts.episodes], texts.filled(CharacterTexts.episodesDescription, ["count": count]),
                ["seasons": seasons.map { CharacterModels.seasonList(["label": $0.label, "episodes": $0.episodes]) }]
            )
        }
    }

    /// The locations, on one page up to five hundred.
    func locations() -> ListPages {
        let paging = Paging(count: tables.locations.count, perPage: CharacterAddresses.locationsPerPage)
        return list(
            "locations", CharacterModels.locations, paging, counted: CharacterTexts.locationCount, section: "locations",
            path: CharacterAddresses.locations
        ) { page, texts in
            let rows = tables.locations[paging.positions(of: page)].map { location in
                CharacterModels.locationRow([
                    "path": CharacterAddresses.location(location.id), "name": location.name, "type": location.type,
                    "dimension": location.dimension, "residents": location.cast.rows.count,
                ])
            }
            let count = texts.plural(CharacterTexts.locationCount, paging.count)
            return (
                texts[CharacterTexts.locations], texts.filled(CharacterTexts.locationsDescription, ["count": count]),
                ["locations": rows]
            )
        }
    }
}

extension PageMaker<CharacterTables> {
    func card(_ row: Int, _ texts: Texts) -> Value {
        let characters = tables.characters
        let status = characters.statuses[row]
        return CharacterModels.card([
            "path": CharacterAddresses.character(characters.ids[row]), "name": characters.name(row),
            "status": texts.value("status", status, by: characters.genders[row]) ?? status,
            "mood": CharacterTexts.mood(status),
            "species": characters.species[row], "picture": picture(row),
        ])
    }

    func picture(_ row: Int) -> Value {
        guard let picture = tables.characters.pictures[row], let path = picturePath(row) else {
            return PageParts.placeholder
        }
        return PageParts.picture(path, width: Int(picture.width), height: Int(picture.height))
    }

    func picturePath(_ row: Int) -> SitePath? {
        tables.characters.pictures[row].map { CharacterAddresses.picture(tables.characters.ids[row], $0.format) }
    }

    func missing(_ count: Int, _ texts: Texts) -> String {
        count == 0 ? "" : texts.plural(CharacterTexts.missingCount, count)
    }
}
