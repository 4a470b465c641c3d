import Catalogue

/// Air dates come as "Month D, YYYY"; pages want the machine's form beside it.
enum AirDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// "2013-12-02" for "December 2, 2013"; nil for anything else, so that a page shows it as it came.
    static func machineReadable(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let month = months.firstIndex(of: String(parts[0])), parts[1].last == ",",
            let date = number(parts[1].dropLast()), let year = number(parts[2])
        else { return nil }
        return Day(year: year, month: month + 1, day: date)?.machineReadable
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(digits) : nil
    }
}
