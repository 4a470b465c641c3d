import Archive
import Catalogue
import Mustache
import Pages

extension ChangePresenter {
    /// The list of revisions, the newest first.
    var list: ListPages {
        let paging = Paging(count: history.revisions.count, perPage: 10)
        return list(
            "changes", ChangeShapes.changes, paging, counted: ChangeTexts.stateCount, section: "changes",
            path: Self.path
        ) { page, texts in
            let shown = paging.positions(of: page).map { revision(history.revisions.count - 1 - $0, texts) }
            return (
                texts[ChangeTexts.title], texts[ChangeTexts.description],
                ["revisions": shown, "only": history.revisions.count == 1]
            )
        }
    }

    /// - Parameter page: the index of the page; the first is 0.
    static func path(_ page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "changes.html") : SitePath(joined: "changes/\(page + 1).html")
    }

    private func revision(_ index: Int, _ texts: Texts) -> Value {
        let revision = history.revisions[index]
        let summary = index > 0 ? revisions[index - 1] : nil
        let items = summary?.pages.flatMap { $0 } ?? []
        var note = items.isEmpty ? texts[ChangeTexts.same] : ""
        if summary == nil {
            note = texts.filled(ChangeTexts.baseline, ["what": countText(texts) { baseline[$0] ?? 0 }])
        }
        return ChangeShapes.revision([
            "id": "revision-\(revision.number)", "moment": historyPresenter.moment(revision, texts),
            "hasPage": !items.isEmpty, "imported": revision.imported != nil,
            "summary": summary.map { labels(of: $0, texts).joined(separator: " · ") } ?? "", "note": note,
            "groups": summary.map { groups(items, of: $0, isOverview: true, texts) } ?? [],
            "all": texts.pluralIfAny(ChangeTexts.all, items.count),
        ])
    }

    /// The pages with all changes of one revision. Later revisions do not change these pages.
    func pages(of summary: RevisionSummary) -> ListPages {
        let revision = summary.revision
        let path: @Sendable (Int) -> SitePath = { HistoryPresenter.path(of: revision, page: $0) }
        // Each page is one unit of the paging, because items have different sizes.
        let paging = Paging(count: summary.pages.count, perPage: 1)
        return ListPages(summary.pages.count, in: editions, path: path) { page, edition in
            let texts = edition.texts
            let labels = labels(of: summary, texts)
            let title = texts.filled(ChangeTexts.titleOf, ["day": texts.date(revision.day)])
            let head = PageHead(
                path(page), title: self.title(title, page: page, texts), description: labels.joined(separator: "; "),
                section: "changes", type: "CollectionPage", jsonLD: [("datePublished", .text(revision.moment))])
            return self.page(
                "revision", ChangeShapes.revisionPage, head, in: edition,
                [
                    "moment": historyPresenter.moment(revision, texts), "imported": revision.imported != nil,
                    "summary": labels.joined(separator: " · "), "paging": paging.value(page, texts, path: path),
                    "groups": groups(summary.pages[page], of: summary, isOverview: false, texts),
                ])
        }
    }
}
