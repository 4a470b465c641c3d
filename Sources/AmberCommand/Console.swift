import Glibc
import Platform

/// Prints: progress and messages on standard error, results on standard output. The only place that does.
///
/// Every message is a line, and every line goes through `TerminalText`: no caller can forget to escape what others
/// wrote. A message of several lines is passed as several lines.
final class Console: Sendable {
    private let isQuiet: Bool
    private let isVerbose: Bool
    /// Whether a person looks on.
    let isTerminal: Bool
    private let state = Guarded(State())

    private struct State {
        var bar = ""
        var pace = Pace()
        var lastLine = ContinuousClock.now
        var lastDrawn: (words: String, when: ContinuousClock.Instant)?
    }

    /// Lines about progress are this far apart where there is no terminal.
    private static let interval = Duration.seconds(5)
    /// A bar that only goes on is drawn no more often than this: writing to a terminal takes its time.
    private static let frame = Duration.milliseconds(50)

    init(isQuiet: Bool, isVerbose: Bool) {
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        isTerminal = isatty(2) == 1
    }
}

extension Console {
    /// A line for everyone.
    func say(_ line: String) {
        if !isQuiet { print(line: line) }
    }

    /// A line for who asked for more.
    func detail(_ line: String) {
        if isVerbose && !isQuiet { print(line: line) }
    }

    /// A line that even --quiet does not silence.
    func warn(_ line: String) { print(line: "amber: \(line)") }

    /// Lines that even --quiet does not silence.
    func warn(lines: [String]) {
        for (index, line) in lines.enumerated() { if index == 0 { warn(line) } else { print(line: line) } }
    }

    /// How far a stage is: drawn in place on a terminal, else a line now and then.
    /// - Parameter timeLeft: where the caller knows it better than the pace of the last seconds does.
    func progress(_ stage: String, done: Int, of all: Int, timeLeft: String? = nil, note: String = "") {
        guard !isQuiet else { return }
        let pace: String? = state.withLock { state in
            state.pace.note(stage, done: done)
            if isTerminal {
                let now = ContinuousClock.now
                let isSame =
                    state.lastDrawn.map { $0.words == stage + note && $0.when.duration(to: now) < Self.frame } ?? false
                if isSame, done < all { return nil }
                state.lastDrawn = (stage + note, now)
            }
            return state.pace.text(done: done, of: all, withTime: timeLeft == nil)
        }
        guard let pace else { return }
        // A bar of more lines than one could not be drawn in place.
        let whole = TerminalText.line([pace, timeLeft ?? "", note].filter { !$0.isEmpty }.map { "  \($0)" }.joined())
        let text = whole.count > 160 ? "\(whole.prefix(160))…" : whole
        if isTerminal {
            let width = 24
            let filled = all > 0 ? min(width, width * done / all) : 0
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
            draw(all > 0 ? "\(stage) \(bar) \(done)/\(all)\(text)" : "\(stage)\(text)")
        } else {
            let isDue = state.withLock { state in
                let now = ContinuousClock.now
                guard state.lastLine.duration(to: now) >= Self.interval else { return false }
                state.lastLine = now
                return true
            }
            if isDue { Self.write("\(stage): \(done) of \(all)\(text)\n") }
        }
    }

    /// Takes the bar away.
    func clear() {
        if isTerminal { draw("") }
    }

    /// Why something could not be written to standard output; nil where all was.
    static let outputFault = Guarded<SystemError?>(nil)

    /// Lines for standard output. Where they cannot be written, `outputFault` says why in the end.
    static func output(lines: [String]) {
        output(lines.map { TerminalText.line($0) + "\n" }.joined())
    }

    /// JSON, or a part of it, for standard output.
    static func output(json: String, terminator: String = "\n") {
        output(TerminalText.json(json) + terminator)
    }

    /// Text of the program itself for standard output: help, manual, completions.
    static func output(own text: String) {
        output(
            lines: text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0)
                .map(String.init))
    }

    private static func output(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var left = UnsafeRawBufferPointer(bytes)[...]
            while !left.isEmpty {
                let count = Glibc.write(1, UnsafeRawBufferPointer(rebasing: left).baseAddress, left.count)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else {
                    let fault = SystemError("write to", "standard output")
                    // A reader that went away wants no more.
                    if fault.code != EPIPE { outputFault.withLock { $0 = fault } }
                    return
                }
                left = left.dropFirst(count)
            }
        }
    }

    private func print(line: String) {
        clear()
        Self.write(TerminalText.line(line) + "\n")
    }

    private func draw(_ bar: String) {
        state.withLock { state in
            guard bar != state.bar else { return }
            state.bar = bar
            Self.write("\r\u{1B}[K\(bar)")
        }
    }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            // Nobody is left to be told that standard error is gone.
            _ = Glibc.write(2, bytes.baseAddress, bytes.count)
        }
    }
}
