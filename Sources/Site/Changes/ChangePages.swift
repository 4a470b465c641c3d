import Archive
import Catalogue
import Mustache

/// The overview of all revisions, the newest first.
struct ChangePages: PageSet {
    private static let perPage = 10
    private static let limits = ChangeLimits(entries: 24, fields: 12, names: 6)

    let frame: PageFrame
    let changes: ChangeTeller

    private var revisions: [Revision] { changes.history.revisions }
    private var paging: Paging { Paging(count: revisions.count, perPage: Self.perPage) }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] { frame.context.editions.map { $0.path(Self.path(batch)) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: frame.context.editions.map { edition in { page(batch, in: edition) } })
    }

    /// Pages count from 0.
    static func path(_ page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "changes.html") : SitePath("changes/", page + 1, ".html")
    }
}

extension ChangePages {
    private func page(_ page: Int, in edition: Edition) -> Page {
        let texts = edition.texts
        let title = texts[ChangeTexts.title]
        let head = PageHead(
            Self.path(page),
            title: page == 0
                ? title : texts.filled(ChangeTexts.numberedTitle, ["title": title, "number": texts.grouped(page + 1)]),
            description: texts[ChangeTexts.description], section: "changes", type: "CollectionPage")
        let shown = paging.positions(of: page).map { revision(revisions.count - 1 - $0, texts) }
        return Page(
            path: edition.path(head.path), template: "changes",
            model: ChangeShapes.changes.object(
                frame.values(head, in: edition), ["revisions": .list(shown), "only": .flag(revisions.count == 1)],
                paging.values(page, counted: ChangeTexts.stateCount, texts, path: Self.path)),
            edition: edition.index)
    }

    private func revision(_ place: Int, _ texts: Texts) -> Value {
        let revision = revisions[place]
        // The first has nothing before it.
        let told = place > 0 ? changes.revisions[place - 1] : nil
        let items = told?.pages.flatMap { $0 } ?? []
        var note = ""
        if told == nil {
            let counted = changes.counted(texts) { changes.baseline[$0] ?? 0 }
            note = texts.filled(ChangeTexts.baseline, ["what": counted])
        } else if items.isEmpty {
            note = texts[ChangeTexts.same]
        }
        return ChangeShapes.revision.value([
            "id": .text("revision-\(revision.number)"), "moment": changes.teller.moment(revision),
            "hasPage": .flag(!items.isEmpty),
            "imported": .flag(revision.imported != nil),
            "summary": .text(told.map { changes.summary($0, texts).joined(separator: " · ") } ?? ""),
            "note": .text(note),
            "groups": .list(told.map { changes.groups(items, of: $0, limits: Self.limits, texts) } ?? []),
            "all": .text(items.isEmpty ? "" : texts.plural(ChangeTexts.all, items.count)),
        ])
    }
}
