/// Air dates come as "Month D, YYYY"; pages want the machine's form beside it.
enum AirDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    /// "2013-12-02" for "December 2, 2013"; nil for anything else, so that a page shows it as it came.
    static func machineReadable(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let month = months.firstIndex(of: String(parts[0])), parts[1].last == ",",
            let day = number(parts[1].dropLast()), let year = number(parts[2]), (1000...9999).contains(year),
            (1...days(inMonth: month + 1, of: year)).contains(day)
        else { return nil }
        let padded = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month + 1))-\(padded(day))"
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(digits) : nil
    }

    /// A day that no calendar has would make its page invalid, and an invalid page stops the site.
    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
