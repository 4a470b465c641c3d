/// A day of the calendar, in a year of four digits.
public struct Day: Hashable, Sendable {
    /// The year, 1000 to 9999.
    package let year: Int
    /// The month, from 1.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    /// Nil for a day that no calendar has: it would make its page invalid, and an invalid page stops the site.
    package init?(year: Int, month: Int, day: Int) {
        guard (1_000...9_999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day)
        else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// As machines read it: 2010-03-05.
    package var machineReadable: String { "\(year)-\(month.twoDigits)-\(day.twoDigits)" }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int {
    /// With a 0 before it where it has one digit: "05".
    package var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
