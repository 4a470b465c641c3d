import CCrypto
import Platform

/// Detached signatures by Ed25519 (RFC 8032), 64 bytes beside the file that they are of, made and checked by libcrypto,
/// so that `openssl pkeyutl -verify -pubin -inkey KEY -rawin -in FILE -sigfile FILE.sig` accepts them.
public enum Ed25519 {
    /// A signature's length in bytes.
    public static let signatureSize = 64

    /// A key that signs.
    public struct PrivateKey: Sendable {
        private let file: String
        private let pem: [UInt8]

        /// Reads a key and checks that it can sign.
        /// - Parameter file: the path of a private key in PEM, as `openssl genpkey -algorithm ed25519` makes it.
        public init(_ file: String) throws(SnapshotError) {
            self.file = file
            pem = try Ed25519.read(file)
            let text = String(decoding: pem, as: UTF8.self)
            guard !text.contains("ENCRYPTED") else {
                throw .key(
                    "the key \(file) is locked by a passphrase; give one without it: openssl pkey -in \(file) -out "
                        + "OTHER"
                )
            }
            guard !text.contains("BEGIN PUBLIC KEY") else {
                throw .key("\(file) is a public key; sign with the private one")
            }
            _ = try signature(of: [])
        }

        /// The signature of some bytes.
        public func signature(of bytes: [UInt8]) throws(SnapshotError) -> [UInt8] {
            guard let key = Ed25519.key(pem, { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }) else {
                throw .key(
                    "\(file) is no private key in PEM; make one with: openssl genpkey -algorithm ed25519 -out FILE")
            }
            defer { EVP_PKEY_free(key) }
            try Ed25519.check(key, file)
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
            defer { EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: signatureSize)
            var length = signatureSize
            let isSigned =
                EVP_DigestSignInit(context, nil, nil, nil, key) == 1
                && EVP_DigestSign(context, &signature, &length, bytes, bytes.count) == 1
            guard isSigned, length == signatureSize else {
                ERR_clear_error()
                throw .key(
                    "libcrypto cannot sign with the key \(file); make another one with: openssl genpkey -algorithm "
                        + "ed25519 -out FILE"
                )
            }
            return signature
        }
    }

    /// A key that signatures are checked with.
    public struct PublicKey: Sendable {
        /// The path that it was read from.
        public let file: String
        private let pem: [UInt8]

        /// Reads a key and checks that it is one.
        /// - Parameter file: the path of a public key in PEM, as `openssl pkey -pubout` makes it.
        public init(_ file: String) throws(SnapshotError) {
            self.file = file
            pem = try Ed25519.read(file)
            _ = try verifies([], of: [])
        }

        /// Whether a signature is of these bytes and by this key.
        public func verifies(_ signature: [UInt8], of bytes: [UInt8]) throws(SnapshotError) -> Bool {
            guard let key = Ed25519.key(pem, { PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in -1 }, nil) }) else {
                throw .key(
                    "\(file) is no public key in PEM; make one of the private key with: openssl pkey -in PRIVATE "
                        + "-pubout -out FILE"
                )
            }
            defer { EVP_PKEY_free(key) }
            try Ed25519.check(key, file)
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
            defer {
                EVP_MD_CTX_free(context)
                // A wrong signature leaves its reason in a queue.
                ERR_clear_error()
            }
            guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
            return EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
        }
    }
}

extension Ed25519 {
    /// A key file's bytes; it may be a pipe. libcrypto takes lengths of 31 bits.
    private static func read(_ file: String) throws(SnapshotError) -> [UInt8] {
        do { return try File.read(file, limit: PackageFile.standardLimit, mayBePipe: true) } catch {
            throw .file(error)
        }
    }

    private static func key(_ pem: [UInt8], _ reader: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        defer { ERR_clear_error() }
        return pem.withUnsafeBytes { bytes in
            guard let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(source) }
            return reader(source)
        }
    }

    private static func check(_ key: OpaquePointer, _ path: String) throws(SnapshotError) {
        guard EVP_PKEY_get_id(key) != EVP_PKEY_ED25519 else { return }
        throw .key(
            "the key \(path) is of another kind than Ed25519; make one with: openssl genpkey -algorithm ed25519 -out "
                + "FILE"
        )
    }
}
