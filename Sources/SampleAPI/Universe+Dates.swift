extension Universe {
    /// A season has about ten episodes: ten, and in the last one the odd ones too.
    func code(ofEpisode id: Int) -> String {
        let seasons = max(1, counts.episode / 10)
        let season = min((id - 1) / 10, seasons - 1)
        let number = id - season * 10

        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "S\(two(season + 1))E\(two(number))"
    }

    /// Weekly from an autumn day on, a season a year; where that would take over 30 years, all the closer.
    func airDate(ofEpisode id: Int) -> String {
        let seasons = max(1, counts.episode / 10)
        let season = min((id - 1) / 10, seasons - 1)
        let year = min(364, 30 * 364 / seasons)
        let day = 16_342 + season * year + (id - 1 - season * 10) * 7 * year / 364
        let date = Self.civil(day)
        return "\(Words.months[date.month - 1]) \(date.day), \(date.year)"
    }

    /// When a record was made, in the order of ids, to the millisecond.
    func created(_ reference: Reference) -> String {
        var dice = Dice(seed, .created, reference.id * 3 + (Kind.allCases.firstIndex(of: reference.kind) ?? 0))
        let minutes = 25_000_000 + reference.id * 47 * 826 / max(counts[reference.kind], 826) + dice.below(30)
        let date = Self.civil(minutes / 1440)
        let (seconds, milliseconds) = (dice.below(60), dice.below(1000))

        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let day = "\(date.year)-\(padded(date.month, 2))-\(padded(date.day, 2))"
        let time = "\(padded(minutes / 60 % 24, 2)):\(padded(minutes % 60, 2))"
        return "\(day)T\(time):\(padded(seconds, 2)).\(padded(milliseconds, 3))Z"
    }

    /// Days since 1970 to a date of the Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }
}
