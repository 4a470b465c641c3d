import Catalogue

/// The texts that this catalogue uses in addition to those in templates.
enum CharacterTexts {
    static let title = TextDeclaration("siteTitle")
    static let sampleTitle = TextDeclaration("sampleTitle")
    static let searchLabel = TextDeclaration("searchLabel")
    static let searchDescription = TextDeclaration("searchDescription")
    static let characters = TextDeclaration("characters")
    static let episodes = TextDeclaration("episodes")
    static let locations = TextDeclaration("locations")
    static let figures = TextDeclaration("figures")
    static let status = TextDeclaration("status")
    static let gender = TextDeclaration("gender")
    static let species = TextDeclaration("species")
    static let personName = TextDeclaration("personName")
    static let name = TextDeclaration("name")
    static let type = TextDeclaration("type")
    static let origin = TextDeclaration("origin")
    static let location = TextDeclaration("location")
    static let dimension = TextDeclaration("dimension")
    static let residents = TextDeclaration("residents")
    static let number = TextDeclaration("number")
    static let airDate = TextDeclaration("airDate")
    static let image = TextDeclaration("imageAddress")
    static let created = TextDeclaration("recordCreated")
    static let otherEpisodes = TextDeclaration("otherEpisodes")
    static let characterDescription = TextDeclaration("characterDescription", filling: ["name", "facts"])
    static let countDescription = TextDeclaration("countDescription", filling: ["name", "count"])
    static let episodesDescription = TextDeclaration("episodesDescription", filling: ["count"])
    static let locationsDescription = TextDeclaration("locationsDescription", filling: ["count"])
    static let figuresDescription = TextDeclaration("figuresDescription")
    static let season = TextDeclaration("season", filling: ["number"])
    static let portrait = TextDeclaration("portraitOf", filling: ["name"])
    static let characterCount = TextDeclaration(plural: "characterCount")
    static let episodeCount = TextDeclaration(plural: "episodeCount")
    static let locationCount = TextDeclaration(plural: "locationCount")
    static let residentCount = TextDeclaration(plural: "residentCount")
    static let pictureCount = TextDeclaration(plural: "pictureCount")
    static let missingCount = TextDeclaration(plural: "missingCount")
    static let more = TextDeclaration(plural: "andMore")

    static let all =
        [
            title, sampleTitle, searchLabel, searchDescription, characters, episodes, locations, figures, status,
            gender, species, otherEpisodes, characterDescription, countDescription, episodesDescription,
            locationsDescription, figuresDescription, season, portrait, characterCount, episodeCount, locationCount,
            residentCount, pictureCount, missingCount, more,
            personName, name, type, origin, location, dimension, residents, number, airDate, image, created,
        ] + figureNeeds

    /// The CSS class of a status. A new status has the class of "unknown".
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
        ].map { TextDeclaration($0) }
        + ["figureCharacterCount", "figureEpisodeCount", "figureOtherSpecies"].map { TextDeclaration(plural: $0) } + [
            TextDeclaration("figureSeason", filling: ["number"]),
            TextDeclaration("figureSeasonsAlternative", filling: ["episodes", "fewest", "high", "low", "most"]),
            TextDeclaration("figureSeasonsEqual", filling: ["characters", "episodes"]),
            TextDeclaration("figureSharedAlternative", filling: ["episodes", "name", "none", "other", "pairs"]),
            TextDeclaration("figurePercent", filling: ["number"]),
            TextDeclaration("figureMore", filling: ["count"]),
        ]
}
