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

    var name: String {
        switch selection {
        case .all: "characters"
        case .sharing(let value, let facet): "characters by \(facet.name), \(value.slug)"
        }
    }

    var templates: [String] { ["index"] }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(path(batch)) } }

    func inputs(ofBatch batch: Int, from reader: RevisionReader) -> Inputs? {
        let positions = paging.positions(of: batch)
        var hasher = maker.hasher(paging)
        hasher.add(maker.facets.inputs)
        hasher.add(maker.canFilter)
        hasher.add(maker.frame.context.gaps.count)
        if let rows { maker.add(rows[positions], to: &hasher) } else { maker.add(positions.lazy.map { Int32($0) }, to: &hasher) }
        return hasher.finish()
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let positions = paging.positions(of: batch)
        let shown = rows.map { $0[positions].map { Int($0) } } ?? Array(positions)
        return PageBatch(pages: maker.editions.map { page(batch, shown, $0) })
    }
}

extension CharacterLists {
    private func path(_ page: Int) -> SitePath {
        switch selection {
        case .all: Places.characters(page: page)
        case .sharing(let value, let facet): Self.path(value, of: facet, page: page)
        }
    }

    static func path(_ value: Facets.Value, of facet: Facets.Facet, page: Int) -> SitePath {
        SitePath(joined: "\(facet.name)/\(value.slug)" + (page == 0 ? ".html" : "/\(page + 1).html"))
    }

    private func page(_ page: Int, _ shown: [Int], _ edition: Edition) -> Page {
        let texts = edition.texts
        let paging = paging
        let own = paging.values(page, counted: Words.characterCount, texts, path: path)
        var title = texts[Words.characters]
        var label = (text: "", asServed: false)
        if case .sharing(let value, let facet) = selection {
            label = maker.label(of: value, facet, texts)
            title = texts.filled(Words.valueTitle, ["title": title, "value": label.text])
        }
        let count = texts.plural(Words.characterCount, paging.count)
        let head = PageHead(
            path(page), title: maker.title(title, page: page, texts),
            description: texts.filled(Words.listDescription, ["count": count, "page": paging.position(of: page, texts)]),
            section: "characters", type: "CollectionPage")
        return maker.page(
            "index", Models.index, head, in: edition,
            [
                "value": .text(label.text), "asServed": .flag(label.asServed), "cards": .list(shown.map { maker.card($0, texts) }),
                "facets": .list(maker.facets.facets.map { facet($0, texts) }), "canFilter": .flag(canFilter),
                "gaps": .text(gaps(page, texts)),
            ], own)
    }

    private var canFilter: Bool { if case .all = selection { maker.canFilter } else { false } }

    private func gaps(_ page: Int, _ texts: Texts) -> String {
        guard case .all = selection, page == 0, !maker.frame.context.gaps.isEmpty else { return "" }
        return texts.plural(PageFrame.incomplete, maker.frame.context.gaps.count)
    }

    private func facet(_ facet: Facets.Facet, _ texts: Texts) -> Value {
        let options = facet.values.map { value in
            let label = maker.label(of: value, facet, texts)
            var isCurrent = false
            if case .sharing(let own, let ownFacet) = selection { isCurrent = own.slug == value.slug && ownFacet.name == facet.name }
            return Models.option.value([
                "label": .text(label.text), "asServed": .flag(label.asServed), "value": .text(value.value),
                "path": .text(Self.path(value, of: facet, page: 0).text), "count": .integer(value.rows.count), "current": .flag(isCurrent),
            ])
        }
        return Models.facet.value(["label": .text(texts[facet.label]), "name": .text(facet.name), "options": .list(options)])
    }
}

extension PageMaker {
    /// What a facet's value is called, and whether that is the value as served.
    func label(of value: Facets.Value, _ facet: Facets.Facet, _ texts: Texts) -> (text: String, asServed: Bool) {
        if let label = texts.label(facet.name, value.value) { return (label, false) }
        if value.value.isBlank { return (texts[Words.noValue], false) }
        return (value.value, true)
    }
}
