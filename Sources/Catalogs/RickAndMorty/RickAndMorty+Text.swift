package import Archive
import Catalogue

extension RickAndMorty {
    /// Characters have cards.
    package var cardKind: String? { "character" }

    /// A character's card as lines for a terminal.
    package func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String] {
        let character = try Character(decoding: record.bytes)
        let links = LinkReader(bases: bases + [reader.revision.source.api])
        // Only what lines show is kept: records can be large.
        let types = try reader.records(of: "location", at: 0..<Int.max) { record in
            let location = try Location(decoding: record.bytes)
            return (location.id, location.type.onOneLine)
        }
        let episodes = try reader.records(of: "episode", at: 0..<Int.max) { record in
            let episode = try Episode(decoding: record.bytes)
            return (episode.id, "\(episode.episode) \(episode.name), \(episode.airDate)".onOneLine)
        }
        let episodeLines = Dictionary(episodes, uniquingKeysWith: { first, _ in first })
        var lines = [
            ("name", character.name), ("status", character.status), ("species", character.species),
            ("type", character.type),
        ]
        lines += [("gender", character.gender), ("origin", character.origin.name)]
        let location = links.key(character.location.url, kind: "location")?.id
        let type = types.first { $0.0 == location }?.1 ?? ""
        lines.append(("location", type.isEmpty ? character.location.name : "\(character.location.name) (\(type))"))
        for link in character.episode {
            guard let key = links.key(link, kind: "episode"), let line = episodeLines[key.id] else { continue }
            lines.append(("episode", line))
        }
        if let asset = record.picture {
            lines.append(("picture", "\(asset.format.rawValue), \(asset.width) x \(asset.height), \(asset.size) bytes"))
        }
        return lines.filter { !$0.1.isEmpty }.map { label, value in
            label + String(repeating: " ", count: 10 - label.count) + value.onOneLine
        }
    }
}
