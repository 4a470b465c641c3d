import Archive
import Catalogue
import Mustache
import Pages

extension PageMaker<MediaTables> {
    func items(sharing choice: Facets.Choice? = nil) -> ListPages {
        let kinds = tables.kinds.map(\.name).joined(separator: " ")
        return cards(
            "media", MediaModels.items, tables.items.count, counted: MediaTexts.itemCount, title: MediaTexts.items,
            section: "items",
            path: MediaAddresses.items, sharing: choice, last: ("kinds", { _, _ in kinds }), card: card)
    }

    func card(_ row: Int, _ texts: Texts) -> Value {
        let place = tables.items[row]
        let item = place.brief
        return MediaModels.card([
            "path": MediaAddresses.item(place.key), "name": item.title, "explicit": item.isExplicit,
            "artist": item.artist ?? "", "kind": kind(place, texts), "picture": picture(place),
        ])
    }

    /// A result on the page of its search, with a few facts that depend on the medium.
    func result(_ entry: MediaTables.Entry, _ texts: Texts) -> Value {
        var place: MediaTables.Place?
        var title: String?
        var reason = ""
        switch entry {
        case .item(let row):
            place = tables.items[row]
            title = tables.items[row].brief.title
        case .broken(let name, let fault):
            title = name?.shortened
            reason = fault.description.showable.shortened
        }
        let medium = place?.kind.medium
        let item = place?.brief
        let facts = item.map { Facts($0, texts) }
        func told(_ text: String?, of one: Search.Medium) -> String { medium == one ? text ?? "" : "" }
        return MediaModels.result([
            "path": place.map { MediaAddresses.item($0.key).text } ?? "", "name": title ?? "",
            "explicit": item?.isExplicit ?? false, "unnamed": title == nil, "fault": reason,
            "artist": medium == .movie ? "" : item?.artist ?? "", "kind": place.map { kind($0, texts) } ?? "",
            "genre": told(item?.genres.first, of: .movie), "duration": told(facts?.duration, of: .music),
            "period": told(facts?.period, of: .music), "released": told(facts?.released, of: .movie),
            "day": told(facts?.day, of: .movie), "rating": told(facts?.rating, of: .ebook),
            "picture": place.map(picture) ?? PageParts.placeholder,
        ])
    }

    func country(_ store: Search.Store, _ texts: Texts) -> String {
        texts.value("country", store.rawValue) ?? store.rawValue
    }

    func kind(_ place: MediaTables.Place, _ texts: Texts) -> String {
        texts.value("kind", place.kind.medium.kind) ?? place.kind.medium.kind
    }

    func picture(_ place: MediaTables.Place) -> Value {
        guard let picture = place.picture, let path = picturePath(place) else { return PageParts.placeholder }
        return PageParts.picture(path, width: picture.width, height: picture.height)
    }

    func picturePath(_ place: MediaTables.Place) -> SitePath? {
        place.picture.map { MediaAddresses.picture(place.key, $0.format) }
    }
}

/// The dates, durations, ratings and sizes of an item as texts of one language. A missing value is empty.
struct Facts {
    /// The release date in words, and in ISO 8601.
    let released: String
    let day: String
    /// The duration as hours and minutes for a film, or minutes and seconds for a song; and in ISO 8601.
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
                    MediaTexts.ratingOf, Int(clamping: rating.count), ["rating": Self.decimal(rating.average, texts)])
            } ?? ""
        size =
            item.size.map {
                texts.filled(MediaTexts.megabytes, ["number": Self.decimal(max(Double($0) / 1_000_000, 0.1), texts)])
            } ?? ""
    }

    static func date(_ day: Day, _ texts: Texts) -> String {
        texts.filled(
            MediaTexts.date,
            [
                "day": "\(day.day)", "month": texts.value("month", "\(day.month)") ?? "\(day.month)",
                "year": "\(day.year)",
            ])
    }

    /// Hours and minutes, rounded down, such as "1:04".
    private static func hours(_ seconds: Int) -> String { "\(seconds / 3_600):\((seconds % 3_600 / 60).twoDigits)" }

    private static func minutes(_ seconds: Int) -> String {
        seconds < 3_600
            ? "\(seconds / 60):\((seconds % 60).twoDigits)"
            : "\(seconds / 3_600):\((seconds % 3_600 / 60).twoDigits):\((seconds % 60).twoDigits)"
    }

    /// The number with one decimal, or with none if that is 0.
    private static func decimal(_ number: Double, _ texts: Texts) -> String {
        let tenths = Int((number * 10).rounded())
        let whole = texts.grouped(tenths / 10)
        return tenths % 10 == 0 ? whole : "\(whole)\(texts[MediaTexts.decimalMark])\(tenths % 10)"
    }
}
