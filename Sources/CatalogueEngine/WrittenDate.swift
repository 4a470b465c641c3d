package import Catalogue
import HTMLCheck
import Platform

extension Day {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Parses a date such as "December 2, 2013", or one in ISO 8601; nil if it cannot be parsed.
    init?(written text: String) {
        if let day = Day(moment: text) {
            self = day
            return
        }
        let parts = text.utf8.split(separator: " ")
        guard parts.count == 3, parts[1].last == ",",
            let month = Self.months.firstIndex(where: { $0.utf8.elementsEqual(parts[0]) }),
            let date = Self.number(parts[1].dropLast()), let year = Self.number(parts[2])
        else { return nil }
        self.init(year: year, month: month + 1, day: date)
    }

    private static func number(_ digits: Substring.UTF8View) -> Int? {
        digits.allSatisfy(\.isDigit) ? Int(Substring(digits)) : nil
    }

    /// The moment of a Unix time in seconds, milliseconds or smaller units; nil for another text. Smaller numbers are
    /// more often years, or days such as 20101231.
    static func moment(unix time: String) -> String? {
        guard var seconds = Double(time), seconds >= 1e8, seconds.isFinite else { return nil }
        while seconds >= 1e11 { seconds /= 1_000 }
        return timestamp(milliseconds: Int64(seconds) * 1_000)
    }

    /// A day or moment for machines, without fractions of seconds; empty for another text.
    static func machineReadable(moment: String) -> String {
        guard let day = Day(moment: moment)?.machineReadable else { return "" }
        let time = moment.dropFirst(11)
        let zone = time.drop { !"Z+-".contains($0) }
        return time.isEmpty ? day : "\(day)T\(time.prefix { $0 == ":" || $0.isNumber })\(zone)"
    }

    /// The date of a day or moment in ISO 8601 such as "2010-03-05T08:00:00Z", or "2010-03-05.08:00:00" of Roundup; nil
    /// for another text, and for years before 1000. Some services write 0001 for an unknown year (docs/apis.md, 5.6).
    package init?(moment: String) {
        guard let day = Day(moment.utf8.prefix(10)), Self.isTime(moment.utf8.dropFirst(10)) else { return nil }
        self = day
    }

    /// The time of a moment with its zone as served, such as ", 08:00 +01:00"; empty for a day.
    static func time(of moment: String) -> String {
        let time = moment.dropFirst(11)
        let zone = time.drop { !"Z+-".contains($0) }
        let isUTC = zone.allSatisfy { "Z+-0:".contains($0) }
        return time.isEmpty ? "" : ", \(time.prefix(5))" + (zone.isEmpty ? "" : isUTC ? " UTC" : " \(zone)")
    }

    /// Whether a text is empty, or a time such as "T08:00", " 08:00:00", ".08:00:00" or "T08:00:00.123456789+01:00".
    private static func isTime(_ text: Substring.UTF8View) -> Bool {
        guard let separator = text.first else { return true }
        var time = Substring(text.dropFirst())
        return "T .".utf8.contains(separator) && time.withUTF8 { DateTimeSyntax.isTimeWithZone($0[...], mostDigits: 9) }
    }
}
