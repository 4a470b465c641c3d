import Archive
import Catalogue
import Mustache

/// The list pages of 20 characters, and a page for each of those: a batch is a list page with its characters.
struct CharacterPages: PageSet {
    static let perPage = 20

    /// What has to be known of each character before its page is made.
    let roll: [(number: Int64, picture: PictureFormat?)]
    let places: [Int64: PlaceTitle]
    let episodes: [Int64: EpisodeTitle]
    let links: LinkReader
    let context: SiteContext

    var batchCount: Int { max(1, (roll.count + Self.perPage - 1) / Self.perPage) }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        [Self.listPath(batch)] + roll[positions(of: batch)].map { Self.path(of: $0.number) }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        roll[positions(of: batch)].compactMap { entry in entry.picture.map { Self.picturePath(of: entry.number, $0) } }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let own = positions(of: batch)
        // One more on either side: the neighbours that the first and the last character link to.
        let read = max(0, own.lowerBound - 1)..<min(roll.count, own.upperBound + 1)
        let records = try reader.records(of: "character", at: read)
        let characters = try records.map { try Character(decoding: $0.bytes) }
        guard characters.map(\.id) == roll[read].map(\.number) else {
            throw ArchiveError.damaged("the characters at \(read) are not those that were there a moment ago")
        }
        let pictures = records.map(picture)
        let inner = own.lowerBound - read.lowerBound..<own.upperBound - read.lowerBound
        let list = listPage(batch, inner.map { card(characters[$0], pictures[$0]) })
        let pages = inner.map { index in
            let previous = index > 0 ? characters[index - 1] : nil
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            return page(of: characters[index], pictures[index], onList: batch, between: previous, and: next)
        }
        let files = records[inner].compactMap { record in
            record.picture.map { SitePicture(path: Self.picturePath(of: record.key.id, $0.format), asset: $0) }
        }
        return PageBatch(pages: [list] + pages, pictures: files)
    }
}

extension CharacterPages {
    private func positions(of batch: Int) -> Range<Int> {
        batch * Self.perPage..<min((batch + 1) * Self.perPage, roll.count)
    }

    private static func listPath(_ batch: Int) -> SitePath {
        batch == 0 ? indexPath : SitePath("page/", batch + 1, ".html")
    }

    private static let indexPath = SitePath(fixed: "index.html")

    private static func path(of id: Int64) -> SitePath { SitePath("character/", id, ".html") }

    private func common(_ path: SitePath, title: String, description: String) -> KeyValuePairs<String, Value> {
        [
            "title": .text(title), "description": .text(description),
            "site": .text(context.isSample ? "The sample universe" : "Rick and Morty"),
            "root": .text(path.root), "sample": .flag(context.isSample), "generator": .text(context.generator), "api": .text(context.api),
        ]
    }

    private static func picturePath(of id: Int64, _ format: PictureFormat) -> SitePath { SitePath("avatar/", id, format.ending) }

    private func picture(_ record: StoredRecord) -> Value {
        guard let asset = record.picture else {
            return Models.picture.value(["path": .text("placeholder.svg"), "width": .integer(300), "height": .integer(300)])
        }
        let path = Self.picturePath(of: record.key.id, asset.format)
        return Models.picture.value(["path": .text(path.text), "width": .integer(asset.width), "height": .integer(asset.height)])
    }
}

extension CharacterPages {
    private func card(_ character: Character, _ picture: Value) -> Value {
        Models.card.value([
            "path": .text(Self.path(of: character.id).text), "name": .text(character.shownName), "status": .text(character.status),
            "mood": .text(Self.mood(character.status)), "species": .text(character.species), "picture": picture,
        ])
    }

    private func listPage(_ batch: Int, _ cards: [Value]) -> Page {
        let path = Self.listPath(batch)
        let title = batch == 0 ? "Characters" : "Characters, page \(batch + 1)"
        let gaps = batch == 0 ? context.gaps : []
        let common = common(path, title: title, description: "\(roll.count) characters, page \(batch + 1) of \(batchCount).")
        let model = Models.index.object(
            common,
            [
                "cards": .list(cards), "count": .integer(roll.count), "number": .integer(batch + 1), "pages": .integer(batchCount),
                "first": .flag(batch == 0), "captured": .text(context.captured), "hasGaps": .flag(!gaps.isEmpty),
                "gaps": .list(
                    gaps.map { Models.gap.value(["url": .text($0.url), "keyPath": .text($0.keyPath), "reason": .text($0.reason)]) }),
                "previous": batch > 0 ? pageNumber(batch - 1, current: batch) : .null,
                "next": batch + 1 < batchCount ? pageNumber(batch + 1, current: batch) : .null,
                "numbers": .list(nearby(batch).map { pageNumber($0, current: batch) }),
            ])
        return Page(path: path, template: "index", model: model)
    }

    /// The pages that the pager names: the first, the last, and those up to two away.
    private func nearby(_ batch: Int) -> [Int] {
        let last = batchCount - 1
        let around = max(0, batch - 2)...min(last, batch + 2)
        return (around.contains(0) ? [] : [0]) + around + (around.contains(last) ? [] : [last])
    }

    private func pageNumber(_ batch: Int, current: Int) -> Value {
        Models.pageNumber.value([
            "number": .integer(batch + 1), "path": .text(Self.listPath(batch).text), "current": .flag(batch == current),
        ])
    }
}

extension CharacterPages {
    private func page(
        of character: Character, _ picture: Value, onList batch: Int, between previous: Character?, and next: Character?
    ) -> Page {
        let path = Self.path(of: character.id)
        let seen = character.episode.compactMap { links.key($0, kind: "episode").flatMap { episodes[$0.id] } }
        let description = "\(character.shownName): \(character.species), \(character.status)."
        let model = Models.character.object(
            common(path, title: character.shownName, description: description),
            [
                "name": .text(character.shownName), "status": .text(character.status), "mood": .text(Self.mood(character.status)),
                "species": .text(character.species), "type": .text(character.type), "gender": .text(character.gender), "picture": picture,
                "origin": place(character.origin), "location": place(character.location), "hasEpisodes": .flag(!seen.isEmpty),
                "episodes": .list(seen.map(Self.episode)), "episodeCount": .integer(seen.count), "single": .flag(seen.count == 1),
                "list": pageNumber(batch, current: batch), "previous": neighbour(previous), "next": neighbour(next),
            ])
        return Page(path: path, template: "character", model: model)
    }

    private func place(_ place: Character.Place) -> Value {
        guard !place.name.isEmpty else { return .null }
        let type = links.key(place.url, kind: "location").flatMap { places[$0.id] }?.type ?? ""
        return Models.place.value(["name": .text(place.name), "type": .text(type)])
    }

    private func neighbour(_ character: Character?) -> Value {
        guard let character else { return .null }
        return Models.link.value(["path": .text(Self.path(of: character.id).text), "name": .text(character.shownName)])
    }

    private static func episode(_ episode: EpisodeTitle) -> Value {
        Models.episode.value([
            "name": .text(episode.name), "number": .text(episode.episode), "airDate": .text(episode.airDate),
            "machineDate": .text(AirDate.machineReadable(episode.airDate) ?? ""),
        ])
    }

    /// The status as a class for colours; a status that the API has never used is shown as unknown's.
    private static func mood(_ status: String) -> String {
        switch status {
        case "Alive": "alive"
        case "Dead": "dead"
        default: "unknown"
        }
    }
}
