import Catalogue

/// The figures' words from an edition's texts.
struct EditionTexts: FigureTexts {
    let texts: Texts

    func text(_ key: String) -> String { texts[TextNeed(key)] }
    func plural(_ key: String, _ count: Int) -> String { texts.plural(TextNeed(plural: key), count) }
    func value(_ group: String, _ value: String) -> String { texts.label(group, value) ?? value }

    static let needs = [
        TextNeed("figureStatus"),
        TextNeed("figureStatusHead"),
        TextNeed("figureGender"),
        TextNeed("figureGenderHead"),
        TextNeed("figureSpecies"),
        TextNeed("figureSpeciesHead"),
        TextNeed("figureSeasons"),
        TextNeed("figureSeason", filling: ["number"]),
        TextNeed("figureNoSeason"),
        TextNeed("figureSeasonsAlternative", filling: ["episodes", "fewest", "high", "low", "most"]),
        TextNeed("figureSeasonsEqual", filling: ["characters", "episodes"]),
        TextNeed("figurePeople"),
        TextNeed("figurePeopleNote"),
        TextNeed("figurePlaces"),
        TextNeed("figurePlacesNote"),
        TextNeed("figureLocation"),
        TextNeed("figureResidents"),
        TextNeed("figureCharacter"),
        TextNeed("figureCharacters"),
        TextNeed("figureEpisodes"),
        TextNeed("figureShared"),
        TextNeed("figureSharedNote"),
        TextNeed("figureSharedAlternative", filling: ["episodes", "name", "none", "other", "pairs"]),
        TextNeed("figureSharedNone"),
        TextNeed("figureUnnamed"),
        TextNeed("figurePercent", filling: ["number"]),
        TextNeed("figureMore", filling: ["count"]),
        TextNeed(plural: "figureCharacterCount"),
        TextNeed(plural: "figureEpisodeCount"),
        TextNeed(plural: "figureOtherSpecies"),
    ]
}
