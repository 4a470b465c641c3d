import Archive
import Catalogue
import Evidence
import Mustache
import Pages

/// Pages of every site: search, settings and about in each language, 404, and pages that forward.
struct SharedPages: PageSet {
    let frame: PageFrame
    /// The text about a revision without gaps.
    let complete: TextDeclaration
    let rootHash: RootHash
    /// The files for downloading the data.
    let exports: [SitePath]

    var batchCount: Int { frame.editions.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        let edition = frame.editions[batch]
        return [PageFrame.search.path, PageFrame.settings.path, Self.aboutPath].map { edition.path($0) }
            + (batch == 0 ? [Self.notFoundPath] : [])
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let edition = frame.editions[batch]
        let files = CompletenessPages.counts(try reader.assetCounts(), edition.texts)
        let pages: [DeferredPage] = [{ search(edition) }, { settings(edition) }, { about(edition, files) }]
        return PageBatch(pages: batch == 0 ? pages + [{ notFound(edition) }] : pages)
    }

    /// A small page at each former address, which forwards to the present one.
    func moved(_ moved: [MovedPage]) -> ListPages {
        ListPages(moved.count, in: frame.editions, path: { moved[$0].from }) { index, edition in
            let (from, to) = (moved[index].from, moved[index].to)
            let path = edition.path(to)
            let address = frame.context.address(of: path) ?? edition.path(from).root + path.text
            return frame.page(
                ("moved", from, Self.movedTitle), Self.movedTitle, Self.movedShape, in: edition,
                ["path": to, "address": address])
        }
    }
}

extension SharedPages {
    private static let aboutPath = SitePath(fixed: "about.html")
    private static let notFoundPath = SitePath(fixed: "404.html")

    static let gap = Shape(
        "gap",
        .init("url", .text, "the URL of the request"),
        .init("keyPath", .text, "the path in the JSON; empty if the complete answer is affected"),
        .init("reason", .text, "the reason for the gap"))
    private static let export = Shape(
        "export",
        [.init("path", .text, "the file, relative to the site's root"), .init("name", .text, "its file name")])
    private static let searchShape = Shape(page: "search", .init("label", .text, "the label of the search field"))
    private static let settingsShape = Shape(page: "settings")
    private static let aboutShape = Shape(
        page: "about",
        .init(
            "counts", .list(.text),
            "the numbers of records of each kind, of pictures and of files, such as 826 characters"),
        .init("captured", .text, "the day of the capture, such as 2026-11-21"),
        .init("capturedInWords", .text, "the same day in the words of the page's language"),
        .init("completeness", .text, "how complete the site is, in one sentence"),
        .init("exports", .list(.object(export)), "the data as files for other programs"),
        .init("rootHash", .text, "the digest of all answers, in hexadecimal"),
        .init("hasGaps", .flag, "whether there are gaps"),
        .init("gaps", .list(.object(gap)), "the first gaps, at most a thousand: data that could not be captured"),
        .init("moreGaps", .text, "the number of further entries, as text; empty if there are none"))
    private static let notFoundShape = Shape(
        page: "notfound",
        .init(
            "base", .optional(.text),
            "the site's absolute address with a slash at the end, if a base URL is configured"))

    private static let movedShape = Shape(
        page: "moved",
        .init("path", .text, "the page's present path, relative to the language's root"),
        .init("address", .text, "the same page for links in the head; absolute if a base URL is configured"))

    static let templates: [PageTemplate] = [
        ("search", searchShape, nil), ("settings", settingsShape, nil), ("about", aboutShape, nil),
        ("notfound", notFoundShape, nil), ("moved", movedShape, nil), ("changes", ChangeShapes.changes, nil),
        ("revision", ChangeShapes.revisionPage, nil), ("completeness", CompletenessPages.shape, nil),
    ]

    private static let settingsDescription = TextDeclaration("settingsDescription")
    private static let aboutTitle = TextDeclaration("about")
    private static let aboutDescription = TextDeclaration("aboutDescription")
    private static let complete = TextDeclaration("complete")
    private static let moreGaps = TextDeclaration(plural: "moreGaps")
    private static let notFoundTitle = TextDeclaration("notFound")
    private static let notFoundDescription = TextDeclaration("notFoundDescription")
    private static let movedTitle = TextDeclaration("moved")

    static let texts =
        [
            settingsDescription, aboutTitle, aboutDescription, complete, moreGaps, notFoundTitle, notFoundDescription,
            movedTitle,
        ] + ChangeTexts.declarations + CompletenessPages.texts
}

extension SharedPages {
    private func search(_ edition: Edition) -> Page {
        frame.page(
            PageFrame.search, PageFrame.searchDescription, Self.searchShape, in: edition,
            ["label": edition.texts[frame.searchLabel]])
    }

    private func settings(_ edition: Edition) -> Page {
        frame.page(PageFrame.settings, Self.settingsDescription, Self.settingsShape, in: edition, [:])
    }

    private func about(_ edition: Edition, _ files: [String]) -> Page {
        let texts = edition.texts
        let context = frame.context
        let gaps = context.gaps
        let shown = Self.shownGaps(gaps)
        return frame.page(
            ("about", Self.aboutPath, Self.aboutTitle), Self.aboutDescription, Self.aboutShape, in: edition,
            type: "Dataset", jsonLD: [("isBasedOn", .text(context.api)), ("dateModified", .text(context.captured))],
            [
                "counts": (frame.counts.map { texts.plural($0.label, $0.count) } + files).map { Value.text($0) },
                "captured": context.captured, "capturedInWords": texts.date(context.captured),
                "completeness": gaps.isEmpty ? texts[complete] : texts.plural(PageFrame.incomplete, gaps.count),
                "exports": exports.map {
                    Self.export(["path": $0, "name": String($0.text.split(separator: "/").last ?? "")])
                },
                "rootHash": rootHash.hex, "hasGaps": !gaps.isEmpty, "gaps": shown,
                "moreGaps": texts.pluralIfAny(Self.moreGaps, gaps.count - shown.count),
            ])
    }

    /// The first gaps, at most 1,000 with 400,000 bytes of text. The summary of the command lists all gaps. Parts of
    /// their texts can come from a server, so they are made safe and shortened.
    static func shownGaps(_ gaps: [Gap]) -> [Value] {
        var remaining = 400_000
        let texts = gaps.prefix(1_000).map { [$0.url, $0.keyPath, $0.reason].map(\.showable.shortened) }
        let shown = texts.prefix { gap in
            remaining -= gap.reduce(0) { $0 + $1.utf8.count }
            return remaining >= 0
        }
        return shown.map { gap(["url": $0[0], "keyPath": $0[1], "reason": $0[2]]) }
    }

    /// The page for paths that do not exist. It is sent at any path, so it has only absolute links, or none.
    private func notFound(_ edition: Edition) -> Page {
        frame.page(
            ("notfound", Self.notFoundPath, Self.notFoundTitle), Self.notFoundDescription, Self.notFoundShape,
            in: edition, ["base": frame.context.baseURL.map { "\($0)/" }])
    }
}
