import Platform

extension Responder {
    var root: [UInt8] { JSONObject(Universe.Kind.allCases.map { ("\($0)s", "\(Universe.canonicalBase)/\($0)") }).json }

    /// A list page of twenty records with its `info`; nil after the last page, and if no record matches the filters.
    /// - Parameter slash: the text before the query in the page's links: "/" or empty.
    func page(_ kind: Universe.Kind, query: String, slash: String) -> [UInt8]? {
        let pairs = Percent.pairs(query)
        let page = max(1, pairs.last { $0.name == "page" }.flatMap { Percent.leadingInteger($0.value) } ?? 1)
        // If a filter is repeated, the last value is used.
        var filters: [(name: String, value: String)] = []
        for pair in pairs where field(pair.name, of: .init(kind, 1)) != nil {
            filters.removeAll { $0.name == pair.name }
            if !pair.value.isEmpty { filters.append(pair) }
        }

        let matching = filters.isEmpty ? nil : matching(kind, filters)
        let count = matching?.count ?? universe.counts[kind]
        let pages = (count + 19) / 20
        guard page <= pages else { return nil }

        func link(_ page: Int) -> any JSONWritable {
            guard (1...pages).contains(page) else { return RawJSON("null") }
            let query = filters.reduce("page=\(page)") { "\($0)&\($1.name)=\($1.value)" }
            return "\(Universe.canonicalBase)/\(kind)\(slash)?\(query)"
        }
        let info: JSONObject = ["count": count, "pages": pages, "next": link(page + 1), "prev": link(page - 1)]
        let ids = ((page - 1) * 20..<min(page * 20, count)).map { matching?[$0] ?? $0 + 1 }
        return (["info": info, "results": records(kind, ids)] as JSONObject).json
    }

    /// The ids of the records that match all filters. A filter matches a part of the text and ignores case. A filter
    /// that begins with "male" matches only the start of the text, so that it does not match "female".
    private func matching(_ kind: Universe.Kind, _ filters: [(name: String, value: String)]) -> [Int] {
        let wanted = filters.map { ($0.name, Array($0.value.lowercased().utf8.trimmed { $0 == 32 })) }
            .filter { !$0.1.isEmpty }
        return (1...universe.counts[kind]).filter { id in
            wanted.allSatisfy { name, value in
                let text = Array((field(name, of: Universe.Reference(kind, id)) ?? "").lowercased().utf8)
                return value.starts(with: "male".utf8) ? text.starts(with: value) : text.offset(of: value) != nil
            }
        }
    }

    /// The text that a filter is compared with; nil if the kind has no such filter.
    private func field(_ name: String, of reference: Universe.Reference) -> String? {
        let id = reference.id
        return switch (reference.kind, name) {
        case (_, "name"): universe.name(of: reference)
        case (.character, "status"): universe.traits(ofCharacter: id).status
        case (.character, "species"): universe.traits(ofCharacter: id).species.facts.name
        case (.character, "type"): universe.traits(ofCharacter: id).type
        case (.character, "gender"): universe.traits(ofCharacter: id).gender
        case (.location, "type"): universe.location(id).type
        case (.location, "dimension"): universe.location(id).dimension
        case (.episode, "episode"): universe.airing(ofEpisode: id).code
        default: nil
        }
    }
}

enum Percent {
    /// Decodes escapes. Invalid escapes are kept.
    static func decoded(_ text: some Collection<UInt8>) -> String {
        String(decoding: percentDecodedLeniently(text), as: UTF8.self)
    }

    /// The names and values of a query, in their order in the query.
    static func pairs(_ query: String) -> [(name: String, value: String)] {
        query.utf8.split(separator: "&").map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                decoded($0.map { $0 == "+" ? " " : $0 })
            }
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
    }

    /// The number at the start of a text, as JavaScript's parseInt reads it.
    static func leadingInteger(_ text: String) -> Int? {
        guard let match = text.prefixMatch(of: /\ *([+-]?)([0-9]+)/) else { return nil }
        // A number that does not fit is larger than any id or page number.
        return (Int(match.2) ?? Int.max) * (match.1 == "-" ? -1 : 1)
    }
}
