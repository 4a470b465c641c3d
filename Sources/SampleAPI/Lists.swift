import Platform

/// The bodies of the API's answers: root, pages, records.
struct Lists {
    let universe: Universe
    let behaviour: Behaviour

    /// The API's page size; there is no parameter to change it.
    static let pageSize = 20

    private static let filters: [Universe.Kind: [String]] = [
        .character: ["name", "status", "species", "type", "gender"], .location: ["name", "type", "dimension"],
        .episode: ["name", "episode"],
    ]

    func root() -> [UInt8] {
        var writer = JSONWriter()
        var first = true
        for kind in Universe.Kind.allCases {
            writer.raw(first ? "{" : ",")
            first = false
            writer.string(kind.rawValue + "s")
            writer.raw(":")
            writer.string("\(Universe.canonicalBase)/\(kind.rawValue)")
        }
        writer.raw("}")
        return writer.bytes
    }

    func one(_ kind: Universe.Kind, _ id: Int) -> [UInt8]? {
        let reference = Universe.Reference(kind, id)
        return behaviour.replaced[reference] ?? universe.json(reference, generation: behaviour.generation)
    }

    func several(_ kind: Universe.Kind, _ ids: [Int]) -> [UInt8] {
        var writer = JSONWriter(capacity: ids.count * 700)
        array(kind, ids, to: &writer)
        return writer.bytes
    }

    /// A page with its `info`; nil past the end, and where a filter leaves nothing.
    func page(_ kind: Universe.Kind, query: String, slash: Bool) -> [UInt8]? {
        let pairs = Percent.pairs(query)
        let page = max(1, pairs.last { $0.name == "page" }.flatMap { Percent.leadingInteger($0.value) } ?? 1)
        // Of a filter that is repeated, the last value counts.
        var filters: [(name: String, value: String)] = []
        for pair in pairs where Self.filters[kind]?.contains(pair.name) == true {
            filters.removeAll { $0.name == pair.name }
            if !pair.value.isEmpty { filters.append(pair) }
        }

        let matching = filters.isEmpty ? nil : matching(kind, filters)
        let hidden = behaviour.hidden.filter { $0.kind == kind && universe.has($0) }.map(\.id).sorted()
        let count = matching?.count ?? universe.counts[kind] - hidden.count
        let pages = (count + Self.pageSize - 1) / Self.pageSize
        guard page <= pages else { return nil }

        let range = (page - 1) * Self.pageSize..<min(page * Self.pageSize, count)
        let ids = matching.map { Array($0[range]) } ?? range.map { id(at: $0, hidden: hidden) }
        let link = { (number: Int) in
            let parts = [("page", String(number))] + filters.map { ($0.name, $0.value) }
            return "\(Universe.canonicalBase)/\(kind.rawValue)\(slash ? "/" : "")?"
                + parts.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        }

        var writer = JSONWriter(capacity: 16 * 1024)
        writer.raw("{\"info\":{\"count\":")
        writer.number(count)
        writer.raw(",\"pages\":")
        writer.number(pages)
        writer.raw(",\"next\":")
        if page < pages { writer.string(link(page + 1)) } else { writer.raw("null") }
        writer.raw(",\"prev\":")
        if page > 1 { writer.string(link(page - 1)) } else { writer.raw("null") }
        writer.raw("},\"results\":")
        array(kind, ids, to: &writer)
        writer.raw("}")
        return writer.bytes
    }
}

extension Lists {
    private func array(_ kind: Universe.Kind, _ ids: [Int], to writer: inout JSONWriter) {
        writer.raw("[")
        var first = true
        for id in ids {
            guard let record = one(kind, id) else { continue }
            if !first { writer.raw(",") }
            first = false
            writer.raw(record)
        }
        writer.raw("]")
    }

    /// The id at a place, from 0, in the list without the hidden ones, which are sorted.
    private func id(at place: Int, hidden: [Int]) -> Int {
        var id = place + 1
        for hole in hidden where hole <= id { id += 1 }
        return id
    }

    /// Ids that match all filters: parts of a text, without regard to case; what begins with "male" from its start.
    private func matching(_ kind: Universe.Kind, _ filters: [(name: String, value: String)]) -> [Int] {
        let space = UInt8(ascii: " ")
        let wanted = filters.map { filter in
            let bytes = filter.value.lowercased().utf8.drop { $0 == space }
            return (name: filter.name, value: Array(bytes.reversed().drop { $0 == space }.reversed()))
        }.filter { !$0.value.isEmpty }
        return (1...universe.counts[kind]).filter { id in
            let reference = Universe.Reference(kind, id)
            if behaviour.hidden.contains(reference) { return false }
            return wanted.allSatisfy { name, value in
                let text = Array(
                    universe.field(name, of: reference, generation: behaviour.generation).lowercased().utf8)
                return value.starts(with: "male".utf8) ? text.starts(with: value) : text.offset(of: value) != nil
            }
        }
    }
}

extension Universe {
    fileprivate func field(_ name: String, of reference: Reference, generation: Int) -> String {
        switch (reference.kind, name) {
        case (_, "name"): self.name(of: reference, generation: generation)
        case (.character, "status"): nature(ofCharacter: reference.id).status
        case (.character, "species"): nature(ofCharacter: reference.id).species.rawValue
        case (.character, "type"): nature(ofCharacter: reference.id).type
        case (.character, "gender"): nature(ofCharacter: reference.id).gender
        case (.location, "type"): location(reference.id).type
        case (.location, "dimension"): location(reference.id).dimension
        case (.episode, "episode"): code(ofEpisode: reference.id)
        default: ""
        }
    }
}
