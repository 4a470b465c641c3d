import Platform

/// The machine-readable values of `time`, `ins` and `del` (HTML Living Standard, section 4.5.14).
package enum DateTimeSyntax {
    package typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    /// Accepts years, months, dates, yearless dates, weeks, times, zones, dates with times, and ISO durations.
    static func isValid(_ bytes: Bytes) -> Bool {
        let text = bytes[...]
        return has(text, "yyyy-mm-dd", "yyyy", "yyyy-mm", "yyyy-Www", "--mm-dd") || isTime(text)
            || isDateWithTime(text, needsZone: false) || isDuration(text)
    }

    /// Accepts a date, or a date with time and zone, for ins and del (section 4.7.3).
    static func isMoment(_ bytes: Bytes) -> Bool {
        has(bytes[...], "yyyy-mm-dd") || isDateWithTime(bytes[...], needsZone: true)
    }

    /// Accepts hours and minutes, optionally seconds, and after seconds optionally a fraction.
    private static func isTime(_ text: Text, mostDigits: Int = 3) -> Bool {
        guard let seconds = rest(of: text, after: "hh:ii:ss") else { return has(text, "hh:ii") }
        return seconds.isEmpty
            || seconds.first == "." && (2...1 + mostDigits).contains(seconds.count)
                && seconds.dropFirst().allSatisfy(\.isDigit)
    }

    private static func isDateWithTime(_ text: Text, needsZone: Bool) -> Bool {
        guard let rest = rest(of: text, after: "yyyy-mm-dd"), let separator = rest.first else { return false }
        return "T ".utf8.contains(separator) && isTimeWithZone(rest.dropFirst(), needsZone: needsZone)
    }

    /// - Parameter mostDigits: the maximum number of digits of a fraction of seconds.
    package static func isTimeWithZone(_ text: Text, mostDigits: Int = 3, needsZone: Bool = false) -> Bool {
        let time = text.prefix { !"Z+-".utf8.contains($0) }
        let zone = text.dropFirst(time.count)
        let isZone = zone.first == "Z" ? zone.count == 1 : has(zone.dropFirst(), "hh:ii", "hhii")
        return isTime(time, mostDigits: mostDigits) && (zone.isEmpty ? !needsZone : isZone)
    }

    /// Accepts P, days, then T, hours, minutes and seconds, each at most once, and at least one of them.
    private static func isDuration(_ text: Text) -> Bool {
        guard text.first == "P", text.count > 1 else { return false }
        // The quantifiers are possessive, so that the time is linear.
        let units = /P([0-9]++D)?(T(?=[0-9])([0-9]++H)?([0-9]++M)?([0-9]++(\.[0-9]{1,3})?S)?)?/
        return String(decoding: text, as: UTF8.self).wholeMatch(of: units) != nil
    }

    private static func has(_ text: Text, _ forms: StaticString...) -> Bool {
        forms.contains { $0.utf8CodeUnitCount == text.count && rest(of: text, after: $0) != nil }
    }

    /// The text after a start of this form; nil if the text starts differently, or if a number is out of range.
    /// - Parameter form: small letters are digits of a year, month, day, week, hour, minute (i) and second.
    private static func rest(of text: Text, after form: StaticString) -> Text? {
        guard text.count >= form.utf8CodeUnitCount else { return nil }
        // The number of each letter; -1 for none.
        var numbers = SIMD32<Int16>(repeating: -1)
        for (byte, wanted) in zip(text, UnsafeBufferPointer(form)) {
            guard wanted.isSmallLetter ? byte.isDigit : byte == wanted else { return nil }
            guard wanted.isSmallLetter else { continue }
            let letter = Int(wanted - "a")
            numbers[letter] = max(numbers[letter], 0) * 10 + Int16(byte - "0")
        }
        func number(_ letter: Unicode.Scalar, without standard: Int16) -> Int16 {
            let number = numbers[Int(letter.value) - 97]
            return number < 0 ? standard : number
        }
        // Without a year, February has 29 days.
        let (year, month) = (number("y", without: 2000), number("m", without: 1))
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days: Int16 = month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        let isInRange =
            year > 0 && (1...12).contains(month) && (1...days).contains(number("d", without: 1))
            && (1...53).contains(number("w", without: 1)) && number("h", without: 0) <= 23
            && number("i", without: 0) <= 59 && number("s", without: 0) <= 59
        return isInRange ? text.dropFirst(form.utf8CodeUnitCount) : nil
    }
}
