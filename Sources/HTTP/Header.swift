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
    /// The fields of a header block as it was received. The status line and lines without name or colon are none; a
    /// line that begins with white space goes on with the field before it (RFC 9112, section 5.2). A carriage return
    /// within a line counts as a space (section 2.2).
    /// - Parameter names: which fields are wanted, if not all: the others are passed over, which is much faster.
    public init(parsing block: [UInt8], only names: [String]? = nil) {
        self = []
        var start = block.startIndex
        // Whether the field before was taken; lines without one are folded onto nothing.
        var isGoingOn = false
        var isFirst = true
        while start < block.endIndex {
            let end = block[start...].firstIndex(of: UInt8(ascii: "\n")) ?? block.endIndex
            defer { start = end + 1 }
            let line = block[start..<end]
            guard let first = line.first else { continue }
            // Only the first line can be a status line: a field may be called "HTTP/x" too.
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
    public subscript(name: String) -> String? {
        last { Self.isEqual($0.name.utf8, name) }?.value
    }

    /// The members of a field that is a list, of all fields of that name in order (RFC 9110, section 5.6.1).
    public func list(_ name: String) -> [String] {
        filter { Self.isEqual($0.name.utf8, name) }
            .flatMap { $0.value.split(separator: ",") }
            .compactMap { member in
                let word = Self.text(ArraySlice(member.utf8))
                return word.isEmpty ? nil : word
            }
    }

    /// Whether both are one name: names are ASCII, and case does not count.
    private static func isEqual(_ name: some Collection<UInt8>, _ other: String) -> Bool {
        name.elementsEqual(other.utf8) { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
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
