import Platform

/// One header field. Names compare without regard to case (RFC 9110, section 5.1).
public struct Header: Sendable, Hashable {
    package let name: String
    /// The field's value, without surrounding white space.
    package fileprivate(set) var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [Header] {
    /// The fields of a header block as it was received, without the status line and lines without name or colon. A line
    /// that begins with white space continues the field before it (RFC 9112, section 5.2). A carriage return within a
    /// line counts as a space (section 2.2).
    /// - Parameter names: the fields that are wanted, which is much faster than all.
    package init(parsing block: [UInt8], only names: [String]? = nil) {
        self = []
        var start = block.startIndex
        // Whether the last field was taken, and so lines that continue it are.
        var isGoingOn = false
        var isFirst = true
        while start < block.endIndex {
            let end = block[start...].firstIndex(of: UInt8(ascii: "\n")) ?? block.endIndex
            defer { start = end + 1 }
            let line = block[start..<end]
            guard let first = line.first else { continue }
            // Only the first line can be a status line: a field may have the name "HTTP/x" too.
            defer { isFirst = false }
            if isFirst, Self.isEqual(line.prefix(5), "http/") { continue }
            if Self.isSpace(first) {
                guard isGoingOn, !isEmpty else { continue }
                let more = Self.text(line)
                guard !more.isEmpty else { continue }
                self[count - 1].value += self[count - 1].value.isEmpty ? more : " " + more
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
                let name = Self.trimmed(line[..<colon])
                isGoingOn = names?.contains { Self.isEqual(name, $0) } ?? true
                if isGoingOn { append(Header(Self.text(name), Self.text(line[(colon + 1)...]))) }
            }
        }
    }

    /// The value of the last field of that name.
    package subscript(name: String) -> String? {
        last { Self.isEqual($0.name.utf8, name) }?.value
    }

    /// The members of a list, of all fields of that name in order (RFC 9110, section 5.6.1).
    package func list(_ name: String) -> [String] {
        filter { Self.isEqual($0.name.utf8, name) }
            .flatMap { $0.value.split(separator: ",") }
            .compactMap { member in
                let word = Self.text(ArraySlice(member.utf8))
                return word.isEmpty ? nil : word
            }
    }

    /// Names are ASCII, without regard to case.
    private static func isEqual(_ name: some Collection<UInt8>, _ other: String) -> Bool {
        name.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = trimmed(bytes)
        guard bytes.contains(13) else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.map { $0 == 13 ? 32 : $0 }, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
}

/// Takes the header lines of an answer, and checks them when they are complete, before a body that would be refused.
struct HeaderBlock {
    /// The block of the final answer, from its status line to its empty line.
    private(set) var bytes: [UInt8] = []
    private(set) var isComplete = false
    private(set) var fault: Transfer.Fault?
    private let maximumSize: Int
    private let maximumBody: Int
    private var size = 0
    private var isInterim = false

    /// - Parameters:
    ///   - maximumSize: the most bytes of all blocks and trailers.
    ///   - maximumBody: the most bytes of the body.
    init(maximumSize: Int, maximumBody: Int) {
        self.maximumSize = maximumSize
        self.maximumBody = maximumBody
    }
}

extension HeaderBlock {
    private static let judged = ["Transfer-Encoding", "Content-Encoding", "Content-Length"]

    func fields(_ names: [String]) -> [Header] { [Header](parsing: bytes, only: names) }

    /// - Parameter status: that of the answer to which the line belongs.
    /// - Returns: whether the line was taken; if not, `fault` says why.
    mutating func append(_ line: UnsafeRawBufferPointer, status: Int) -> Bool {
        size += line.count
        guard size <= maximumSize else {
            fault = (.refused, "the headers are larger than \(maximumSize) bytes, the most that is taken")
            return false
        }
        // After the final answer's block come the trailers of a chunked body.
        if isComplete { return true }
        if isInterim { bytes = [] }
        isInterim = false
        bytes.append(contentsOf: line)
        guard line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else { return true }
        // After a 1xx comes another block, but a 101 is the last.
        isInterim = (100..<200).contains(status) && status != 101
        isComplete = !isInterim
        if isComplete { fault = Self.fault(in: fields(Self.judged), status: status, maximumBody: maximumBody) }
        return fault == nil
    }

    private static func fault(in fields: [Header], status: Int, maximumBody: Int) -> Transfer.Fault? {
        // libcurl decodes chunks; nothing else was requested (RFC 9112, section 6.1).
        let codings = fields.list("Transfer-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        guard codings.isEmpty || codings == ["chunked"] else {
            return (.refused, "sends its body as \(codings.joined(separator: ", ").shown), which was not asked for")
        }
        // Other statuses are errors of their own.
        let isAnswer = (200..<300).contains(status) || status == 404
        if isAnswer, let encoding = fields.list("Content-Encoding").first(where: { $0.lowercased() != "identity" }) {
            return (.refused, "answered in \(encoding.shown), though only the plain bytes were asked for")
        }
        // A chunked body has no length, and these two have no body, whatever their length (RFC 9112, section 6.3).
        guard codings.isEmpty, status != 204, status != 304 else { return nil }
        return fault(inLengths: fields.list("Content-Length"), maximumBody: maximumBody)
    }

    private static func fault(inLengths lengths: [String], maximumBody: Int) -> Transfer.Fault? {
        guard let length = lengths.first else { return nil }
        if let other = lengths.first(where: { $0 != length }) {
            return (.protocolFault, "tells two lengths of its body, \(length.shown) and \(other.shown)")
        }
        guard length.utf8.allSatisfy(\.isDigit) else {
            return (.protocolFault, "tells \(length.shown) as the length of its body, which is no number")
        }
        // More digits than an Int can have are too many bytes as well.
        guard Int(length).map({ $0 > maximumBody }) ?? true else { return nil }
        return (
            .refused, "the body of \(length.shown) bytes is larger than \(maximumBody) bytes, the most that is taken"
        )
    }
}
