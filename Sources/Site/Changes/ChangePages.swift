import Archive
import Catalogue
import Mustache

struct ChangePages: PageSet, FramedPages {
    private static let perPage = 10

    let frame: PageFrame
    let changes: ChangeTeller

    private var revisions: [Revision] { changes.history.revisions }
    private var paging: Paging { Paging(count: revisions.count, perPage: Self.perPage) }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] { editions.map { $0.path(Self.path(batch)) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: editions.map { edition in { page(batch, in: edition) } })
    }

    /// Pages count from 0.
    static func path(_ page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "changes.html") : SitePath("changes/", page + 1, ".html")
    }
}

extension ChangePages {
    private func page(_ page: Int, in edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(
            Self.path(page), title: title(texts[ChangeTexts.title], page: page, texts),
            description: texts[ChangeTexts.description], section: "changes", type: "CollectionPage")
        let shown = paging.positions(of: page).map { revision(revisions.count - 1 - $0, texts) }
        return self.page(
            "changes", ChangeShapes.changes, head, in: edition,
            ["revisions": .list(shown), "only": .flag(revisions.count == 1)],
            paging.values(page, counted: ChangeTexts.stateCount, texts, path: Self.path))
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
            "groups": .list(told.map { changes.groups(items, of: $0, isOverview: true, texts) } ?? []),
            "all": .text(items.isEmpty ? "" : texts.plural(ChangeTexts.all, items.count)),
        ])
    }
}

/// All that one revision changed, on as many pages as it takes. They stay as they are when later revisions come.
struct RevisionPages: PageSet, FramedPages {
    let frame: PageFrame
    let changes: ChangeTeller
    let told: ToldRevision

    var batchCount: Int { told.pages.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        editions.map { $0.path(HistoryTeller.path(of: told.revision, page: batch)) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: editions.map { edition in { page(batch, in: edition) } })
    }
}

extension RevisionPages {
    private func page(_ page: Int, in edition: Edition) -> Page {
        let texts = edition.texts
        let path = { HistoryTeller.path(of: told.revision, page: $0) }
        let head = PageHead(
            path(page), title: title(texts.filled(ChangeTexts.titleOf, ["day": told.revision.day]), page: page, texts),
            description: changes.summary(told, texts).joined(separator: "; "), section: "changes",
            type: "CollectionPage",
            data: [("datePublished", .text(told.revision.moment))])
        // A page is a unit of the paging: items weigh differently.
        let paging = Paging(count: told.pages.count, perPage: 1)
        return self.page(
            "revision", ChangeShapes.one, head, in: edition,
            [
                "moment": changes.teller.moment(told.revision), "imported": .flag(told.revision.imported != nil),
                "summary": .text(changes.summary(told, texts).joined(separator: " · ")), "first": .flag(page == 0),
                "position": .text(paging.position(of: page, texts)), "paging": paging.value(page, path: path),
                "groups": .list(changes.groups(told.pages[page], of: told, isOverview: false, texts)),
            ])
    }
}
