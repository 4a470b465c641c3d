import Glibc
import Platform

/// A day of the calendar, in a year of four digits.
package struct Day: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Returns nil for a date that does not exist, or a year without four digits, because it makes a page invalid.
    package init?(year: Int, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lastDay = month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard (1_000...9_999).contains(year), (1...12).contains(month), (1...lastDay).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter text: a text such as "2010-03-05".
    package init?(_ text: some Collection<UInt8>) {
        let bytes = Array(text)
        guard bytes.count == 10, bytes[4] == "-", bytes[7] == "-" else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].allSatisfy { $0.isDigit } ? bytes[range].reduce(0) { $0 * 10 + Int($1 - "0") } : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The ISO 8601 form: 2010-03-05.
    package var machineReadable: String { "\(year)-\(month.padded())-\(day.padded())" }

    /// The beginning of the day in UTC, in milliseconds since 1970.
    package var start: Int64 {
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (Int32(year) - 1900, Int32(month) - 1, Int32(day))
        return Int64(timegm(&fields)) * 1_000
    }
}

extension JSON {
    /// The date in an array such as [2020, 5, 1], or in an array with only such an array. Without a day, or without a
    /// month, it is "2020-05" or "2020". Nil for another value.
    package var date: String? {
        let inner = elements?.count == 1 ? elements?[0].elements : nil
        let parts = (inner ?? elements ?? []).map { $0.integer ?? 0 }
        guard (1...3).contains(parts.count) else { return nil }
        let all = parts + [1, 1]
        let day = Day(year: all[0], month: all[1], day: all[2])
        return day.map { String($0.machineReadable.prefix(3 * parts.count + 1)) }
    }
}
