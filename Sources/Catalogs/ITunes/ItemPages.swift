import Archive
import Catalogue
import HTMLCheck
import Mustache

/// A page for each item, and its artwork; a batch is so many items, in the order of the searches.
struct ItemPages: PageSet {
    private static let perBatch = 20

    let maker: PageMaker

    private var items: [World.Place] { maker.world.items }
    private var batches: Paging { Paging(count: items.count, perPage: Self.perBatch) }

    var name: String { "item" }
    var templates: [String] { ["song", "movie", "book"] }
    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).flatMap { row in maker.editions.map { $0.path(Places.item(items[row].key)) } }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] { batches.positions(of: batch).compactMap { maker.picturePath(items[$0]) } }

    func inputs(ofBatch batch: Int, from reader: RevisionReader) throws -> Inputs? {
        var hasher = InputsHasher()
        hasher.add(maker.inputs)
        for row in batches.positions(of: batch) {
            let (kind, position) = source(of: items[row])
            try maker.add(recordsOf: kind, at: position..<position + 1, from: reader, to: &hasher)
        }
        return hasher.finish()
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        var pages: [Page] = []
        var pictures: [SitePicture] = []
        for row in batches.positions(of: batch) {
            let place = items[row]
            let (kind, position) = source(of: place)
            guard let origin = try reader.origins(of: kind, at: position..<position + 1).first else {
                throw ArchiveError.damaged("\(place.key) is not where it was a moment ago")
            }
            pages += maker.editions.map { page(row, place, origin, in: $0) }
            if let asset = place.picture { pictures.append(SitePicture(path: Places.picture(place.key, asset.format), asset: asset)) }
        }
        return PageBatch(pages: pages, pictures: pictures)
    }

    /// The record that an item's page is made from: its own, or the search's answer.
    private func source(of place: World.Place) -> (kind: String, position: Int) {
        if let position = place.position { return (place.key.kind, position) }
        let found = maker.world.searches.first { $0.key == place.search }
        return (place.search.kind, found.map(maker.position) ?? 0)
    }
}

extension ItemPages {
    private func page(_ row: Int, _ place: World.Place, _ origin: RecordOrigin, in edition: Edition) -> Page {
        let texts = edition.texts
        let item = place.item
        let title = item.title.shortened
        let kind = maker.kind(place, texts)
        let told = [kind, item.artist?.shortened ?? "", item.genres.first?.shortened ?? ""].filter { !$0.isBlank }
        let head = PageHead(
            Places.item(place.key), title: title,
            description: texts.filled(Words.itemDescription, ["name": title, "facts": told.joined(separator: ", ")]), section: "items",
            picture: maker.picturePath(place), type: place.kind.medium.type)
        let facts = Facts(item, texts, isFilm: place.kind.medium == .movie)
        let searches = maker.world.searches.filter { $0.entries.contains { if case .item(let own) = $0 { own == row } else { false } } }
        let common: KeyValuePairs<String, Value> = [
            "name": .text(item.title), "artwork": .text(texts.filled(Words.artworkOf, ["name": title])), "picture": maker.picture(place),
            "kind": .text(kind), "country": .text(maker.country(place.kind.store, texts)), "link": .text(item.link),
            "artist": .text(item.artist ?? ""), "artistLink": .text(item.artistLink ?? ""), "released": .text(facts.released),
            "day": .text(facts.day), "history": maker.history(place.key, texts), "provenance": maker.provenance(origin, texts),
            "searches": .list(
                searches.map { found in
                    let names = ["term": found.search.term, "medium": texts[found.search.medium.label]] as KeyValuePairs
                    let country = maker.country(found.search.store, texts)
                    let label = texts.filled(Words.resultsTitle, ["term": names[0].value, "medium": names[1].value, "country": country])
                    return Models.link.value(["path": .text(found.path.text), "name": .text(label)])
                }),
            "previous": neighbour(row - 1), "next": neighbour(row + 1),
        ]
        switch place.kind.medium {
        case .music:
            return maker.page("song", Models.song, head, in: edition, common, song(place, facts, texts))
        case .movie:
            return maker.page(
                "movie", Models.movie, head, in: edition, common,
                [
                    "companyLink": .text(item.companyLink ?? ""), "genre": .text(item.genres.first ?? ""),
                    "advisory": .text(item.advisory ?? ""), "duration": .text(facts.duration), "period": .text(facts.period),
                    "paragraphs": .list(Self.paragraphs(item.description ?? "")),
                ])
        case .ebook:
            return maker.page(
                "book", Models.book, head, in: edition, common,
                [
                    "genres": .list(item.genres.map { .text($0) }), "hasGenres": .flag(!item.genres.isEmpty),
                    "rating": .text(facts.rating), "size": .text(facts.size),
                    "text": .html(item.description.map { HTMLSanitizer.blocks($0) } ?? []),
                ])
        }
    }

    private func song(_ place: World.Place, _ facts: Facts, _ texts: Texts) -> KeyValuePairs<String, Value> {
        let item = place.item
        let albums = maker.world.otherAlbums(of: place).map { album in
            Models.album.value([
                "name": .text(album.title.shortened), "link": .text(album.link ?? ""),
                "year": .text(album.released.map { "\($0.year)" } ?? ""),
            ])
        }
        return [
            "explicit": .flag(item.isExplicit),
            "explicitness": .text(item.explicitness.map { texts.value("explicit", $0, by: "told") ?? $0 } ?? ""),
            "genre": .text(item.genres.first ?? ""), "album": .text(item.album ?? ""), "duration": .text(facts.duration),
            "period": .text(facts.period), "hasAlbums": .flag(!albums.isEmpty), "albums": .list(albums),
        ]
    }

    /// A line feed ends a paragraph.
    private static func paragraphs(_ text: String) -> [Value] {
        text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.isBlank }.map { .text($0) }
    }

    private func neighbour(_ row: Int) -> Value {
        guard items.indices.contains(row) else { return .null }
        return Models.link.value(["path": .text(Places.item(items[row].key).text), "name": .text(items[row].item.title.shortened)])
    }
}

extension Search.Medium {
    /// What an item of it is, as a type of https://schema.org.
    fileprivate var type: String {
        switch self {
        case .music: "MusicRecording"
        case .movie: "Movie"
        case .ebook: "Book"
        }
    }
}
