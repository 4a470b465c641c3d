import CCurl
package import Platform

/// Parses the Retry-After header (RFC 9110, section 10.2.3): a number of seconds, or a date (section 5.6.7). A date is
/// compared with the answer's Date header, because the local clock may be wrong.
public enum RetryAfter {
    /// The maximum number of seconds: 68 years, as RFC 9111, section 1.2.2, recommends.
    package static let maximum = Int(Int32.max)

    static let fields = ["Retry-After", "Date"]

    /// The seconds to wait; 0 if the header is missing or invalid, or if its date is in the past.
    /// - Parameter received: the local time of the answer, in milliseconds since 1970. It is used if there is no valid
    ///   Date header.
    package static func seconds(in headers: [Header], received: Int64) -> Int {
        guard let value = headers["Retry-After"], !value.isEmpty else { return 0 }
        // The number of seconds can have any number of digits.
        if value.utf8.allSatisfy(\.isDigit) { return min(Int(value) ?? maximum, maximum) }
        guard let end = date(value) else { return 0 }
        let start = headers["Date"].flatMap(date) ?? Int(received / 1_000)
        return min(max(0, end - start), maximum)
    }

    /// A date in seconds since 1970, or nil. libcurl reads HTTP's forms (https://curl.se/libcurl/c/curl_getdate.html).
    private static func date(_ text: String) -> Int? {
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }
}
