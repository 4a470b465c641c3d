import Platform
import Testing

@testable import Snapshot

struct DigestTests {
    /// The examples of FIPS 180-4.
    @Test func `SHA-512 digests of the published examples are correct, also in pieces`() {
        let word =
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        #expect(FileDigests(of: Array("abc".utf8)).sha512.hex == word)
        #expect(
            FileDigests(of: []).sha512.hex.hasPrefix(
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f"))
        var hasher = FileHasher()
        for byte in "abc".utf8 { hasher.update([byte]) }
        #expect(hasher.finish() == FileDigests(of: Array("abc".utf8)))
    }

    /// RFC 4648, section 10.
    @Test func `Base 32 agrees with RFC 4648`() {
        let vectors = [
            "": "", "f": "MY======", "fo": "MZXQ====", "foo": "MZXW6===", "foob": "MZXW6YQ=", "fooba": "MZXW6YTB",
            "foobar": "MZXW6YTBOI======",
        ]
        for (text, coded) in vectors { #expect(base32(Array(text.utf8)) == coded) }
    }
}
