public import Archive
import Platform

/// An answer as it was captured, on its way into a web archive.
public struct WARCResponse: Sendable {
    let uri: String
    let received: Int64
    let status: Int
    let headers: [UInt8]
    let body: PackageContent
    let size: Int64
    let sha256: SHA256

    /// - Parameters:
    ///   - uri: the whole URL that was asked.
    ///   - received: milliseconds since 1970 when the answer was complete.
    ///   - headers: the header block as received, status line first.
    ///   - body: the body, without any coding for its transfer.
    ///   - size: the body's length in bytes.
    ///   - sha256: the body's digest; a body that differs is not taken.
    public init(
        uri: String, received: Int64, status: Int, headers: [UInt8], body: PackageContent, size: Int64, sha256: SHA256
    ) {
        self.uri = uri
        self.received = received
        self.status = status
        self.headers = headers
        self.body = body
        self.size = size
        self.sha256 = sha256
    }
}

/// Something made from an answer: a single record out of a list's page. It was never received like this, so it is no
/// response.
public struct WARCConversion: Sendable {
    let uri: String
    let received: Int64
    let bytes: [UInt8]
    let origin: (uri: String, id: String)

    /// - Parameters:
    ///   - uri: the whole URL at which the API answers with these bytes.
    ///   - bytes: the JSON, byte for byte as it stood in the answer.
    ///   - response: the answer that it stood in.
    public init(uri: String, bytes: [UInt8], from response: WARCResponse) {
        self.uri = uri
        self.bytes = bytes
        received = response.received
        origin = (response.uri, WARCHeader.identifier(of: response))
    }
}

/// A record of a web archive.
public enum WARCRecord: Sendable {
    /// An answer as it was captured.
    case response(WARCResponse)
    /// Something made from an answer.
    case conversion(WARCConversion)
}
