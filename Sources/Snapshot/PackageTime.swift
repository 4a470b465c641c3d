import Platform

/// A moment in the spellings that packages want. All are UTC.
struct PackageTime: Sendable {
    private let milliseconds: Int64
    /// "2026-11-21T10:20:30Z".
    let seconds: String

    init(milliseconds: Int64) {
        self.milliseconds = max(0, milliseconds)
        seconds = timestamp(milliseconds: self.milliseconds)
    }

    /// "2026-11-21T10:20:30.123Z", as WARC 1.1 has it.
    var precise: String {
        let rest = "\(milliseconds % 1_000)"
        return "\(seconds.dropLast()).\(String(repeating: "0", count: 3 - rest.count))\(rest)Z"
    }

    /// "20261121102030", as indexes have it.
    var digits: String { seconds.filter(\.isNumber) }

    /// Two seconds' precision from 1980 on, as zip has it.
    var dos: UInt32 {
        let parts = seconds.split(whereSeparator: { !$0.isNumber }).compactMap { UInt32($0) }
        guard parts.count == 6, parts[0] >= 1980, parts[0] < 2108 else { return 1 << 21 | 1 << 16 }
        return (parts[0] - 1980) << 25 | parts[1] << 21 | parts[2] << 16 | parts[3] << 11 | parts[4] << 5 | parts[5] / 2
    }
}
