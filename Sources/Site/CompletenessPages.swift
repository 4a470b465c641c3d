import Archive
import Catalogue
import Evidence
import Mustache
import Platform

/// The completeness of a revision and its errors, as a page in each language and as JSON.
struct CompletenessPages: PageSet, FramedPages {
    let frame: PageFrame
    let rootHash: RootHash
    let mirror: APIMirror
    let catalogue: any Catalogue

    /// One batch, so that the evidence is read once.
    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { editions.map { $0.path(Self.path) } }

    func filePaths(inBatch batch: Int) -> [SitePath] { [Self.dataPath] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let found = try Completeness(of: mirror, rootHash, reader, catalogue)
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
            .init("name", .text, "the API's name of the kind"),
            .init("listed", .flag, "whether the kind has a list"),
            .init("claimed", .text, "the number of records and pages that the list claims, in words"),
            .init("found", .text, "the number of records and pages in the archive, in words"),
            .init("beside", .text, "the number of records that are not in the list, in words; empty for none"),
            .init("highest", .number, "the highest number"),
            .init("absent", .text, "the numbers up to `highest` that no record has, in words"),
            .init("repeated", .text, "the numbers that several records have; empty for none"),
        ])
    private static let record = Shape(
        "record",
        [
            .init("name", .text, "its kind and number: character 42"),
            .init(
                "path", .optional(.text),
                "the file with its bytes, relative to the site's root; nothing if there is none"
            ),
        ])
    private static let finding = Shape(
        "reference",
        [
            .init("record", .object(record), "the record with the reference"),
            .init("keyPath", .text, "the place of the reference in the record"),
            .init("named", .object(record), "the record that the reference names"),
            .init(
                "answer", .text,
                "the member of the named record that lacks the reference back; empty for other errors"),
        ])
    private static let findings = Shape(
        "references",
        [
            .init("any", .flag, "whether there are references"),
            .init("items", .list(.object(finding)), "the first references"),
            .init("more", .text, "how many more there are, in words; empty for none"),
        ])
    private static let shared = Shape(
        "shared picture",
        [
            .init("records", .list(.object(record)), "the first records that show it"),
            .init("more", .text, "how many more there are, in words; empty for none"),
        ])
    static let shape = Shape(
        "completeness",
        PageFrame.fields + [
            .init("revision", .number, "the revision's number"),
            .init("date", .text, "its date, such as 2026-11-21"),
            .init("rootHash", .text, "the digest of all answers, in hexadecimal"),
            .init("imported", .flag, "whether it was imported and therefore has no answers of the API"),
            .init("verdict", .text, "how complete the revision is, in one sentence"),
            .init("kinds", .list(.object(kind)), "the counts of each kind"),
            .init("hasGaps", .flag, "whether there are gaps"),
            .init("gaps", .list(.object(SharedPages.gap)), "the first gaps: data that could not be captured"),
            .init("moreGaps", .text, "how many more there are, in words; empty for none"),
            .init("dangling", .object(findings), "references to missing records"),
            .init("oneSided", .object(findings), "references without the required reference back"),
            .init("repeated", .object(findings), "references that are in a record twice"),
            .init("pictures", .text, "the number of pictures, in words"),
            .init("hasShared", .flag, "whether several records share a picture"),
            .init("shared", .list(.object(shared)), "the first pictures that several records share"),
            .init("moreShared", .text, "how many more there are, in words; empty for none"),
            .init("hasMissing", .flag, "whether records lack a picture"),
            .init("missing", .list(.object(record)), "the first records without a picture"),
            .init("moreMissing", .text, "how many more there are, in words; empty for none"),
        ])

    static let templates = [PageTemplate("completeness", shape)]

    private static let title = TextDeclaration("completeness")
    private static let description = TextDeclaration("certificateDescription")
    private static let records = TextDeclaration(plural: "certificateRecords")
    private static let pages = TextDeclaration(plural: "certificatePages")
    private static let pictures = TextDeclaration(plural: "pictureCount")
    private static let unknown = TextDeclaration("certificateUnknown")
    private static let none = TextDeclaration("certificateNone")
    private static let more = TextDeclaration(plural: "certificateMore")
    private static let importedWhole = TextDeclaration("certificateImported")

    static let texts = [title, description, records, pages, pictures, unknown, none, more, importedWhole]

    /// The most lines of a list on the page; completeness.json has more.
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
        let isInMirror = found.revision.imported == nil && found.has(key)
        return Self.record.value([
            "name": .text("\(key)"), "path": isInMirror ? .text(MirrorPath.record(key).text) : .null,
        ])
    }
}
