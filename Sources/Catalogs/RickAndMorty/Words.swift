import Catalogue

/// The texts that pages of this catalogue ask for beside those that templates name.
enum Words {
    static let title = TextNeed("siteTitle")
    static let sampleTitle = TextNeed("sampleTitle")
    static let searchLabel = TextNeed("searchLabel")
    static let searchDescription = TextNeed("searchDescription")
    static let characters = TextNeed("characters")
    static let episodes = TextNeed("episodes")
    static let locations = TextNeed("locations")
    static let figures = TextNeed("figures")
    static let status = TextNeed("status")
    static let gender = TextNeed("gender")
    static let species = TextNeed("species")
    static let personName = TextNeed("personName")
    static let name = TextNeed("name")
    static let type = TextNeed("type")
    static let origin = TextNeed("origin")
    static let location = TextNeed("location")
    static let dimension = TextNeed("dimension")
    static let residents = TextNeed("residents")
    static let number = TextNeed("number")
    static let airDate = TextNeed("airDate")
    static let image = TextNeed("imageAddress")
    static let created = TextNeed("recordCreated")
    static let otherEpisodes = TextNeed("otherEpisodes")
    static let characterDescription = TextNeed("characterDescription", filling: ["name", "facts"])
    static let countDescription = TextNeed("countDescription", filling: ["name", "count"])
    static let episodesDescription = TextNeed("episodesDescription", filling: ["count"])
    static let locationsDescription = TextNeed("locationsDescription", filling: ["count"])
    static let figuresDescription = TextNeed("figuresDescription")
    static let season = TextNeed("season", filling: ["number"])
    static let portrait = TextNeed("portraitOf", filling: ["name"])
    static let characterCount = TextNeed(plural: "characterCount")
    static let episodeCount = TextNeed(plural: "episodeCount")
    static let locationCount = TextNeed(plural: "locationCount")
    static let residentCount = TextNeed(plural: "residentCount")
    static let pictureCount = TextNeed(plural: "pictureCount")
    static let missingCount = TextNeed(plural: "missingCount")
    static let more = TextNeed(plural: "andMore")

    static let all =
        [
            title, sampleTitle, searchLabel, searchDescription, characters, episodes, locations, figures, status,
            gender, species, otherEpisodes, characterDescription, countDescription, episodesDescription,
            locationsDescription, figuresDescription, season, portrait, characterCount, episodeCount, locationCount,
            residentCount, pictureCount, missingCount, more,
            personName, name, type, origin, location, dimension, residents, number, airDate, image, created,
        ] + figureNeeds

    /// The status as a class for colours; a status that the API has never used is shown as unknown's.
    static func mood(_ status: String) -> String {
        switch status {
        case "Alive": "alive"
        case "Dead": "dead"
        default: "unknown"
        }
    }

    private static let figureNeeds =
        [
            "figureStatus", "figureStatusHead", "figureGender", "figureGenderHead", "figureSpecies",
            "figureSpeciesHead", "figureSeasons", "figureNoSeason", "figurePeople", "figurePeopleNote", "figurePlaces",
            "figurePlacesNote", "figureLocation", "figureResidents", "figureCharacter", "figureCharacters",
            "figureEpisodes", "figureShared", "figureSharedNote", "figureSharedNone", "figureUnnamed",
        ].map { TextNeed($0) }
        + ["figureCharacterCount", "figureEpisodeCount", "figureOtherSpecies"].map { TextNeed(plural: $0) } + [
            TextNeed("figureSeason", filling: ["number"]),
            TextNeed("figureSeasonsAlternative", filling: ["episodes", "fewest", "high", "low", "most"]),
            TextNeed("figureSeasonsEqual", filling: ["characters", "episodes"]),
            TextNeed("figureSharedAlternative", filling: ["episodes", "name", "none", "other", "pairs"]),
            TextNeed("figurePercent", filling: ["number"]),
            TextNeed("figureMore", filling: ["count"]),
        ]
}
