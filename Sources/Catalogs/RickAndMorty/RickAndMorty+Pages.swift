public import Archive
public import Catalogue
import Mustache

extension RickAndMorty {
    /// The list pages' template and the characters'.
    public var pageTemplates: [PageTemplate] {
        [PageTemplate("index", Models.index), PageTemplate("character", Models.character)]
    }

    /// List pages, a page for each character, and their avatars.
    public func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let links = LinkReader(bases: bases + [context.api])
        var places: [Int64: Location] = [:]
        for record in try reader.records(of: "location", at: 0..<Int.max) {
            places[record.key.id] = try Location(decoding: record.bytes)
        }
        var episodes: [Int64: Episode] = [:]
        for record in try reader.records(of: "episode", at: 0..<Int.max) {
            episodes[record.key.id] = try Episode(decoding: record.bytes)
        }
        var roll: [CharacterPages.Entry] = []
        var pictures: [SitePicture] = []
        let count = try reader.count(of: "character")
        for start in stride(from: 0, to: count, by: 1_000) {
            for record in try reader.records(of: "character", at: start..<min(start + 1_000, count)) {
                let character = try Character(decoding: record.bytes)
                let asset = try links.path(character.image).flatMap(reader.asset(at:))
                roll.append(CharacterPages.Entry(id: character.id, format: asset?.format))
                if let asset { pictures.append(SitePicture(path: SitePath("avatar/", character.id, asset.format.ending), asset: asset)) }
            }
        }
        let pages = CharacterPages(roll: roll, places: places, episodes: episodes, links: links, context: context)
        return SitePlan(pages: [pages], pictures: pictures)
    }
}

extension PictureFormat {
    /// The ending of a picture's file name in the site.
    var ending: StaticString {
        switch self {
        case .png: ".png"
        case .jpeg: ".jpg"
        case .gif: ".gif"
        case .webp: ".webp"
        }
    }
}
