import Catalogue

/// What is told of an item in a language: dates, durations, ratings and sizes; empty where there is none.
struct Facts {
    /// The day of its release in words, and as machines read it.
    let released: String
    let day: String
    /// Hours and minutes of a film, minutes and seconds of a song; and as machines read it (ISO 8601).
    let duration: String
    let period: String
    let rating: String
    let size: String

    init(_ item: Item, _ texts: Texts, isFilm: Bool = false) {
        released = item.released.map { Self.date($0, texts) } ?? ""
        day = item.released?.machineReadable ?? ""
        let seconds = item.milliseconds.map { Int(($0 + 500) / 1_000) }
        duration = seconds.map { isFilm ? Self.hours($0) : Self.minutes($0) } ?? ""
        period = seconds.map { "PT\($0 / 3_600)H\($0 % 3_600 / 60)M\($0 % 60)S" } ?? ""
        rating =
            item.rating.map { rating in
                texts.plural(
                    Words.ratingOf, Int(clamping: rating.count), ["rating": Self.decimal(rating.average, texts)])
            } ?? ""
        size =
            item.size.map {
                texts.filled(Words.megabytes, ["number": Self.decimal(max(Double($0) / 1_000_000, 0.1), texts)])
            } ?? ""
    }

    static func date(_ day: Day, _ texts: Texts) -> String {
        texts.filled(
            Words.date,
            [
                "day": "\(day.day)", "month": texts.value("month", "\(day.month)") ?? "\(day.month)",
                "year": "\(day.year)",
            ])
    }

    /// "1:04" for an hour and four minutes; a film is as long as its whole minutes.
    private static func hours(_ seconds: Int) -> String { "\(seconds / 3_600):\((seconds % 3_600 / 60).twoDigits)" }

    private static func minutes(_ seconds: Int) -> String {
        seconds < 3_600
            ? "\(seconds / 60):\((seconds % 60).twoDigits)"
            : "\(seconds / 3_600):\((seconds % 3_600 / 60).twoDigits):\((seconds % 60).twoDigits)"
    }

    /// With one digit behind the mark, or none where it is 0.
    private static func decimal(_ number: Double, _ texts: Texts) -> String {
        let tenths = Int((number * 10).rounded())
        let whole = texts.grouped(tenths / 10)
        return tenths % 10 == 0 ? whole : "\(whole)\(texts[Words.decimalMark])\(tenths % 10)"
    }
}
