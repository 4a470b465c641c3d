/// A country's storefront: what its rows name it, and what is paid with there.
struct MediaStore: Sendable {
    /// ISO 3166-1 alpha-2, as asked for.
    let code: String
    /// Alpha-3, as answered.
    let country: String
    let currency: String

    private static let known = [
        "US": ("USA", "USD"), "RU": ("RUS", "RUB"), "GB": ("GBR", "GBP"), "DE": ("DEU", "EUR"), "FR": ("FRA", "EUR"),
        "ES": ("ESP", "EUR"),
        "IT": ("ITA", "EUR"), "JP": ("JPN", "JPY"), "AU": ("AUS", "AUD"), "CA": ("CAN", "CAD"), "KZ": ("KAZ", "KZT"),
        "RS": ("SRB", "USD"),
    ]

    /// - Parameter code: in any case; nil for a country that has no store.
    init?(_ code: String) {
        self.code = code.uppercased()
        guard let facts = Self.known[self.code] else { return nil }
        (country, currency) = facts
    }

    var isRussian: Bool { code == "RU" }

    /// A price of the American store in hundredths, in this store's.
    func price(_ cents: Int) -> Int {
        isRussian && cents > 0 ? (cents * 15 / 100 * 100) : cents
    }

    /// A price as it is shown to people.
    func shown(_ cents: Int) -> String {
        let price = price(cents)
        let fraction = price % 100 < 10 ? "0\(price % 100)" : "\(price % 100)"
        return switch (price, code) {
        case (0, "RU"): "Бесплатно"
        case (0, _): "Free"
        case (_, "RU"): "\(price / 100),\(fraction) ₽"
        default: "$\(price / 100).\(fraction)"
        }
    }
}
