/// Who a server is over TLS: its certificate and the key to it, both as PEM.
public struct TLSIdentity: Sendable {
    /// The certificate, followed by those between it and its authority.
    public let certificate: String
    /// The private key.
    public let key: String

    /// An identity of both its parts.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}
