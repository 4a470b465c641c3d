import Archive
import Testing

/// The vectors are those of FIPS 180-4's examples (https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values).
@Suite("A digest")
struct SHA256Tests {
    private let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

    @Test("of nothing, of a word and of a million letters is the published one")
    func vectors() {
        #expect(SHA256(of: []).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SHA256(of: "abc".utf8).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256(of: [UInt8](repeating: 0x61, count: 1_000_000)).hex == million)
    }

    @Test("is the same in pieces of any size, contiguous or not", arguments: [1, 63, 64, 65, 999_999])
    func piecewise(size: Int) {
        var hasher = SHA256Hasher()
        var lazily = SHA256Hasher()
        var left = 1_000_000
        while left > 0 {
            let count = min(size, left)
            hasher.update(String(repeating: "a", count: count))
            lazily.update((0..<count).lazy.map { _ in UInt8(0x61) })
            left -= count
        }
        #expect(hasher.finish().hex == million)
        #expect(lazily.finish().hex == million)
    }

    @Test("is known again from 32 bytes and from no other number")
    func known() {
        let digest = SHA256(of: "abc".utf8)
        #expect(SHA256(bytes: digest.bytes) == digest)
        #expect(SHA256(bytes: []) == nil && SHA256(bytes: [UInt8](repeating: 0, count: 33)) == nil)
    }
}
