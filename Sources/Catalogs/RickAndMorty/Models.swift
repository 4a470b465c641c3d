import Catalogue
import Mustache

/// The names that templates can use; one place for all shapes, so that pages and documentation agree.
enum Models {
    static let link = Shape(
        "link",
        [
            .init("path", .text, "where it leads, relative to the site's root"),
            .init("name", .text, "what it is called"),
        ])
    static let picture = Shape(
        "picture",
        [
            .init("path", .text, "the file, relative to the site's root"),
            .init("width", .number, "pixels across"),
            .init("height", .number, "pixels down"),
        ])
    static let card = Shape(
        "card",
        [
            .init("path", .text, "the character's page, relative to the site's root"),
            .init("name", .text, "the name"),
            .init("status", .text, "Alive, Dead or unknown, as served"),
            .init("mood", .text, "the status as a class: alive, dead or unknown"),
            .init("species", .text, "the species, as served"),
            .init("picture", .object(picture), "the avatar"),
        ])
    static let pageNumber = Shape(
        "page number",
        [
            .init("number", .number, "the list page's number"),
            .init("path", .text, "where it stands, relative to the site's root"),
            .init("current", .flag, "whether it is the page shown"),
        ])
    static let place = Shape(
        "place",
        [
            .init("name", .text, "the location's name"),
            .init("type", .text, "its type; empty where it has none or is unknown"),
        ])
    static let episode = Shape(
        "episode",
        [
            .init("name", .text, "its name"),
            .init("number", .text, "its number, as S01E01"),
            .init("airDate", .text, "the air date as the server sent it"),
            .init("machineDate", .text, "the same as 2013-12-02; empty where it cannot be read"),
        ])
    static let gap = Shape(
        "gap",
        [
            .init("url", .text, "what was asked for"),
            .init("keyPath", .text, "where in its JSON; empty for the whole"),
            .init("reason", .text, "what is wrong"),
        ])

    /// What every page has; the layout uses these.
    static let common: [Shape.Field] = [
        .init("title", .text, "the page's title"),
        .init("description", .text, "one sentence about the page"),
        .init("site", .text, "what the site as a whole is called"),
        .init("root", .text, "leads from the page to the site's root: empty or ../"),
        .init("sample", .flag, "whether the data is the invented universe"),
        .init("generator", .text, "Amber and its version"),
        .init("api", .text, "the API's address that was captured"),
    ]

    static let index = Shape(
        "index",
        common + [
            .init("cards", .list(.object(card)), "the characters on this page, in the API's order"),
            .init("count", .number, "how many characters there are"),
            .init("number", .number, "this page's number"),
            .init("pages", .number, "how many list pages there are"),
            .init("first", .flag, "whether this is the first page"),
            .init("captured", .text, "the day of the capture, as 2026-11-21"),
            .init("hasGaps", .flag, "whether there are gaps to show"),
            .init("gaps", .list(.object(gap)), "what the capture lacks; on the first page only"),
            .init("previous", .optional(.object(pageNumber)), "the page before"),
            .init("next", .optional(.object(pageNumber)), "the page behind"),
            .init("numbers", .list(.object(pageNumber)), "pages around this one, and the first and last"),
        ])
    static let character = Shape(
        "character",
        common + [
            .init("name", .text, "the name"),
            .init("status", .text, "Alive, Dead or unknown, as served"),
            .init("mood", .text, "the status as a class: alive, dead or unknown"),
            .init("species", .text, "the species"),
            .init("type", .text, "the type; empty for most"),
            .init("gender", .text, "the gender"),
            .init("picture", .object(picture), "the avatar"),
            .init("origin", .optional(.object(place)), "where the character comes from"),
            .init("location", .optional(.object(place)), "where the character was last seen"),
            .init("hasEpisodes", .flag, "whether there are any"),
            .init("episodes", .list(.object(episode)), "every episode, in the API's order"),
            .init("episodeCount", .number, "how many episodes"),
            .init("single", .flag, "whether it is one episode only"),
            .init("list", .object(pageNumber), "the list page that shows this character"),
            .init("previous", .optional(.object(link)), "the character before"),
            .init("next", .optional(.object(link)), "the character behind"),
        ])
}
