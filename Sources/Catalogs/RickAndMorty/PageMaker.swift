import Archive
import Catalogue
import Mustache

/// Makes the parts that pages of several kinds share.
struct PageMaker: PageMaking {
    let world: World
    let frame: PageFrame
    let facets: Facets
    /// Whether scripts can filter the list of all: where the search index is one file.
    let canFilter: Bool
    let telling: Telling
    let teller: HistoryTeller?
    let provenance: Provenance

    init(world: World, frame: PageFrame, facets: Facets, canFilter: Bool) {
        self.world = world
        self.frame = frame
        self.facets = facets
        self.canFilter = canFilter
        let telling = Telling(world: world)
        self.telling = telling
        teller = frame.context.history.map { HistoryTeller($0, telling) }
        provenance = Provenance(frame.context)
    }
}

extension PageMaker {
    func card(_ row: Int, _ texts: Texts) -> Value {
        let characters = world.characters
        let status = characters.statuses[row]
        return Models.card.value([
            "path": .text(Places.character(characters.ids[row]).text), "name": .text(characters.name(row)),
            "status": .text(texts.value("status", status, by: characters.genders[row]) ?? status),
            "mood": .text(Self.mood(status)),
            "species": .text(characters.species[row]), "picture": picture(row),
        ])
    }

    func picture(_ row: Int) -> Value {
        guard let picture = world.characters.pictures[row], let path = picturePath(row) else {
            return PageParts.placeholder
        }
        return PageParts.picture(path, width: Int(picture.width), height: Int(picture.height))
    }

    /// Where a character's picture stands, for sharing.
    func picturePath(_ row: Int) -> SitePath? {
        world.characters.pictures[row].map { Places.picture(world.characters.ids[row], $0.format) }
    }

    /// A page of a cast; pages count from 0.
    func cast(_ cast: Cast, page: Int, _ texts: Texts) -> Value {
        .list(cast.rows(on: page).map { card(Int($0), texts) })
    }

    func missing(_ count: Int, _ texts: Texts) -> Value {
        .text(count == 0 ? "" : texts.plural(Words.missingCount, count))
    }

    /// Texts of a record for its own page, in full. The record is read only if one of them is cut in its table.
    /// - Parameter texts: the texts as the table has them, in the order of the members.
    func fullTexts(
        _ texts: [String], of members: [StaticString], in kind: String, at row: Int, from reader: RevisionReader
    ) throws -> [String] {
        // A cut text ends with an ellipsis.
        guard texts.contains(where: { $0.unicodeScalars.last == "…" }) else { return texts }
        let records = try reader.records(of: kind, at: row..<row + 1) { record in
            let fields = try JSONFields(record.bytes)
            return try members.map { try fields.text($0) }
        }
        guard let full = records.first else {
            throw ArchiveError.damaged("the \(kind) at \(row) is not there any more")
        }
        return full
    }

    func episodeRow(_ episode: EpisodeEntry) -> KeyValuePairs<String, Value> {
        [
            "path": .text(Places.episode(episode.id).text), "name": .text(episode.name), "code": .text(episode.code),
            "airDate": .text(episode.airDate), "machineDate": .text(episode.machineDate),
        ]
    }

    /// The status as a class for colours; a status that the API has never used is shown as unknown's.
    static func mood(_ status: String) -> String {
        switch status {
        case "Alive": "alive"
        case "Dead": "dead"
        default: "unknown"
        }
    }
}
