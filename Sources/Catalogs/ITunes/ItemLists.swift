import Archive
import Catalogue
import Mustache

/// The pages of 20 cards: of all items, or of those that share a value.
struct ItemLists: PageSet {
    static let perPage = 20

    let maker: PageMaker
    /// The value that all on the list share; nil for all items.
    let current: (value: Facets.Value, facet: Facets.Facet)?

    private var count: Int { current?.value.rows.count ?? maker.world.items.count }
    private var paging: Paging { Paging(count: count, perPage: Self.perPage) }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(path(batch)) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: maker.editions.map { edition in { page(batch, edition) } })
    }
}

extension ItemLists {
    private func path(_ page: Int) -> SitePath {
        current.map { Facets.path($0.value, of: $0.facet, page: page) } ?? Places.items(page: page)
    }

    private func page(_ page: Int, _ edition: Edition) -> Page {
        let texts = edition.texts
        let positions = paging.positions(of: page)
        let rows = current.map { $0.value.rows[positions].map { Int($0) } } ?? Array(positions)
        var title = texts[Words.items]
        var label = (text: "", asServed: false)
        if let current {
            label = Facets.label(of: current.value, current.facet, texts)
            title = texts.filled(Words.valueTitle, ["title": title, "value": label.text])
        }
        let head = PageHead(
            path(page), title: maker.title(title, page: page, texts),
            description: texts.filled(
                Words.listDescription,
                ["count": texts.plural(Words.itemCount, count), "page": paging.position(of: page, texts)]),
            section: "items", type: "CollectionPage")
        return maker.page(
            "media", Models.items, head, in: edition,
            [
                "value": .text(label.text), "asServed": .flag(label.asServed),
                "cards": .list(rows.map { maker.card($0, texts) }),
                "facets": maker.facets.value(current: current, texts),
                "canFilter": .flag(current == nil && maker.canFilter),
                "kinds": .text(maker.world.kinds.map(\.name).joined(separator: " ")),
            ], paging.values(page, counted: Words.itemCount, texts, path: path))
    }
}
