/// Pseudorandom numbers that are the same for a seed on every machine (SplitMix64, Steele and others, 2014).
struct SeededRandom {
    private var state: UInt64

    /// A generator for one purpose and one record. Its numbers are independent of all others.
    init(_ seed: UInt64, _ purpose: Purpose, _ number: Int) {
        let use = Self.mixed(UInt64(purpose.rawValue) << 48 ^ UInt64(truncatingIfNeeded: number))
        state = Self.mixed(Self.mixed(seed &+ 0x5eed) ^ use)
    }

    /// The use of the numbers. A new purpose does not change the numbers of the others.
    enum Purpose: Int {
        case name = 1, nature, home, episodes, order, oneSided, location, episode, created, portrait
        case musician = 12, album, song, movie, author, book, artwork, mediaID
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// A number from 0 up to, not including, `count`.
    mutating func integer(below count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }

    /// A number from 0 up to, not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func between(_ low: Double, _ high: Double) -> Double { low + unit() * (high - low) }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    mutating func one<Element>(of list: [Element]) -> Element { list[integer(below: list.count)] }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
