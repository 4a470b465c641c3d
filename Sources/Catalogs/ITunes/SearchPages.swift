import Archive
import Catalogue
import Mustache

/// The first page: the searches by medium, with pictures and counts.
struct SearchIndex: PageSet {
    let maker: PageMaker

    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(Places.index) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: maker.editions.map { edition in { page(in: edition) } })
    }

    private func page(in edition: Edition) -> Page {
        let texts = edition.texts
        let world = maker.world
        let searches = texts.plural(Words.searchCount, world.searches.count)
        let items = texts.plural(Words.itemCount, world.items.count)
        let groups = Search.Medium.allCases.compactMap { medium -> Value? in
            let own = world.searches.filter { $0.search.medium == medium }
            guard !own.isEmpty else { return nil }
            return Models.group.value([
                "label": .text(texts[medium.label]), "searches": .list(own.map { search($0, texts) }),
            ])
        }
        let head = PageHead(
            Places.index, title: texts[Words.searches],
            description: texts.filled(Words.indexDescription, ["searches": searches, "items": items]),
            section: "searches",
            type: "CollectionPage")
        return maker.page(
            "searches", Models.index, head, in: edition,
            [
                "groups": .list(groups), "count": .text(searches), "items": .text(items),
                "gaps": .text(maker.gaps(texts)),
            ])
    }

    private func search(_ found: World.Found, _ texts: Texts) -> Value {
        let pictures = found.entries.lazy.compactMap { entry -> World.Place? in
            guard case .item(let row) = entry, maker.world.items[row].picture != nil else { return nil }
            return maker.world.items[row]
        }
        return Models.search.value([
            "path": .text(found.path.text), "term": .text(found.search.term),
            "country": .text(maker.country(found.search.store, texts)),
            "clean": .flag(found.search.isClean), "count": .text(texts.plural(Words.resultCount, found.entries.count)),
            "pictures": .list(pictures.prefix(4).map(maker.picture)),
        ])
    }
}

/// A page for each search, with its results; a batch is one search.
struct SearchPages: PageSet {
    let maker: PageMaker

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
            section: "searches",
            type: "SearchResultsPage")
        let results = found.entries.map { entry in
            switch entry {
            case .item(let row): maker.result(row, texts)
            case .broken(let title, let fault): maker.broken(title, fault)
            }
        }
        return maker.page(
            "results", Models.results, head, in: edition,
            [
                "term": .text(search.term), "medium": .text(medium), "country": .text(country),
                "clean": .flag(search.isClean),
                "count": .text(count),
                "leftOut": .text(found.leftOut == 0 ? "" : texts.plural(Words.leftOut, found.leftOut)),
                "found": .flag(!results.isEmpty),
                "results": .list(results),
                "history": maker.history(found.key, texts), "provenance": maker.provenance(origin, texts),
            ])
    }
}

extension PageMaker {
    func country(_ store: Search.Store, _ texts: Texts) -> String {
        texts.value("country", store.rawValue) ?? store.rawValue
    }
}
