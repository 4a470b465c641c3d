/// What is wrong in a template, where, and what would be right.
public struct TemplateError: Error, Sendable, Equatable {
    /// The template's path, as its source gave it; empty where the error is not in a template.
    public let file: String

    /// Counted from 1; 0 where the error is not in a template.
    public let line: Int

    /// Counted in characters (Unicode scalars) from 1.
    public let column: Int

    /// What is wrong, in a few words.
    public let reason: String

    /// The line itself.
    public let lineText: String

    /// What would be right: the names or templates that there are.
    public let note: String?
}

extension TemplateError {
    /// An error that is in no template.
    init(_ reason: String, note: String?) {
        self.init(file: "", line: 0, column: 0, reason: reason, lineText: "", note: note)
    }
}

extension TemplateError: CustomStringConvertible {
    /// The place and the reason, the line with a caret under the place, and the note.
    public var description: String { lines.joined(separator: "\n") }

    /// The description's lines. What they quote may hold a line feed.
    public var lines: [String] {
        let place = line > 0 ? "\(file):\(line):\(column): " : ""
        return [place + reason] + (line > 0 ? excerpt : []) + [note].compactMap(\.self)
    }

    /// The line and a line with the caret, indented; of a long line what is near the place.
    private var excerpt: [String] {
        let scalars = Array(lineText.unicodeScalars)
        let width = 120
        let first = scalars.count <= width ? 0 : max(0, min(column - 1 - width / 2, scalars.count - width))
        let shown = scalars[first..<min(scalars.count, first + width)]
        let before = shown.prefix(column - 1 - first).map { $0 == "\t" ? "\t" : " " }

        let (start, end) = (first > 0 ? "…" : "", first + width < scalars.count ? "…" : "")
        return [
            "    " + start + String(String.UnicodeScalarView(shown)) + end,
            "    " + (start.isEmpty ? "" : " ") + before.joined() + "^",
        ]
    }
}
