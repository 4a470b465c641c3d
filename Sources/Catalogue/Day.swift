import Platform

/// A day of the calendar, in a year of four digits.
public struct Day: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Returns nil for a date that does not exist. Such a date would make a page invalid, and the build would fail.
    package init?(year: Int, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1_000...9_999).contains(year), (1...12).contains(month), (1...days[month - 1]).contains(day) else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter text: a text such as "2010-03-05".
    package init?(_ text: some Collection<UInt8>) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(\.isDigit) else { return nil }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - "0") } }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// The ISO 8601 form: 2010-03-05.
    package var machineReadable: String { "\(year)-\(month.padded())-\(day.padded())" }
}
