import Catalogue
import Mustache
import Pages

/// The shapes of the models that templates use.
enum MediaModels {
    static let card = Shape(
        "item card",
        [
            .init("path", .text, "the item's page, relative to the language's root"),
            .init("name", .text, "the title"),
            .init("explicit", .flag, "whether it is marked explicit"),
            .init("artist", .text, "the artist, director or author; may be empty"),
            .init("kind", .text, "the kind in the page's language"),
            .init("picture", .object(PageParts.picture), "the artwork"),
        ])
    static let result = Shape(
        "result",
        [
            .init(
                "path", .text, "the item's page, relative to the language's root; empty for one that cannot be shown"),
            .init("name", .text, "the title"),
            .init("explicit", .flag, "whether it is marked explicit"),
            .init("unnamed", .flag, "whether it has no title"),
            .init("fault", .text, "why it cannot be shown, in English; empty for others"),
            .init("artist", .text, "the artist of a song, the author of a book; may be empty"),
            .init("kind", .text, "the kind in the page's language"),
            .init("genre", .text, "the genre of a film, as served; may be empty"),
            .init("duration", .text, "how long a song is, as 3:45; may be empty"),
            .init("period", .text, "the same for machines, as PT0H3M45S"),
            .init("released", .text, "the day of a film's release, in words; may be empty"),
            .init("day", .text, "the same for machines, as 2010-03-05"),
            .init("rating", .text, "what readers think of a book, with how many they are; may be empty"),
            .init("picture", .object(PageParts.picture), "the artwork"),
        ])
    static let search = Shape(
        "search",
        [
            .init("path", .text, "its page, relative to the language's root"),
            .init("term", .text, "the words searched for"),
            .init("country", .text, "the store's country in the page's language"),
            .init("clean", .flag, "whether explicit songs are left out"),
            .init("count", .text, "how many results, in words"),
            .init("pictures", .list(.object(PageParts.picture)), "the artwork of its first four results"),
        ])
    static let foundBy = Shape(
        "search that found it",
        [
            .init("path", .text, "its page, relative to the language's root"),
            .init("term", .text, "the words searched for"),
            .init("medium", .text, "the medium in the page's language"),
            .init("country", .text, "the store's country in the page's language"),
        ])
    static let group = Shape(
        "searches of a medium",
        [
            .init("label", .text, "the medium in the page's language"),
            .init("searches", .list(.object(search)), "its searches, in the configuration's order"),
        ])
    static let album = Shape(
        "album",
        [
            .init("name", .text, "the title, as served"),
            .init("link", .text, "its page at the service; empty where it has none"),
            .init("year", .text, "the year of its release; may be empty"),
        ])

    static let index = Shape(
        "searches",
        PageFrame.fields + [
            .init("groups", .list(.object(group)), "the searches by medium"),
            .init("count", .text, "how many searches, in words"),
            .init("items", .text, "how many items they found, in words"),
            .init("gaps", .text, "how many gaps the capture has, in words; empty for none"),
        ])
    static let results = Shape(
        "results",
        PageFrame.fields + [
            .init("term", .text, "the words searched for"),
            .init("medium", .text, "the medium in the page's language"),
            .init("country", .text, "the store's country in the page's language"),
            .init("clean", .flag, "whether explicit songs are left out"),
            .init("count", .text, "how many results, in words"),
            .init("leftOut", .text, "how many explicit results are not shown, in words; empty for none"),
            .init("found", .flag, "whether there are any"),
            .init("results", .list(.object(result)), "the results, in the service's order"),
            .init(
                "history", .optional(.object(HistoryShapes.history)),
                "the history of the record; nothing if it never changed"),
            .init("provenance", .object(HistoryShapes.provenance), "where the answer came from"),
        ])
    static let items = Shape(
        "items",
        PageFrame.fields + [
            .init(
                "value", .text,
                "the value that all on the list share, in the page's language or as served; empty for all items"),
            .init("asServed", .flag, "whether that value is shown as served"),
            .init("cards", .list(.object(card)), "the items on this page"),
            .init("facets", .list(.object(Facets.facet)), "the lists by kind, explicitness, country and genre"),
            .init("canFilter", .flag, "whether scripts can filter this list"),
            .init("kinds", .text, "the kinds of the items in the search index, with spaces between them"),
        ] + Paging.fields)

    private static let common: [Shape.Field] =
        [
            .init("name", .text, "the title"),
            .init("artwork", .text, "the picture in words"),
            .init("picture", .object(PageParts.picture), "the artwork"),
            .init("kind", .text, "the kind in the page's language"),
            .init("country", .text, "the store's country in the page's language"),
            .init("link", .text, "its page at the service"),
            .init("artist", .text, "the artist, director, company or author, as served; may be empty"),
            .init("artistLink", .text, "their page at the service; empty where the data has none"),
            .init("released", .text, "the day of its release, in words; may be empty"),
            .init("day", .text, "the same for machines, as 2010-03-05"),
        ] + HistoryShapes.fields + [
            .init("searches", .list(.object(foundBy)), "the searches that found it"),
            .init("previous", .optional(.object(PageParts.link)), "the item before"),
            .init("next", .optional(.object(PageParts.link)), "the item behind"),
        ]
    static let song = Shape(
        "song",
        PageFrame.fields + common + [
            .init("explicit", .flag, "whether it is marked explicit"),
            .init("explicitness", .text, "that in words; may be empty"),
            .init("genre", .text, "the genre, as served; may be empty"),
            .init("album", .text, "its album, as served; may be empty"),
            .init("duration", .text, "how long it is, as 3:45; may be empty"),
            .init("period", .text, "the same for machines, as PT0H3M45S"),
            .init("hasAlbums", .flag, "whether other albums of the artist are known"),
            .init("albums", .list(.object(album)), "up to five of them that are not the song's own"),
        ])
    static let movie = Shape(
        "movie",
        PageFrame.fields + common + [
            .init(
                "companyLink", .text,
                "the studio's page at the service; empty where the data has none, or the artist's is it"),
            .init("genre", .text, "the genre, as served; may be empty"),
            .init("advisory", .text, "the store's advisory rating, as PG-13; may be empty"),
            .init("duration", .text, "how long it is in hours and minutes, as 1:47; may be empty"),
            .init("period", .text, "the same for machines, as PT1H47M12S"),
            .init("isByStudio", .flag, "whether the artist is a studio"),
            .init("isDescribed", .flag, "whether there is a description"),
            .init("paragraphs", .list(.text), "the description, as served"),
        ])
    static let book = Shape(
        "book",
        PageFrame.fields + common + [
            .init("genres", .list(.text), "the genres, as served, without the one that all books have"),
            .init("hasGenres", .flag, "whether there are any"),
            .init("rating", .text, "what readers think of it, with how many they are; may be empty"),
            .init("size", .text, "how large its file is; may be empty"),
            .init("isDescribed", .flag, "whether there is a description"),
            .init("text", .html, "the description: p, br, b, i, em, strong, ul, ol and li only; may be empty"),
        ])
}
