import Catalogue

/// What items can be chosen by, value by value.
struct Columns {
    private(set) var kinds = ValueColumn()
    private(set) var explicit = ValueColumn()
    private(set) var countries = ValueColumn()
    private(set) var genres = ValueColumn()

    init(_ items: some Sequence<World.Place>) {
        for place in items {
            kinds.append(place.kind.medium.kind)
            explicit.append(Self.explicitness(place.brief))
            countries.append(place.kind.store.rawValue)
            genres.append(place.brief.genres.first ?? "")
        }
    }

    /// A clean edit is not explicit; of books nothing is said (docs/apis.md, 5.1).
    private static func explicitness(_ item: Item) -> String {
        switch item.explicitness {
        case nil: ""
        case "cleaned": "notExplicit"
        case let word?: word.shortened
        }
    }

    var facets: [(name: String, label: TextNeed, values: ValueColumn)] {
        [
            ("kind", Words.kind, kinds), ("explicit", Words.explicit, explicit), ("country", Words.country, countries),
            ("genre", Words.genre, genres),
        ]
    }
}
