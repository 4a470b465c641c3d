import Archive
import Catalogue

/// Presents characters, locations and episodes on pages.
struct CharacterPresenter: RecordPresenter {
    let tables: CharacterTables

    var kinds: [(name: String, count: TextDeclaration)] {
        [
            ("character", CharacterTexts.characterCount), ("location", CharacterTexts.locationCount),
            ("episode", CharacterTexts.episodeCount),
        ]
    }

    func page(of key: RecordKey) -> RecordPage? {
        switch key.kind {
        case "character":
            guard let row = tables.characters.row(of: key.id) else { return nil }
            let picture: RecordPage.Picture? = tables.characters.pictures[row].map {
                (path: CharacterAddresses.picture(key.id, $0.format), width: Int($0.width), height: Int($0.height))
            }
            return RecordPage(
                path: CharacterAddresses.character(key.id), name: tables.characters.name(row), picture: picture)
        case "location":
            return tables.locationRow(key.id).map {
                RecordPage(path: CharacterAddresses.location(key.id), name: tables.locations[$0].name)
            }
        case "episode":
            return tables.episodeRow(key.id).map {
                RecordPage(path: CharacterAddresses.episode(key.id), name: tables.episodes[$0].name)
            }
        default: return nil
        }
    }

    func members(of kind: String) -> [FieldLabel] {
        switch kind {
        case "character":
            [
                ("name", CharacterTexts.personName), ("status", CharacterTexts.status),
                ("gender", CharacterTexts.gender),
                ("species", CharacterTexts.species),
                ("type", CharacterTexts.type), ("origin", CharacterTexts.origin), ("location", CharacterTexts.location),
                ("episode", CharacterTexts.episodes), ("image", CharacterTexts.image),
                ("created", CharacterTexts.created), ("url", nil),
            ]
        case "location":
            [
                ("name", CharacterTexts.name), ("type", CharacterTexts.type), ("dimension", CharacterTexts.dimension),
                ("residents", CharacterTexts.residents), ("created", CharacterTexts.created), ("url", nil),
            ]
        default:
            [
                ("name", CharacterTexts.name), ("episode", CharacterTexts.number), ("air_date", CharacterTexts.airDate),
                ("characters", CharacterTexts.characters), ("created", CharacterTexts.created), ("url", nil),
            ]
        }
    }

    func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? {
        element.text.flatMap { tables.links.key($0, kind: kind == "character" ? "episode" : "character") }
    }

    func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        switch (key.kind, member, value) {
        case ("character", "status", .text(let status)):
            let gender = tables.characters.row(of: key.id).map { tables.characters.genders[$0] }
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
        let location = place["url"]?.text.flatMap(tables.location)
        let name = place["name"]?.shown ?? ""
        guard let shown = name.isBlank ? location?.name : name else { return nil }
        return ShownValue(shown, path: location.map { CharacterAddresses.location($0.id) }, isServed: true)
    }
}
