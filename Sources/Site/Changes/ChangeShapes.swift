import Catalogue
import Mustache

enum ChangeShapes {
    static let picture = Shape(
        "picture",
        [
            .init("path", .text, "the file, relative to the site's root"),
            .init("width", .number, "pixels across"),
            .init("height", .number, "pixels down"),
        ])
    static let field = Shape(
        "field",
        [
            .init("label", .text, "what the member is called"),
            .init("old", .optional(.object(HistoryShapes.value)), "what it was; nothing for a list"),
            .init("new", .optional(.object(HistoryShapes.value)), "what it is; nothing for a list"),
            .init("parts", .list(.object(HistoryShapes.names)), "what was added to a list and what was removed"),
            .init("reordered", .flag, "whether only the order of a list differs"),
            .init("altered", .flag, "whether it differs in what pages do not show"),
        ])
    static let entry = Shape(
        "changed record",
        [
            .init("name", .text, "what the record is called"),
            .init(
                "path", .optional(.text), "its page, relative to the edition's root; nothing where it has none any more"
            ),
            .init("picture", .optional(.object(picture)), "its picture"),
            .init("hasFields", .flag, "whether there are any"),
            .init("fields", .list(.object(field)), "what changed of it; nothing for one that came or went"),
            .init("moreFields", .text, "how many more members changed, in words; empty for none"),
        ])
    static let group = Shape(
        "group",
        [
            .init("label", .text, "what happened, and to how many"),
            .init("inner", .flag, "whether it stands within a revision's section"),
            .init("plain", .flag, "whether its records are only named"),
            .init("entries", .list(.object(entry)), "its records"),
            .init("more", .text, "how many more there are, in words; empty for none"),
            .init("allPath", .text, "the page that begins to show them all, relative to the edition's root"),
        ])
    static let revision = Shape(
        "revision",
        [
            .init("id", .text, "a name within the page: revision-3"),
            .init("moment", .object(HistoryShapes.moment), "when"),
            .init("hasPage", .flag, "whether a page shows all of it"),
            .init("imported", .flag, "whether it was imported as a state of that day"),
            .init("summary", .text, "how much changed, in words; empty for nothing"),
            .init("note", .text, "that it is the first, or that nothing changed; empty else"),
            .init("groups", .list(.object(group)), "what changed, the first of each kind"),
            .init("all", .text, "how many changes there are, in words; empty where all stand here"),
        ])
    static let changes = Shape(
        "changes",
        PageFrame.fields + [
            .init("revisions", .list(.object(revision)), "the revisions, the newest first"),
            .init("only", .flag, "whether there is one revision only"),
        ] + Paging.fields)
    static let one = Shape(
        "revision page",
        PageFrame.fields + [
            .init("moment", .object(HistoryShapes.moment), "when"),
            .init("imported", .flag, "whether it was imported as a state of that day"),
            .init("summary", .text, "how much changed, in words"),
            .init("first", .flag, "whether this is the first page"),
            .init("position", .text, "which page of how many it is, in words"),
            .init("paging", .object(Paging.brief), "the pages of this revision"),
            .init("groups", .list(.object(group)), "what changed, as much as this page shows"),
        ])

    static let templates = [PageTemplate("changes", changes), PageTemplate("revision", one)]
}

/// The texts of the pages of changes and of the feed.
enum ChangeTexts {
    static let title = TextNeed("changes")
    static let description = TextNeed("changesDescription")
    static let titleOf = TextNeed("changesOf", filling: ["day"])
    static let new = TextNeed("changesNew", filling: ["what"])
    static let gone = TextNeed("changesGone", filling: ["what"])
    static let changed = TextNeed("changesChanged", filling: ["what"])
    static let pictures = TextNeed(plural: "changesPictures")
    static let all = TextNeed(plural: "changesAll")
    static let baseline = TextNeed("changesBaseline", filling: ["what"])
    static let same = TextNeed("changesSame")
    static let picture = TextNeed("changedPicture")
    static let stateCount = TextNeed(plural: "stateCount")
    static let more = TextNeed(plural: "andMore")
    static let orderChanged = TextNeed("historyOrder")
    static let detailsChanged = TextNeed("changedDetails")
    static let added = TextNeed("historyAdded")
    static let removed = TextNeed("historyRemoved")
    static let feedTitle = TextNeed("feedTitle", filling: ["site"])
    static let noValue = TextNeed("noValue")

    static let needs = [
        title, description, titleOf, new, gone, changed, pictures, all, baseline, same, picture,
        stateCount, more,
        orderChanged, detailsChanged, added, removed, feedTitle, noValue,
    ]
}
