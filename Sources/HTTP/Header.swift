import Platform

/// One header field. Names compare without regard to case (RFC 9110, section 5.1).
public struct Header: Sendable, Hashable {
    package let name: String
    /// Without surrounding white space.
    package fileprivate(set) var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [Header] {
    /// Parses a raw header block. The status line and lines without a name or colon are skipped. A line that begins
    /// with white space continues the field before it (RFC 9112, section 5.2). A carriage return within a line counts
    /// as a space (section 2.2).
    /// - Parameter names: the fields to read, which is much faster than reading all; nil for all.
    package init(parsing block: [UInt8], only names: [String]? = nil) {
        self = []
        var start = block.startIndex
        // Whether the last field is one of the requested names, so that a continuation line is added to it.
        var isWanted = false
        var isFirst = true
        while start < block.endIndex {
            let end = block[start...].firstIndex(of: UInt8(ascii: "\n")) ?? block.endIndex
            defer { start = end + 1 }
            let line = block[start..<end]
            guard let first = line.first else { continue }
            // Only the first line can be a status line. Later lines can be a field with the name "HTTP/x".
            defer { isFirst = false }
            if isFirst, Self.isEqual(line.prefix(5), "http/") { continue }
            if Self.isSpace(first) {
                guard isWanted, !isEmpty else { continue }
                let more = Self.text(line)
                guard !more.isEmpty else { continue }
                self[count - 1].value += self[count - 1].value.isEmpty ? more : " " + more
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
                let name = line[..<colon].trimmed(while: Self.isSpace)
                isWanted = names?.contains { Self.isEqual(name, $0) } ?? true
                if isWanted { append(Header(Self.text(name), Self.text(line[(colon + 1)...]))) }
            }
        }
    }

    /// The value of the last field with this name.
    package subscript(name: String) -> String? {
        last { Self.isEqual($0.name.utf8, name) }?.value
    }

    /// The comma-separated members of all fields with this name, in order (RFC 9110, section 5.6.1).
    package func list(_ name: String) -> [String] {
        filter { Self.isEqual($0.name.utf8, name) }
            .flatMap { $0.value.split(separator: ",") }
            .compactMap { member in
                let word = Self.text(ArraySlice(member.utf8))
                return word.isEmpty ? nil : word
            }
    }

    /// Compares ASCII names and ignores case.
    private static func isEqual(_ name: some Collection<UInt8>, _ other: String) -> Bool {
        name.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = bytes.trimmed(while: isSpace)
        guard bytes.contains(13) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.map { $0 == 13 ? 32 : $0 }, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
}

/// Collects the header lines of an answer. It checks them when they are complete, so that the body of an unacceptable
/// answer is not read.
struct HeaderBlock {
    /// The header block of the final answer, from the status line to the empty line.
    private(set) var bytes: [UInt8] = []
    private(set) var isComplete = false
    private(set) var fault: Transfer.Fault?
    private let maximumSize: Int
    private let maximumBody: Int
    private var size = 0
    private var isInterim = false

    /// - Parameters:
    ///   - maximumSize: the maximum number of bytes of all header blocks and trailers.
    ///   - maximumBody: the maximum number of bytes of the body.
    init(maximumSize: Int, maximumBody: Int) {
        self.maximumSize = maximumSize
        self.maximumBody = maximumBody
    }
}

extension HeaderBlock {
    private static let checkedNames = ["Transfer-Encoding", "Content-Encoding", "Content-Length"]

    func fields(_ names: [String]) -> [Header] { [Header](parsing: bytes, only: names) }

    /// - Parameter status: the status of the answer to which the line belongs.
    /// - Returns: whether the line was accepted; if not, `fault` is the reason.
    mutating func append(_ line: UnsafeRawBufferPointer, status: Int) -> Bool {
        size += line.count
        guard size <= maximumSize else {
            fault = (.refused, "the headers are larger than the limit of \(maximumSize) bytes")
            return false
        }
        // Lines after the final header block are trailers of a chunked body.
        if isComplete { return true }
        if isInterim { bytes = [] }
        isInterim = false
        bytes.append(contentsOf: line)
        guard line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else { return true }
        // Another header block follows a 1xx status, except 101.
        isInterim = (100..<200).contains(status) && status != 101
        isComplete = !isInterim
        if isComplete { fault = Self.fault(in: fields(Self.checkedNames), status: status, maximumBody: maximumBody) }
        return fault == nil
    }

    private static func fault(in fields: [Header], status: Int, maximumBody: Int) -> Transfer.Fault? {
        // libcurl decodes chunks. No other coding was requested (RFC 9112, section 6.1).
        let codings = fields.list("Transfer-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        guard codings.isEmpty || codings == ["chunked"] else {
            return (
                .refused, "has the transfer coding \(codings.joined(separator: ", ").safeText), which was not requested"
            )
        }
        // Answers with other statuses are errors in any case.
        let isAnswer = (200..<300).contains(status) || status == 404
        if isAnswer, let encoding = fields.list("Content-Encoding").first(where: { $0.lowercased() != "identity" }) {
            return (
                .refused, "has the content encoding \(encoding.safeText), but an answer without encoding was requested"
            )
        }
        // Content-Length does not apply to a chunked body, nor to these statuses, which have no body (RFC 9112, section
        // 6.3).
        guard codings.isEmpty, status != 204, status != 304 else { return nil }
        return fault(inLengths: fields.list("Content-Length"), maximumBody: maximumBody)
    }

    private static func fault(inLengths lengths: [String], maximumBody: Int) -> Transfer.Fault? {
        guard let length = lengths.first else { return nil }
        if let other = lengths.first(where: { $0 != length }) {
            return (.protocolFault, "has two different Content-Length values, \(length.safeText) and \(other.safeText)")
        }
        guard length.utf8.allSatisfy(\.isDigit) else {
            return (.protocolFault, "has the invalid Content-Length \(length.safeText)")
        }
        // A number that does not fit in an Int is also too large.
        guard Int(length).map({ $0 > maximumBody }) ?? true else { return nil }
        return (
            .refused, "the body of \(length.safeText) bytes is larger than the limit of \(maximumBody) bytes"
        )
    }
}
