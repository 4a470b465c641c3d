import Archive
import Catalogue
import Evidence
import Mustache
import Pages
import Platform

/// The completeness of a revision and its errors, as a page in each language and as JSON.
struct CompletenessPages: PageSet {
    let frame: PageFrame
    let rootHash: RootHash
    let mirror: APIMirror

    /// There is only one batch, so that the archive is read once.
    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { frame.editions.map { $0.path(Self.path) } }

    func filePaths(inBatch batch: Int) -> [SitePath] { [Self.dataPath] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let completeness = try Completeness(of: mirror, rootHash, reader)
        let assets = try reader.assetCounts()
        return PageBatch(
            pages: frame.editions.map { edition in { page(completeness, assets, edition) } },
            streams: [
                SiteStream(path: Self.dataPath) { append in
                    try completeness.json.forEachPiece(append)
                    try append(["\n"])
                }
            ])
    }
}

extension CompletenessPages {
    static let path = SitePath(fixed: "completeness.html")
    private static let dataPath = SitePath(fixed: "completeness.json")

    private static let kind = Shape(
        "kind",
        .init("name", .text, "the API's name of the kind"),
        .init("listed", .flag, "whether the kind has a list"),
        .init("claimed", .text, "the number of records and pages that the list claims, as text"),
        .init("found", .text, "the number of records and pages in the archive, as text"),
        .init("beside", .text, "the number of records that are not in the list, as text; empty if there are none"),
        .init("changes", .text, "why deleted records are not noticed, as text; empty if they are"),
        .init(
            "highest", .text,
            "the highest id of a record; empty if ids are texts, or if no record has most of these numbers"),
        .init("absent", .text, "the ids up to `highest` that no record has, as text"),
        .init("repeated", .text, "the ids that several records have, as text; empty if there are none"))
    private static let record = Shape(
        "record",
        .init("name", .text, "its kind and id, such as character 42"),
        .init(
            "path", .optional(.text), "the file with its bytes, relative to the site's root; nothing if there is none"))
    private static let reference = Shape(
        "reference",
        .init("record", .object(record), "the record with the reference"),
        .init("keyPath", .text, "the path of the reference in the record"),
        .init("named", .object(record), "the record to which the reference leads"),
        .init("answer", .text, "the member of the target that has no reference back; empty for other errors"))
    private static let references = Shape(
        "references",
        .init("any", .flag, "whether there are references"),
        .init("items", .list(.object(reference)), "the first references"),
        .init("more", .text, "the number of further entries, as text; empty if there are none"))
    private static let shared = Shape(
        "shared picture",
        .init("records", .list(.object(record)), "the first records that show the picture"),
        .init("more", .text, "the number of further entries, as text; empty if there are none"))
    static let shape = Shape(
        page: "completeness",
        .init("revision", .number, "the revision's number"),
        .init("date", .text, "its date, such as 2026-11-21"),
        .init("rootHash", .text, "the digest of all answers, in hexadecimal"),
        .init("imported", .flag, "whether it was imported and therefore has no answers of the API"),
        .init("verdict", .text, "how complete the revision is, in one sentence"),
        .init("kinds", .list(.object(kind)), "the counts of each kind"),
        .init("hasGaps", .flag, "whether there are gaps"),
        .init("gaps", .list(.object(SharedPages.gap)), "the first gaps: data that could not be captured"),
        .init("moreGaps", .text, "the number of further entries, as text; empty if there are none"),
        .init("dangling", .object(references), "references to missing records"),
        .init("oneSided", .object(references), "references without the required reference back"),
        .init("repeated", .object(references), "references that are in a record twice"),
        .init("pictures", .text, "the numbers of pictures and of files, as text"),
        .init("hasShared", .flag, "whether several records share a picture"),
        .init("shared", .list(.object(shared)), "the first pictures that several records share"),
        .init("moreShared", .text, "the number of further entries, as text; empty if there are none"),
        .init("hasMissing", .flag, "whether records lack a picture"),
        .init("missing", .list(.object(record)), "the first records without a picture"),
        .init("moreMissing", .text, "the number of further entries, as text; empty if there are none"))

    private static let title = TextDeclaration("completeness")
    private static let description = TextDeclaration("completenessDescription")
    private static let records = TextDeclaration(plural: "completenessRecords")
    private static let pages = TextDeclaration(plural: "completenessPages")
    private static let pictures = TextDeclaration(plural: "pictureCount")
    private static let files = TextDeclaration(plural: "fileCount")
    private static let unknown = TextDeclaration("completenessUnknown")
    private static let completeAsStated = TextDeclaration("completeAsStated", filling: ["lists"])
    private static let completeAsOnePage = TextDeclaration("completeAsOnePage", filling: ["lists"])
    private static let completeWithoutNext = TextDeclaration("completeWithoutNext", filling: ["kind", "place"])
    private static let completeAsRead = TextDeclaration("completeAsRead")
    private static let completeAsChanged = TextDeclaration("completeAsChanged")
    private static let changes = TextDeclaration("completenessChanges", filling: ["time"])
    private static let none = TextDeclaration("completenessNone")
    private static let more = TextDeclaration(plural: "completenessMore")
    private static let imported = TextDeclaration("completenessImported")

    static let texts = [
        title, description, records, pages, pictures, files, unknown, completeAsStated, completeAsOnePage,
        completeWithoutNext, completeAsRead, completeAsChanged, changes, none, more, imported,
    ]

    /// The maximum number of entries of a list on the page; completeness.json has more.
    private static let entryLimit = 500
    /// The maximum number of lists that the verdict names.
    private static let namedLists = 10
    /// The maximum number of records or ids in one entry.
    private static let nestedEntryLimit = 50
}

extension CompletenessPages {
    /// The numbers of pictures, also in texts, and of other files; empty if there are none.
    static func counts(_ assets: (pictures: Int, files: Int), _ texts: Texts) -> [String] {
        [(pictures, assets.pictures), (files, assets.files)].filter { $0.1 > 0 }.map { texts.plural($0, $1) }
    }

    /// How complete a revision without gaps is, for pages that do not have its evidence.
    static func verdict(
        _ frame: PageFrame, _ mirror: APIMirror, _ catalogue: any Catalogue, _ reader: RevisionReader
    ) throws -> TextDeclaration {
        guard mirror.changes.isEmpty else { return completeAsChanged }
        let counted = try reader.claims().keys
        return catalogue.listedKinds.allSatisfy(counted.contains) ? frame.complete : completeAsRead
    }

    private func page(_ completeness: Completeness, _ assets: (pictures: Int, files: Int), _ edition: Edition) -> Page {
        let texts = edition.texts
        let gaps = SharedPages.shownGaps(completeness.gaps)
        let shared = completeness.pictures?.shared ?? []
        let missing = completeness.pictures?.missing ?? []
        func entry(_ key: RecordKey) -> Value { record(key, completeness) }
        return frame.page(
            ("completeness", Self.path, Self.title), Self.description, Self.shape, in: edition,
            [
                "revision": Int(completeness.revision.number), "date": frame.context.captured,
                "rootHash": completeness.rootHash.hex, "imported": completeness.revision.imported != nil,
                "verdict": verdict(completeness, texts), "kinds": completeness.kinds.map { kind($0, texts) },
                "hasGaps": !gaps.isEmpty, "gaps": gaps,
                "moreGaps": texts.pluralIfAny(Self.more, completeness.gaps.count - gaps.count),
                "dangling": references(completeness.dangling, entry, texts),
                "oneSided": references(completeness.oneSided, entry, texts),
                "repeated": references(completeness.repeated, entry, texts),
                "pictures": completeness.pictures == nil || assets == (0, 0)
                    ? texts[Self.none] : Self.counts(assets, texts).joined(separator: ", "),
                "hasShared": !shared.isEmpty,
                "shared": shared.prefix(Self.entryLimit).map { picture in
                    Self.shared([
                        "records": picture.records.prefix(Self.nestedEntryLimit).map(entry),
                        "more": texts.pluralIfAny(Self.more, picture.records.count - Self.nestedEntryLimit),
                    ])
                },
                "moreShared": texts.pluralIfAny(Self.more, shared.count - Self.entryLimit),
                "hasMissing": !missing.isEmpty, "missing": missing.prefix(Self.entryLimit).map(entry),
                "moreMissing": texts.pluralIfAny(Self.more, missing.count - Self.entryLimit),
            ])
    }

    private func verdict(_ completeness: Completeness, _ texts: Texts) -> String {
        guard completeness.gaps.count == 0 else { return texts.plural(PageFrame.incomplete, completeness.gaps.count) }
        guard completeness.revision.imported == nil else { return texts[Self.imported] }
        guard completeness.isComplete else { return texts[Self.unknown] }
        guard completeness.kinds.allSatisfy(\.changesSince.isEmpty) else { return texts[Self.completeAsChanged] }
        let uncounted = completeness.kinds.filter { $0.isListed && $0.claimed == nil }
        guard !uncounted.isEmpty else { return texts[frame.complete] }
        if let kind = uncounted.first(where: { $0.lackedNext != nil }), let place = kind.lackedNext {
            return texts.filled(Self.completeWithoutNext, ["kind": kind.kind, "place": place.text])
        }
        let single = uncounted.filter(\.hasSinglePage)
        let lists = (single.isEmpty ? uncounted : single).map { $0.kind.showable }
        let more = texts.pluralIfAny(Self.more, lists.count - Self.namedLists)
        let names = (lists.prefix(Self.namedLists) + [more]).filter { !$0.isEmpty }.joined(separator: ", ")
        return texts.filled(single.isEmpty ? Self.completeAsStated : Self.completeAsOnePage, ["lists": names])
    }

    private func kind(_ kind: Completeness.Kind, _ texts: Texts) -> Value {
        func count(_ records: Int, _ pages: Int?) -> String {
            let pages = pages.map { ", \(texts.plural(Self.pages, $0))" } ?? ""
            return texts.plural(Self.records, records) + pages
        }
        func joined(_ items: [String], _ rest: Int) -> String {
            (items + (rest > 0 ? [texts.pluralIfAny(Self.more, rest)] : [])).joined(separator: ", ")
        }
        let absent = kind.absent.prefix(Self.nestedEntryLimit).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
        }
        let rest = kind.absent.dropFirst(Self.nestedEntryLimit).reduce(0) { $0 + $1.count }
        let repeated = kind.repeated.prefix(Self.nestedEntryLimit).map { repeated in
            "\(repeated.key.text?.showable.shortened ?? "\(repeated.key.id)") (\(repeated.times))"
        }
        return Self.kind([
            "name": kind.kind, "listed": kind.isListed,
            "claimed": kind.claimed.map { count($0.records, $0.pages) } ?? texts[Self.unknown],
            "found": count(kind.records, kind.pages), "beside": texts.pluralIfAny(Self.records, kind.unlisted),
            "changes": kind.changesSince.first.map { texts.filled(Self.changes, ["time": $0.showable]) } ?? "",
            "highest": kind.highest.map { "\($0)" } ?? "",
            "absent": absent.isEmpty ? texts[Self.none] : joined(absent, rest),
            "repeated": joined(repeated, kind.repeated.count - repeated.count),
        ])
    }

    private func references(_ all: FindingList, _ record: (RecordKey) -> Value, _ texts: Texts) -> Value {
        Self.references([
            "any": all.count > 0,
            "items": all.first.prefix(Self.entryLimit).map { one in
                Self.reference([
                    "record": record(one.record), "keyPath": one.keyPath.showable.shortened,
                    "named": record(one.target), "answer": one.missingIn,
                ])
            },
            "more": texts.pluralIfAny(Self.more, all.count - Self.entryLimit),
        ])
    }

    private func record(_ key: RecordKey, _ completeness: Completeness) -> Value {
        let isInMirror = completeness.revision.imported == nil && completeness.has(key)
        return Self.record(["name": "\(key)", "path": isInMirror ? MirrorPath.record(key) : nil])
    }
}
