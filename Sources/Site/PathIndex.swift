import Catalogue

/// The places that a site has, as 64-bit hashes: enough to tell whether a link leads somewhere, at 8 bytes a place.
///
/// Two of a million places share a hash by chance with a probability under 1 in 10 million.
struct PathIndex: Sendable {
    private var hashes: Set<UInt64> = []
    /// The folders that the places lie in.
    private(set) var folders: Set<Substring> = []

    /// - Returns: false where the place is there already.
    mutating func insert(_ path: SitePath) -> Bool {
        if let slash = path.text.utf8.lastIndex(of: UInt8(ascii: "/")) { folders.insert(path.text[..<slash]) }
        return hashes.insert(Self.hash(path.text.utf8)).inserted
    }

    func contains(_ path: some Collection<UInt8>) -> Bool {
        hashes.contains(Self.hash(path))
    }

    /// FNV-1a (RFC draft-eastlake-fnv), with a last mixing step so that similar paths spread.
    static func hash(_ path: some Collection<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash ^= hash >> 32
        hash = hash &* 0xd6e8_feb8_6659_fd93
        return hash ^ (hash >> 32)
    }
}
