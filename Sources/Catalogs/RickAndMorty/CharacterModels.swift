import Catalogue
import Mustache

/// The shapes of the models that templates use.
enum CharacterModels {
    static let card = Shape(
        "card",
        [
            .init("path", .text, "the character's page, relative to the language's root"),
            .init("name", .text, "the name"),
            .init("status", .text, "the status in the page's language, or as served where it is another than known"),
            .init("mood", .text, "the status as a class: alive, dead or unknown"),
            .init("species", .text, "the species, as served"),
            .init("picture", .object(PageParts.picture), "the avatar"),
        ])
    static let place = Shape(
        "place",
        [
            .init("name", .text, "the location's name, as the character's record has it"),
            .init(
                "path", .optional(.text),
                "its page, relative to the language's root; nothing where the location is unknown"),
            .init("type", .text, "its type; empty where it has none or is unknown"),
        ])
    static let episodeRow = Shape(
        "episode",
        [
            .init("path", .text, "its page, relative to the language's root"),
            .init("name", .text, "its name"),
            .init("code", .text, "its number, as S01E01"),
            .init("airDate", .text, "the air date as the server sent it"),
            .init("machineDate", .text, "the same as 2013-12-02; empty where it cannot be read"),
        ])
    static let countedEpisode = Shape(
        "counted episode", episodeRow.fields + [.init("count", .text, "how many characters are in it, in words")])
    static let seasonList = Shape(
        "season",
        [
            .init("label", .text, "the season, or that the episodes belong to none"),
            .init("episodes", .list(.object(countedEpisode)), "its episodes"),
        ])
    static let locationRow = Shape(
        "location",
        [
            .init("path", .text, "its page, relative to the language's root"),
            .init("name", .text, "its name"),
            .init("type", .text, "its type; may be empty"),
            .init("dimension", .text, "its dimension; may be empty"),
            .init("residents", .number, "how many residents"),
        ])

    static let index = Shape(
        "index",
        PageFrame.fields + [
            .init(
                "value", .text,
                "the value that all on the list share, in the page's language or as served; empty for all characters"),
            .init("asServed", .flag, "whether that value is shown as served"),
            .init("cards", .list(.object(card)), "the characters on this page, in the API's order"),
            .init("facets", .list(.object(Facets.facet)), "the lists by status, gender and species"),
            .init("canFilter", .flag, "whether scripts can filter this list"),
            .init(
                "gaps", .text,
                "how many gaps the capture has, in words; empty for none, and on other pages than the first"),
        ] + Paging.fields)
    static let character = Shape(
        "character",
        PageFrame.fields + [
            .init("name", .text, "the name"),
            .init("portrait", .text, "the picture in words"),
            .init("status", .text, "the status in the page's language, or as served where it is another than known"),
            .init("mood", .text, "the status as a class: alive, dead or unknown"),
            .init("species", .text, "the species, as served"),
            .init("type", .text, "the type, as served; empty for most"),
            .init("gender", .text, "the gender in the page's language, or as served where it is another than known"),
            .init("hasFacts", .flag, "whether there is a gender, a species, a type, an origin or a location"),
            .init("picture", .object(PageParts.picture), "the avatar"),
            .init("origin", .optional(.object(place)), "where the character comes from"),
            .init("location", .optional(.object(place)), "where the character was last seen"),
            .init("hasEpisodes", .flag, "whether there are any"),
            .init("episodes", .list(.object(episodeRow)), "the first thousand episodes, in the API's order"),
            .init("episodeCount", .text, "how many episodes, in words"),
            .init("moreEpisodes", .text, "how many episodes are not on the page, in words; empty for none"),
            .init("missing", .text, "how many more the capture could not bring, in words; empty for none"),
        ] + HistoryShapes.fields + [
            .init("list", .object(Paging.pageNumber), "the list page that shows this character"),
            .init("previous", .optional(.object(PageParts.link)), "the character before"),
            .init("next", .optional(.object(PageParts.link)), "the character behind"),
        ])
    static let episode = Shape(
        "episode page",
        PageFrame.fields + [
            .init("name", .text, "its name"),
            .init("code", .text, "its number, as S01E01"),
            .init("season", .text, "its season in words; empty where the number names none"),
            .init("airDate", .text, "the air date as the server sent it"),
            .init("machineDate", .text, "the same as 2013-12-02; empty where it cannot be read"),
            .init("hasCast", .flag, "whether there are characters in it"),
            .init("cast", .list(.object(card)), "the characters in it, in the API's order"),
            .init("castCount", .text, "how many they are, in words"),
            .init("paging", .object(Paging.brief), "the pages of a long cast"),
            .init("missing", .text, "how many more the capture could not bring, in words; empty for none"),
        ] + HistoryShapes.fields + [
            .init("list", .object(Paging.pageNumber), "the list page that shows this episode"),
            .init("previous", .optional(.object(PageParts.link)), "the episode before"),
            .init("next", .optional(.object(PageParts.link)), "the episode behind"),
        ])
    static let location = Shape(
        "location page",
        PageFrame.fields + [
            .init("name", .text, "its name"),
            .init("type", .text, "its type; may be empty"),
            .init("dimension", .text, "its dimension; may be empty"),
            .init("hasCast", .flag, "whether it has residents"),
            .init("cast", .list(.object(card)), "its residents, in the API's order"),
            .init("castCount", .text, "how many they are, in words"),
            .init("paging", .object(Paging.brief), "the pages of a long cast"),
            .init("missing", .text, "how many more the capture could not bring, in words; empty for none"),
        ] + HistoryShapes.fields + [
            .init("list", .object(Paging.pageNumber), "the list page that shows this location"),
            .init("previous", .optional(.object(PageParts.link)), "the location before"),
            .init("next", .optional(.object(PageParts.link)), "the location behind"),
        ])
    static let episodes = Shape(
        "episodes",
        PageFrame.fields + [.init("seasons", .list(.object(seasonList)), "the episodes by season")] + Paging.fields)
    static let locations = Shape(
        "locations",
        PageFrame.fields + [.init("locations", .list(.object(locationRow)), "the locations, in the API's order")]
            + Paging.fields)
    static let figures = Shape("figures", PageFrame.fields + figuresOwn)
}
