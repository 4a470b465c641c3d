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
        /// What was shown last, and when.
        var words = ""
        var lastShown = ContinuousClock.now
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
    func say(_ line: String) {
        if !isQuiet { print(line: line) }
    }

    func detail(_ line: String) {
        if isVerbose && !isQuiet { print(line: line) }
    }

    func warn(_ lines: [String]) {
        for (index, line) in lines.enumerated() { print(line: index == 0 ? "amber: \(line)" : line) }
    }

    func warn(_ line: String) { warn([line]) }

    /// How far a stage is: drawn in place on a terminal, else a line now and then.
    /// - Parameter timeLeft: where the caller knows it better than the pace of the last seconds does.
    func progress(_ stage: String, done: Int, of all: Int, timeLeft: String? = nil, note: String = "") {
        guard !isQuiet else { return }
        let pace: String? = state.withLock { state in
            state.pace.note(stage, done: done)
            let now = ContinuousClock.now
            let isNew = isTerminal && (state.words != stage + note || done >= all)
            guard isNew || state.lastShown.duration(to: now) >= (isTerminal ? Self.frame : Self.interval) else {
                return nil
            }
            (state.words, state.lastShown) = (stage + note, now)
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
            Self.write("\(stage): \(done) of \(all)\(text)\n")
        }
    }

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
        output(lines: text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
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

/// How fast a stage goes, by what was done in the last seconds, and how long the rest will take at that.
struct Pace {
    private var stage = ""
    private var marks: [(done: Int, time: ContinuousClock.Instant)] = []

    private static let span = Duration.seconds(5)
    /// Marks are this far apart, so that there are few, and the first rate is one of so much time.
    private static let step = Duration.milliseconds(500)

    mutating func note(_ stage: String, done: Int, at now: ContinuousClock.Instant = .now) {
        if stage != self.stage || done < marks.last?.done ?? 0 { (self.stage, marks) = (stage, []) }
        if let last = marks.last, last.time.duration(to: now) < Self.step { return }
        marks.append((done, now))
        // One that is old enough to measure from is kept.
        while marks.count > 2, marks[1].time.duration(to: now) >= Self.span { marks.removeFirst() }
    }

    /// "96/s, 4 s left"; empty as long as nothing is known. Without the time where somebody else knows it better.
    func text(done: Int, of all: Int, withTime: Bool = true) -> String {
        guard let first = marks.first, let last = marks.last, last.done > first.done else { return "" }
        let rate = Double(last.done - first.done) / (first.time.duration(to: last.time) / .seconds(1))
        let shown =
            rate < 10 ? "\(Double(Int((rate * 10).rounded())) / 10)/s" : "\(Summary.grouped(Int(rate.rounded())))/s"
        return withTime && all > done ? "\(shown), \(Self.left(Double(all - done) / rate)) left" : shown
    }

    /// "4 s", or "3 min" where it is long.
    static func left(_ seconds: Double) -> String {
        seconds < 90 ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded(.up))) min"
    }
}

/// Escapes text for a terminal. Records, archives, servers, templates and file names can hold characters that move the
/// cursor, change colors or reverse the direction of a line. `Console` applies this to everything that it prints.
enum TerminalText {
    /// One line: what would act on the terminal, a line feed included, is shown as `\u{1b}`. A tab stays.
    static func line(_ text: String) -> String {
        escape(text) { $0 == 9 ? "\t" : "\\u{\(String($0, radix: 16))}" }
    }

    /// JSON with the same value and without such characters. Valid JSON has them within texts only, where they can be
    /// escaped, but for line feeds, carriage returns and tabs, which are white space between values.
    static func json(_ text: String) -> String {
        escape(text) { value in
            if value == 9 || value == 10 || value == 13 { return " " }
            let digits = String(value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private static func escape(_ text: String, _ escaped: (UInt32) -> String) -> String {
        guard text.utf8.contains(where: { isSuspect[Int($0)] }) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if acts(scalar.value) {
                shown.append(contentsOf: escaped(scalar.value).unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// C0 and C1 controls, DEL, line and paragraph separators, and the characters that set a direction (UAX #9, section
    /// 2).
    private static func acts(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F: true
        default: false
        }
    }

    /// The bytes that these characters begin with in UTF-8.
    private static let isSuspect: [Bool] = (0..<256).map { $0 < 0x20 || [0x7F, 0xC2, 0xD8, 0xE2].contains($0) }
}
