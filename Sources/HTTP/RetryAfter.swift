import CCurl
package import Platform

/// Parses the Retry-After header (RFC 9110, section 10.2.3): a number of seconds, or a date (section 5.6.7). A date is
/// compared with the answer's Date header, because the local clock may be wrong.
public enum RetryAfter {
    /// The maximum number of seconds: 68 years, as RFC 9111, section 1.2.2, recommends.
    package static let maximum = Int(Int32.max)

    static let fields = ["Retry-After", "Date"]

    /// The seconds to wait; 0 if the header is missing or invalid, or if its date is in the past.
    /// - Parameter received: the local time of the answer in milliseconds since 1970, for answers without a valid Date.
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

/// How many requests a server still accepts, as its answers announce: the fields RateLimit and RateLimit-Remaining of
/// the IETF draft (draft-ietf-httpapi-ratelimit-headers, all versions), and X-RateLimit-Remaining of many APIs.
package enum AnnouncedLimit {
    static let fields = [
        "RateLimit", "RateLimit-Remaining", "RateLimit-Reset", "X-RateLimit-Remaining", "X-RateLimit-Reset",
    ]

    /// - Parameter received: the local time of the answer in milliseconds since 1970.
    /// - Returns: the number of requests, and the seconds until the server accepts more; nil if there is no valid
    ///   announcement. Of several limits, the one with the fewest requests counts.
    package static func read(_ headers: [Header], received: Int64) -> (remaining: Int, seconds: Int)? {
        var limits: [(remaining: Int, seconds: Int)] = []
        // RateLimit: limit=100, remaining=50, reset=5, or RateLimit: "default";r=50;t=5, "daily";r=9;t=99
        for field in headers.list("RateLimit").joined(separator: ";").split(separator: "\"") {
            var values: [Substring: Int] = [:]
            for parameter in field.split(whereSeparator: { ";, ".contains($0) }) {
                let parts = parameter.split(separator: "=")
                if parts.count == 2, let number = Self.number(parts[1]) { values[parts[0]] = number }
            }
            if let remaining = values["remaining"] ?? values["r"], let seconds = values["reset"] ?? values["t"] {
                limits.append((remaining, seconds))
            }
        }
        for prefix in ["RateLimit", "X-RateLimit"] {
            if let remaining = headers["\(prefix)-Remaining"].flatMap({ Self.number($0) }),
                let reset = headers["\(prefix)-Reset"].flatMap({ Self.number($0) })
            {
                // Some APIs send the time in seconds since 1970, for example GitHub.
                let isTime = reset > 1_000_000_000
                limits.append((remaining, isTime ? max(0, reset - Int(received / 1_000)) : reset))
            }
        }
        return limits.min { ($0.remaining, -$0.seconds) < ($1.remaining, -$1.seconds) }
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.count < 16, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }
}
