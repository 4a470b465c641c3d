/// Takes the header lines of an answer as they come, and judges them when they are complete, so that a body that will
/// not be taken need not come.
struct HeaderBlock {
    /// The block of the final answer, with its status line and the empty line at its end.
    private(set) var bytes: [UInt8] = []
    /// Whether the final answer's block has come to its end.
    private(set) var isComplete = false
    private(set) var fault: BodySink.Fault?
    private let maximumSize: Int
    private let maximumBody: Int
    private var size = 0
    private var isInterim = false

    /// - Parameters:
    ///   - maximumSize: bytes of all blocks and trailers that are taken.
    ///   - maximumBody: bytes of body that are taken.
    init(maximumSize: Int, maximumBody: Int) {
        self.maximumSize = maximumSize
        self.maximumBody = maximumBody
    }
}

extension HeaderBlock {
    /// The fields by which an answer is judged.
    private static let judged = ["Transfer-Encoding", "Content-Encoding", "Content-Length"]

    /// Those of the block's fields that have one of these names.
    func fields(_ names: [String]) -> [Header] { [Header](parsing: bytes, only: names) }

    /// - Parameter status: that of the answer to which the line belongs.
    /// - Returns: whether to go on; when not, `fault` says why.
    mutating func append(_ line: UnsafeRawBufferPointer, status: Int) -> Bool {
        size += line.count
        guard size <= maximumSize else {
            fault = .init(
                cause: .refused, reason: "the headers are larger than \(maximumSize) bytes, the most that is taken")
            return false
        }
        // What comes behind the final answer's block are the trailers of a body in chunks.
        if isComplete { return true }
        if isInterim { bytes = [] }
        isInterim = false
        bytes.append(contentsOf: line)
        guard line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else { return true }
        // Behind a 1xx comes another block; a 101 is the last, though nobody asked for it.
        isInterim = (100..<200).contains(status) && status != 101
        isComplete = !isInterim
        if isComplete { fault = Self.fault(in: fields(Self.judged), status: status, maximumBody: maximumBody) }
        return fault == nil
    }

    private static func fault(in fields: [Header], status: Int, maximumBody: Int) -> BodySink.Fault? {
        // Chunks are undone; nothing else was asked for (RFC 9112, section 6.1).
        let codings = fields.list("Transfer-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        guard codings.isEmpty || codings == ["chunked"] else {
            return .init(
                cause: .refused,
                reason: "sends its body as \(codings.joined(separator: ", ").shown), which was not asked for")
        }
        // A status that is a fault stays that fault.
        let isAnswer = (200..<300).contains(status) || status == 404
        if isAnswer, let encoding = fields.list("Content-Encoding").first(where: { $0.lowercased() != "identity" }) {
            return .init(
                cause: .refused, reason: "answered in \(encoding.shown), though only the plain bytes were asked for")
        }
        // What has chunks has no length, and these two have no body, whatever length they tell (RFC 9112, section 6.3).
        guard codings.isEmpty, status != 204, status != 304 else { return nil }
        return fault(inLengths: fields.list("Content-Length"), maximumBody: maximumBody)
    }

    private static func fault(inLengths lengths: [String], maximumBody: Int) -> BodySink.Fault? {
        guard let length = lengths.first else { return nil }
        if let other = lengths.first(where: { $0 != length }) {
            return .init(
                cause: .protocolFault, reason: "tells two lengths of its body, \(length.shown) and \(other.shown)")
        }
        guard length.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return .init(
                cause: .protocolFault, reason: "tells \(length.shown) as the length of its body, which is no number")
        }
        // More digits than a number here can have are too many bytes as well.
        guard Int(length).map({ $0 > maximumBody }) ?? true else { return nil }
        return .init(
            cause: .refused,
            reason: "the body of \(length.shown) bytes is larger than \(maximumBody) bytes, the most that is taken")
    }
}
