/// How fast a stage goes, by what was done in the last seconds, and how long the rest will take at that.
struct Pace {
    private var stage = ""
    private var marks: [(done: Int, time: ContinuousClock.Instant)] = []

    /// Older marks say how fast it was, not how fast it is.
    private static let span = Duration.seconds(5)
    /// Marks are this far apart, so that there are few, and the first rate is one of so much time.
    private static let step = Duration.milliseconds(500)

    /// Notes how much of a stage is done.
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
