import Glibc
import Platform

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
        let words = text.split { " ,-".contains($0) }
        guard let day = words.first, weekdays.contains(String(day.prefix(3))) else { return nil }
        switch words.count {
        case 6 where words[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT or Sunday, 06-Nov-94 08:49:37 GMT
            guard let year = number(words[3], digits: 4) ?? number(words[3], digits: 2).map({ fullYear($0, now: now) })
            else { return nil }
            return seconds(year, words[2], number(words[1], digits: 2), words[4])
        case 5:
            // Sun Nov  6 08:49:37 1994
            guard let year = number(words[4], digits: 4) else { return nil }
            return seconds(year, words[1], number(words[2], digits: 2) ?? number(words[2], digits: 1), words[3])
        default: return nil
        }
    }

    private static func seconds(_ year: Int, _ month: Substring, _ day: Int?, _ time: Substring) -> Int? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard let month = months.firstIndex(of: String(month)), let day, day > 0,
            parts.count == 3, let hour = parts[0], hour < 24, let minute = parts[1], minute < 60, let second = parts[2],
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

    private static func number(_ word: Substring, digits: Int) -> Int? {
        guard word.utf8.count == digits, word.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(word)
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
