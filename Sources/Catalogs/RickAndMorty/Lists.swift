import Catalogue
import Mustache

/// The lists: of cards, of episodes by season, and of locations.
extension PageMaker<World> {
    func characters(sharing choice: Facets.Choice? = nil) -> ListPages {
        let isAll = choice == nil
        return cards(
            "index", Models.index, world.characters.count, counted: Words.characterCount, title: Words.characters,
            section: "characters", path: Places.characters, sharing: choice,
            last: ("gaps", { page, texts in isAll && page == 0 ? gaps(texts) : "" }), card: card)
    }

    /// The episodes by season, on one page up to a hundred.
    func episodes() -> ListPages {
        let paging = Paging(count: world.episodes.count, perPage: Places.episodesPerPage)
        return list(
            "episodes", Models.episodes, paging, counted: Words.episodeCount, section: "episodes", path: Places.episodes
        ) { page, texts in
            var seasons: [(label: String, episodes: [Value])] = []
            for episode in world.episodes[paging.positions(of: page)] {
                let label = episode.seasonName(texts) ?? texts[Words.otherEpisodes]
                let place = seasons.firstIndex { $0.label == label } ?? seasons.count
                if place == seasons.count { seasons.append((label, [])) }
                let count = texts.plural(Words.characterCount, episode.cast.rows.count)
                seasons[place].episodes.append(
                    .object(Models.countedEpisode.object(episode.values, ["count": count])))
            }
            let count = texts.plural(Words.episodeCount, paging.count)
            return (
                texts[Words.episodes], texts.filled(Words.episodesDescription, ["count": count]),
                ["seasons": seasons.map { Models.seasonList(["label": $0.label, "episodes": $0.episodes]) }]
            )
        }
    }

    /// The locations, on one page up to five hundred.
    func locations() -> ListPages {
        let paging = Paging(count: world.locations.count, perPage: Places.locationsPerPage)
        return list(
            "locations", Models.locations, paging, counted: Words.locationCount, section: "locations",
            path: Places.locations
        ) { page, texts in
            let rows = world.locations[paging.positions(of: page)].map { location in
                Models.locationRow([
                    "path": Places.location(location.id), "name": location.name, "type": location.type,
                    "dimension": location.dimension, "residents": location.cast.rows.count,
                ])
            }
            let count = texts.plural(Words.locationCount, paging.count)
            return (
                texts[Words.locations], texts.filled(Words.locationsDescription, ["count": count]), ["locations": rows]
            )
        }
    }
}

extension PageMaker<World> {
    func card(_ row: Int, _ texts: Texts) -> Value {
        let characters = world.characters
        let status = characters.statuses[row]
        return Models.card([
            "path": Places.character(characters.ids[row]), "name": characters.name(row),
            "status": texts.value("status", status, by: characters.genders[row]) ?? status, "mood": Words.mood(status),
            "species": characters.species[row], "picture": picture(row),
        ])
    }

    func picture(_ row: Int) -> Value {
        guard let picture = world.characters.pictures[row], let path = picturePath(row) else {
            return PageParts.placeholder
        }
        return PageParts.picture(path, width: Int(picture.width), height: Int(picture.height))
    }

    func picturePath(_ row: Int) -> SitePath? {
        world.characters.pictures[row].map { Places.picture(world.characters.ids[row], $0.format) }
    }

    func missing(_ count: Int, _ texts: Texts) -> String {
        count == 0 ? "" : texts.plural(Words.missingCount, count)
    }
}
