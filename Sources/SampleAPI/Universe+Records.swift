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
        let facts: JSONObject
        switch reference.kind {
        case .character:
            let nature = nature(ofCharacter: id)
            facts = [
                "status": nature.status, "species": nature.species.facts.name, "type": nature.type,
                "gender": nature.gender,
                "origin": place(references.origin(of: id), generation),
                "location": place(Int(references.homes[id - 1]), generation),
                "image": "\(Self.canonicalBase)/character/avatar/\(id).jpeg",
                "episode": links(.episode, references.appearances[id - 1]),
            ]
        case .location:
            let (_, type, dimension) = location(id)
            var dice = Dice(seed, .order, id)
            let residents = references.residents[id - 1]
            let listed = dice.chance(0.05) ? ArraySlice(residents.reversed()) : residents
            facts = ["type": type, "dimension": dimension, "residents": links(.character, listed)]
        case .episode:
            let (code, date) = airing(ofEpisode: id)
            facts = ["air_date": date, "episode": code, "characters": links(.character, references.casts[id - 1])]
        }
        let url = "\(Self.canonicalBase)/\(reference.kind.rawValue)/\(id)"
        return (["id": id, "name": name] + facts + ["url": url, "created": created(reference)]).json
    }

    /// Name and address of a location; 0 is unknown and has none.
    private func place(_ id: Int, _ generation: Int) -> JSONObject {
        guard id > 0 else { return ["name": "unknown", "url": ""] }
        let name = name(of: Reference(.location, id), generation: generation)
        return ["name": name, "url": "\(Self.canonicalBase)/location/\(id)"]
    }

    private func links(_ kind: Kind, _ ids: ArraySlice<Int32>) -> [String] {
        ids.map { "\(Self.canonicalBase)/\(kind.rawValue)/\($0)" }
    }
}
