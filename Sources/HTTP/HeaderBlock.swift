import Platform

/// Collects the header lines of an answer, and checks them before the body is read.
struct HeaderBlock {
    /// The maximum number of bytes of all header blocks and trailers.
    let maximumSize: Int
    let maximumBody: Int
    /// The header block of the final answer, from the status line to the empty line.
    private(set) var bytes: [UInt8] = []
    private(set) var isComplete = false
    private(set) var size = 0

    private static let checkedNames = ["Transfer-Encoding", "Content-Encoding", "Content-Length"]

    /// - Parameter status: the status of the answer to which the line belongs.
    /// - Returns: the reason why the line is refused; nil if it is accepted.
    mutating func append(_ line: UnsafeRawBufferPointer, status: Int) -> Transfer.Fault? {
        size += line.count
        guard size <= maximumSize else {
            return (.refused, "the headers are larger than the limit of \(maximumSize) bytes")
        }
        // Lines after the final header block are trailers of a chunked body.
        if isComplete { return nil }
        bytes.append(contentsOf: line)
        guard line.first == "\r" || line.first == "\n" else { return nil }
        // Another header block follows a 1xx status, except 101.
        isComplete = !(100..<200).contains(status) || status == 101
        if isComplete { return fault(in: [Header](parsing: bytes, only: Self.checkedNames), status) }
        bytes = []
        return nil
    }

    private func fault(in fields: [Header], _ status: Int) -> Transfer.Fault? {
        // libcurl decodes chunks. No other coding was requested (RFC 9112, section 6.1).
        let codings = fields.list("Transfer-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        guard codings.isEmpty || codings == ["chunked"] else {
            let shown = codings.joined(separator: ", ").safeText
            return (.refused, "has the transfer coding \(shown), which was not requested")
        }
        // Answers with other statuses are errors in any case.
        let isAnswer = (200..<300).contains(status) || status == 404
        let encoding = fields.list("Content-Encoding").first { !["identity", "none"].contains($0.lowercased()) }
        if isAnswer, let encoding = encoding?.safeText {
            return (.refused, "has the content encoding \(encoding), but an answer without encoding was requested")
        }
        // Content-Length does not apply to a chunked body, nor to these statuses, which have no body (RFC 9112, 6.3).
        guard codings.isEmpty, status != 204, status != 304 else { return nil }
        let lengths = fields.list("Content-Length")
        guard let length = lengths.first else { return nil }
        if let other = lengths.first(where: { $0 != length }) {
            return (.protocolFault, "has two different Content-Length values, \(length.safeText) and \(other.safeText)")
        }
        guard length.utf8.allSatisfy(\.isDigit) else {
            return (.protocolFault, "has the invalid Content-Length \(length.safeText)")
        }
        // A number that does not fit in an Int is also too large.
        guard Int(length).map({ $0 > maximumBody }) ?? true else { return nil }
        return (.refused, "the body of \(length.safeText) bytes is larger than the limit of \(maximumBody) bytes")
    }
}
