import CCrypto
import Platform

/// Detached signatures by Ed25519 (RFC 8032), 64 bytes beside the file that they are of, made and checked by libcrypto, so that
/// `openssl pkeyutl -verify -pubin -inkey KEY -rawin -in FILE -sigfile FILE.sig` accepts them.
public enum Ed25519 {
    /// A signature's length in bytes.
    public static let signatureSize = 64

    /// The signature of some bytes.
    /// - Parameter keyFile: the path of a private key in PEM, as `openssl genpkey -algorithm ed25519` makes it.
    public static func signature(of bytes: [UInt8], keyFile: String) throws(SnapshotError) -> [UInt8] {
        let pem = try read(keyFile)
        let text = String(decoding: pem, as: UTF8.self)
        guard !text.contains("ENCRYPTED") else {
            throw .key("the key \(keyFile) is locked by a passphrase; give one without it: openssl pkey -in \(keyFile) -out OTHER")
        }
        guard !text.contains("BEGIN PUBLIC KEY") else { throw .key("\(keyFile) is a public key; sign with the private one") }
        guard let key = read(pem, by: { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }) else {
            throw .key("\(keyFile) is no private key in PEM; make one with: openssl genpkey -algorithm ed25519 -out FILE")
        }
        defer { EVP_PKEY_free(key) }
        try check(key, keyFile)
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: signatureSize)
        var length = signatureSize
        let isSigned =
            EVP_DigestSignInit(context, nil, nil, nil, key) == 1 && EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1
        guard isSigned, length == signatureSize else {
            ERR_clear_error()
            throw .key("libcrypto cannot sign with the key \(keyFile); make another one with: openssl genpkey -algorithm ed25519 -out FILE")
        }
        return signature
    }

    /// Whether a signature is of these bytes and by that key.
    /// - Parameter keyFile: the path of a public key in PEM, as `openssl pkey -pubout` makes it.
    public static func verifies(_ signature: [UInt8], of bytes: [UInt8], keyFile: String) throws(SnapshotError) -> Bool {
        let pem = try read(keyFile)
        guard let key = read(pem, by: { PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in -1 }, nil) }) else {
            throw .key("\(keyFile) is no public key in PEM; make one of the private key with: openssl pkey -in PRIVATE -pubout -out FILE")
        }
        defer { EVP_PKEY_free(key) }
        try check(key, keyFile)
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
        defer {
            EVP_MD_CTX_free(context)
            // A signature that does not hold leaves its reason behind.
            ERR_clear_error()
        }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
        return EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }

    private static func read(_ path: String) throws(SnapshotError) -> [UInt8] {
        do { return try File.read(path) } catch { throw .file(error) }
    }

    private static func read(_ pem: [UInt8], by reader: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        defer { ERR_clear_error() }
        return pem.withUnsafeBytes { bytes in
            guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(source) }
            return reader(source)
        }
    }

    private static func check(_ key: OpaquePointer, _ path: String) throws(SnapshotError) {
        guard EVP_PKEY_get_id(key) != EVP_PKEY_ED25519 else { return }
        throw .key("the key \(path) is of another kind than Ed25519; make one with: openssl genpkey -algorithm ed25519 -out FILE")
    }
}
