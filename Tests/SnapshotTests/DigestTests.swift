import Snapshot
import Testing

/// The vectors are those of FIPS 180-4's examples.
@Suite("A SHA-512")
struct SHA512Tests {
    @Test func `of nothing and of a word is the published one, in pieces too`() {
        let word =
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        #expect(SHA512(of: Array("abc".utf8)).hex == word)
        #expect(
            SHA512(of: []).hex.hasPrefix(
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f")
        )
        var hasher = SHA512Hasher()
        for byte in "abc".utf8 { hasher.update([byte]) }
        #expect(hasher.finish().hex == word)
    }
}
