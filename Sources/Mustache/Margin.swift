/// What stands before each line of the template that is being rendered: the indentation of the tags that included it.
struct Margin {
    private var bytes: [UInt8] = []
    private var start = 0

    /// How much of the margin the last line of an output of some length has already.
    private var given = (output: -1, count: 0)

    /// What is needed to come back from a wider or another margin.
    var state: (start: Int, count: Int) { (start, bytes.count) }

    /// How many bytes are kept, with those of the margins that it returns to.
    var size: Int { bytes.count }

    mutating func restore(_ state: (start: Int, count: Int)) {
        start = state.start
        bytes.removeLast(bytes.count - state.count)
    }

    mutating func widen(_ indentation: ArraySlice<UInt8>) { bytes.append(contentsOf: indentation) }

    /// Begins with no margin, for what is included within a line.
    mutating func begin() { start = bytes.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        start = 0
        given.output = -1
    }

    /// Says that the line which the output ends with has its margin already.
    mutating func isGiven(at count: Int) { given = (count, bytes.count) }

    /// Appends the margin at the beginning of a line.
    func append(to output: inout [UInt8]) {
        guard start < bytes.count else { return }
        let first = output.count == given.output ? max(start, given.count) : start
        output.append(contentsOf: bytes[first...])
    }

    /// Appends lines, each after the margin; empty lines stay empty. Ends early once the output is longer than a limit:
    /// a text of many short lines grows by far more than its own length.
    @inline(__always)
    func append(_ text: [UInt8], _ range: Range<Int>, startsLine: Bool, to output: inout [UInt8], limit: Int) {
        if start == bytes.count {
            output.append(contentsOf: text[range])
        } else {
            appendLines(text, range, startsLine: startsLine, to: &output, limit: limit)
        }
    }

    private func appendLines(
        _ text: [UInt8], _ range: Range<Int>, startsLine: Bool, to output: inout [UInt8], limit: Int
    ) {
        var atLineStart = startsLine
        var place = range.lowerBound
        while place < range.upperBound, output.count <= limit {
            let end = text[place..<range.upperBound].firstIndex(of: .newline).map { $0 + 1 } ?? range.upperBound
            if atLineStart, text[place] != .newline, text[place] != .carriageReturn { append(to: &output) }
            output.append(contentsOf: text[place..<end])
            place = end
            atLineStart = true
        }
    }
}
