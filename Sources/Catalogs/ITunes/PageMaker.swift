import Archive
import Catalogue
import Mustache

/// Makes the parts that pages of several kinds share.
struct PageMaker: PageMaking {
    let world: World
    let frame: PageFrame
    let facets: Facets
    /// Whether scripts can filter the list of all: where the search index is one file.
    let canFilter: Bool
    let telling: Telling
    let teller: HistoryTeller?
    let provenance: Provenance

    init(world: World, frame: PageFrame, canFilter: Bool) {
        self.world = world
        self.frame = frame
        self.canFilter = canFilter
        facets = Facets(Columns(world.items).facets)
        let telling = Telling(world: world)
        self.telling = telling
        teller = frame.context.history.map { HistoryTeller($0, telling) }
        provenance = Provenance(frame.context)
    }
}

extension PageMaker {
    /// An item as lists show it.
    func card(_ row: Int, _ texts: Texts) -> Value {
        let place = world.items[row]
        let item = place.brief
        return Models.card.value([
            "path": .text(Places.item(place.key).text), "name": .text(item.title), "explicit": .flag(item.isExplicit),
            "artist": .text(item.artist ?? ""), "kind": .text(kind(place, texts)), "picture": picture(place),
        ])
    }

    /// An item with the short facts that a search's page tells of its medium.
    func result(_ row: Int, _ texts: Texts) -> Value {
        let place = world.items[row]
        let item = place.brief
        let medium = place.kind.medium
        let facts = Facts(item, texts)
        return Models.result.value([
            "path": .text(Places.item(place.key).text), "name": .text(item.title), "explicit": .flag(item.isExplicit),
            "unnamed": .flag(false), "fault": .text(""), "artist": .text(medium == .movie ? "" : item.artist ?? ""),
            "kind": .text(kind(place, texts)), "genre": .text(medium == .movie ? item.genres.first ?? "" : ""),
            "duration": .text(medium == .music ? facts.duration : ""),
            "period": .text(medium == .music ? facts.period : ""),
            "released": .text(medium == .movie ? facts.released : ""), "day": .text(medium == .movie ? facts.day : ""),
            "rating": .text(medium == .ebook ? facts.rating : ""), "picture": picture(place),
        ])
    }

    /// What should be an item and is none.
    func broken(_ title: String?, _ fault: ContentFault) -> Value {
        let empty = Value.text("")
        return Models.result.value([
            "path": empty, "name": .text(title?.shortened ?? ""), "explicit": .flag(false),
            "unnamed": .flag(title == nil),
            "fault": .text(fault.description.showable.shortened), "artist": empty, "kind": empty,
            "genre": empty, "duration": empty, "period": empty, "released": empty, "day": empty, "rating": empty,
            "picture": PageParts.placeholder,
        ])
    }

    /// What a kind is called.
    func kind(_ place: World.Place, _ texts: Texts) -> String {
        texts.value("kind", place.kind.medium.kind) ?? place.kind.medium.kind
    }

    func picture(_ place: World.Place) -> Value {
        guard let picture = place.picture, let path = picturePath(place) else { return PageParts.placeholder }
        return PageParts.picture(path, width: picture.width, height: picture.height)
    }

    func picturePath(_ place: World.Place) -> SitePath? { place.picture.map { Places.picture(place.key, $0.format) } }
}
