import Archive
import Catalogue
import Mustache

/// A page for each location, with its residents.
struct LocationPages: PageSet {
    private static let perBatch = 10

    let maker: PageMaker

    private var locations: LocationTable { maker.world.locations }
    private var batches: Paging { Paging(count: locations.count, perPage: Self.perBatch) }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        places(in: batch).flatMap { row, page in
            maker.editions.map { $0.path(Places.location(locations.id(row), page: page)) }
        }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = batches.positions(of: batch)
        let origins = try reader.origins(of: "location", at: rows)
        guard origins.map(\.key.id) == rows.map(locations.id) else {
            throw ArchiveError.damaged("the locations at \(rows) are not those that were there a moment ago")
        }
        let full = try rows.map { row in
            let location = locations[row]
            return try maker.fullTexts(
                [location.name, location.type, location.dimension], of: ["name", "type", "dimension"], in: "location",
                at: row,
                from: reader)
        }
        return PageBatch(
            pages: places(in: batch).flatMap { row, page in
                maker.editions.map { edition -> DeferredPage in
                    { self.page(row, page, full[row - rows.lowerBound], origins[row - rows.lowerBound], in: edition) }
                }
            })
    }

    /// Rows with the pages of their residents.
    private func places(in batch: Int) -> [(row: Int, page: Int)] {
        batches.places(of: batch) { locations.residents($0).paging.pages }
    }
}

extension LocationPages {
    private func page(_ row: Int, _ page: Int, _ full: [String], _ origin: RecordOrigin, in edition: Edition) -> Page {
        let texts = edition.texts
        let location = locations[row]
        let name = location.name
        let (fullName, fullType, fullDimension) = (full[0], full[1], full[2])
        let count = texts.plural(Words.residentCount, location.residents.rows.count)
        let head = PageHead(
            Places.location(location.id, page: page), title: maker.title(name, page: page, texts),
            description: texts.filled(Words.countDescription, ["name": name, "count": count]), section: "locations",
            type: "Place")
        let list = row / LocationLists.perPage
        return maker.page(
            "location", Models.location, head, in: edition,
            [
                "name": .text(LocationEntry.heading(fullName, location.id)), "type": .text(fullType),
                "dimension": .text(fullDimension),
                "hasCast": .flag(!location.residents.rows.isEmpty),
                "cast": maker.cast(location.residents, page: page, texts),
                "castCount": .text(count),
                "paging": location.residents.paging.value(page) { Places.location(location.id, page: $0) },
                "missing": maker.missing(location.residents.missing, texts),
                "history": maker.history(origin.key, texts), "provenance": maker.provenance(origin, texts),
                "list": Paging.number(list, current: list, Places.locations), "previous": neighbour(row - 1),
                "next": neighbour(row + 1),
            ])
    }

    private func neighbour(_ row: Int) -> Value {
        guard locations.indices.contains(row) else { return .null }
        return PageParts.link(Places.location(locations.id(row)), locations[row].name)
    }
}

/// The list of locations, on one page up to five hundred.
struct LocationLists: PageSet {
    static let perPage = 500

    let maker: PageMaker

    private var paging: Paging { Paging(count: maker.world.locations.count, perPage: Self.perPage) }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(Places.locations(page: batch)) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: maker.editions.map { edition in { page(batch, in: edition) } })
    }

    private func page(_ page: Int, in edition: Edition) -> Page {
        let texts = edition.texts
        let rows = maker.world.locations[paging.positions(of: page)].map { location in
            Models.locationRow.value([
                "path": .text(Places.location(location.id).text), "name": .text(location.name),
                "type": .text(location.type),
                "dimension": .text(location.dimension), "residents": .integer(location.residents.rows.count),
            ])
        }
        let title = texts[Words.locations]
        let head = PageHead(
            Places.locations(page: page),
            title: maker.title(title, page: page, texts),
            description: texts.filled(
                Words.locationsDescription, ["count": texts.plural(Words.locationCount, paging.count)]),
            section: "locations", type: "CollectionPage")
        return maker.page(
            "locations", Models.locations, head, in: edition,
            ["locations": .list(rows)], paging.values(page, counted: Words.locationCount, texts, path: Places.locations)
        )
    }
}
