/// Seeded random numbers (SplitMix64, https://prng.di.unimi.it/splitmix64.c), so that a failure can be reproduced.
public struct SeededRandom: Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(_ seed: UInt64) {
        state = seed
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// At least 0 and less than 1.
    public mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// At least 0 and less than `limit`.
    public mutating func integer(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// One of the elements.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[integer(below: elements.count)] }
}
