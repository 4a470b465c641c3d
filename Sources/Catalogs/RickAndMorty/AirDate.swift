/// Air dates come as "Month D, YYYY"; pages want the machine's form beside it.
enum AirDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    /// "2013-12-02" for "December 2, 2013"; nil for anything else, so that a page shows it as it came.
    static func machineReadable(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let month = months.firstIndex(of: String(parts[0])), parts[1].last == ",",
            let day = Int(parts[1].dropLast()), let year = Int(parts[2]), (1...31).contains(day), (1000...9999).contains(year)
        else { return nil }
        let padded = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month + 1))-\(padded(day))"
    }
}
