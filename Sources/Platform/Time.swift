import CSystem
import Glibc

/// Milliseconds since 1970, by the machine's clock.
public func millisecondsSince1970() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}

/// A moment as text in UTC: "2026-11-21T10:20:30Z". Independent of the machine's zone and locale.
public func timestamp(milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return "\(date)T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
}

/// The beginning of a day in UTC, in milliseconds since 1970.
/// - Parameter day: "2018-05-01"; nil where it is no day of the calendar, or before the year 1000.
public func milliseconds(ofDay day: String) -> Int64? {
    let parts = day.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
        day.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }),
        let year = Int32(parts[0]), let month = Int32(parts[1]), let date = Int32(parts[2])
    else {
        return nil
    }
    var broken = tm()
    broken.tm_year = year - 1900
    broken.tm_mon = month - 1
    broken.tm_mday = date
    let milliseconds = Int64(timegm(&broken)) * 1_000
    // timegm(3) takes the 31st of June for the 1st of July.
    return timestamp(milliseconds: milliseconds).hasPrefix(day) ? milliseconds : nil
}
