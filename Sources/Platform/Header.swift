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

extension [UInt8] {
    /// A header block without the fields of a name, and without their continuation lines.
    package func withoutFields(_ name: String) -> [UInt8] {
        guard ![Header](parsing: self, only: [name]).isEmpty else { return self }
        var isRemoved = false
        let kept = split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let isContinuation = line.first == 32 || line.first == 9
            if !isContinuation { isRemoved = ![Header](parsing: Array(line), only: [name]).isEmpty }
            return !isRemoved
        }
        return Array(kept.joined(separator: "\n".utf8))
    }
}

extension [Header] {
    /// Parses a header block. The status line and lines without a name or colon are skipped. A line that begins with
    /// white space continues the field before it (RFC 9112, 5.2). A carriage return in a line counts as a space (2.2).
    /// - Parameter names: the fields to read, which is much faster than reading all; nil for all.
    package init(parsing block: [UInt8], only names: [String]? = nil) {
        self = []
        // Whether the last field is one of the requested names, so that a continuation line is added to it.
        var isWanted = false
        for (index, line) in block.split(separator: "\n").enumerated() {
            // Only the first line can be a status line. Later lines can be a field with the name "HTTP/x".
            if index == 0, Self.isEqual(line.prefix(5), "http/") { continue }
            if Self.isSpace(line[line.startIndex]) {
                guard isWanted, case let more = Self.text(line), !more.isEmpty else { continue }
                self[count - 1].value += self[count - 1].value.isEmpty ? more : " " + more
            } else if let colon = line.firstIndex(of: ":"), colon > line.startIndex {
                let name = line[..<colon].trimmed(while: Self.isSpace)
                isWanted = names?.contains { Self.isEqual(name, $0) } ?? true
                if isWanted { append(Header(Self.text(name), Self.text(line[(colon + 1)...]))) }
            }
        }
    }

    /// The value of the last field with this name.
    package subscript(name: String) -> String? { last { Self.isEqual($0.name.utf8, name) }?.value }

    /// The comma-separated members of all fields with this name, in order (RFC 9110, section 5.6.1).
    package func list(_ name: String) -> [String] {
        filter { Self.isEqual($0.name.utf8, name) }
            .flatMap { $0.value.split(separator: ",") }
            .map { Self.text(ArraySlice($0.utf8)) }
            .filter { !$0.isEmpty }
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
