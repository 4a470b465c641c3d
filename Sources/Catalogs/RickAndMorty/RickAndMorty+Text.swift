public import Archive
import Catalogue

extension RickAndMorty {
    /// Characters have cards.
    public var cardKind: String? { "character" }

    /// A character's card as lines for a terminal.
    public func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String] {
        let character = try Character(decoding: record.bytes)
        let links = LinkReader(bases: bases + [reader.revision.source.api])
        let places = try reader.records(of: "location", at: 0..<Int.max) { try Location(decoding: $0.bytes) }
        let episodes = try reader.records(of: "episode", at: 0..<Int.max) { try Episode(decoding: $0.bytes) }
        var lines = [("name", character.name), ("status", character.status), ("species", character.species), ("type", character.type)]
        lines += [("gender", character.gender), ("origin", character.origin.name)]
        let type = places.first { links.key(character.location.url, kind: "location")?.id == $0.id }.map(\.type) ?? ""
        lines.append(("location", type.isEmpty ? character.location.name : "\(character.location.name) (\(type))"))
        for link in character.episode {
            guard let key = links.key(link, kind: "episode"), let episode = episodes.first(where: { $0.id == key.id }) else { continue }
            lines.append(("episode", "\(episode.episode) \(episode.name), \(episode.airDate)"))
        }
        if let asset = record.picture {
            lines.append(("picture", "\(asset.format.rawValue), \(asset.width) x \(asset.height), \(asset.size) bytes"))
        }
        return lines.filter { !$0.1.isEmpty }.map { label, value in
            label + String(repeating: " ", count: 10 - label.count) + value.onOneLine
        }
    }
}
