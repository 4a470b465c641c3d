import Platform

package struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The position and the reason; the line with a caret under the position; a hint, such as the names that exist. An
    /// error that is not in a template has no position. A quoted name can contain a line feed.
    package let lines: [String]

    package var description: String { lines.joined(separator: "\n") }
}

package struct TemplateFile: Sendable {
    /// The name that partial and parent tags use.
    package let name: String

    /// The path that messages show.
    package let file: String

    /// The template, in UTF-8.
    package let bytes: [UInt8]

    /// Creates a template with the name `name`. `file` is only shown, never opened.
    package init(name: String, file: String, bytes: [UInt8]) {
        self.name = name
        self.file = file
        self.bytes = bytes
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The line number of an offset, counted from 1.
    func line(at offset: Int) -> Int { bytes[..<offset].count { $0 == "\n" } + 1 }

    private func lineStart(at offset: Int) -> Int { bytes[..<offset].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }

    /// An offset as "FILE:LINE:COLUMN". Columns are counted in characters (Unicode scalars) from 1.
    func position(_ offset: Int) -> String {
        "\(file):\(line(at: offset)):\(text(lineStart(at: offset)..<offset).unicodeScalars.count + 1)"
    }

    package func error(at offset: Int, _ reason: String, note: String? = nil) -> TemplateError {
        TemplateError(lines: ["\(position(offset)): \(reason)"] + excerpt(at: offset) + [note].compactMap(\.self))
    }

    /// - Throws: an error at a byte offset, unless the condition is true.
    func require(_ condition: Bool, at offset: Int, _ reason: @autoclosure () -> String) throws {
        guard condition else { throw error(at: offset, reason()) }
    }

    /// The line and a line with the caret, indented. A long line is shortened to the part around the position.
    private func excerpt(at offset: Int) -> [String] {
        let start = lineStart(at: offset)
        var end = bytes[offset...].firstIndex(of: "\n") ?? bytes.count
        if end > offset, bytes[end - 1] == "\r" { end -= 1 }
        let scalars = Array(text(start..<end).unicodeScalars)
        let column = text(start..<offset).unicodeScalars.count
        let width = 120
        let first = scalars.count <= width ? 0 : max(0, min(column - width / 2, scalars.count - width))
        let shown = scalars[first..<min(scalars.count, first + width)]
        let before = shown.prefix(column - first).map { $0 == "\t" ? "\t" : " " }
        let (opening, closing) = (first > 0 ? "…" : "", first + width < scalars.count ? "…" : "")
        return [
            "    " + opening + String(String.UnicodeScalarView(shown)) + closing,
            "    " + (opening.isEmpty ? "" : " ") + before.joined() + "^",
        ]
    }
}

/// Suggests a known name for an unknown one.
package enum Spelling {
    /// The ending of a message: `; did you mean "name"?`, or empty if no name is similar.
    package static func hint(for name: String, among names: [String]) -> String {
        // A longer name is unlikely to be a typing error. A wrong letter counts as two differences, and a letter has at
        // most 4 bytes.
        guard name.utf8.count <= 100 else { return "" }
        let near = names.filter { abs($0.utf8.count - name.utf8.count) <= 8 }
            .map { (name.difference(from: $0).count, $0) }.filter { $0.0 <= min(2, name.count - 1) }.min { $0 < $1 }
        return near.map { "; did you mean \"\($0.1)\"?" } ?? ""
    }
}
