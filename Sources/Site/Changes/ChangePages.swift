import Archive
import Catalogue
import Mustache
import Pages

struct ChangePages: PageSet, FramedPages {
    private static let perPage = 10

    let frame: PageFrame
    let changes: ChangePresenter

    private var revisions: [Revision] { changes.history.revisions }
    private var paging: Paging { Paging(count: revisions.count, perPage: Self.perPage) }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] { editions.map { $0.path(Self.path(batch)) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: editions.map { edition in { page(batch, in: edition) } })
    }

    /// - Parameter page: the index of the page; the first is 0.
    static func path(_ page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "changes.html") : SitePath(joined: "changes/\(page + 1).html")
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

    private func revision(_ index: Int, _ texts: Texts) -> Value {
        let revision = revisions[index]
        let revisionSummary = index > 0 ? changes.revisions[index - 1] : nil
        let items = revisionSummary?.pages.flatMap { $0 } ?? []
        var note = ""
        if revisionSummary == nil {
            let counted = changes.countText(texts) { changes.baseline[$0] ?? 0 }
            note = texts.filled(ChangeTexts.baseline, ["what": counted])
        } else if items.isEmpty {
            note = texts[ChangeTexts.same]
        }
        return ChangeShapes.revision.value([
            "id": .text("revision-\(revision.number)"), "moment": changes.historyPresenter.moment(revision, texts),
            "hasPage": .flag(!items.isEmpty),
            "imported": .flag(revision.imported != nil),
            "summary": .text(revisionSummary.map { changes.summary($0, texts).joined(separator: " · ") } ?? ""),
            "note": .text(note),
            "groups": .list(revisionSummary.map { changes.groups(items, of: $0, isOverview: true, texts) } ?? []),
            "all": .text(items.isEmpty ? "" : texts.plural(ChangeTexts.all, items.count)),
        ])
    }
}

/// The pages with all changes of one revision. Later revisions do not change these pages.
struct RevisionPages: PageSet, FramedPages {
    let frame: PageFrame
    let changes: ChangePresenter
    let revisionSummary: RevisionSummary

    var batchCount: Int { revisionSummary.pages.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        editions.map { $0.path(HistoryPresenter.path(of: revisionSummary.revision, page: batch)) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: editions.map { edition in { page(batch, in: edition) } })
    }
}

extension RevisionPages {
    private func page(_ page: Int, in edition: Edition) -> Page {
        let texts = edition.texts
        let path = { HistoryPresenter.path(of: revisionSummary.revision, page: $0) }
        let head = PageHead(
            path(page),
            title: title(
                texts.filled(ChangeTexts.titleOf, ["day": texts.date(revisionSummary.revision.day)]), page: page, texts),
            description: changes.summary(revisionSummary, texts).joined(separator: "; "), section: "changes",
            type: "CollectionPage",
            jsonLD: [("datePublished", .text(revisionSummary.revision.moment))])
        // Each page is one unit of the paging, because items have different sizes.
        let paging = Paging(count: revisionSummary.pages.count, perPage: 1)
        return self.page(
            "revision", ChangeShapes.revisionPage, head, in: edition,
            [
                "moment": changes.historyPresenter.moment(revisionSummary.revision, texts),
                "imported": .flag(revisionSummary.revision.imported != nil),
                "summary": .text(changes.summary(revisionSummary, texts).joined(separator: " · ")),
                "first": .flag(page == 0),
                "position": .text(paging.position(of: page, texts)), "paging": paging.value(page, path: path),
                "groups": .list(
                    changes.groups(revisionSummary.pages[page], of: revisionSummary, isOverview: false, texts)),
            ])
    }
}
