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

    /// How many portraits differ; beyond them they come again in turn.
    public let portraits: Int

    let references: References

    /// - Parameters:
    ///   - characters: 1 to 1,000,000. Locations and episodes are in proportion: 126 and 51 to 826.
    ///   - portraits: how many characters have one of their own, from 1; the others share theirs in turn. nil for all.
    ///     Drawing one takes a millisecond, which is more than all else that is asked of a server.
    public init(seed: UInt64 = 1, characters: Int = 826, portraits: Int? = nil) {
        let characters = min(max(characters, 1), 1_000_000)
        self.seed = seed
        counts = Counts(
            character: characters, location: max(1, (characters * 126 + 413) / 826),
            episode: max(1, (characters * 51 + 413) / 826))
        self.portraits = max(portraits ?? characters, 1)
        references = References(seed, counts)
    }
}

extension Universe {
    /// The three kinds of record.
    public enum Kind: String, Sendable, CaseIterable {
        /// Someone, somewhere, and what was told of them.
        case character, location, episode
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
        /// The record that lists the other, and the record that does not.
        public let from, to: Reference
    }

    /// How many records of each kind.
    public struct Counts: Sendable {
        /// How many of one kind.
        public let character, location, episode: Int

        /// By kind.
        public subscript(kind: Kind) -> Int { kind == .character ? character : kind == .location ? location : episode }
    }

    /// References that only one side has, on purpose.
    public var oneSided: [OneSided] { references.oneSided }

    /// Whether there is such a record.
    public func has(_ reference: Reference) -> Bool { (1...counts[reference.kind]).contains(reference.id) }

    /// Characters without a picture of their own: they share one, byte for byte.
    func isFaceless(_ id: Int) -> Bool { [31, 77, 130, 212, 415].contains(id) }

    /// Portraits that are not 300 by 300.
    private static let sizes = [99: (264, 264), 307: (264, 264), 410: (299, 295), 619: (277, 266), 620: (277, 266)]

    /// Whose portrait a character has: its own, but for a few who share one, and for all where there are fewer
    /// portraits.
    public func portraitOwner(ofCharacter id: Int) -> Int {
        let id = sitter(ofCharacter: id)
        return isFaceless(id) ? 31 : id == 641 ? 640 : id
    }

    /// Who is drawn for a character where portraits are fewer than characters.
    func sitter(ofCharacter id: Int) -> Int { (id - 1) % portraits + 1 }

    /// A portrait as PNG: 300 by 300 pixels, but for a handful.
    ///
    /// - Parameter generation: in later ones the portraits of revised characters are drawn anew.
    public func portrait(ofCharacter id: Int, generation: Int = 0) -> [UInt8] {
        let id = sitter(ofCharacter: id)
        let owner = portraitOwner(ofCharacter: id)
        let nature = nature(ofCharacter: owner)
        let (width, height) = Self.sizes[id] ?? (300, 300)
        // The faceless are drawn alike whatever became of them.
        return Drawing(
            Dice(seed, .portrait, owner * 64 + generation), width: width, height: height,
            sleeps: nature.status == "Dead" && !isFaceless(id)
        ).portrait(nature.species)
    }
}
