import Catalogue

/// The paths of a site as a set of integers. It takes a few bits for each path and decides whether a link has a target.
///
/// Paths that differ only in a number (`character/1.html`, `character/2.html`) share an entry for 64 of them: a hash of
/// the rest, and a bit for each number. With a million paths the probability that any two share a hash by chance is
/// below 1 in 10 million. The hash has a key of this process (`Hasher`), so an attacker cannot choose a path with the
/// hash of another path.
struct PathIndex: Sendable {
    private var keys: [UInt64]
    private var bits: [UInt64]
    private var entries = 0
    private(set) var count = 0
    private(set) var folders: Set<Substring> = []
    private var lastFolder: Substring = ""

    init() {
        keys = [UInt64](repeating: 0, count: 1 << 10)
        bits = keys
    }

    /// - Returns: false if the path was already in the index.
    mutating func insert(_ path: SitePath) -> Bool {
        if let slash = path.text.utf8.lastIndex(of: UInt8(ascii: "/")) {
            let folder = path.text[..<slash]
            // Most paths are in the same folder as the path before.
            if folder != lastFolder {
                folders.insert(folder)
                lastFolder = folder
            }
        }
        let place = Place(path.text.utf8)
        let slot = slot(of: place.key)
        guard bits[slot] & place.bit == 0 else { return false }
        if keys[slot] == 0 { entries += 1 }
        keys[slot] = place.key
        bits[slot] |= place.bit
        count += 1
        if entries * 2 > keys.count { grow() }
        return true
    }

    func contains(_ path: some BidirectionalCollection<UInt8>) -> Bool {
        let place = Place(path)
        return bits[slot(of: place.key)] & place.bit != 0
    }

    /// The slot of an entry, or the free slot for a new one.
    private func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: key) & (keys.count - 1)
        while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & (keys.count - 1) }
        return slot
    }

    private mutating func grow() {
        let (oldKeys, oldBits) = (keys, bits)
        keys = [UInt64](repeating: 0, count: 2 * oldKeys.count)
        bits = keys
        for (key, mask) in zip(oldKeys, oldBits) where key != 0 {
            let slot = slot(of: key)
            keys[slot] = key
            bits[slot] = mask
        }
    }

    private struct Place {
        /// The hash of the path without its last number, and of that number without its last six bits; never 0.
        let key: UInt64
        /// The number's last six bits, as one of 64.
        let bit: UInt64

        init(_ path: some BidirectionalCollection<UInt8>) {
            let end = path.lastIndex(where: Self.isDigit).map(path.index(after:)) ?? path.startIndex
            var begin = path[..<end].lastIndex { !Self.isDigit($0) }.map(path.index(after:)) ?? path.startIndex
            let length = path.distance(from: begin, to: end)
            // Only a number with one spelling that fits in 64 bits counts. Otherwise the whole path is hashed with the
            // number 0.
            let isNumber = length > 0 && length < 19 && (length == 1 || path[begin] != UInt8(ascii: "0"))
            if !isNumber { begin = end }
            var number: UInt64 = 0
            for byte in path[begin..<end] { number = number &* 10 &+ UInt64(byte &- UInt8(ascii: "0")) }
            var hasher = Hasher()
            Self.add(path[..<begin], to: &hasher)
            // Bytes 0 and 1 do not occur in paths, so this marks whether there is a number.
            hasher.combine(isNumber ? 1 as UInt8 : 0)
            hasher.combine(number >> 6)
            Self.add(path[end...], to: &hasher)
            key = max(1, UInt64(bitPattern: Int64(hasher.finalize())))
            bit = 1 << (number & 63)
        }

        private static func add(_ bytes: some Collection<UInt8>, to hasher: inout Hasher) {
            let isAdded: Void? = bytes.withContiguousStorageIfAvailable {
                hasher.combine(bytes: UnsafeRawBufferPointer($0))
            }
            if isAdded == nil { for byte in bytes { hasher.combine(byte) } }
        }

        private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    }
}
