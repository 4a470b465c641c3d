import Platform

/// The indentation of the lines of the current template. It comes from the tags that include the template.
struct Margin {
    private var bytes: [UInt8] = []
    private var start = 0

    /// The part of the margin that is already written, if the output has this length.
    private var written = (output: -1, count: 0)

    /// A state to restore after the margin was changed. `count` includes the margins that will be restored.
    typealias State = (start: Int, count: Int, written: (output: Int, count: Int))

    var state: State { (start, bytes.count, written) }

    mutating func restore(_ state: State) {
        (start, written) = (state.start, state.written)
        bytes.removeLast(bytes.count - state.count)
    }

    mutating func widen(_ indentation: ArraySlice<UInt8>) { bytes.append(contentsOf: indentation) }

    /// Begins an empty margin, for a partial inside a line.
    mutating func begin() { start = bytes.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        start = 0
        written.output = -1
    }

    /// Records that the margin of the current line is already written.
    /// - Parameter count: the length of the output.
    mutating func markWritten(at count: Int) { written = (count, bytes.count) }

    /// Appends the margin of a new line.
    func append(to output: inout [UInt8]) {
        guard start < bytes.count else { return }
        let first = output.count == written.output ? max(start, written.count) : start
        output.append(contentsOf: bytes[first...])
    }

    /// Appends a text with the margin before each line that is not empty. It stops early, because margins can be long.
    @inline(__always)
    func append(_ text: [UInt8], _ range: Range<Int>, startsLine: Bool, to output: inout [UInt8], limit: Int) {
        if start == bytes.count {
            text.withUnsafeBufferPointer { output.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
        } else {
            appendLines(text, range, startsLine: startsLine, to: &output, limit: limit)
        }
    }

    private func appendLines(
        _ text: [UInt8], _ range: Range<Int>, startsLine: Bool, to output: inout [UInt8], limit: Int
    ) {
        var atLineStart = startsLine
        var offset = range.lowerBound
        while offset < range.upperBound, output.count <= limit {
            let end = text[offset..<range.upperBound].firstIndex(of: "\n").map { $0 + 1 } ?? range.upperBound
            if atLineStart, text[offset] != "\n", text[offset] != "\r" { append(to: &output) }
            output.append(contentsOf: text[offset..<end])
            offset = end
            atLineStart = true
        }
    }
}
