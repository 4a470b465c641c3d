import Archive
import Catalogue
import Mustache

/// A page for each character, and the avatars. A batch has the characters of one list page.
struct CharacterPages: PageSet {
    let maker: PageMaker<CharacterTables>

    /// The maximum number of episodes on a page. A record can list a hundred thousand.
    private static let mostEpisodes = 1_000

    private var table: CharacterTable { maker.tables.characters }
    private var paging: Paging { Paging(count: table.count, perPage: Paging.cards) }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        paging.positions(of: batch).flatMap { row in
            maker.editions.map { $0.path(CharacterAddresses.character(table.ids[row])) }
        }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] { paging.positions(of: batch).compactMap(maker.picturePath) }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = paging.positions(of: batch)
        let records = try reader.records(of: "character", at: rows)
        let origins = try reader.origins(of: "character", at: rows)
        guard records.map(\.key.id) == Array(table.ids[rows]), origins.map(\.key) == records.map(\.key) else {
            throw ArchiveError.damaged("the characters at \(rows) changed while the revision was read")
        }
        let pages: [DeferredPage] = try zip(zip(rows, origins), records).flatMap { place, record in
            // Large records are decoded again for each language, because a batch of them could fill the memory.
            let character = record.bytes.count < 1 << 16 ? try Character(archived: record.bytes) : nil
            return maker.editions.map { edition -> DeferredPage in
                { page(of: try character ?? Character(archived: record.bytes), place.0, place.1, in: edition) }
            }
        }
        let pictures = records.compactMap { record in
            record.picture.map { SitePicture(path: CharacterAddresses.picture(record.key.id, $0.format), asset: $0) }
        }
        let areSmall = records.allSatisfy { $0.bytes.count < 1 << 13 }
        return PageBatch(pages: pages, pagesAtOnce: areSmall ? 16 : 1, pictures: pictures)
    }
}

extension CharacterPages {
    private func page(of character: Character, _ row: Int, _ origin: RecordOrigin, in edition: Edition) -> Page {
        let texts = edition.texts
        let name = character.shownName
        let gender = texts.value("gender", character.gender) ?? character.gender
        let (from, seenAt) = (place(character.origin), place(character.location))
        let hasFacts =
            ![gender, character.species, character.type].allSatisfy(\.isEmpty) || from != nil || seenAt != nil
        let status = texts.value("status", character.status, by: character.gender) ?? character.status
        let linked = character.episode.map(maker.tables.episodeRow(of:))
        // A record can list an episode twice.
        var known: Set<Int> = []
        let seen = linked.compactMap(\.self).filter { known.insert($0).inserted }
        let shown = seen.prefix(Self.mostEpisodes)
        let head = PageHead(
            CharacterAddresses.character(character.id), title: name,
            description: texts.filled(
                CharacterTexts.characterDescription,
                [
                    "name": name,
                    "facts": [character.species.shortened, status.shortened].filter { !$0.isBlank }.joined(
                        separator: ", "),
                ]),
            section: "characters", picture: maker.picturePath(row), type: "Person")
        let list = row / Paging.cards
        return maker.page(
            "character", CharacterModels.character, head, in: edition,
            [
                "name": character.heading, "portrait": texts.filled(CharacterTexts.portrait, ["name": name]),
                "status": status,
                "mood": CharacterTexts.mood(character.status), "species": character.species, "type": character.type,
                "gender": gender, "hasFacts": hasFacts, "picture": maker.picture(row),
                "origin": from, "location": seenAt, "hasEpisodes": !seen.isEmpty,
                "episodes": shown.map { CharacterModels.episodeRow(maker.tables.episodes[$0].values) },
                "episodeCount": texts.plural(CharacterTexts.episodeCount, seen.count),
                "moreEpisodes": seen.count > shown.count
                    ? texts.plural(CharacterTexts.more, seen.count - shown.count) : "",
                "missing": maker.missing(linked.count { $0 == nil }, texts),
                "history": maker.history(origin.key, texts), "provenance": maker.provenance(origin, texts),
                "list": Paging.number(list, current: list, CharacterAddresses.characters),
                "previous": neighbour(row - 1),
                "next": neighbour(row + 1),
            ])
    }

    private func place(_ place: Character.Place) -> Value? {
        let location = maker.tables.location(place.url)
        guard let name = place.name.isBlank ? location?.name : place.name else { return nil }
        return CharacterModels.place([
            "name": name, "path": location.map { CharacterAddresses.location($0.id) }, "type": location?.type ?? "",
        ])
    }

    private func neighbour(_ row: Int) -> Value? {
        table.ids.indices.contains(row)
            ? PageParts.link(CharacterAddresses.character(table.ids[row]), table.name(row)) : nil
    }
}
