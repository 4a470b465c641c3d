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
        var places: [Int64: PlaceTitle] = [:]
        for record in try reader.records(of: "location", at: 0..<Int.max) {
            places[record.key.id] = try PlaceTitle(decoding: record.bytes)
        }
        var episodes: [Int64: EpisodeTitle] = [:]
        for record in try reader.records(of: "episode", at: 0..<Int.max) {
            episodes[record.key.id] = try EpisodeTitle(decoding: record.bytes)
        }
        let roll = try reader.roll(of: "character")
        let pages = CharacterPages(roll: roll, places: places, episodes: episodes, links: links, context: context)
        return SitePlan(pages: [pages])
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
