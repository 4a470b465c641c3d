import Catalogue
import Mustache
import Pages

enum ChangeShapes {
    static let field = Shape(
        "field",
        .init("label", .text, "the label of the member"),
        .init("old", .optional(.object(HistoryShapes.value)), "the old value; nothing for a list, and for a file"),
        .init(
            "new", .optional(.object(HistoryShapes.value)),
            "the new value; nothing for a list; for a file the word for added, removed or replaced"),
        .init("parts", .list(.object(HistoryShapes.names)), "the names added to a list and removed from it"),
        .init("reordered", .flag, "whether only the order of a list changed"),
        .init("altered", .flag, "whether only details changed that pages do not show"))
    static let entry = Shape(
        "changed record",
        .init("name", .text, "the record's name"),
        .init(
            "path", .optional(.text),
            "the record's page, relative to the language's root; nothing if the page no longer exists"),
        .init("picture", .optional(.object(PageParts.picture)), "its picture"),
        .init("hasFields", .flag, "whether there are changed members"),
        .init("fields", .list(.object(field)), "its changed members; empty for a new or removed record"),
        .init("moreFields", .text, "the number of further changed members, as text; empty if there are none"))
    static let group = Shape(
        "group",
        .init("label", .text, "the kind of the change, and the number of records"),
        .init("inner", .flag, "whether it is shown in a revision's section"),
        .init("plain", .flag, "whether only the names of its records are shown"),
        .init("entries", .list(.object(entry)), "its records"),
        .init("more", .text, "the number of further entries, as text; empty if there are none"),
        .init("allPath", .text, "the first page with all changes, relative to the language's root"))
    static let revision = Shape(
        "revision",
        .init("id", .text, "its id on the page: revision-3"),
        .init("number", .number, "its number"),
        .init("moment", .object(HistoryShapes.moment), "the date of the revision"),
        .init("hasPage", .flag, "whether the revision has its own page"),
        .init("imported", .flag, "whether it was imported as a state of that day"),
        .init("summary", .text, "the numbers of changes, as text; empty if nothing changed"),
        .init("note", .text, "that it is the first revision, or what differs if no value changed; otherwise empty"),
        .init("groups", .list(.object(group)), "the first changes of each kind"),
        .init("all", .text, "the number of changes, as text; empty if there are none"))
    static let changes = Shape(
        page: "changes", isList: true,
        .init("revisions", .list(.object(revision)), "the revisions, the newest first"),
        .init("only", .flag, "whether there is only one revision"))
    static let revisionPage = Shape(
        page: "revision page",
        .init("number", .number, "the number of the revision"),
        .init("moment", .object(HistoryShapes.moment), "the date of the revision"),
        .init("imported", .flag, "whether it was imported as a state of that day"),
        .init("summary", .text, "the numbers of changes, as text"),
        .init("paging", .object(Paging.brief), "the pages of this revision"),
        .init("groups", .list(.object(group)), "the changes on this page"))
}

enum ChangeTexts {
    static let title = TextDeclaration("changes")
    static let description = TextDeclaration("changesDescription")
    static let titleOf = TextDeclaration("changesOf", filling: ["day"])
    static let new = TextDeclaration("changesNew", filling: ["what"])
    static let gone = TextDeclaration("changesGone", filling: ["what"])
    static let changed = TextDeclaration("changesChanged", filling: ["what"])
    static let pictures = TextDeclaration(plural: "changesPictures")
    static let files = TextDeclaration(plural: "changesFiles")
    static let all = TextDeclaration(plural: "changesAll")
    static let baseline = TextDeclaration("changesBaseline", filling: ["what"])
    static let same = TextDeclaration("changesSame")
    static let gaps = TextDeclaration("changesGaps")
    static let declared = TextDeclaration("changesDeclared")
    static let pages = TextDeclaration("changesPages")
    static let picture = TextDeclaration("changedPicture")
    static let file = TextDeclaration("changedFile")
    static let replaced = TextDeclaration("changedContents")
    static let stateCount = TextDeclaration(plural: "stateCount")
    static let orderChanged = TextDeclaration("historyOrder")
    static let detailsChanged = TextDeclaration("changedDetails")
    static let feedTitle = TextDeclaration("feedTitle", filling: ["site"])

    static let declarations = [
        title, description, titleOf, new, gone, changed, pictures, files, all, baseline, same, gaps, declared, pages,
        picture, file, replaced, stateCount, orderChanged, detailsChanged, feedTitle,
    ]

    static func other(_ difference: RevisionChanges.OtherDifference) -> TextDeclaration {
        switch difference {
        case .spelling: same
        case .gaps: gaps
        case .declaration: declared
        case .pages: pages
        }
    }
}
