import Archive
import Catalogue
import Mustache

extension PageMaker<World> {
    /// The first page: the searches by medium, with pictures and counts.
    func index() -> ListPages {
        ListPages(1, in: editions, path: { _ in Places.index }) { _, edition in index(in: edition) }
    }

    private func index(in edition: Edition) -> Page {
        let texts = edition.texts
        let searches = texts.plural(Words.searchCount, world.searches.count)
        let items = texts.plural(Words.itemCount, world.items.count)
        let groups = Search.Medium.allCases.compactMap { medium -> Value? in
            let own = world.searches.filter { $0.search.medium == medium }
            guard !own.isEmpty else { return nil }
            return Models.group(["label": texts[medium.label], "searches": own.map { search($0, texts) }])
        }
        let head = PageHead(
            Places.index, title: texts[Words.searches],
            description: texts.filled(Words.indexDescription, ["searches": searches, "items": items]),
            section: "searches", type: "CollectionPage")
        return page(
            "searches", Models.index, head, in: edition,
            ["groups": groups, "count": searches, "items": items, "gaps": gaps(texts)])
    }

    private func search(_ found: World.Found, _ texts: Texts) -> Value {
        let pictures = found.entries.lazy.compactMap { entry -> World.Place? in
            guard case .item(let row) = entry, world.items[row].picture != nil else { return nil }
            return world.items[row]
        }
        return Models.search([
            "path": found.path, "term": found.search.term, "country": country(found.search.store, texts),
            "clean": found.search.isClean, "count": texts.plural(Words.resultCount, found.entries.count),
            "pictures": pictures.prefix(4).map(picture),
        ])
    }
}

/// A page for each search, with its results; a batch is one search.
struct SearchPages: PageSet {
    let maker: PageMaker<World>

    var batchCount: Int { maker.world.searches.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        maker.editions.map { $0.path(maker.world.searches[batch].path) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let found = maker.world.searches[batch]
        let position = maker.world.position(ofSearch: found.key)
        guard let origin = try reader.origins(of: found.key.kind, at: position..<position + 1).first,
            origin.key == found.key
        else {
            throw ArchiveError.damaged("\(found.key) is not where it was a moment ago")
        }
        return PageBatch(pages: maker.editions.map { edition in { page(found, origin, in: edition) } })
    }

    private func page(_ found: World.Found, _ origin: RecordOrigin, in edition: Edition) -> Page {
        let texts = edition.texts
        let search = found.search
        let count = texts.plural(Words.resultCount, found.entries.count)
        let medium = texts[search.medium.label]
        let country = maker.country(search.store, texts)
        let head = PageHead(
            found.path,
            title: texts.filled(Words.resultsTitle, ["term": search.term, "medium": medium, "country": country]),
            description: texts.filled(Words.resultsDescription, ["term": search.term, "count": count]),
            section: "searches", type: "SearchResultsPage")
        let results = found.entries.map { maker.result($0, texts) }
        return maker.page(
            "results", Models.results, head, in: edition,
            [
                "term": search.term, "medium": medium, "country": country, "clean": search.isClean, "count": count,
                "leftOut": found.leftOut == 0 ? "" : texts.plural(Words.leftOut, found.leftOut),
                "found": !results.isEmpty, "results": results,
                "history": maker.history(found.key, texts), "provenance": maker.provenance(origin, texts),
            ])
    }
}
