/// A text taken apart where values go in: "page {number} of {pages}".
public struct TextPattern: Sendable, Equatable {
    /// A stretch of the text, or the name of what is put in.
    enum Part: Sendable, Equatable {
        case text(String)
        case slot(String)
    }

    /// The text as it was written.
    let source: String
    private let parts: [Part]

    /// Takes a text apart.
    package init(_ source: String) {
        self.source = source
        var parts: [Part] = []
        var rest = source[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.slot(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// The names in braces.
    var slots: Set<String> {
        Set(parts.compactMap { if case .slot(let name) = $0 { name } else { nil } })
    }

    /// The text with values in the places of their names; what is put in is not looked into, and a name without a value
    /// stays.
    package func filled(_ values: KeyValuePairs<String, String>, count: String? = nil) -> String {
        var filled = ""
        for part in parts {
            switch part {
            case .text(let text): filled += text
            case .slot("count") where count != nil: filled += count ?? ""
            case .slot(let name): filled += values.first { $0.key == name }?.value ?? "{\(name)}"
            }
        }
        return filled
    }
}
