import Archive
import Catalogue
import Evidence
import Mustache
import Platform

/// What a revision claims, has, and gets wrong, as a page in each edition and once for programs.
struct CompletenessPages: PageSet, FramedPages {
    let frame: PageFrame
    let rootHash: RootHash
    let twin: Twin
    let catalogue: any Catalogue

    /// All of it together, so that the evidence is read once.
    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { editions.map { $0.path(Self.path) } }

    func filePaths(inBatch batch: Int) -> [SitePath] { [Self.dataPath] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let found = try Completeness(of: twin, rootHash, reader, catalogue)
        return PageBatch(
            pages: editions.map { edition in { page(found, edition) } },
            streams: [SiteStream(path: Self.dataPath) { try Self.write(found, to: $0, $1) }])
    }
}

extension CompletenessPages {
    private static func write(_ found: Completeness, to file: String, _ willWrite: @escaping (Int) throws -> Void)
        throws
    {
        try FileWriter.write(file, willWrite) { append in
            try found.json.forEachPiece(append)
            try append([UInt8(ascii: "\n")])
        }
    }

    static let path = SitePath(fixed: "completeness.html")
    private static let dataPath = SitePath(fixed: "completeness.json")

    private static let kind = Shape(
        "kind",
        [
            .init("name", .text, "the API's word"),
            .init("listed", .flag, "whether a list holds them"),
            .init("claimed", .text, "how many records and pages the list claims, in words"),
            .init("found", .text, "how many there are, in words"),
            .init("beside", .text, "how many records no list brought, in words; empty for none"),
            .init("highest", .number, "the highest number"),
            .init("absent", .text, "the numbers up to it that no record has; that there are none, in words"),
            .init("repeated", .text, "numbers that several records have; empty for none"),
        ])
    private static let record = Shape(
        "record",
        [
            .init("name", .text, "kind and number: character 42"),
            .init(
                "path", .optional(.text), "its bytes, relative to the site's root; nothing where it has none of its own"
            ),
        ])
    private static let finding = Shape(
        "reference",
        [
            .init("record", .object(record), "the record that names another"),
            .init("keyPath", .text, "where in it"),
            .init("named", .object(record), "the record that it names"),
            .init(
                "answer", .text,
                "the member of that one which should name it in turn; empty where that is not the matter"),
        ])
    private static let findings = Shape(
        "references",
        [
            .init("any", .flag, "whether there are any"),
            .init("items", .list(.object(finding)), "the first of them"),
            .init("more", .text, "how many more there are, in words; empty for none"),
        ])
    private static let shared = Shape(
        "shared picture",
        [
            .init("records", .list(.object(record)), "the first of the records that show it"),
            .init("more", .text, "how many more there are, in words; empty for none"),
        ])
    static let shape = Shape(
        "completeness",
        PageFrame.fields + [
            .init("revision", .number, "the revision's number"),
            .init("date", .text, "its date, as 2026-11-21"),
            .init("rootHash", .text, "the digest of all answers, in hexadecimal"),
            .init("imported", .flag, "whether it was imported, and has no answers of the API"),
            .init("verdict", .text, "how complete it is, in one sentence"),
            .init("kinds", .list(.object(kind)), "what is to be said of each list"),
            .init("hasGaps", .flag, "whether anything could not be captured"),
            .init("gaps", .list(.object(SharedPages.gap)), "the first of what could not be captured"),
            .init("moreGaps", .text, "how many more there are, in words; empty for none"),
            .init("dangling", .object(findings), "references to records that are not there"),
            .init("oneSided", .object(findings), "references that are not answered"),
            .init("repeated", .object(findings), "references that stand twice"),
            .init("pictures", .text, "how many pictures there are"),
            .init("hasShared", .flag, "whether several records share a picture"),
            .init("shared", .list(.object(shared)), "the first of the pictures that several records share"),
            .init("moreShared", .text, "how many more there are, in words; empty for none"),
            .init("hasMissing", .flag, "whether there are records without a picture"),
            .init("missing", .list(.object(record)), "the first of those records"),
            .init("moreMissing", .text, "how many more there are, in words; empty for none"),
        ])

    static let templates = [PageTemplate("completeness", shape)]

    private static let title = TextNeed("completeness")
    private static let description = TextNeed("certificateDescription")
    private static let records = TextNeed(plural: "certificateRecords")
    private static let pages = TextNeed(plural: "certificatePages")
    private static let pictures = TextNeed(plural: "pictureCount")
    private static let unknown = TextNeed("certificateUnknown")
    private static let none = TextNeed("certificateNone")
    private static let more = TextNeed(plural: "certificateMore")
    private static let importedWhole = TextNeed("certificateImported")

    static let texts = [title, description, records, pages, pictures, unknown, none, more, importedWhole]

    /// A longer page would not be read; completeness.json has more.
    private static let shown = 500
    private static let shownInOne = 50
}

extension CompletenessPages {
    private func page(_ found: Completeness, _ edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(
            Self.path, title: texts[Self.title], description: texts[Self.description], section: "completeness")
        let gaps = SharedPages.shown(found.gaps.first)
        let shared = found.pictures?.shared ?? []
        let missing = found.pictures?.missing ?? []
        return self.page(
            "completeness", Self.shape, head, in: edition,
            [
                "revision": .integer(Int(found.revision.number)), "date": .text(frame.context.captured),
                "rootHash": .text(found.rootHash.hex), "imported": .flag(found.revision.imported != nil),
                "verdict": .text(verdict(found, texts)), "kinds": .list(found.kinds.map { kind($0, texts) }),
                "hasGaps": .flag(!gaps.isEmpty), "gaps": .list(gaps.map(SharedPages.value)),
                "moreGaps": more(found.gaps.count - gaps.count, texts),
                "dangling": findings(found.dangling, in: found, texts),
                "oneSided": findings(found.oneSided, in: found, texts),
                "repeated": findings(found.repeated, in: found, texts),
                "pictures": .text(found.pictures.map { texts.plural(Self.pictures, $0.had) } ?? texts[Self.none]),
                "hasShared": .flag(!shared.isEmpty),
                "shared": .list(
                    shared.prefix(Self.shown).map { picture in
                        Self.shared.value([
                            "records": .list(picture.records.prefix(Self.shownInOne).map { record($0, found) }),
                            "more": more(picture.records.count - Self.shownInOne, texts),
                        ])
                    }),
                "moreShared": more(shared.count - Self.shown, texts), "hasMissing": .flag(!missing.isEmpty),
                "missing": .list(missing.prefix(Self.shown).map { record($0, found) }),
                "moreMissing": more(missing.count - Self.shown, texts),
            ])
    }

    private func verdict(_ found: Completeness, _ texts: Texts) -> String {
        guard found.gaps.count == 0 else { return texts.plural(PageFrame.incomplete, found.gaps.count) }
        return found.revision.imported == nil
            ? texts[found.isComplete ? frame.outline.complete : Self.unknown] : texts[Self.importedWhole]
    }

    private func kind(_ kind: Completeness.Kind, _ texts: Texts) -> Value {
        func count(_ records: Int, _ pages: Int?) -> String {
            ([texts.plural(Self.records, records)] + (pages.map { [texts.plural(Self.pages, $0)] } ?? [])).joined(
                separator: ", ")
        }
        let absent = kind.absent.prefix(Self.shownInOne).map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
        }
        let rest = kind.absent.dropFirst(Self.shownInOne).reduce(0) { $0 + $1.count }
        let repeated = kind.repeated.prefix(Self.shownInOne).map { "\($0.number) (\($0.times))" }
        return Self.kind.value([
            "name": .text(kind.kind), "listed": .flag(kind.isListed),
            "claimed": .text(kind.claimed.map { count($0.records, $0.pages) } ?? texts[Self.unknown]),
            "found": .text(count(kind.records, kind.pages)),
            "beside": .text(kind.besideLists > 0 ? texts.plural(Self.records, kind.besideLists) : ""),
            "highest": .integer(Int(kind.highest)),
            "absent": .text(
                absent.isEmpty ? texts[Self.none] : joined(absent, rest, texts)),
            "repeated": .text(repeated.isEmpty ? "" : joined(repeated, kind.repeated.count - repeated.count, texts)),
        ])
    }

    private func joined(_ items: [String], _ rest: Int, _ texts: Texts) -> String {
        (items + (rest > 0 ? [texts.plural(Self.more, rest)] : [])).joined(separator: ", ")
    }

    private func more(_ count: Int, _ texts: Texts) -> Value { .text(count > 0 ? texts.plural(Self.more, count) : "") }

    private func findings(_ all: FindingList<Completeness.Finding>, in found: Completeness, _ texts: Texts) -> Value {
        Self.findings.value([
            "any": .flag(all.count > 0),
            "items": .list(
                all.first.prefix(Self.shown).map { one in
                    Self.finding.value([
                        "record": record(one.record, found), "keyPath": .text(one.keyPath.showable.shortened),
                        "named": record(one.named, found),
                        "answer": .text(one.answer),
                    ])
                }),
            "more": more(all.count - Self.shown, texts),
        ])
    }

    private func record(_ key: RecordKey, _ found: Completeness) -> Value {
        let isInTwin = found.revision.imported == nil && found.has(key)
        return Self.record.value(["name": .text("\(key)"), "path": isInTwin ? .text(TwinPath.record(key).text) : .null])
    }
}
