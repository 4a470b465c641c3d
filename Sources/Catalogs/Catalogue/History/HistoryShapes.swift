public import Mustache

/// The names that templates have for what happened, and for where a record came from.
public enum HistoryShapes {
    /// A revision's moment, with the page of all that it changed.
    public static let moment = Shape(
        "moment",
        [
            .init("datetime", .text, "as machines read it: 2018-05-01T00:00:00Z"),
            .init("day", .text, "the day in UTC: 2018-05-01"),
            .init("path", .text, "the page of what changed then, relative to the edition's root"),
        ])

    /// A value, or the name of a record.
    public static let value = Shape("value", valueFields)

    private static let valueFields: [Shape.Field] = [
        .init("text", .text, "the value in the page's language, or as served"),
        .init("path", .optional(.text), "the page of what it names, relative to the edition's root"),
        .init("asServed", .flag, "whether it is shown as served"),
    ]

    /// What came into a list, or went out of it.
    public static let names = Shape(
        "names",
        [
            .init("label", .text, "whether they were added or removed"),
            .init("count", .text, "how many they are"),
            .init("many", .flag, "whether they are too many to stand in a line"),
            .init("names", .list(.object(value)), "the first of them"),
            .init("more", .text, "how many more there are, in words; empty for none"),
            .init("path", .text, "the page that has them all, relative to the edition's root"),
        ])

    static let step = Shape(
        "step",
        valueFields + [
            .init("first", .flag, "whether it is the first"),
            .init("until", .optional(.object(moment)), "when the next one came; nothing for the last"),
        ])
    static let values = Shape(
        "values",
        [
            .init("label", .text, "what the member is called"),
            .init("steps", .list(.object(step)), "its values one after the other"),
        ])
    static let listStep = Shape(
        "list step",
        [
            .init("moment", .object(moment), "when"),
            .init("parts", .list(.object(names)), "what was added and what was removed"),
            .init("reordered", .flag, "whether only the order differs"),
        ])
    static let lists = Shape(
        "lists",
        [
            .init("label", .text, "what the member is called"),
            .init("steps", .list(.object(listStep)), "how it changed, time by time"),
        ])
    static let presence = Shape(
        "presence",
        [
            .init("word", .text, "since, until, or again since"),
            .init("moment", .object(moment), "when"),
        ])

    /// What happened to one record.
    public static let history = Shape(
        "history",
        [
            .init("hasPresence", .flag, "whether it was not there all the time"),
            .init("presence", .list(.object(presence)), "when it was there and when not"),
            .init("values", .list(.object(values)), "members that changed as a whole"),
            .init("lists", .list(.object(lists)), "members that changed in their elements"),
            .init("isCut", .flag, "whether there is more of it, which only the pages of changes have"),
        ])

    /// Where a record's bytes came from.
    public static let provenance = Shape(
        "provenance",
        [
            .init("answered", .flag, "whether an answer of the API is kept that brought the record"),
            .init("source", .text, "what was asked: an address, or a path where the source is no server"),
            .init("note", .text, "what else is to be said of the source; empty for nothing"),
            .init("datetime", .text, "when the answer was in, or the date of an imported state, as machines read it"),
            .init("shown", .text, "the same for people"),
            .init("sha256", .text, "the SHA-256 of the record's own bytes, in hexadecimal digits"),
            .init("raw", .optional(.text), "the record's own bytes, relative to the site's root"),
        ])

}
