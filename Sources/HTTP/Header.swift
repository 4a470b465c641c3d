/// One header field. Names compare without regard to case (RFC 9110, section 5.1).
public struct Header: Sendable, Hashable {
    /// The field's name.
    public let name: String
    /// The field's value, without surrounding white space.
    public fileprivate(set) var value: String

    /// A field with its value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [Header] {
    /// The fields of a header block as it was received. The status line and lines without name or colon are none; a line that
    /// begins with white space goes on with the field before it (RFC 9112, section 5.2). A carriage return within a line counts as
    /// a space (section 2.2).
    public init(parsing block: [UInt8]) {
        self = []
        var lines = block.split(separator: UInt8(ascii: "\n"))[...]
        // Only the first line can be a status line: a field may be called "HTTP/x" too.
        if let first = lines.first, String(decoding: first.prefix(5), as: UTF8.self).lowercased() == "http/" { lines.removeFirst() }
        for line in lines {
            if let first = line.first, Self.isSpace(first) {
                let more = Self.trimmed(line)
                guard !isEmpty, !more.isEmpty else { continue }
                self[count - 1].value += self[count - 1].value.isEmpty ? more : " " + more
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
                append(Header(Self.trimmed(line[..<colon]), Self.trimmed(line[(colon + 1)...])))
            }
        }
    }

    /// The value of the last field of that name.
    public subscript(name: String) -> String? {
        last { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The members of a field that is a list, of all fields of that name in order (RFC 9110, section 5.6.1).
    public func list(_ name: String) -> [String] {
        filter { $0.name.lowercased() == name.lowercased() }
            .flatMap { $0.value.split(separator: ",") }
            .compactMap { member in
                let word = Self.trimmed(ArraySlice<UInt8>(member.utf8))
                return word.isEmpty ? nil : word
            }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(decoding: bytes[first...last].map { $0 == 13 ? 32 : $0 }, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
}
