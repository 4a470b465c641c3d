import TestSupport

extension SeededRandom {
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
