extension Universe {
    /// A record as compact JSON, its keys in the live API's order; nil where there is none.
    ///
    /// - Parameter generation: 0 for the universe as it is; in later ones a few records differ.
    public func json(_ reference: Reference, generation: Int = 0) -> [UInt8]? {
        guard has(reference) else { return nil }
        var writer = JSONWriter(capacity: 1024)
        switch reference.kind {
        case .character: character(reference, name(of: reference, generation: generation), generation, to: &writer)
        case .location: location(reference, generation, to: &writer)
        case .episode: episode(reference, generation, to: &writer)
        }
        end(reference, to: &writer)
        return writer.bytes
    }

    /// A character's record as it is once the character goes by another name; nil where there is none.
    public func json(ofCharacter id: Int, renamed name: String) -> [UInt8]? {
        let reference = Reference(.character, id)
        guard has(reference) else { return nil }
        var writer = JSONWriter(capacity: 1024)
        character(reference, name, 0, to: &writer)
        end(reference, to: &writer)
        return writer.bytes
    }

    /// Whether a record, and a character's portrait with it, differs in later generations: about one in forty, and id
    /// 1.
    public func isRevised(_ reference: Reference) -> Bool {
        var dice = Dice(seed, .revision, reference.id)
        return reference.id == 1 || dice.chance(0.025)
    }

    /// A record's name.
    public func name(of reference: Reference, generation: Int = 0) -> String {
        let name =
            switch reference.kind {
            case .character: name(ofCharacter: reference.id)
            case .location: name(ofLocation: reference.id)
            case .episode: name(ofEpisode: reference.id)
            }
        return generation > 0 && isRevised(reference) ? "\(name) (\(generation + 1))" : name
    }
}

extension Universe {
    /// The members that all records end with.
    private func end(_ reference: Reference, to writer: inout JSONWriter) {
        writer.raw(",\"url\":")
        writer.link(reference.kind, reference.id)
        writer.raw(",\"created\":")
        writer.string(created(reference))
        writer.raw("}")
    }

    private func character(_ reference: Reference, _ name: String, _ generation: Int, to writer: inout JSONWriter) {
        let id = reference.id
        let nature = nature(ofCharacter: id)
        writer.raw("{\"id\":")
        writer.number(id)
        writer.raw(",\"name\":")
        writer.string(name)
        writer.raw(",\"status\":")
        writer.string(nature.status)
        writer.raw(",\"species\":")
        writer.string(nature.species.rawValue)
        writer.raw(",\"type\":")
        writer.string(nature.type)
        writer.raw(",\"gender\":")
        writer.string(nature.gender)
        writer.raw(",\"origin\":")
        place(ReferencePlan(seed: seed, counts: counts).origin(of: id), generation, to: &writer)
        writer.raw(",\"location\":")
        place(Int(homes[id - 1]), generation, to: &writer)
        writer.raw(",\"image\":")
        writer.string("\(Self.canonicalBase)/character/avatar/\(id).jpeg")
        writer.raw(",\"episode\":")
        writer.links(.episode, appearances[id - 1])
    }

    /// Name and address of a location; 0 is unknown and has none.
    private func place(_ id: Int, _ generation: Int, to writer: inout JSONWriter) {
        guard id > 0 else { return writer.raw("{\"name\":\"unknown\",\"url\":\"\"}") }
        writer.raw("{\"name\":")
        writer.string(name(of: Reference(.location, id), generation: generation))
        writer.raw(",\"url\":")
        writer.link(.location, id)
        writer.raw("}")
    }

    private func location(_ reference: Reference, _ generation: Int, to writer: inout JSONWriter) {
        let facts = location(reference.id)
        writer.raw("{\"id\":")
        writer.number(reference.id)
        writer.raw(",\"name\":")
        writer.string(name(of: reference, generation: generation))
        writer.raw(",\"type\":")
        writer.string(facts.type)
        writer.raw(",\"dimension\":")
        writer.string(facts.dimension)
        writer.raw(",\"residents\":")
        let residents = residents[reference.id - 1]
        var dice = Dice(seed, .order, reference.id)
        if dice.chance(0.05) {
            writer.links(.character, residents.reversed())
        } else {
            writer.links(.character, residents)
        }
    }

    private func episode(_ reference: Reference, _ generation: Int, to writer: inout JSONWriter) {
        writer.raw("{\"id\":")
        writer.number(reference.id)
        writer.raw(",\"name\":")
        writer.string(name(of: reference, generation: generation))
        writer.raw(",\"air_date\":")
        writer.string(airDate(ofEpisode: reference.id))
        writer.raw(",\"episode\":")
        writer.string(code(ofEpisode: reference.id))
        writer.raw(",\"characters\":")
        writer.links(.character, casts[reference.id - 1])
    }
}
