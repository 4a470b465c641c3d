import Archive
import Catalogue
import Evidence
import Mustache

/// The pages that every site has, in each edition: search, settings, about, and what a server shows for a path that
/// leads nowhere.
struct SharedPages: PageSet, FramedPages {
    let frame: PageFrame
    let rootHash: RootHash
    /// The files that the data can be downloaded as.
    let exports: [SitePath]

    var batchCount: Int { editions.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        let edition = editions[batch]
        return Self.places.map { edition.path($0) } + (batch == 0 ? [Self.notFoundPath] : [])
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let edition = editions[batch]
        let pages: [DeferredPage] = [{ search(edition) }, { settings(edition) }, { about(edition) }]
        return PageBatch(pages: batch == 0 ? pages + [{ notFound(edition) }] : pages)
    }
}

extension SharedPages {
    private static let places = [PageFrame.search.path, PageFrame.settings.path, aboutPath]
    private static let aboutPath = SitePath(fixed: "about.html")
    private static let notFoundPath = SitePath(fixed: "404.html")

    static let gap = Shape(
        "gap",
        [
            .init("url", .text, "what was asked for"),
            .init("keyPath", .text, "where in its JSON; empty for the whole"),
            .init("reason", .text, "what is wrong"),
        ])
    private static let export = Shape(
        "export",
        [.init("path", .text, "where it stands, relative to the site's root"), .init("name", .text, "its file name")])
    private static let searchShape = Shape(
        "search", PageFrame.fields + [.init("label", .text, "what the field is called: what can be found")])
    private static let settingsShape = Shape("settings", PageFrame.fields)
    private static let aboutShape = Shape(
        "about",
        PageFrame.fields + [
            .init("counts", .list(.text), "what the site has: 826 characters"),
            .init("captured", .text, "the day of the capture, as 2026-11-21"),
            .init("completeness", .text, "how complete it is, in one sentence"),
            .init("exports", .list(.object(export)), "the data as files that other programs read"),
            .init("rootHash", .text, "the digest of all answers, in hexadecimal"),
            .init("hasGaps", .flag, "whether there are gaps to show"),
            .init("gaps", .list(.object(gap)), "what the capture lacks, up to a thousand"),
            .init("moreGaps", .text, "how many more there are, in words; empty for none"),
        ])
    private static let notFoundShape = Shape(
        "notfound",
        PageFrame.fields + [
            .init(
                "base", .optional(.text),
                "the site's absolute address with a slash at the end, where a base URL is configured")
        ])

    static let templates =
        [
            PageTemplate("search", searchShape), PageTemplate("settings", settingsShape),
            PageTemplate("about", aboutShape),
            PageTemplate("notfound", notFoundShape),
        ] + ChangeShapes.templates

    private static let settingsDescription = TextNeed("settingsDescription")
    private static let aboutTitle = TextNeed("about")
    private static let aboutDescription = TextNeed("aboutDescription")
    private static let complete = TextNeed("complete")
    private static let moreGaps = TextNeed(plural: "moreGaps")
    /// More would make a page that no browser wants; the summary lists them all.
    private static let gapsShown = 1_000
    /// So many bytes of their texts at most, for the same reason.
    private static let gapTextShown = 400_000
    private static let notFoundTitle = TextNeed("notFound")
    private static let notFoundDescription = TextNeed("notFoundDescription")

    static let texts =
        [
            settingsDescription, aboutTitle, aboutDescription, complete, moreGaps, notFoundTitle, notFoundDescription,
        ] + ChangeTexts.needs
}

extension SharedPages {
    private func search(_ edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(
            PageFrame.search.path, title: texts[PageFrame.search.label],
            description: texts[frame.outline.searchDescription],
            section: PageFrame.search.name)
        return page(
            "search", Self.searchShape, head, in: edition, ["label": .text(texts[frame.outline.searchLabel])])
    }

    private func settings(_ edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(
            PageFrame.settings.path, title: texts[PageFrame.settings.label],
            description: texts[Self.settingsDescription],
            section: PageFrame.settings.name)
        return page("settings", Self.settingsShape, head, in: edition, [:])
    }

    private func about(_ edition: Edition) -> Page {
        let texts = edition.texts
        let gaps = frame.context.gaps
        let shown = Self.shown(gaps)
        let head = PageHead(
            Self.aboutPath, title: texts[Self.aboutTitle], description: texts[Self.aboutDescription], section: "about",
            type: "Dataset",
            data: [("isBasedOn", .text(frame.context.api)), ("dateModified", .text(frame.context.captured))])
        return page(
            "about", Self.aboutShape, head, in: edition,
            [
                "counts": .list(frame.outline.counts.map { .text(texts.plural($0.label, $0.count)) }),
                "captured": .text(frame.context.captured),
                "completeness": .text(
                    gaps.isEmpty ? texts[frame.outline.complete] : texts.plural(PageFrame.incomplete, gaps.count)),
                "exports": .list(
                    exports.map { path in
                        let name = path.text.split(separator: "/").last.map(String.init) ?? path.text
                        return Self.export.value(["path": .text(path.text), "name": .text(name)])
                    }),
                "rootHash": .text(rootHash.hex), "hasGaps": .flag(!gaps.isEmpty),
                "gaps": .list(shown.map(Self.value)),
                "moreGaps": .text(
                    gaps.count > shown.count ? texts.plural(Self.moreGaps, gaps.count - shown.count) : ""),
            ])
    }

    static func value(_ gap: Gap) -> Value {
        Self.gap.value(["url": .text(gap.url), "keyPath": .text(gap.keyPath), "reason": .text(gap.reason)])
    }

    /// The first gaps, as they can be shown; a server may have a say in their texts.
    static func shown(_ gaps: [Gap]) -> [Gap] {
        var room = gapTextShown
        let shortened = gaps.prefix(gapsShown).map {
            Gap(
                url: $0.url.showable.shortened, keyPath: $0.keyPath.showable.shortened,
                reason: $0.reason.showable.shortened)
        }
        return Array(
            shortened.prefix { gap in
                room -= gap.url.utf8.count + gap.keyPath.utf8.count + gap.reason.utf8.count
                return room >= 0
            })
    }

    /// A server shows it under any path, so its links are absolute, or it has none.
    private func notFound(_ edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(
            Self.notFoundPath, title: texts[Self.notFoundTitle], description: texts[Self.notFoundDescription],
            section: "notfound")
        let base: Value = frame.context.baseURL.map { .text("\($0)/") } ?? .null
        return page("notfound", Self.notFoundShape, head, in: edition, ["base": base])
    }
}
