extension Universe {
    /// A record as compact JSON, its keys in the live API's order; nil where there is none.
    ///
    /// - Parameter generation: 0 for the universe as it is; in later ones a few records differ.
    public func json(_ reference: Reference, generation: Int = 0) -> [UInt8]? {
        has(reference) ? json(reference, named: name(of: reference, generation: generation), generation) : nil
    }

    /// A character's record as it is once the character goes by another name; nil where there is none.
    public func json(ofCharacter id: Int, renamed name: String) -> [UInt8]? {
        let reference = Reference(.character, id)
        return has(reference) ? json(reference, named: name, 0) : nil
    }

    /// Whether a record, and a character's portrait with it, differs in later generations: about one in forty, and id
    /// 1.
    public func isRevised(_ reference: Reference) -> Bool {
        var dice = Dice(seed, .revision, reference.id)
        return reference.id == 1 || dice.chance(0.025)
    }

    private func json(_ reference: Reference, named name: String, _ generation: Int) -> [UInt8] {
        let id = reference.id
        var json = JSONWriter()
        json.raw("{")
        json("id", id)
        json("name", name)
        switch reference.kind {
        case .character:
            let nature = nature(ofCharacter: id)
            json("status", nature.status)
            json("species", nature.species.name)
            json("type", nature.type)
            json("gender", nature.gender)
            place("origin", references.origin(of: id), generation, to: &json)
            place("location", Int(references.homes[id - 1]), generation, to: &json)
            json("image", "\(Self.canonicalBase)/character/avatar/\(id).jpeg")
            json("episode", links(.episode, references.appearances[id - 1]))
        case .location:
            let facts = location(id)
            json("type", facts.type)
            json("dimension", facts.dimension)
            var dice = Dice(seed, .order, id)
            let residents = references.residents[id - 1]
            json("residents", links(.character, dice.chance(0.05) ? ArraySlice(residents.reversed()) : residents))
        case .episode:
            let airing = airing(ofEpisode: id)
            json("air_date", airing.date)
            json("episode", airing.code)
            json("characters", links(.character, references.casts[id - 1]))
        }
        json("url", "\(Self.canonicalBase)/\(reference.kind.rawValue)/\(id)")
        json("created", created(reference))
        json.raw("}")
        return json.bytes
    }

    /// Name and address of a location; 0 is unknown and has none.
    private func place(_ member: String, _ id: Int, _ generation: Int, to json: inout JSONWriter) {
        json.key(member)
        json.raw("{")
        json("name", id > 0 ? name(of: Reference(.location, id), generation: generation) : "unknown")
        json("url", id > 0 ? "\(Self.canonicalBase)/location/\(id)" : "")
        json.raw("}")
    }

    private func links(_ kind: Kind, _ ids: ArraySlice<Int32>) -> [String] {
        let folder = "\(Self.canonicalBase)/\(kind.rawValue)/"
        return ids.map { folder + String($0) }
    }
}
