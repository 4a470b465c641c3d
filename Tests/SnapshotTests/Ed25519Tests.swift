import Foundation
import Platform
import Snapshot
import TestSupport
import Testing

/// The test vectors are those of RFC 8032, section 7.1.
struct Ed25519Tests {
    private let folder: ScratchFolder
    private let privateKey: String
    private let publicKey: String

    init() throws {
        folder = try ScratchFolder()
        try folder.writeKeys()
        (privateKey, publicKey) = (folder["private.pem"], folder["public.pem"])
    }

    private func openssl(_ arguments: String...) throws -> Int32 {
        try Running("/usr/bin/openssl", arguments).waitHere().code
    }

    @Test func `A signature equals the published one and fits no other bytes`() throws {
        let bytes: [UInt8] = [0xaf, 0x82]
        let signature = try Ed25519.PrivateKey(privateKey).signature(of: bytes)
        let hex = signature.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            hex
                == "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        )
        let key = try Ed25519.PublicKey(publicKey)
        #expect(try key.verifies(signature, of: bytes))
        #expect(try !key.verifies(signature, of: [0xaf, 0x83]))
        #expect(try !key.verifies(Array(signature.dropLast()), of: bytes))
        #expect(try !key.verifies([], of: bytes))
        for place in 0..<64 {
            var changed = signature
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(try !key.verifies(changed, of: bytes), "byte \(place)")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "needs openssl"))
    func `Signatures are compatible with openssl in both directions`() throws {
        let file = try folder.write("a statement\n", to: "statement")
        try File.writeNew(try Ed25519.PrivateKey(privateKey).signature(of: File.read(file)), to: "\(file).sig")
        #expect(
            try openssl(
                "pkeyutl", "-verify", "-pubin", "-inkey", publicKey, "-rawin", "-in", file, "-sigfile", "\(file).sig")
                == 0)
        #expect(
            try openssl("pkeyutl", "-sign", "-inkey", privateKey, "-rawin", "-in", file, "-out", "\(file).theirs") == 0)
        #expect(try Ed25519.PublicKey(publicKey).verifies(File.read("\(file).theirs"), of: File.read(file)))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "needs openssl"))
    func `An unusable key is refused with its reason`() throws {
        let locked = folder["locked.pem"]
        let other = folder["other.pem"]
        #expect(try openssl("pkey", "-in", privateKey, "-aes256", "-passout", "pass:x", "-out", locked) == 0)
        #expect(try openssl("genpkey", "-algorithm", "x25519", "-out", other) == 0)
        let text = try folder.write("no key\n", to: "text.pem")
        let make = "openssl genpkey -algorithm ed25519 -out FILE"
        let messages = [
            locked:
                "the key \(locked) has a passphrase; remove it with: openssl pkey -in \(locked) -out OTHER",
            other: "the key \(other) is not an Ed25519 key; create one with: \(make)",
            text: "\(text) is not a private key in PEM; create one with: \(make)",
            publicKey: "\(publicKey) is a public key; use the private key to sign",
            folder["none"]: "cannot read \(folder["none"]): No such file or directory",
        ]
        for (path, message) in messages {
            let error = #expect(throws: (any Error).self) { try Ed25519.PrivateKey(path) }
            #expect(error.map { "\($0)" } == message)
        }
        let error = #expect(throws: SnapshotError.self) { try Ed25519.PublicKey(privateKey) }
        #expect(
            error?.description
                == "\(privateKey) is not a public key in PEM; create it from the private key with: openssl pkey -in PRIVATE -pubout -out FILE"
        )
    }

    @Test func `An oversized key file is refused`() throws {
        let long = folder["long.pem"]
        try #require(truncate(try folder.write("-----BEGIN PUBLIC KEY-----\n", to: "long.pem"), 1 << 33) == 0)
        #expect(throws: SystemError("read", long, code: EFBIG)) { try Ed25519.PublicKey(long) }
        #expect(throws: SystemError("read", long, code: EFBIG)) { try Ed25519.PrivateKey(long) }
    }
}
