package import Archive
package import Mustache
import Platform

/// The names that templates have for what happened, and for where a record came from.
public enum HistoryShapes {
    package static let moment = Shape(
        "moment",
        [
            .init("datetime", .text, "as machines read it: 2018-05-01T00:00:00Z"),
            .init("day", .text, "the day in UTC: 2018-05-01"),
            .init("path", .text, "the page of what changed then, relative to the edition's root"),
        ])

    /// A value, or the name of a record.
    package static let value = Shape("value", valueFields)

    private static let valueFields: [Shape.Field] = [
        .init("text", .text, "the value in the page's language, or as served"),
        .init("path", .optional(.text), "the page of what it names, relative to the edition's root"),
        .init("asServed", .flag, "whether it is shown as served"),
    ]

    package static let names = Shape(
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

    package static let history = Shape(
        "history",
        [
            .init("hasPresence", .flag, "whether it was not there all the time"),
            .init("presence", .list(.object(presence)), "when it was there and when not"),
            .init("values", .list(.object(values)), "members that changed as a whole"),
            .init("lists", .list(.object(lists)), "members that changed in their elements"),
            .init("isCut", .flag, "whether there is more of it, which only the pages of changes have"),
        ])

    package static let provenance = Shape(
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

    /// What pages of records say of them.
    package static let fields: [Shape.Field] = [
        .init("history", .optional(.object(history)), "what happened to it; nothing where it always was as it is"),
        .init("provenance", .object(provenance), "where the record came from"),
    ]
}

/// Where a record's own bytes came from, as its page says it. It changes only where they do.
public struct Provenance: Sendable {
    private let context: SiteContext
    /// An imported state has no answers, so the site has no files of them.
    private let hasAnswers: Bool

    private static let sample = TextNeed("provenanceSample", filling: ["name"])
    private static let imported = TextNeed("provenanceImported", filling: ["day"])

    static let texts = [sample, imported]

    package init(_ context: SiteContext) {
        self.context = context
        hasAnswers = context.history?.revisions.last?.imported == nil
    }

    package func value(_ origin: RecordOrigin, _ texts: Texts) -> Value {
        var (isAnswered, source, note) = (false, "", "")
        var raw: SitePath?
        let (datetime, shown): (String, String)
        switch origin.way {
        case .answer(let path, let received):
            isAnswered = true
            source = (context.isSample ? path : "\(context.api)/\(path)").showable.shortened
            note = context.isSample ? texts.filled(Self.sample, ["name": context.api]) : ""
            datetime = timestamp(milliseconds: received)
            shown = "\(datetime.prefix(10)) \(datetime.dropFirst(11).prefix(8)) UTC"
            if hasAnswers { raw = TwinPath.record(origin.key) }
        case .imported(let date):
            datetime = String(timestamp(milliseconds: date).prefix(10))
            shown = datetime
            note = texts.filled(Self.imported, ["day": datetime])
        }
        return HistoryShapes.provenance([
            "answered": isAnswered, "source": source, "note": note,
            "datetime": datetime, "shown": shown, "sha256": origin.sha256.hex, "raw": raw,
        ])
    }
}
