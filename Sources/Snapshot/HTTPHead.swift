/// The head of an answer as a web archive keeps it beside a body that has lost its codings: what is told of a coding
/// that is undone goes by another name, or replaying would undo it once more.
struct HTTPHead {
    /// The status line, the fields and the empty line.
    let bytes: [UInt8]
    /// The media type, without its parameters.
    let mediaType: String?

    /// - Parameter block: as received, status line first; its lines end with CR LF or LF.
    init(status: Int, block: [UInt8]) {
        let lines = block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
        }
        // HTTP/2 has no reason phrase, and as "HTTP/2 200" the line is not understood everywhere.
        let received = lines.first.map { String(decoding: $0, as: UTF8.self).split(separator: " ", maxSplits: 2) } ?? []
        let reason = received.count == 3 ? String(received[2]) : Self.reasons[status] ?? "Unknown"
        var bytes = Array("HTTP/1.1 \(status) \(reason)\r\n".utf8)
        var mediaType: String?
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            let value = String(decoding: line.drop { $0 != UInt8(ascii: ":") }.dropFirst(), as: UTF8.self).filter {
                $0 != " " && $0 != "\t"
            }
            if name == "transfer-encoding" || name == "content-encoding" && value.lowercased() != "identity" {
                bytes += "X-Archive-Orig-".utf8
            }
            if name == "content-type", mediaType == nil {
                mediaType = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first.map(
                    String.init)
            }
            bytes += line
            bytes += "\r\n".utf8
        }
        self.bytes = bytes + "\r\n".utf8
        self.mediaType = mediaType
    }

    /// RFC 9110, section 15: what may stand in the archive, and what is like it.
    private static let reasons = [
        200: "OK", 203: "Non-Authoritative Information", 204: "No Content", 304: "Not Modified", 400: "Bad Request",
        403: "Forbidden",
        404: "Not Found", 410: "Gone", 500: "Internal Server Error",
    ]
}
