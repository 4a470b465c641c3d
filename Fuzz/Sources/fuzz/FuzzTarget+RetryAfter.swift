import HTTP
import Platform

extension FuzzTarget {
    /// A Retry-After header in the first line, and a Date header in the rest.
    static let retryAfter = FuzzTarget(name: "retry-after") { bytes in
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        let headers = zip(["Retry-After", "Date"], lines).map { Header($0, String(decoding: $1, as: UTF8.self)) }
        // Local clocks of 1970, 2023 and 2100.
        for received: Int64 in [0, 1_700_000_000_000, 4_102_444_800_000] {
            let seconds = RetryAfter.seconds(in: headers, received: received)
            require((0...RetryAfter.maximum).contains(seconds), "the wait is within the limits: \(seconds)")
        }
    }
}
