import Archive
import Catalogue
import Mustache

/// The pages of 20 cards: of all characters, or of those that share a value.
struct CharacterLists: PageSet {
    static let perPage = 20

    /// Who is on the list.
    enum Selection: Sendable {
        case all
        case sharing(Facets.Value, of: Facets.Facet)
    }

    let maker: PageMaker
    let selection: Selection

    private var paging: Paging { Paging(count: rows?.count ?? maker.world.characters.count, perPage: Self.perPage) }

    private var rows: [Int32]? {
        if case .sharing(let value, _) = selection { value.rows } else { nil }
    }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(path(batch)) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let positions = paging.positions(of: batch)
        let shown = rows.map { $0[positions].map { Int($0) } } ?? Array(positions)
        return PageBatch(pages: maker.editions.map { edition in { page(batch, shown, edition) } })
    }
}

extension CharacterLists {
    private func path(_ page: Int) -> SitePath {
        switch selection {
        case .all: Places.characters(page: page)
        case .sharing(let value, let facet): Facets.path(value, of: facet, page: page)
        }
    }

    private func page(_ page: Int, _ shown: [Int], _ edition: Edition) -> Page {
        let texts = edition.texts
        let paging = paging
        let own = paging.values(page, counted: Words.characterCount, texts, path: path)
        var title = texts[Words.characters]
        var label = (text: "", asServed: false)
        if case .sharing(let value, let facet) = selection {
            label = Facets.label(of: value, facet, texts)
            title = texts.filled(Words.valueTitle, ["title": title, "value": label.text])
        }
        let count = texts.plural(Words.characterCount, paging.count)
        let head = PageHead(
            path(page), title: maker.title(title, page: page, texts),
            description: texts.filled(
                Words.listDescription, ["count": count, "page": paging.position(of: page, texts)]),
            section: "characters", type: "CollectionPage")
        return maker.page(
            "index", Models.index, head, in: edition,
            [
                "value": .text(label.text), "asServed": .flag(label.asServed),
                "cards": .list(shown.map { maker.card($0, texts) }),
                "facets": maker.facets.value(current: current, texts), "canFilter": .flag(canFilter),
                "gaps": .text(current == nil && page == 0 ? maker.gaps(texts) : ""),
            ], own)
    }

    private var canFilter: Bool { if case .all = selection { maker.canFilter } else { false } }

    /// The value whose list it is.
    private var current: (value: Facets.Value, facet: Facets.Facet)? {
        if case .sharing(let value, let facet) = selection { (value, facet) } else { nil }
    }
}
