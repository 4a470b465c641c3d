/// The Lantern Archipelago: an invented universe of characters, locations and episodes, in the shape of the Rick and
/// Morty API, with its oddities.
///
/// All of it follows from the seed. Kept in memory are the references only, four bytes each; names and pictures are
/// made when asked for, so that a million characters take a few tens of megabytes.
public struct Universe: Sendable {
    /// The address that all links in the data begin with. As in the live API, it is not the server's own.
    public static let canonicalBase = "https://sample.invalid/api"

    /// What everything follows from.
    public let seed: UInt64

    /// How many records there are of each kind; their ids are 1 up to this.
    public let counts: Counts

    /// References that only one side has, on purpose.
    public let oneSided: [OneSided]

    /// How many portraits differ; beyond them they come again in turn.
    public let portraits: Int

    let homes: [Int32]
    let appearances: Rows
    let residents: Rows
    let casts: Rows

    /// - Parameters:
    ///   - characters: 1 to 1,000,000. Locations and episodes are in proportion: 126 and 51 to 826.
    ///   - portraits: how many characters have one of their own, from 1; the others share theirs in turn. nil for all.
    ///     Drawing one takes a millisecond, which is more than all else that is asked of a server.
    public init(seed: UInt64 = 1, characters: Int = 826, portraits: Int? = nil) {
        let characters = min(max(characters, 1), 1_000_000)
        let counts = Counts(
            character: characters, location: max(1, (characters * 126 + 413) / 826),
            episode: max(1, (characters * 51 + 413) / 826))
        let plan = ReferencePlan(seed: seed, counts: counts)
        let tables = plan.tables()
        self.seed = seed
        self.counts = counts
        self.portraits = max(portraits ?? characters, 1)
        self.oneSided = tables.oneSided
        self.homes = tables.homes
        self.appearances = tables.appearances
        self.residents = tables.residents
        self.casts = tables.casts
    }
}

extension Universe {
    /// The three kinds of record.
    public enum Kind: String, Sendable, CaseIterable {
        /// Someone.
        case character
        /// Somewhere.
        case location
        /// What was told of them.
        case episode
    }

    /// One record.
    public struct Reference: Hashable, Sendable {
        /// Its kind.
        public let kind: Kind
        /// Its id, from 1.
        public let id: Int

        /// A reference need not lead anywhere.
        public init(_ kind: Kind, _ id: Int) {
            self.kind = kind
            self.id = id
        }
    }

    /// `from` refers to `to`, and `to` does not refer to `from`.
    public struct OneSided: Hashable, Sendable {
        /// The record that lists the other.
        public let from: Reference
        /// The record that does not.
        public let to: Reference
    }

    /// How many records of each kind.
    public struct Counts: Sendable {
        /// Characters.
        public let character: Int
        /// Locations.
        public let location: Int
        /// Episodes.
        public let episode: Int

        /// By kind.
        public subscript(kind: Kind) -> Int {
            switch kind {
            case .character: character
            case .location: location
            case .episode: episode
            }
        }
    }

    /// Whether there is such a record.
    public func has(_ reference: Reference) -> Bool {
        reference.id >= 1 && reference.id <= counts[reference.kind]
    }

    /// The location a character is at; nil where it is unknown.
    public func home(ofCharacter id: Int) -> Int? {
        homes[id - 1] == 0 ? nil : Int(homes[id - 1])
    }

    /// The episodes a character lists.
    public func episodes(ofCharacter id: Int) -> [Int] { appearances[id - 1].map(Int.init) }

    /// The characters a location lists.
    public func residents(ofLocation id: Int) -> [Int] { residents[id - 1].map(Int.init) }

    /// The characters an episode lists.
    public func characters(ofEpisode id: Int) -> [Int] { casts[id - 1].map(Int.init) }
}
