package import Archive
package import Catalogue

/// The Rick and Morty API: characters, locations and episodes in lists of 20, linked to one another by absolute URLs.
package struct RickAndMorty: Catalogue {
    /// The bases that links in the data may begin with: the API's own, whatever host was asked, and what the caller
    /// adds.
    let bases: [String]

    /// - Parameter bases: further addresses that links in the data may begin with, as the sample's do.
    package init(bases: [String] = []) {
        self.bases = ["https://rickandmortyapi.com/api"] + bases
    }

    /// What configurations and archives call it.
    package var name: String { "rickandmorty" }
    /// The public service.
    package var canonicalAPI: String { "https://rickandmortyapi.com/api" }
    /// As many as a list page holds; the API documents no limit of its own (docs/apis.md).
    package var recordsPerRequest: Int { 20 }

    /// Characters, locations and episodes.
    package var lists: [ListEndpoint] {
        ["character", "location", "episode"].map { ListEndpoint(kind: $0, pathBeforePage: "\($0)?page=") }
    }

    /// Characters with their episodes and last known locations; what they come from names nobody.
    package var mutualReferences: [MutualReference] {
        [
            MutualReference(.init("character", "episode"), .init("episode", "characters")),
            MutualReference(.init("character", "location"), .init("location", "residents")),
        ]
    }

    /// The three lists (docs/apis.md), with the addresses that the data itself has, whatever host was asked.
    package func entry(of source: Source) -> [UInt8]? {
        let base = source.origin == .sample ? bases.last ?? canonicalAPI : canonicalAPI
        let lists = lists.map { (key: plural(of: $0.kind), value: JSON.text("\(base)/\($0.kind)")) }
        return JSON.object(lists).bytes
    }

    /// What it answers for a page behind the last one (docs/apis.md).
    package var nothing: [UInt8]? { Array(#"{"error":"There is nothing here"}"#.utf8) }

    /// "character/1" for one, "character/1,2,3" for several.
    package func path(for keys: [RecordKey]) -> String? {
        "\(keys.first?.kind ?? "")/\(keys.map { "\($0.id)" }.joined(separator: ","))"
    }
}

extension RickAndMorty {
    /// The name, or the kind with the number where that is blank.
    package func title(of record: [UInt8], _ key: RecordKey) -> String {
        let name: String?
        do throws(ContentFault) {
            name = try JSONFields(record).textIfAny("name")?.shortened
        } catch {
            // What is no record has no name; its number still tells which it is.
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
        let count: Int64
        let pages: Int64
        do throws(ContentFault) {
            let claims = try JSONFields(Array(body[info]))
            count = try Self.claim("count", in: claims)
            pages = try Self.claim("pages", in: claims)
            guard pages <= max(count, 1) else {
                throw ContentFault("pages", "is \(pages), more pages than the \(count) records")
            }
        } catch {
            throw error.inside("info")
        }
        do throws(ContentFault) {
            return ListPage(
                count: Int(count), pages: Int(pages), records: try JSONSlices.elements(of: body, at: results),
                in: "results")
        } catch {
            throw error.inside("results")
        }
    }

    /// One record answers as an object, several as an array.
    package func records(in body: [UInt8], askedFor keys: [RecordKey]) throws(ContentFault) -> [Range<Int>] {
        if keys.count > 1 { return try JSONSlices.elements(of: body) }
        _ = try JSONSlices.members(of: body)
        // Without the white space around it, so that a record is the same bytes however it was asked for.
        guard let first = body.firstIndex(of: UInt8(ascii: "{")), let last = body.lastIndex(of: UInt8(ascii: "}"))
        else { return [] }
        return [first..<last + 1]
    }

    /// Reads a character, location or episode.
    package func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws(ContentFault) -> RecordFacts {
        let links = LinkReader(bases: bases + [base])
        switch kind {
        case "character": return try Character(decoding: record).facts(links)
        case "location": return try Location(decoding: record).facts(links)
        default: return try Episode(decoding: record).facts(links)
        }
    }

    /// Reads the same of a record from the archive, which was looked through when it was captured.
    package func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws(ContentFault) -> RecordFacts {
        let links = LinkReader(bases: bases + [base])
        switch key.kind {
        case "character": return try Character(archived: record).facts(links)
        case "location": return try Location(archived: record).facts(links)
        default: return try Episode(archived: record).facts(links)
        }
    }

    /// docs/apis.md: errors are `{"error": "..."}`, also under a status that promises a page.
    private static func notAPage(_ body: [UInt8], _ members: [String: Range<Int>]) -> ContentFault {
        if let error = members["error"] {
            return ContentFault("error", "says \(JSONRecord.said(body[error])) where a list page belongs")
        }
        return ContentFault(members["info"] == nil ? "info" : "results", "is missing")
    }

    /// What a list says of its own size.
    private static func claim(_ name: StaticString, in claims: JSONFields) throws(ContentFault) -> Int64 {
        let claim = try claims.integer(name)
        guard claim >= 0 else { throw ContentFault("\(name)", "is \(claim), less than nothing") }
        guard claim <= mostClaimed else { throw ContentFault("\(name)", "is \(claim), more than a list can hold") }
        return claim
    }

    /// Far beyond any list, and far from where sums of claims overflow.
    private static let mostClaimed = 1_000_000_000
}
