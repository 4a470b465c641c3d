import Glibc
package import Platform

/// Parses the Retry-After header (RFC 9110, section 10.2.3): a number of seconds, or a date in one of three forms
/// (section 5.6.7). A date is compared with the answer's Date header, because the local clock may be wrong.
public enum RetryAfter {
    /// The maximum number of seconds: 68 years, as RFC 9111, section 1.2.2, recommends.
    package static let maximum = Int(Int32.max)

    static let fields = ["Retry-After", "Date"]

    /// The seconds to wait; 0 if the header is missing or invalid, or if its date is in the past.
    /// - Parameter received: the local time of the answer, in milliseconds since 1970. It is used if there is no valid
    ///   Date header.
    package static func seconds(in headers: [Header], received: Int64) -> Int {
        guard let value = headers["Retry-After"] else { return 0 }
        if let delay = delay(value) { return delay }
        let now = Int(received / 1_000)
        guard let end = date(value, now: now) else { return 0 }
        let start = headers["Date"].flatMap { date($0, now: now) } ?? now
        return min(max(0, end - start), maximum)
    }
}

extension RetryAfter {
    /// Parses delay-seconds, which can have any number of digits.
    private static func delay(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Int(text) ?? maximum, maximum)
    }

    /// Parses an HTTP-date as seconds since 1970; nil for any other text.
    private static func date(_ text: String, now: Int) -> Int? {
        // The longest valid date has 33 characters: Wednesday, 09-Nov-94 08:49:37 GMT.
        guard text.utf8.count < 64 else { return nil }
        let words = text.split { " ,-".contains($0) }.joined(separator: " ")
        // Sun, 06 Nov 1994 08:49:37 GMT or Sunday, 06-Nov-94 08:49:37 GMT
        let usual = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[^ ]* ([0-9]{2}) ([^ ]+) ([0-9]{4}|[0-9]{2}) ([0-9:]+) GMT/
        if let date = words.wholeMatch(of: usual), let year = Int(date.4) {
            return seconds(date.4.count == 4 ? year : fullYear(year, now: now), date.3, Int(date.2), date.5)
        }
        // Sun Nov  6 08:49:37 1994
        let old = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[^ ]* ([^ ]+) ([0-9]{1,2}) ([0-9:]+) ([0-9]{4})/
        return words.wholeMatch(of: old).flatMap { date in
            Int(date.5).flatMap { seconds($0, date.2, Int(date.3), date.4) }
        }
    }

    private static func seconds(_ year: Int, _ month: Substring, _ day: Int?, _ time: Substring) -> Int? {
        guard let parts = time.wholeMatch(of: /([0-9]{2}):([0-9]{2}):([0-9]{2})/),
            let month = months.firstIndex(of: String(month)), let day, day > 0,
            let hour = Int(parts.1), hour < 24, let minute = Int(parts.2), minute < 60, let second = Int(parts.3),
            second <= 60
        else { return nil }
        var fields = tm()
        fields.tm_year = Int32(year - 1_900)
        fields.tm_mon = Int32(month)
        fields.tm_mday = Int32(day)
        // timegm(3) changes the 31st of a shorter month to another day.
        let midnight = timegm(&fields)
        guard fields.tm_mday == Int32(day) else { return nil }
        return midnight + hour * 3_600 + minute * 60 + second
    }

    /// The latest year with these last two digits that is at most 50 years in the future (RFC 9110, section 5.6.7).
    private static func fullYear(_ digits: Int, now: Int) -> Int {
        let latest = 1_970 + now / 31_556_952 + 50
        let year = latest - latest % 100 + digits
        return year > latest ? year - 100 : year
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
