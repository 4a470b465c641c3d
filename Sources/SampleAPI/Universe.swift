/// The Lantern Archipelago: an invented universe of characters, locations and episodes, in the form of the Rick and
/// Morty API's answers, with their irregularities.
/// The seed determines all of its content. It is created on request, except the references, so a million fit in memory.
package struct Universe: Sendable {
    /// The start of all links in the data. As in the live API, it is independent of the requested host.
    package static let canonicalBase = "https://sample.invalid/api"

    package enum Kind: String, Sendable, CaseIterable { case character, location, episode }

    /// The kind and id of a record, which may not exist. Ids count from 1.
    package struct Reference: Hashable, Sendable {
        package let kind: Kind
        package let id: Int

        package init(_ kind: Kind, _ id: Int) {
            self.kind = kind
            self.id = id
        }
    }

    /// The number of records of each kind. The ids of a kind are 1 to this number.
    package struct Counts: Sendable {
        package let character, location, episode: Int

        package subscript(kind: Kind) -> Int { kind == .character ? character : kind == .location ? location : episode }
    }

    package let seed: UInt64
    package let counts: Counts
    /// The number of different portraits. Characters with higher ids reuse them in order.
    private let portraits: Int
    /// The characters of each location and of each episode.
    private(set) var residents: [[Int]]
    private(set) var casts: [[Int]]

    /// - Parameters:
    ///   - characters: 1 to 1,000,000. There are 126 locations and 51 episodes for each 826 characters.
    ///   - portraits: at least 1; nil for one for each character. Drawing one takes longest of all answers, 1 ms.
    package init(seed: UInt64 = 1, characters: Int = 826, portraits: Int? = nil) {
        let characters = min(max(characters, 1), 1_000_000)
        self.seed = seed
        counts = Counts(
            character: characters, location: max(1, (characters * 126 + 413) / 826),
            episode: max(1, (characters * 51 + 413) / 826))
        self.portraits = max(portraits ?? characters, 1)
        residents = Array(repeating: [], count: counts.location)
        casts = Array(repeating: [], count: counts.episode)
        let oneSided = self.oneSided

        // For a character, the record that the character refers to, but that does not refer to the character.
        let hidden = Dictionary(
            oneSided.filter { $0.from.kind == .character }.map { ($0.from.id, $0.to) }, uniquingKeysWith: { $1 })
        // These come first, so that some lists are not sorted.
        for pair in oneSided where pair.from.kind == .episode { casts[pair.from.id - 1].append(pair.to.id) }
        for id in 1...counts.character {
            let home = home(of: id)
            if home > 0, hidden[id] != Reference(.location, home) { residents[home - 1].append(id) }
            for episode in episodes(of: id) where hidden[id] != Reference(.episode, episode) {
                casts[episode - 1].append(id)
            }
        }
    }

    package func has(_ reference: Reference) -> Bool { (1...counts[reference.kind]).contains(reference.id) }

    /// A record as compact JSON, with its members in the live API's order; nil if it does not exist.
    /// - Parameter name: replaces the record's name.
    package func json(_ reference: Reference, renamed name: String? = nil) -> [UInt8]? {
        guard has(reference) else { return nil }
        let id = reference.id
        let facts: JSONObject
        switch reference.kind {
        case .character:
            let traits = traits(ofCharacter: id)
            facts = [
                "status": traits.status, "species": traits.species.facts.name, "type": traits.type,
                "gender": traits.gender, "origin": locationLink(origin(of: id)),
                "location": locationLink(home(of: id)),
                "image": "\(Self.canonicalBase)/character/avatar/\(id).jpeg",
                "episode": links(.episode, episodes(of: id)),
            ]
        case .location:
            let (_, type, dimension) = location(id)
            var random = SeededRandom(seed, .order, id)
            let residents = residents[id - 1]
            let listed = random.chance(0.05) ? residents.reversed() : residents
            facts = ["type": type, "dimension": dimension, "residents": links(.character, listed)]
        case .episode:
            let (code, date) = airing(ofEpisode: id)
            facts = ["air_date": date, "episode": code, "characters": links(.character, casts[id - 1])]
        }
        let head: JSONObject = ["id": id, "name": name ?? self.name(of: reference)]
        return (head + facts + ["url": link(reference.kind, id), "created": created(reference)]).json
    }

    /// The name and address of a location. 0 is an unknown location without an address.
    private func locationLink(_ id: Int) -> JSONObject {
        ["name": id > 0 ? location(id).name : "unknown", "url": id > 0 ? link(.location, id) : ""]
    }

    private func links(_ kind: Kind, _ ids: [Int]) -> [String] { ids.map { link(kind, $0) } }

    private func link(_ kind: Kind, _ id: Int) -> String { "\(Self.canonicalBase)/\(kind)/\(id)" }

    /// Whether a character is one of those that share one portrait, byte for byte.
    func isFaceless(_ id: Int) -> Bool { [31, 77, 130, 212, 415].contains(id) }

    /// The sizes of portraits that are not 300 by 300 pixels.
    private static let sizes = [99: (264, 264), 307: (264, 264), 410: (299, 295), 619: (277, 266), 620: (277, 266)]

    /// The id of the character whose portrait this character has, if several share one; otherwise `id`.
    package func portraitOwner(ofCharacter id: Int) -> Int {
        let id = portraitNumber(ofCharacter: id)
        return isFaceless(id) ? 31 : id == 641 ? 640 : id
    }

    /// The number of the portrait of a character, if there are fewer portraits than characters.
    func portraitNumber(ofCharacter id: Int) -> Int { (id - 1) % portraits + 1 }

    /// A portrait as PNG, of 300 by 300 pixels with a few exceptions.
    package func portrait(ofCharacter id: Int) -> [UInt8] {
        let id = portraitNumber(ofCharacter: id)
        let owner = portraitOwner(ofCharacter: id)
        let traits = traits(ofCharacter: owner)
        let (width, height) = Self.sizes[id] ?? (300, 300)
        // Characters with the shared portrait look the same, with any status.
        let sleeps = traits.status == "Dead" && !isFaceless(id)
        let random = SeededRandom(seed, .portrait, owner * 64)
        return Drawing(random, width: width, height: height, sleeps: sleeps).portrait(traits.species)
    }
}
