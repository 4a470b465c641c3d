import Archive
import Catalogue
import Mustache

/// All that one revision changed, on as many pages as it takes. They stay as they are when later revisions come.
struct RevisionPages: PageSet {
    let frame: PageFrame
    let changes: ChangeTeller
    let told: ToldRevision

    var batchCount: Int { told.pages.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        frame.context.editions.map { $0.path(HistoryTeller.path(of: told.revision, page: batch)) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: frame.context.editions.map { edition in { page(batch, in: edition) } })
    }
}

extension RevisionPages {
    private func page(_ page: Int, in edition: Edition) -> Page {
        let texts = edition.texts
        let path = { HistoryTeller.path(of: told.revision, page: $0) }
        let title = texts.filled(ChangeTexts.titleOf, ["day": told.revision.day])
        let head = PageHead(
            path(page),
            title: page == 0
                ? title : texts.filled(ChangeTexts.numberedTitle, ["title": title, "number": texts.grouped(page + 1)]),
            description: changes.summary(told, texts).joined(separator: "; "), section: "changes",
            type: "CollectionPage",
            data: [("datePublished", .text(told.revision.moment))])
        // A page is a unit of the paging: items weigh differently.
        let paging = Paging(count: told.pages.count, perPage: 1)
        return Page(
            path: edition.path(head.path), template: "revision",
            model: ChangeShapes.one.object(
                frame.values(head, in: edition),
                [
                    "moment": changes.teller.moment(told.revision), "imported": .flag(told.revision.imported != nil),
                    "summary": .text(changes.summary(told, texts).joined(separator: " · ")), "first": .flag(page == 0),
                    "position": .text(paging.position(of: page, texts)), "paging": paging.value(page, path: path),
                    "groups": .list(changes.groups(told.pages[page], of: told, limits: nil, texts)),
                ]),
            edition: edition.index)
    }
}
