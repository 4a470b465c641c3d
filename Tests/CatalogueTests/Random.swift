/// A deterministic generator (SplitMix64), so that failures are reproducible.
struct Random {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func integer(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }

    /// A copy with some bytes changed, removed, repeated, inserted or cut off.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...integer(below: 4) where !bytes.isEmpty {
            let place = integer(below: bytes.count)
            switch integer(below: 5) {
            case 0: bytes[place] = UInt8(integer(below: 256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            case 3: bytes.insert(Array(#"[]{}",:\ 0"#.utf8)[integer(below: 10)], at: place)
            default: bytes.removeLast(integer(below: bytes.count))
            }
        }
        return bytes
    }
}
