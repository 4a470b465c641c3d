package import Archive
import Catalogue
package import Mustache
import Platform

/// The template names for a record's history and provenance.
package enum HistoryShapes {
    package static let moment = Shape(
        "moment",
        .init("datetime", .text, "the time in UTC, such as 2018-05-01T00:00:00Z"),
        .init("day", .text, "the day in UTC in words; with the time if there are other revisions of the day"),
        .init("path", .text, "the page of the revision's changes, relative to the language's root"))

    package static let value = Shape(
        "value",
        .init("text", .text, "the value in the page's language, or as served"),
        .init("path", .optional(.text), "the page of the record that it names, relative to the language's root"),
        .init("asServed", .flag, "whether the text is as served"))

    package static let names = Shape(
        "names",
        .init("label", .text, "the word for added or removed"),
        .init("count", .text, "the number of names"),
        .init("many", .flag, "whether there are too many for one line"),
        .init("names", .list(.object(value)), "the first names"),
        .init("more", .text, "the number of further names, as text; empty for none"),
        .init("path", .text, "the page with all names, relative to the language's root"))

    static let step = Shape(
        "step",
        value.fields + [
            .init("first", .flag, "whether it is the first value"),
            .init("until", .optional(.object(moment)), "the time of the next value; nothing for the last one"),
        ])
    static let values = Shape(
        "values",
        .init("label", .text, "the label of the member"),
        .init("steps", .list(.object(step)), "its values in the order of time"))
    static let listStep = Shape(
        "list step",
        .init("moment", .object(moment), "the time of the change"),
        .init("parts", .list(.object(names)), "the added and the removed names"),
        .init("reordered", .flag, "whether only the order differs"))
    static let lists = Shape(
        "lists",
        .init("label", .text, "the label of the member"),
        .init("steps", .list(.object(listStep)), "its changes in the order of time"))
    static let presence = Shape(
        "presence",
        .init("word", .text, "the word for since, until, or again since"),
        .init("moment", .object(moment), "the time of the change"))

    package static let history = Shape(
        "history",
        .init("hasPresence", .flag, "whether the record was added or removed after the first revision"),
        .init("presence", .list(.object(presence)), "the times when the record was added or removed"),
        .init("values", .list(.object(values)), "members whose complete value changed"),
        .init("lists", .list(.object(lists)), "list members with changed elements"),
        .init("isCut", .flag, "whether some changes are only on the pages of changes"))

    package static let provenance = Shape(
        "provenance",
        .init("answered", .flag, "whether the archive has the API's answer that contains the record"),
        .init("source", .text, "the requested address; for sample data only the path"),
        .init("note", .text, "a remark about the source; empty for none"),
        .init("datetime", .text, "the time of the answer, or the date of an imported state, in ISO 8601"),
        .init("shown", .text, "the same time in a readable form"),
        .init("day", .text, "its day in the page's language"),
        .init("sha256", .text, "the SHA-256 of the record's own bytes, in hexadecimal digits"),
        .init("raw", .optional(.text), "the file with the record's own bytes, relative to the site's root"))

    fileprivate static let sample = TextDeclaration("provenanceSample", filling: ["name"])
    fileprivate static let imported = TextDeclaration("provenanceImported", filling: ["day"])

    static let texts = [sample, imported]

    /// The fields that every page of a record has.
    package static let fields: [Shape.Field] = [
        .init("history", .optional(.object(history)), "the history of the record; nothing if it never changed"),
        .init("provenance", .object(provenance), "the origin of the record's bytes"),
    ]
}

extension PageFrame {
    /// The origin of a record's bytes. It changes only if the bytes or their origin change.
    package func provenance(_ origin: RecordOrigin, _ texts: Texts) -> Value {
        let time = timestamp(milliseconds: origin.date)
        let (day, sha256) = (String(time.prefix(10)), origin.sha256.hex)
        guard let path = origin.path else {
            return HistoryShapes.provenance([
                "answered": false, "source": "", "note": texts.filled(HistoryShapes.imported, ["day": day]),
                "datetime": day, "shown": day, "day": texts.date(day), "sha256": sha256, "raw": Value.null,
            ])
        }
        return HistoryShapes.provenance([
            "answered": true, "source": (context.isSample ? path : "\(context.api)/\(path)").showable,
            "note": context.isSample ? texts.filled(HistoryShapes.sample, ["name": context.api]) : "",
            "datetime": time, "shown": "\(day) \(time.dropFirst(11).prefix(8)) UTC", "day": texts.date(day),
            "sha256": sha256,
            // The site of an imported state has no files of answers.
            "raw": context.revision.imported == nil ? MirrorPath.record(origin.key) : nil,
        ])
    }
}
