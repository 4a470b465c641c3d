/// The Lantern Archipelago: an invented universe of characters, locations and episodes, in the shape of the Rick and
/// Morty API, with its oddities.
///
/// All of it follows from the seed. Kept in memory are the references only, four bytes each; names and pictures are
/// made when asked for, so that a million characters take a few tens of megabytes.
package struct Universe: Sendable {
    /// The address that all links in the data begin with. As in the live API, it is not the server's own.
    package static let canonicalBase = "https://sample.invalid/api"

    package enum Kind: String, Sendable, CaseIterable {
        case character, location, episode
    }

    /// One record, by its kind and its id, which counts from 1. It need not exist.
    package struct Reference: Hashable, Sendable {
        package let kind: Kind
        package let id: Int

        package init(_ kind: Kind, _ id: Int) {
            self.kind = kind
            self.id = id
        }
    }

    /// `from` refers to `to`, and `to` does not refer to `from`.
    package struct OneSided: Hashable, Sendable {
        package let from, to: Reference
    }

    /// How many records there are of each kind; their ids are 1 up to this.
    package struct Counts: Sendable {
        package let character, location, episode: Int

        package subscript(kind: Kind) -> Int { kind == .character ? character : kind == .location ? location : episode }
    }

    package let seed: UInt64
    package let counts: Counts
    /// How many portraits differ; beyond them they come again in turn.
    private let portraits: Int
    let references: References

    /// - Parameters:
    ///   - characters: 1 to 1,000,000. Locations and episodes are in proportion: 126 and 51 to 826.
    ///   - portraits: how many characters have one of their own, from 1; the others share theirs in turn. nil for all.
    ///     Drawing one takes a millisecond, which is more than all else that is asked of a server.
    package init(seed: UInt64 = 1, characters: Int = 826, portraits: Int? = nil) {
        let characters = min(max(characters, 1), 1_000_000)
        self.seed = seed
        counts = Counts(
            character: characters, location: max(1, (characters * 126 + 413) / 826),
            episode: max(1, (characters * 51 + 413) / 826))
        self.portraits = max(portraits ?? characters, 1)
        references = References(seed, counts)
    }

    /// References that only one side has, on purpose.
    package var oneSided: [OneSided] { references.oneSided }

    package func has(_ reference: Reference) -> Bool { (1...counts[reference.kind]).contains(reference.id) }
}

extension Universe {
    /// A record as compact JSON, its keys in the live API's order; nil where there is none.
    /// - Parameter name: another one than its own.
    package func json(_ reference: Reference, renamed name: String? = nil) -> [UInt8]? {
        guard has(reference) else { return nil }
        let id = reference.id
        let facts: JSONObject
        switch reference.kind {
        case .character:
            let nature = nature(ofCharacter: id)
            facts = [
                "status": nature.status, "species": nature.species.facts.name, "type": nature.type,
                "gender": nature.gender, "origin": place(references.origin(of: id)),
                "location": place(Int(references.homes[id - 1])),
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
        let head: JSONObject = ["id": id, "name": name ?? self.name(of: reference)]
        return (head + facts + ["url": link(reference.kind, id), "created": created(reference)]).json
    }

    /// Name and address of a location; 0 is unknown and has none.
    private func place(_ id: Int) -> JSONObject {
        ["name": id > 0 ? location(id).name : "unknown", "url": id > 0 ? link(.location, id) : ""]
    }

    private func links(_ kind: Kind, _ ids: ArraySlice<Int32>) -> [String] { ids.map { link(kind, Int($0)) } }

    private func link(_ kind: Kind, _ id: Int) -> String { "\(Self.canonicalBase)/\(kind)/\(id)" }
}

extension Universe {
    /// Characters without a picture of their own: they share one, byte for byte.
    func isFaceless(_ id: Int) -> Bool { [31, 77, 130, 212, 415].contains(id) }

    /// Portraits that are not 300 by 300.
    private static let sizes = [99: (264, 264), 307: (264, 264), 410: (299, 295), 619: (277, 266), 620: (277, 266)]

    /// Whose portrait a character has: its own, but for a few who share one, and for all where there are fewer
    /// portraits.
    package func portraitOwner(ofCharacter id: Int) -> Int {
        let id = sitter(ofCharacter: id)
        return isFaceless(id) ? 31 : id == 641 ? 640 : id
    }

    /// Who is drawn for a character where portraits are fewer than characters.
    func sitter(ofCharacter id: Int) -> Int { (id - 1) % portraits + 1 }

    /// A portrait as PNG: 300 by 300 pixels, but for a handful.
    package func portrait(ofCharacter id: Int) -> [UInt8] {
        let id = sitter(ofCharacter: id)
        let owner = portraitOwner(ofCharacter: id)
        let nature = nature(ofCharacter: owner)
        let (width, height) = Self.sizes[id] ?? (300, 300)
        // The faceless are drawn alike whatever became of them.
        return Drawing(
            Dice(seed, .portrait, owner * 64), width: width, height: height,
            sleeps: nature.status == "Dead" && !isFaceless(id)
        ).portrait(nature.species)
    }
}
