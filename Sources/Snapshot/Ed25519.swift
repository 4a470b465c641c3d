import CCrypto
import Platform

/// Detached Ed25519 signatures of 64 bytes (RFC 8032). A signature is in a file next to the signed file. `openssl
/// pkeyutl -verify -pubin -inkey KEY -rawin -in FILE -sigfile FILE.sig` accepts the signatures.
package enum Ed25519 {
    private static let keyCommand = "openssl genpkey -algorithm ed25519 -out FILE"

    package struct PrivateKey: Sendable {
        private let file: String
        private let pem: [UInt8]

        /// - Parameter file: the path of a private key in PEM, in the format of `openssl genpkey -algorithm ed25519`.
        package init(_ file: String) throws {
            self.file = file
            // The file may be a pipe. libcrypto accepts at most 2^31 - 1 bytes, which is more than this limit.
            pem = try File.read(file, limit: PackageFile.standardLimit, mayBePipe: true)
            let text = String(decoding: pem, as: UTF8.self)
            guard !text.contains("ENCRYPTED") else {
                throw SnapshotError.key(
                    "the key \(file) has a passphrase; remove it with: openssl pkey -in \(file) -out OTHER")
            }
            guard !text.contains("BEGIN PUBLIC KEY") else {
                throw SnapshotError.key("\(file) is a public key; use the private key to sign")
            }
            _ = try signature(of: [])
        }

        package func signature(of bytes: [UInt8]) throws -> [UInt8] {
            let read = { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
            let reason = "is not a private key in PEM; create one with: \(keyCommand)"
            return try withKey(pem, read, file, orElse: reason) { key, context in
                var signature = [UInt8](repeating: 0, count: 64)
                var length = signature.count
                guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
                    EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1, length == signature.count
                else {
                    throw SnapshotError.key(
                        "libcrypto cannot sign with the key \(file); create another key with: \(keyCommand)")
                }
                return signature
            }
        }
    }

    package struct PublicKey: Sendable {
        let file: String
        private let pem: [UInt8]

        /// - Parameter file: the path of a public key in PEM, in the format of `openssl pkey -pubout`.
        package init(_ file: String) throws {
            self.file = file
            pem = try File.read(file, limit: PackageFile.standardLimit, mayBePipe: true)
            _ = try verifies([], of: [])
        }

        package func verifies(_ signature: [UInt8], of bytes: [UInt8]) throws -> Bool {
            let read = { PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in -1 }, nil) }
            let reason =
                "is not a public key in PEM; create it from the private key with: openssl pkey -in PRIVATE -pubout "
                + "-out FILE"
            return try withKey(pem, read, file, orElse: reason) { key, context in
                EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
                    && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
            }
        }
    }

    /// Runs a body with a key and a context of libcrypto, and frees both. Throws if the PEM has no such key.
    private static func withKey<Value>(
        _ pem: [UInt8], _ read: (OpaquePointer?) -> OpaquePointer?, _ file: String, orElse reason: String,
        _ body: (OpaquePointer, OpaquePointer) throws -> Value
    ) throws -> Value {
        // libcrypto adds an error to a queue for an invalid key or signature.
        defer { ERR_clear_error() }
        let key = pem.withUnsafeBytes { bytes in
            let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(source) }
            return source.flatMap(read)
        }
        guard let key else { throw SnapshotError.key("\(file) \(reason)") }
        defer { EVP_PKEY_free(key) }
        guard EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 else {
            throw SnapshotError.key("the key \(file) is not an Ed25519 key; create one with: \(keyCommand)")
        }
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
        defer { EVP_MD_CTX_free(context) }
        return try body(key, context)
    }
}
