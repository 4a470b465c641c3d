/// An error in a template, with its position and a hint.
public struct TemplateError: Error, Sendable, Equatable {
    /// The template's path; empty if the error is not in a template.
    public let file: String
    /// Counted from 1; 0 if the error is not in a template.
    public let line: Int
    /// Counted in characters (Unicode scalars) from 1.
    public let column: Int
    /// A short description of the error.
    public let reason: String
    /// The text of the line.
    public let lineText: String
    /// A hint, such as the names or templates that exist.
    public let note: String?
}

extension TemplateError: CustomStringConvertible {
    /// An error that is not in a template.
    init(_ reason: String, note: String?) {
        self.init(file: "", line: 0, column: 0, reason: reason, lineText: "", note: note)
    }

    /// The position and the reason, the line with a caret under the position, and the note.
    public var description: String { lines.joined(separator: "\n") }

    /// The lines of the description. A quoted name can contain a line feed.
    public var lines: [String] {
        let position = line > 0 ? "\(file):\(line):\(column): " : ""
        return [position + reason] + (line > 0 ? excerpt : []) + [note].compactMap(\.self)
    }

    /// The line and a line with the caret, indented. A long line is shortened to the part around the position.
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

/// The source of a template.
public struct TemplateFile: Sendable {
    /// The name that partial and parent tags use.
    public let name: String

    /// The path that messages show.
    public let file: String

    /// The template, in UTF-8.
    public let bytes: [UInt8]

    /// Creates a template with the name `name`. `file` is only shown, never opened.
    public init(name: String, file: String, bytes: [UInt8]) {
        self.name = name
        self.file = file
        self.bytes = bytes
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The line number of an offset, counted from 1.
    func line(at offset: Int) -> Int {
        bytes[..<offset].count { $0 == .newline } + 1
    }

    /// An error at a byte offset of the template.
    public func error(at offset: Int, _ reason: String, note: String? = nil) -> TemplateError {
        let before = bytes[..<offset]
        let start = before.lastIndex(of: .newline).map { $0 + 1 } ?? 0
        var end = bytes[offset...].firstIndex(of: .newline) ?? bytes.count
        if end > offset, bytes[end - 1] == .carriageReturn { end -= 1 }
        return TemplateError(
            file: file, line: line(at: offset), column: text(start..<offset).unicodeScalars.count + 1, reason: reason,
            lineText: text(start..<end), note: note)
    }
}

/// Suggests a known name for an unknown one.
package enum Spelling {
    /// The ending of a message: `; did you mean "name"?`, or empty if no name is similar.
    package static func hint(for name: String, among names: [String]) -> String {
        // A longer name is unlikely to be a typing error.
        guard name.utf8.count <= 100 else { return "" }
        let near = names.map { (distance(name, $0), $0) }.filter { $0.0 <= min(2, name.count - 1) }.min { $0 < $1 }
        return near.map { "; did you mean \"\($0.1)\"?" } ?? ""
    }

    /// The Levenshtein distance.
    private static func distance(_ one: String, _ other: String) -> Int {
        let letters = Array(other)
        var row = Array(0...letters.count)
        for (above, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = above + 1
            for column in letters.indices {
                let replaced = diagonal + (letters[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
            }
        }
        return row[letters.count]
    }
}
