import Foundation

/// The texts, dates and numbers that pages of media must show in a language.
struct MediaWords {
    /// The language's folder in the site, with a slash at the end; empty for the root.
    let folder: String
    let artist, album, genre, genres, kind, released, country, director, company, companyPage, author, rating: String
    let albumArtist, albumPrice, track, disc, of, bundle, advisory, price, rental, streaming, extras, included: String
    /// The words for the prices 0 and -1.
    let free, notAlone, hour, minute: String
    let advisories: [String: String]
    let streamable: [Bool: String]
    /// The texts of the buttons that open the store and a preview, by kind.
    let stores: [String: String]
    let previews: [String: String]
    let kinds: [String: String]
    let countries: [String: String]
    let mark: String
    /// The words for the kind and the store of a search, and for one without explicit songs.
    let terms: @Sendable (String, String) -> String
    let clean: String
    let nothing: String
    private let months: [String]
    private let decimalMark: String
    private let ratings: @Sendable (String, String, Int) -> String
    private let megabyte: String
    private let day: @Sendable (Int, String, Int) -> String
    private let resultForms: [String]

    static let english = MediaWords(
        folder: "", artist: "Artist", album: "Album", genre: "Genre", genres: "Genres", kind: "Kind",
        released: "Released",
        country: "Country", director: "Director", company: "Studio", companyPage: "Studio page on Apple's site",
        author: "Author", rating: "Rating", albumArtist: "Album artist", albumPrice: "Album price", track: "Track",
        disc: "Disc", of: "of", bundle: "Bundle", advisory: "Advisory rating", price: "Price", rental: "Rental",
        streaming: "Streaming", extras: "iTunes Extras", included: "Included", free: "Free",
        notAlone: "Not sold separately", hour: "h", minute: "min",
        advisories: ["Explicit": "Explicit", "Clean": "Clean edit"],
        streamable: [true: "In Apple Music", false: "Not available"],
        stores: [
            "song": "Open in Apple Music", "feature-movie": "Open in Apple TV", "ebook": "Open in Apple Books",
        ], previews: ["song": "Listen to a preview", "feature-movie": "Watch a preview"],
        kinds: ["song": "Song", "feature-movie": "Film", "ebook": "Book"],
        countries: ["US": "United States", "RU": "Russia"],
        mark: "Explicit",
        terms: { media, country in
            let kind = ["music": "Songs", "movie": "Films", "ebook": "Books"][media] ?? ""
            return "\(kind) from the \(country == "US" ? "US" : "Russian") store"
        }, clean: ", without explicit ones",
        nothing: "No results.",
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ], decimalMark: ".",
        ratings: { rating, number, count in "\(rating) out of 5, \(number) \(count == 1 ? "rating" : "ratings")" },
        megabyte: "MB",
        day: { day, month, year in "\(month) \(day), \(year)" }, resultForms: ["result", "results", "results"])

    static let russian = MediaWords(
        folder: "ru/", artist: "Исполнитель", album: "Альбом", genre: "Жанр", genres: "Жанры", kind: "Тип",
        released: "Дата выхода",
        country: "Страна", director: "Режиссёр", company: "Студия", companyPage: "Страница студии на сайте Apple",
        author: "Автор", rating: "Оценка", albumArtist: "Исполнитель альбома", albumPrice: "Цена альбома",
        track: "Дорожка", disc: "Диск", of: "из", bundle: "Комплект", advisory: "Возрастной рейтинг", price: "Цена",
        rental: "Прокат", streaming: "Стриминг", extras: "iTunes Extras", included: "Есть", free: "Бесплатно",
        notAlone: "Отдельно не продаётся", hour: "ч", minute: "мин",
        advisories: ["Explicit": "Ненормативная лексика", "Clean": "Смягчённая версия"],
        streamable: [true: "В Apple Music", false: "Недоступен"],
        stores: [
            "song": "Открыть в Apple Music", "feature-movie": "Открыть в Apple TV", "ebook": "Открыть в Apple Books",
        ], previews: ["song": "Послушать фрагмент", "feature-movie": "Посмотреть фрагмент"],
        kinds: ["song": "Песня", "feature-movie": "Фильм", "ebook": "Книга"],
        countries: ["US": "США", "RU": "Россия"],
        mark: "18+",
        terms: { media, country in
            let kind = ["music": "Песни", "movie": "Фильмы", "ebook": "Книги"][media] ?? ""
            return "\(kind) из \(country == "US" ? "магазина США" : "российского магазина")"
        }, clean: ", без ненормативной лексики", nothing: "Ничего не найдено.",
        months: [
            "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября",
            "декабря",
        ], decimalMark: ",",
        ratings: { rating, number, count in
            "\(rating) из 5, \(number) \(russianForm(of: count, ["оценка", "оценки", "оценок"]))"
        }, megabyte: "МБ", day: { day, month, year in "\(day) \(month) \(year) г." },
        resultForms: ["результат", "результата", "результатов"])
}

extension MediaWords {
    /// The day of a moment in UTC; empty for years before 1000.
    func date(_ moment: String) -> String {
        guard let date = ISO8601DateFormatter().date(from: moment), let zone = TimeZone(identifier: "UTC") else {
            return ""
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        guard let year = parts.year, let month = parts.month, let number = parts.day, year >= 1_000 else { return "" }
        return day(number, months[month - 1], year)
    }

    func rating(_ average: Double, _ count: Int) -> String { ratings(decimal(average), grouped(count), count) }

    func size(_ bytes: Int) -> String { "\(decimal(Double(bytes) / 1_000_000)) \(megabyte)" }

    func results(_ count: Int) -> String {
        let form = folder.isEmpty ? resultForms[count == 1 ? 0 : 1] : Self.russianForm(of: count, resultForms)
        return "\(grouped(count)) \(form)"
    }

    private func decimal(_ number: Double) -> String {
        let text = String(format: "%.1f", number)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text).replacingOccurrences(of: ".", with: decimalMark)
    }

    private func grouped(_ number: Int) -> String {
        let separator = folder.isEmpty ? "," : "\u{A0}"
        return number < 10_000
            ? "\(number)" : "\(number / 1_000)\(separator)\(String(format: "%03d", number % 1_000))"
    }

    private static func russianForm(of count: Int, _ forms: [String]) -> String {
        switch (count % 10, count % 100) {
        case (_, 11...14): forms[2]
        case (1, _): forms[0]
        case (2...4, _): forms[1]
        default: forms[2]
        }
    }
}
