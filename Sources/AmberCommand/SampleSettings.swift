import SampleAPI

/// Which invented universe.
struct SampleSettings {
    let characters: Int
    let seed: UInt64

    init(_ arguments: Arguments) throws(Failure) {
        characters = try arguments.integer(.characters, in: 1...1_000_000) ?? 826
        seed = UInt64(try arguments.integer(.seed, in: 0...Int.max) ?? 1)
    }

    var universe: Universe { Universe(seed: seed, characters: characters) }

    /// How archives name it: the port that it is served on is chance.
    var name: String { "the sample universe (seed \(seed), \(characters) characters)" }
}
