import Archive
import Platform
import Testing

/// The test vectors are the examples of FIPS 180-4
/// (https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values).
struct SHA256Tests {
    private let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

    @Test func `Digests of the published examples are correct`() {
        #expect(SHA256(of: []).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SHA256(of: "abc".utf8).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256(of: [UInt8](repeating: 0x61, count: 1_000_000)).hex == million)
    }

    @Test(arguments: [1, 63, 64, 65, 999_999])
    func `The digest is the same for pieces of any size, contiguous or not`(size: Int) {
        var hasher = DigestHasher()
        var lazily = DigestHasher()
        var remaining = 1_000_000
        while remaining > 0 {
            let count = min(size, remaining)
            hasher.update(String(repeating: "a", count: count))
            lazily.update((0..<count).lazy.map { _ in UInt8(0x61) })
            remaining -= count
        }
        #expect(hasher.finish().hex == million)
        #expect(lazily.finish().hex == million)
    }

    @Test func `A digest can be created only from 64 lowercase digits`() {
        let digest = SHA256(of: "abc".utf8)
        #expect(SHA256(hex: digest.hex) == digest)
        for other in [
            digest.hex.uppercased(), String(digest.hex.dropLast()), digest.hex + "0", String(repeating: "g", count: 64),
        ] {
            #expect(SHA256(hex: other) == nil, "\(other)")
        }
    }

    @Test func `Digests are ordered by their bytes`() throws {
        // The lines are equal except for one byte.
        let bytes = (0..<64).map { number in
            var line = [UInt8](0..<32)
            line[number / 2] += number % 2 == 0 ? 100 : 190
            return line
        }
        let digests = try bytes.map { try #require(SHA256(hex: $0.hex)) }
        #expect(digests.map(\.bytes) == bytes)
        #expect(digests.sorted().map(\.bytes) == bytes.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
