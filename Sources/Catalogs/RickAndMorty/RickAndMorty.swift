package import Archive
package import Catalogue

/// The Rick and Morty API: characters, locations and episodes in lists of 20, linked to one another by absolute URLs.
package struct RickAndMorty: Catalogue {
    /// The base addresses of links in the data: that of the API, whatever host was requested, and those of the caller.
    let bases: [String]

    /// - Parameter bases: further base addresses of links in the data, such as the sample's.
    package init(bases: [String] = []) {
        self.bases = ["https://rickandmortyapi.com/api"] + bases
    }

    package var name: String { "rickandmorty" }
    package var canonicalAPI: String { "https://rickandmortyapi.com/api" }
    /// The size of a list page. The API documents no limit (docs/apis.md).
    package var recordsPerRequest: Int { 20 }

    package var lists: [ListEndpoint] {
        ["character", "location", "episode"].map { ListEndpoint(kind: $0, pathBeforePage: "\($0)?page=") }
    }

    /// Characters with episodes and with last known locations. Origins are not listed by locations.
    package var mutualReferences: [MutualReference] {
        [
            MutualReference(.init("character", "episode"), .init("episode", "characters")),
            MutualReference(.init("character", "location"), .init("location", "residents")),
        ]
    }

    /// The addresses of the three lists (docs/apis.md), with the same host as links in the data.
    package func rootAnswer(of source: Source) -> [UInt8]? {
        let base = source.origin == .sample ? bases.last ?? canonicalAPI : canonicalAPI
        let lists = lists.map { (key: plural(of: $0.kind), value: JSON.text("\(base)/\($0.kind)")) }
        return JSON.object(lists).bytes
    }

    package var notFoundBody: [UInt8]? { Array(#"{"error":"There is nothing here"}"#.utf8) }

    package func path(for keys: [RecordKey]) -> String? {
        "\(keys.first?.kind ?? "")/\(keys.map { "\($0.id)" }.joined(separator: ","))"
    }
}

extension RickAndMorty {
    /// The name, or kind and number if it is blank.
    package func title(of record: [UInt8], _ key: RecordKey) -> String {
        let name: String?
        do throws(ContentFault) {
            name = try JSONFields(record).optionalText("name")?.shortened
        } catch {
            // Without a valid record there is no name, so the number is used.
            name = nil
        }
        guard let name, !name.isBlank else {
            return "\(key.kind.prefix(1).uppercased())\(key.kind.dropFirst()) \(key.id)"
        }
        return name
    }

    /// Reads `info` and finds the elements of `results`.
    package func listPage(_ body: [UInt8]) throws(ContentFault) -> ListPage {
        let members = try JSONSlices.members(of: body)
        guard let info = members["info"], let results = members["results"] else { throw Self.notAPage(body, members) }
        let claims = try ContentFault.inside("info") { () throws(ContentFault) in
            let claims = try JSONFields(Array(body[info]))
            let count = try Self.claim("count", in: claims)
            let pages = try Self.claim("pages", in: claims)
            guard pages <= max(count, 1) else {
                throw ContentFault("pages", "is \(pages), more pages than the \(count) records")
            }
            return (count: Int(count), pages: Int(pages))
        }
        let records = try ContentFault.inside("results") { () throws(ContentFault) in
            try JSONSlices.elements(of: body, at: results)
        }
        return ListPage(count: claims.count, pages: claims.pages, records: records, in: "results")
    }

    /// One record answers as an object, several as an array.
    package func records(in body: [UInt8], requested keys: [RecordKey]) throws(ContentFault) -> [Range<Int>] {
        if keys.count > 1 { return try JSONSlices.elements(of: body) }
        _ = try JSONSlices.members(of: body)
        // White space is removed, so that a record has the same bytes in a list and on its own.
        guard let first = body.firstIndex(of: "{"), let last = body.lastIndex(of: "}") else { return [] }
        return [first..<last + 1]
    }

    package func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws(ContentFault) -> RecordFacts {
        try Self.type(of: kind).init(decoding: record).facts(LinkReader(bases: bases + [base]))
    }

    package func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws(ContentFault) -> RecordFacts {
        try Self.type(of: key.kind).init(archived: record).facts(LinkReader(bases: bases + [base]))
    }

    private static func type(of kind: String) -> any Numbered.Type {
        switch kind {
        case "character": Character.self
        case "location": Location.self
        default: Episode.self
        }
    }

    /// Errors have the form `{"error": "..."}`, sometimes with the status 200 (docs/apis.md).
    private static func notAPage(_ body: [UInt8], _ members: [String: Range<Int>]) -> ContentFault {
        if let error = members["error"] {
            return ContentFault("error", "says \(JSONDecoding.quotedError(body[error])) where a list page belongs")
        }
        return ContentFault(members["info"] == nil ? "info" : "results", "is missing")
    }

    /// A number in `info`.
    private static func claim(_ name: StaticString, in claims: JSONFields) throws(ContentFault) -> Int64 {
        let claim = try claims.integer(name)
        guard claim >= 0 else { throw ContentFault("\(name)", "is \(claim), less than nothing") }
        guard claim <= mostClaimed else { throw ContentFault("\(name)", "is \(claim), more than a list can hold") }
        return claim
    }

    /// Larger than any list, and small enough that sums do not overflow.
    private static let mostClaimed = 1_000_000_000
}

extension RickAndMorty {
    package var cardKind: String? { "character" }

    /// A character's card as lines for a terminal.
    package func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String] {
        let character = try Character(decoding: record.bytes)
        let links = LinkReader(bases: bases + [reader.revision.source.api])
        // Only the types are kept, because records can be large.
        let types = try reader.records(of: "location", at: 0..<Int.max) { record in
            let location = try Location(decoding: record.bytes)
            return (location.id, location.type.singleLine)
        }
        let episodes = try reader.records(of: "episode", at: 0..<Int.max) { record in
            let episode = try Episode(decoding: record.bytes)
            return (episode.id, "\(episode.episode) \(episode.name), \(episode.airDate)".singleLine)
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
            label + String(repeating: " ", count: 10 - label.count) + value.singleLine
        }
    }
}

extension RickAndMorty {
    package var exportTables: [ExportTable] {
        func values(_ names: String...) -> [ExportTable.Column] { names.map { ($0, .value([$0])) } }
        let id: [ExportTable.Column] = [("id", .id)]
        let places: [ExportTable.Column] = [
            ("origin", .value(["origin", "name"])), ("location", .value(["location", "name"])),
            ("episodes", .links(["episode"])),
        ]
        let character = id + values("name", "status", "species", "type", "gender") + places
        let location = id + values("name", "type", "dimension") + [("residents", .links(["residents"]))]
        let episode = id + values("name", "air_date", "episode") + [("characters", .links(["characters"]))]
        return [
            ExportTable("character", character + values("image", "url", "created")),
            ExportTable("location", location + values("url", "created")),
            ExportTable("episode", episode + values("url", "created")),
        ]
    }

    /// The episodes of characters, from the characters' records.
    package var exportRelations: [ExportRelation] {
        [ExportRelation("appearances", from: "character", "episode", to: "episode")]
    }
}
