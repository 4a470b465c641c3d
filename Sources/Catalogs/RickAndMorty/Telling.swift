import Archive
import Catalogue

/// What pages say of characters, locations and episodes wherever they name them.
struct Telling: RecordTelling {
    let world: World

    var kinds: [(name: String, count: TextNeed)] {
        [("character", Words.characterCount), ("location", Words.locationCount), ("episode", Words.episodeCount)]
    }

    func page(of key: RecordKey) -> RecordPage? {
        switch key.kind {
        case "character":
            guard let row = world.characters.row(of: key.id) else { return nil }
            let picture: RecordPage.Picture? = world.characters.pictures[row].map {
                (path: Places.picture(key.id, $0.format), width: Int($0.width), height: Int($0.height))
            }
            return RecordPage(path: Places.character(key.id), name: world.characters.name(row), picture: picture)
        case "location":
            return world.locationRow(key.id).map {
                RecordPage(path: Places.location(key.id), name: world.locations[$0].name)
            }
        case "episode":
            return world.episodeRow(key.id).map {
                RecordPage(path: Places.episode(key.id), name: world.episodes[$0].name)
            }
        default: return nil
        }
    }

    func members(of kind: String) -> [ToldMember] {
        switch kind {
        case "character":
            [
                ("name", Words.personName), ("status", Words.status), ("gender", Words.gender),
                ("species", Words.species),
                ("type", Words.type), ("origin", Words.origin), ("location", Words.location),
                ("episode", Words.episodes), ("image", Words.image), ("created", Words.created), ("url", nil),
            ]
        case "location":
            [
                ("name", Words.name), ("type", Words.type), ("dimension", Words.dimension),
                ("residents", Words.residents), ("created", Words.created), ("url", nil),
            ]
        default:
            [
                ("name", Words.name), ("episode", Words.number), ("air_date", Words.airDate),
                ("characters", Words.characters), ("created", Words.created), ("url", nil),
            ]
        }
    }

    func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? {
        element.text.flatMap { world.links.key($0, kind: kind == "character" ? "episode" : "character") }
    }

    func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        switch (key.kind, member, value) {
        case ("character", "status", .text(let status)):
            let gender = world.characters.row(of: key.id).map { world.characters.genders[$0] }
            if let word = texts.value("status", status, by: gender ?? "") { return ShownValue(word, isServed: false) }
        case ("character", "gender", .text(let gender)):
            if let word = texts.value("gender", gender) { return ShownValue(word, isServed: false) }
        case ("character", "origin", .object), ("character", "location", .object):
            return place(value)
        default: break
        }
        let text = value.shown
        return value == .literal("null") || text.isBlank ? nil : ShownValue(text, isServed: true)
    }

    private func place(_ place: JSONValue) -> ShownValue? {
        let location = place["url"]?.text.flatMap(world.location)
        let name = place["name"]?.shown ?? ""
        guard let shown = name.isBlank ? location?.name : name else { return nil }
        return ShownValue(shown, path: location.map { Places.location($0.id) }, isServed: true)
    }
}
