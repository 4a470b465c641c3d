/// The machine-readable values of `time`, `ins` and `del` (HTML Living Standard, section 4.5.14).
enum DateTimeSyntax {
    /// Accepts years, months, dates, yearless dates, weeks, times, zones, dates with times, and ISO durations.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if bytes.first == UInt8(ascii: "P") { return isDuration(bytes) }
        var scan = Scanner(bytes[...])
        if isTime(&scan) { return scan.isAtEnd }

        scan = Scanner(bytes[...])
        guard isDate(&scan) else { return false }
        if scan.isAtEnd { return true }
        guard scan.isFullDate, scan.take("T") || scan.take(" "), isTime(&scan) else { return false }
        return scan.isAtEnd || (isZone(&scan) && scan.isAtEnd)
    }

    /// A date, or a date with time and zone: what ins and del take (section 4.7.3).
    static func isMoment(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isValid(bytes) else { return false }
        if bytes.count == 10 {
            return bytes.filter { $0 == UInt8(ascii: "-") }.count == 2 && !bytes.contains(UInt8(ascii: ":"))
        }
        guard bytes.count > 16 else { return false }
        return bytes.last == UInt8(ascii: "Z")
            || bytes[16...].contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    }

    private static func isDate(_ scan: inout Scanner) -> Bool {
        if scan.take("-") { return scan.take("-") && isMonthDay(&scan, year: 2000) }
        guard let year = scan.number(digits: 4), year > 0 else { return false }
        if scan.isAtEnd { return true }
        guard scan.take("-") else { return false }
        if scan.take("W") { return (1...53).contains(scan.number(digits: 2) ?? 0) }
        guard let month = scan.number(digits: 2), (1...12).contains(month) else { return false }
        if scan.isAtEnd { return true }
        guard scan.take("-"), let day = scan.number(digits: 2) else { return false }
        scan.isFullDate = true
        return (1...days(month, year)).contains(day)
    }

    private static func isMonthDay(_ scan: inout Scanner, year: Int) -> Bool {
        guard let month = scan.number(digits: 2), (1...12).contains(month), scan.take("-"),
            let day = scan.number(digits: 2)
        else {
            return false
        }
        return (1...days(month, year)).contains(day)
    }

    private static func isTime(_ scan: inout Scanner) -> Bool {
        guard (0...23).contains(scan.number(digits: 2) ?? -1), scan.take(":"),
            (0...59).contains(scan.number(digits: 2) ?? -1)
        else {
            return false
        }
        guard scan.take(":") else { return true }
        guard (0...59).contains(scan.number(digits: 2) ?? -1) else { return false }
        return !scan.take(".") || (1...3).contains(scan.skipDigits())
    }

    private static func isZone(_ scan: inout Scanner) -> Bool {
        if scan.take("Z") { return true }
        guard scan.take("+") || scan.take("-"), (0...23).contains(scan.number(digits: 2) ?? -1) else { return false }
        _ = scan.take(":")
        return (0...59).contains(scan.number(digits: 2) ?? -1)
    }

    /// P, days, then T, hours, minutes, seconds, each at most once and at least one.
    private static func isDuration(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var scan = Scanner(bytes[...])
        _ = scan.take("P")
        var parts = 0
        if scan.skipDigits() > 0 {
            guard scan.take("D") else { return false }
            parts += 1
        }
        guard scan.take("T") else { return parts > 0 && scan.isAtEnd }
        var units: [Character] = ["H", "M", "S"]
        while !scan.isAtEnd {
            guard scan.skipDigits() > 0 else { return false }
            let isFraction = scan.take(".")
            if isFraction, !(1...3).contains(scan.skipDigits()) { return false }
            guard let unit = units.firstIndex(where: { scan.take($0) }), !isFraction || units[unit] == "S" else {
                return false
            }
            units.removeFirst(unit + 1)
            parts += 1
        }
        return units.count < 3
    }

    private static func days(_ month: Int, _ year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}

private struct Scanner {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>
    var isFullDate = false

    init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Character) -> Bool {
        guard let byte = character.asciiValue, rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    mutating func skipDigits() -> Int {
        let count = rest.prefix { $0.isDigit }.count
        rest = rest.dropFirst(count)
        return count
    }
}
