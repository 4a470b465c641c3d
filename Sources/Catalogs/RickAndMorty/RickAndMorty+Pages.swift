package import Archive
package import Catalogue
import Mustache

extension RickAndMorty {
    /// Each page family's template.
    package var pageTemplates: [PageTemplate] {
        [
            PageTemplate("index", Models.index), PageTemplate("character", Models.character),
            PageTemplate("episodes", Models.episodes),
            PageTemplate("episode", Models.episode), PageTemplate("locations", Models.locations),
            PageTemplate("location", Models.location),
            PageTemplate("figures", Models.figures),
        ]
    }

    /// What the pages ask for.
    package var texts: [TextNeed] { Words.all }

    /// Lists and pages of characters, episodes and locations, lists by status, gender and species, and the avatars.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let world = try World(reader, LinkReader(bases: bases + [context.api]))
        let frame = PageFrame(context, outline(world, context))
        let search = Self.search(world)
        let maker = PageMaker(
            world: world, frame: frame, facets: Self.facets(world.characters), canFilter: search.isWhole)
        let shared = maker.facets.facets.flatMap { facet in
            facet.values.map { CharacterLists(maker: maker, selection: .sharing($0, of: facet)) }
        }
        let pages: [any PageSet] = [
            CharacterLists(maker: maker, selection: .all), CharacterPages(maker: maker), EpisodeLists(maker: maker),
            EpisodePages(maker: maker), LocationLists(maker: maker), LocationPages(maker: maker),
            FigurePages(maker: maker),
        ]
        return SitePlan(
            pages: pages + shared, frame: frame, search: search, telling: maker.telling)
    }

    private static func facets(_ table: CharacterTable) -> Facets {
        Facets([
            ("status", Words.status, table.statuses), ("gender", Words.gender, table.genders),
            ("species", Words.species, table.species),
        ])
    }

    private func outline(_ world: World, _ context: SiteContext) -> SiteOutline {
        let pictured = world.characters.pictures.first
        return SiteOutline(
            title: context.isSample ? Words.sampleTitle : Words.title, language: "en",
            sections: [
                .init("characters", at: Places.index, Words.characters),
                .init("episodes", at: Places.episodes(page: 0), Words.episodes),
                .init("locations", at: Places.locations(page: 0), Words.locations),
                .init("figures", at: Places.figures, Words.figures),
            ],
            counts: [
                .init(Words.characterCount, world.characters.count), .init(Words.episodeCount, world.episodes.count),
                .init(Words.locationCount, world.locations.count),
                .init(Words.pictureCount, world.characters.pictures.pictured),
            ],
            picture: pictured.flatMap { row in
                world.characters.pictures[row].map { Places.picture(world.characters.ids[row], $0.format) }
            },
            searchLabel: Words.searchLabel, searchDescription: Words.searchDescription
        )
    }
}
