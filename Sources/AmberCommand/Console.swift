import Catalogue
import Glibc
import Platform

/// Prints progress and messages to standard error, and results to standard output. No other code prints.
///
/// Every line is escaped with `TerminalText`. A message of several lines is passed as several strings.
final class Console: Sendable {
    private let isQuiet: Bool
    private let isVerbose: Bool
    let isTerminal: Bool
    private let state = Locked(State())

    private struct State {
        var bar = ""
        var rate = ProgressRate()
        /// The stage and the note of the last progress line or bar.
        var lastText = ""
        var lastShown = ContinuousClock.now
    }

    /// The minimum time between progress lines if standard error is not a terminal.
    private static let interval = Duration.seconds(5)
    /// The minimum time between drawings of the same bar, because writing to a terminal is slow.
    private static let frame = Duration.milliseconds(50)

    init(isQuiet: Bool, isVerbose: Bool) {
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        isTerminal = isatty(2) == 1
    }

    func say(_ line: String) { if !isQuiet { print(line: line) } }

    func detail(_ line: String) { if isVerbose && !isQuiet { print(line: line) } }

    func warn(_ lines: [String]) {
        for (index, line) in lines.enumerated() { print(line: index == 0 ? "amber: \(line)" : line) }
    }

    func warn(_ line: String) { warn([line]) }

    /// Shows the progress of a stage: a bar on a terminal, otherwise a line every few seconds.
    /// - Parameter timeLeft: the remaining time, if the caller estimates it better than the current rate does.
    func progress(_ stage: String, done: Int, of all: Int, timeLeft: String? = nil, note: String = "") {
        guard !isQuiet else { return }
        let rateText: String? = state.withLock { state in
            state.rate.addMark(stage, done: done)
            let now = ContinuousClock.now
            let isNew = isTerminal && (state.lastText != stage + note || done >= all)
            guard isNew || state.lastShown.duration(to: now) >= (isTerminal ? Self.frame : Self.interval) else {
                return nil
            }
            (state.lastText, state.lastShown) = (stage + note, now)
            return state.rate.text(done: done, of: all, withTime: timeLeft == nil)
        }
        guard let rateText else { return }
        // A bar longer than one line cannot be redrawn in place.
        let details = TerminalText.line(
            [rateText, timeLeft ?? "", note].filter { !$0.isEmpty }.map { "  \($0)" }.joined())
        let text = details.count > 160 ? "\(details.prefix(160))…" : details
        if isTerminal {
            let width = 24
            let filled = all > 0 ? min(width, width * done / all) : 0
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
            draw(all > 0 ? "\(stage) \(bar) \(done)/\(all)\(text)" : "\(stage)\(text)")
        } else {
            Self.write("\(stage): \(done) of \(all)\(text)\n")
        }
    }

    func clear() { if isTerminal { draw("") } }

    /// The error of a failed write to standard output; nil if every write succeeded.
    static let outputFault = Locked<SystemError?>(nil)

    /// Prints lines to standard output. If a write fails, `outputFault` is set.
    static func output(lines: [String]) { output(lines.map { TerminalText.line($0) + "\n" }.joined()) }

    static func output(json: String, terminator: String = "\n") {
        output(TerminalText.json(json) + terminator)
    }

    static func output(_ json: JSON) { output(json: json.description) }

    private static func output(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var remaining = UnsafeRawBufferPointer(bytes)[...]
            while !remaining.isEmpty {
                let count = Glibc.write(1, UnsafeRawBufferPointer(rebasing: remaining).baseAddress, remaining.count)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else {
                    let fault = SystemError("write to", "standard output")
                    // If the reader has closed the pipe, it needs no more output. This is not an error.
                    if fault.code != EPIPE { outputFault.withLock { $0 = fault } }
                    return
                }
                remaining = remaining.dropFirst(count)
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
            // If standard error is closed, the failure cannot be reported.
            _ = Glibc.write(2, bytes.baseAddress, bytes.count)
        }
    }
}

/// The rate of a stage in the last seconds, and the remaining time at that rate.
struct ProgressRate {
    private var stage = ""
    private var marks: [(done: Int, time: ContinuousClock.Instant)] = []

    private static let window = Duration.seconds(5)
    /// The minimum time between marks, so that there are few marks and the first rate is not random.
    private static let step = Duration.milliseconds(500)

    mutating func addMark(_ stage: String, done: Int, at now: ContinuousClock.Instant = .now) {
        if stage != self.stage || done < marks.last?.done ?? 0 { (self.stage, marks) = (stage, []) }
        if let last = marks.last, last.time.duration(to: now) < Self.step { return }
        marks.append((done, now))
        // Keep one mark that is at least as old as `window`. The rate is measured from this mark.
        while marks.count > 2, marks[1].time.duration(to: now) >= Self.window { marks.removeFirst() }
    }

    /// The rate and the remaining time, such as "96/s, 4 s left", or only "96/s". Empty until a rate is known.
    func text(done: Int, of all: Int, withTime: Bool = true) -> String {
        guard let first = marks.first, let last = marks.last, last.done > first.done else { return "" }
        let rate = Double(last.done - first.done) / (first.time.duration(to: last.time) / .seconds(1))
        let shown =
            rate < 10 ? "\(Double(Int((rate * 10).rounded())) / 10)/s" : "\(Summary.grouped(Int(rate.rounded())))/s"
        return withTime && all > done ? "\(shown), \(Self.duration(Double(all - done) / rate)) left" : shown
    }

    /// A duration, such as "4 s", or "3 min" for 90 seconds or more.
    static func duration(_ seconds: Double) -> String {
        seconds < 90 ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded(.up))) min"
    }
}

/// Escapes text for a terminal. Records, archives, servers, templates and file names can hold characters that move the
/// cursor, change colors or reverse the direction of a line. `Console` applies this to everything that it prints.
enum TerminalText {
    /// Escapes a line: characters that act on the terminal, but not tabs, become `\u{1b}` and so on.
    static func line(_ text: String) -> String {
        escape(text) { $0 == 9 ? "\t" : "\\u{\(String($0, radix: 16))}" }
    }

    /// Escapes characters that act on the terminal in JSON, without changing its value. In strings they become escapes.
    /// Between values there can be only line feeds, carriage returns and tabs, which become spaces.
    static func json(_ text: String) -> String {
        escape(text) { [9, 10, 13].contains($0) ? " " : "\\u\($0.padded(4, radix: 16))" }
    }

    private static func escape(_ text: String, _ escaped: (UInt32) -> String) -> String {
        guard text.unicodeScalars.contains(where: { isUnsafe($0.value) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if isUnsafe(scalar.value) { shown += escaped(scalar.value) } else { shown.unicodeScalars.append(scalar) }
        }
    }

    /// C0 and C1 controls, DEL, line and paragraph separators, and characters that set a direction (UAX #9, 2).
    private static func isUnsafe(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F: true
        default: false
        }
    }
}
