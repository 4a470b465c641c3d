import Catalogue
import Platform

/// The paths of a site as a set that uses only a few bits for each path. The link check uses it to find targets.
///
/// Paths that differ only in a number (`character/1.html`, `character/2.html`) share entries. An entry is for up to 64
/// paths. It has a hash of the rest of the path, and a bit for each number. With a million paths the probability that
/// any two share a hash by chance is below 1 in 10 million. The hash (`Hasher`) has a random key in each process, so an
/// attacker cannot choose a path with the hash of another path.
struct PathIndex: Sendable {
    /// The bits of each entry by its hash.
    private var entries: [UInt64: UInt64] = [:]
    private(set) var count = 0
    private(set) var folders: Set<Substring> = []

    /// - Returns: false if the path was already in the index.
    mutating func insert(_ path: SitePath) -> Bool {
        let (key, bit) = Self.hashed(path.text.utf8)
        let bits = entries[key] ?? 0
        guard bits & bit == 0 else { return false }
        // All paths of an entry are in the same folder, unless the last number is in the folder's name.
        if let slash = path.text.utf8.lastIndex(of: "/"),
            bits == 0 || !path.text.utf8[slash...].contains(where: \.isDigit)
        {
            folders.insert(path.text[..<slash])
        }
        entries[key] = bits | bit
        count += 1
        return true
    }

    func contains(_ path: some BidirectionalCollection<UInt8>) -> Bool {
        let (key, bit) = Self.hashed(path)
        return (entries[key] ?? 0) & bit != 0
    }

    /// A hash of the path without the last six bits of its last number, and one of 64 bits, selected by these six bits.
    private static func hashed(_ path: some BidirectionalCollection<UInt8>) -> (key: UInt64, bit: UInt64) {
        let end = path.lastIndex(where: \.isDigit).map(path.index(after:)) ?? path.startIndex
        var begin = path[..<end].lastIndex { !$0.isDigit }.map(path.index(after:)) ?? path.startIndex
        let length = path.distance(from: begin, to: end)
        // A number must fit in 64 bits and not begin with a zero. Otherwise the complete path is hashed.
        let isNumber = length > 0 && length < 19 && (length == 1 || path[begin] != "0")
        if !isNumber { begin = end }
        var number: UInt64 = 0
        for byte in path[begin..<end] { number = number &* 10 &+ UInt64(byte &- "0") }
        var hasher = Hasher()
        add(path[..<begin], to: &hasher)
        // Marks whether there is a number. The bytes 0 and 1 do not occur in paths.
        hasher.combine(isNumber ? 1 as UInt8 : 0)
        hasher.combine(number >> 6)
        add(path[end...], to: &hasher)
        return (UInt64(bitPattern: Int64(hasher.finalize())), 1 << (number & 63))
    }

    private static func add(_ bytes: some Collection<UInt8>, to hasher: inout Hasher) {
        let isAdded: Void? = bytes.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isAdded == nil { for byte in bytes { hasher.combine(byte) } }
    }
}
