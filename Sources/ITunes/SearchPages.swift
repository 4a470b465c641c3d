import Archive
import Catalogue
import Mustache
import Pages

extension PageMaker<MediaTables> {
    /// The first page: the searches by medium, with pictures and counts.
    func index() -> ListPages {
        ListPages(1, in: editions, path: { _ in MediaAddresses.index }) { _, edition in index(in: edition) }
    }

    private func index(in edition: Edition) -> Page {
        let texts = edition.texts
        let searches = texts.plural(MediaTexts.searchCount, tables.searches.count)
        let items = texts.plural(MediaTexts.itemCount, tables.items.count)
        let groups = Search.Medium.allCases.compactMap { medium -> Value? in
            let own = tables.searches.filter { $0.search.medium == medium }
            guard !own.isEmpty else { return nil }
            return MediaModels.group(["label": texts[medium.label], "searches": own.map { search($0, texts) }])
        }
        let head = PageHead(
            MediaAddresses.index, title: texts[MediaTexts.searches],
            description: texts.filled(MediaTexts.indexDescription, ["searches": searches, "items": items]),
            section: "searches", type: "CollectionPage")
        return page(
            "searches", MediaModels.index, head, in: edition,
            ["groups": groups, "count": searches, "items": items, "gaps": gaps(texts)])
    }

    private func search(_ found: MediaTables.Found, _ texts: Texts) -> Value {
        let pictures = found.entries.lazy.compactMap { entry -> MediaTables.Place? in
            guard case .item(let row) = entry, tables.items[row].picture != nil else { return nil }
            return tables.items[row]
        }
        return MediaModels.search([
            "path": found.path, "term": found.search.term, "country": country(found.search.store, texts),
            "clean": found.search.isClean, "count": texts.plural(MediaTexts.resultCount, found.entries.count),
            "pictures": pictures.prefix(4).map(picture),
        ])
    }
}

/// A page for each search, with its results. A batch is one search.
struct SearchPages: PageSet {
    let maker: PageMaker<MediaTables>

    var batchCount: Int { maker.tables.searches.count }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        maker.editions.map { $0.path(maker.tables.searches[batch].path) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let found = maker.tables.searches[batch]
        let position = maker.tables.position(ofSearch: found.key)
        guard let origin = try reader.origins(of: found.key.kind, at: position..<position + 1).first,
            origin.key == found.key
        else {
            throw ArchiveError.damaged("\(found.key) changed while the revision was read")
        }
        return PageBatch(pages: maker.editions.map { edition in { page(found, origin, in: edition) } })
    }

    private func page(_ found: MediaTables.Found, _ origin: RecordOrigin, in edition: Edition) -> Page {
        let texts = edition.texts
        let search = found.search
        let count = texts.plural(MediaTexts.resultCount, found.entries.count)
        let medium = texts[search.medium.label]
        let country = maker.country(search.store, texts)
        let head = PageHead(
            found.path,
            title: texts.filled(MediaTexts.resultsTitle, ["term": search.term, "medium": medium, "country": country]),
            description: texts.filled(MediaTexts.resultsDescription, ["term": search.term, "count": count]),
            section: "searches", type: "SearchResultsPage")
        let results = found.entries.map { maker.result($0, texts) }
        return maker.page(
            "results", MediaModels.results, head, in: edition,
            [
                "term": search.term, "medium": medium, "country": country, "clean": search.isClean, "count": count,
                "leftOut": found.leftOut == 0 ? "" : texts.plural(MediaTexts.leftOut, found.leftOut),
                "found": !results.isEmpty, "results": results,
                "history": maker.history(found.key, texts), "provenance": maker.provenance(origin, texts),
            ])
    }
}
