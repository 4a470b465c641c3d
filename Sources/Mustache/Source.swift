/// A template as it was read.
public struct Source: Sendable {
    /// What partials and parents call it.
    public let name: String

    /// The path that messages show.
    public let file: String

    /// The template, in UTF-8.
    public let bytes: [UInt8]

    /// A template called `name`, read from `file`, which is only shown, never opened.
    public init(name: String, file: String, bytes: [UInt8]) {
        self.name = name
        self.file = file
        self.bytes = bytes
    }
}

extension Source {
    /// The text of a stretch of the template.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The line that this byte is on, counted from 1.
    func line(at offset: Int) -> Int {
        bytes[..<offset].count { $0 == .newline } + 1
    }

    /// What is wrong at this byte of the template.
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
