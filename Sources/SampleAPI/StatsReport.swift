/// What `/_stats` answers: requests and the most in flight by kind, answers by status, and the pages of each list in
/// the order asked, with start and end in seconds.
enum StatsReport {
    static func json(of journal: Journal) -> [UInt8] {
        let stats = journal.stats
        var writer = JSONWriter()
        writer.raw("{\"requests\":")
        counts(stats.requests.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: &writer)
        writer.raw(",\"most_in_flight\":")
        counts(stats.mostInFlight.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: &writer)
        writer.raw(",\"status\":")
        counts(stats.status.sorted { $0.key < $1.key }.map { (String($0.key), $0.value) }, to: &writer)

        writer.raw(",\"pages\":[")
        var first = true
        for entry in journal.entries where entry.kind.hasSuffix("_page") {
            guard let end = entry.end else { continue }
            if !first { writer.raw(",") }
            first = false
            writer.raw("{\"list\":")
            writer.string(String(entry.kind.dropLast(5)))
            writer.raw(",\"page\":")
            writer.number(page(in: entry.target))
            writer.raw(",\"start\":")
            seconds(entry.start, to: &writer)
            writer.raw(",\"end\":")
            seconds(end, to: &writer)
            writer.raw(",\"status\":")
            writer.number(entry.status)
            writer.raw("}")
        }
        writer.raw("]}")
        return writer.bytes
    }

    private static func counts(_ counts: [(String, Int)], to writer: inout JSONWriter) {
        writer.raw("{")
        for (index, (name, count)) in counts.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(name)
            writer.raw(":")
            writer.number(count)
        }
        writer.raw("}")
    }

    private static func page(in target: String) -> Int {
        guard let mark = target.firstIndex(of: "?") else { return 1 }
        let pairs = Percent.pairs(String(target[target.index(after: mark)...]))
        return pairs.first { $0.name == "page" }.flatMap { Percent.leadingInteger($0.value) } ?? 1
    }

    /// Seconds with four decimals.
    private static func seconds(_ time: Duration, to writer: inout JSONWriter) {
        let tenths = max(
            0, Int(time.components.seconds) * 10_000 + Int(time.components.attoseconds / 100_000_000_000_000))
        writer.number(tenths / 10_000)
        writer.raw(".")
        let digits = String(tenths % 10_000)
        writer.raw(Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count) + Array(digits.utf8))
    }
}
