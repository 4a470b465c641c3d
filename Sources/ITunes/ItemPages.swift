import Archive
import Catalogue
import HTMLCheck
import Mustache
import Pages

/// A page for each item, and its artwork. A batch has a fixed number of items.
struct ItemPages: PageSet {
    let maker: PageMaker<MediaTables>
    /// The number of whole items in memory at once.
    private let perBatch: Int

    init(maker: PageMaker<MediaTables>, _ reader: RevisionReader) throws {
        self.maker = maker
        perBatch = try reader.batchSize(limit: 20)
    }

    private var items: [MediaTables.Place] { maker.tables.items }
    private var batches: Paging { Paging(count: items.count, perPage: perBatch) }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).flatMap { row in
            maker.editions.map { $0.path(MediaAddresses.item(items[row].key)) }
        }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).compactMap { maker.picturePath(items[$0]) }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        var pages: [DeferredPage] = []
        var pictures: [SitePicture] = []
        var itemReader = ItemReader(maker.tables, reader)
        for row in batches.positions(of: batch) {
            let place = items[row]
            let item = try itemReader.item(place)
            let (kind, position) = maker.tables.source(of: place)
            guard let origin = try reader.origins(of: kind, at: position..<position + 1).first else {
                throw ArchiveError.damaged("\(place.key) changed while the revision was read")
            }
            pages += maker.editions.map { edition in { page(row, item, place, origin, in: edition) } }
            if let asset = place.picture {
                pictures.append(SitePicture(path: MediaAddresses.picture(place.key, asset.format), asset: asset))
            }
        }
        return PageBatch(pages: pages, pictures: pictures)
    }
}

extension ItemPages {
    private func page(_ row: Int, _ item: Item, _ place: MediaTables.Place, _ origin: RecordOrigin, in edition: Edition)
        -> Page
    {
        let texts = edition.texts
        let title = item.title.shortened
        let kind = maker.kind(place, texts)
        let description = Self.plain(item, place.kind.medium)
        let told = [kind, item.artist?.shortened ?? "", item.genres.first?.shortened ?? ""].filter { !$0.isBlank }
        let head = PageHead(
            MediaAddresses.item(place.key), title: title,
            description: description.isBlank
                ? texts.filled(MediaTexts.itemDescription, ["name": title, "facts": told.joined(separator: ", ")])
                : description,
            section: "items", picture: maker.picturePath(place), type: place.kind.medium.type)
        let facts = Facts(item, texts, isFilm: place.kind.medium == .movie)
        let searches = maker.tables.searchesOfItem[row].map { maker.tables.searches[$0] }
        let common: PageMaker<MediaTables>.Values = [
            "name": item.title, "artwork": texts.filled(MediaTexts.artworkOf, ["name": title]),
            "picture": maker.picture(place),
            "kind": kind, "country": maker.country(place.kind.store, texts), "link": item.link,
            "artist": item.artist ?? "", "artistLink": item.artistLink ?? "", "released": facts.released,
            "day": facts.day, "history": maker.history(place.key, texts),
            "provenance": maker.provenance(origin, texts),
            "searches": searches.map { found in
                MediaModels.foundBy([
                    "path": found.path, "term": found.search.term, "medium": texts[found.search.medium.label],
                    "country": maker.country(found.search.store, texts),
                ])
            },
            "previous": neighbour(row - 1), "next": neighbour(row + 1),
        ]
        switch place.kind.medium {
        case .music:
            return maker.page("song", MediaModels.song, head, in: edition, common, song(item, place, facts, texts))
        case .movie:
            let paragraphs = Self.paragraphs(item.description ?? "")
            return maker.page(
                "movie", MediaModels.movie, head, in: edition, common,
                [
                    "companyLink": item.companyLink ?? "", "genre": item.genres.first ?? "",
                    "advisory": item.advisory ?? "", "duration": facts.duration, "period": facts.period,
                    "isByStudio": item.isByStudio, "isDescribed": !paragraphs.isEmpty, "paragraphs": paragraphs,
                ])
        case .ebook:
            let text = item.description.map { HTMLSanitizer.blocks($0) } ?? []
            return maker.page(
                "book", MediaModels.book, head, in: edition, common,
                [
                    "genres": item.genres, "hasGenres": !item.genres.isEmpty,
                    "rating": facts.rating, "size": facts.size,
                    "isDescribed": !text.isEmpty, "text": Value.html(text),
                ])
        }
    }

    private func song(_ item: Item, _ place: MediaTables.Place, _ facts: Facts, _ texts: Texts)
        -> PageMaker<MediaTables>.Values
    {
        let albums = maker.tables.otherAlbums(of: place).map { album in
            MediaModels.album([
                "name": album.title, "link": album.link ?? "", "year": album.released.map { "\($0.year)" } ?? "",
            ])
        }
        return [
            "explicit": item.isExplicit,
            "explicitness": item.explicitness.map { texts.value("explicit", $0, by: "told") ?? $0 } ?? "",
            "genre": item.genres.first ?? "", "album": item.album ?? "", "duration": facts.duration,
            "period": facts.period, "hasAlbums": !albums.isEmpty, "albums": albums,
        ]
    }

    /// The description as plain text on one line.
    private static func plain(_ item: Item, _ medium: Search.Medium) -> String {
        guard let description = item.description else { return "" }
        return medium == .ebook
            ? HTMLSanitizer.text(description) : description.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static let mostParagraphs = 1_000

    /// A line feed ends a paragraph. Beyond the limit, the last paragraph contains the rest of the text.
    static func paragraphs(_ text: String) -> [Value] {
        text.split(maxSplits: mostParagraphs - 1, whereSeparator: \.isNewline)
            .map(String.init).filter { !$0.isBlank }.map { .text($0) }
    }

    private func neighbour(_ row: Int) -> Value? {
        guard items.indices.contains(row) else { return nil }
        return PageParts.link(MediaAddresses.item(items[row].key), items[row].brief.title)
    }
}

extension Search.Medium {
    fileprivate var type: String {
        switch self {
        case .music: "MusicRecording"
        case .movie: "Movie"
        case .ebook: "Book"
        }
    }
}
