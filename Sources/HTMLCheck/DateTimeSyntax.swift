import Platform

/// The machine-readable values of `time`, `ins` and `del` (HTML Living Standard, section 4.5.14).
enum DateTimeSyntax {
    typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    /// Accepts years, months, dates, yearless dates, weeks, times, zones, dates with times, and ISO durations.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = bytes[...]
        return isDate(text) || isTime(text) || isDateWithTime(text, needsZone: false) || isDuration(text)
    }

    /// Accepts a date, or a date with time and zone, for ins and del (section 4.7.3).
    static func isMoment(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        isFullDate(bytes[...]) || isDateWithTime(bytes[...], needsZone: true)
    }

    private static func isDate(_ text: Text) -> Bool {
        if isFullDate(text) { return true }
        if let year = numbers(in: text, like: "0000") { return year[0] > 0 }
        if let month = numbers(in: text, like: "0000-00") { return month[0] > 0 && (1...12).contains(month[1]) }
        if let week = numbers(in: text, like: "0000-W00") { return week[0] > 0 && (1...53).contains(week[1]) }
        if let day = numbers(in: text, like: "--00-00") { return isDay(day[1], month: day[0], year: 2000) }
        return false
    }

    private static func isFullDate(_ text: Text) -> Bool {
        guard let date = numbers(in: text, like: "0000-00-00") else { return false }
        return date[0] > 0 && isDay(date[2], month: date[1], year: date[0])
    }

    private static func isDay(_ day: Int, month: Int, year: Int) -> Bool {
        guard (1...12).contains(month) else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        return (1...days).contains(day)
    }

    /// Accepts hours and minutes, optionally seconds, and after seconds optionally a fraction of up to three digits.
    private static func isTime(_ text: Text) -> Bool {
        let whole = text.prefix { $0 != UInt8(ascii: ".") }
        let fraction = text.dropFirst(whole.count)
        guard fraction.isEmpty || whole.count == 8 && (2...4).contains(fraction.count),
            fraction.dropFirst().allSatisfy(\.isDigit),
            let time = numbers(in: whole, like: "00:00") ?? numbers(in: whole, like: "00:00:00")
        else { return false }
        return time[0] <= 23 && time[1...].allSatisfy { $0 <= 59 }
    }

    private static func isDateWithTime(_ text: Text, needsZone: Bool) -> Bool {
        let separator = text.dropFirst(10).first
        guard separator == UInt8(ascii: "T") || separator == UInt8(ascii: " "), isFullDate(text.prefix(10)) else {
            return false
        }
        let time = text.dropFirst(11).prefix { !"Z+-".utf8.contains($0) }
        let zone = text.dropFirst(11 + time.count)
        return isTime(time) && (zone.isEmpty ? !needsZone : isZone(zone))
    }

    private static func isZone(_ text: Text) -> Bool {
        if text.first == UInt8(ascii: "Z") { return text.count == 1 }
        let offset = text.dropFirst()
        guard
            let zone = numbers(in: offset, like: "00:00")
                ?? numbers(in: offset, like: "0000").map({ [$0[0] / 100, $0[0] % 100] })
        else { return false }
        return zone[0] <= 23 && zone[1] <= 59
    }

    /// Accepts P, days, then T, hours, minutes and seconds. Each unit appears at most once. At least one unit is
    /// required.
    private static func isDuration(_ text: Text) -> Bool {
        guard text.first == UInt8(ascii: "P"), text.count > 1 else { return false }
        // The quantifiers are possessive, so that the time is linear.
        let units = /P([0-9]++D)?(T(?=[0-9])([0-9]++H)?([0-9]++M)?([0-9]++(\.[0-9]{1,3})?S)?)?/
        return String(decoding: text, as: UTF8.self).wholeMatch(of: units) != nil
    }

    /// The numbers in a text; nil if the text does not match the form. In the form, 0 stands for any digit.
    private static func numbers(in text: Text, like form: StaticString) -> [Int]? {
        let form = UnsafeBufferPointer(form)
        guard text.count == form.count else { return nil }
        var numbers: [Int] = []
        var isInNumber = false
        for (byte, wanted) in zip(text, form) {
            guard wanted == UInt8(ascii: "0") ? byte.isDigit : byte == wanted else { return nil }
            if wanted == UInt8(ascii: "0") {
                if !isInNumber { numbers.append(0) }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            }
            isInNumber = wanted == UInt8(ascii: "0")
        }
        return numbers
    }
}
