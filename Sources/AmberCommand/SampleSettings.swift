import SampleAPI

/// Which invented universe.
struct SampleSettings {
    let characters: Int
    let seed: UInt64
    let portraits: Int?
    /// Characters that go by another name, for a second capture to find.
    let changed: [Int]

    init(_ arguments: Arguments) throws(Failure) {
        characters = try arguments.integer(.characters, in: 1...1_000_000) ?? 826
        seed = UInt64(try arguments.integer(.seed, in: 0...Int.max) ?? 1)
        portraits = try arguments.integer(.portraits, in: 1...1_000_000)
        changed = try Self.numbers(arguments[.changed], to: characters)
    }

    var universe: Universe { Universe(seed: seed, characters: characters, portraits: portraits) }

    /// The records that are not the universe's own.
    func replaced(in universe: Universe) -> [Universe.Reference: [UInt8]] {
        var replaced: [Universe.Reference: [UInt8]] = [:]
        for id in changed {
            let reference = Universe.Reference(.character, id)
            replaced[reference] = universe.json(ofCharacter: id, renamed: "\(universe.name(of: reference)) (renamed)")
        }
        return replaced
    }

    /// How archives name it: the port that it is served on is chance.
    var name: String { "the sample universe (seed \(seed), \(characters) characters)" }

    /// Whole numbers with commas between them.
    private static func numbers(_ text: String?, to most: Int) throws(Failure) -> [Int] {
        guard let text else { return [] }
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(part), (1...most).contains(number) else {
                throw Failure(
                    .wrongUsage,
                    "--changed takes whole numbers from 1 to \(most) with commas between them, not \"\(text)\"")
            }
            numbers.append(number)
        }
        return numbers
    }
}
