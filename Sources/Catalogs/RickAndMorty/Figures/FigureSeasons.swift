import Catalogue
import Mustache

/// A column for each episode, grouped by season. Across in per cent, upwards in multiples of the letters' size.
struct FigureSeasons {
    let groups: [Group]
    let highest: Int
    let lines: [Int]

    /// The episodes of a season and the index of its first column. One empty column separates two seasons.
    struct Group {
        let season: Int?
        let start: Int
        let episodes: [FigureData.Episode]
    }

    private static let top = 1.25
    private static let plot = 11.0

    /// More columns would be narrower than a pixel.
    private static let most = 1_000
    private let left: Int

    init(_ all: [FigureData.Episode]) {
        let episodes = all.prefix(Self.most)
        left = all.count - episodes.count
        let bySeason = Dictionary(grouping: episodes, by: \.season)
        // sorted: output order; episodes without a season come last
        let seasons = bySeason.keys.sorted { ($0 ?? .max, $0 == nil ? 1 : 0) < ($1 ?? .max, $1 == nil ? 1 : 0) }
        var start = 0
        groups = seasons.map { season in
            let own = bySeason[season] ?? []
            defer { start += own.count + 1 }
            return Group(season: season, start: start, episodes: own)
        }
        highest = episodes.map(\.characters).max() ?? 0
        lines = Self.lines(upTo: highest)
    }

    /// At most five round numbers from 0 to the highest count.
    static func lines(upTo highest: Int) -> [Int] {
        var step = 1
        var factors = [2, 5, 10].makeIterator()
        var power = 1
        while highest / step > 4 {
            if let factor = factors.next() {
                step = power * factor
            } else {
                power *= 10
                factors = [2, 5, 10].makeIterator()
            }
        }
        return Array(stride(from: 0, through: highest, by: step))
    }
}

extension FigureSeasons {
    private var columns: Int { (groups.last.map { $0.start + $0.episodes.count }) ?? 0 }
    private var episodes: [FigureData.Episode] { groups.flatMap(\.episodes) }

    func value(_ texts: Texts) -> Value? {
        guard columns > 0 else { return nil }
        // The names of many seasons would overlap, so only every n-th season is named.
        let every = (groups.count + 11) / 12
        return CharacterModels.seasonFigure([
            "caption": texts.text("figureSeasons"), "note": note(texts),
            "alternative": alternative(texts), "height": FigureBars.rounded(Self.top + Self.plot + 1.75),
            "labelAt": FigureBars.rounded(Self.top + Self.plot + 1.4), "roomy": columns <= 60,
            "fewSeasons": groups.count <= 8, "lines": lines.map(line),
            "seasons": groups.enumerated().map { value(of: $1, named: $0 % every == 0, texts) },
        ])
    }

    private func note(_ texts: Texts) -> String {
        let count = texts.plural("figureEpisodeCount", episodes.count)
        return left > 0 ? "\(count) \(texts.plural("andMore", left))" : count
    }

    private func line(_ number: Int) -> Value {
        CharacterModels.figureLine(["number": number, "at": FigureBars.rounded(Self.top + Self.plot - height(number))])
    }

    private func value(of group: Group, named: Bool, _ texts: Texts) -> Value {
        let name =
            group.season.map { texts.text("figureSeason", ["number": String($0)]) } ?? texts.text("figureNoSeason")
        return CharacterModels.figureSeason([
            "name": name, "short": named ? group.season.map(String.init) ?? "–" : "",
            "middle": FigureBars.rounded(across(Double(group.start) + Double(group.episodes.count) / 2)),
            "episodes": group.episodes.enumerated().map { value(of: $1, at: group.start + $0, texts) },
        ])
    }

    private func value(of episode: FigureData.Episode, at column: Int, _ texts: Texts) -> Value {
        let height = height(episode.characters)
        return CharacterModels.figureEpisode([
            "code": episode.code, "name": texts.shown(episode.name), "served": true,
            "path": episode.path, "count": episode.characters,
            "left": FigureBars.rounded(across(Double(column) + 0.14)), "width": FigureBars.rounded(across(0.72)),
            "middle": FigureBars.rounded(across(Double(column) + 0.5)),
            "top": FigureBars.rounded(Self.top + Self.plot - height),
            "height": FigureBars.rounded(height), "countAt": FigureBars.rounded(Self.top + Self.plot - height - 0.4),
        ])
    }

    private func across(_ columns: Double) -> Double { columns * 100 / Double(self.columns) }

    private func height(_ count: Int) -> Double { highest > 0 ? Double(count) * Self.plot / Double(highest) : 0 }

    private func alternative(_ texts: Texts) -> String {
        let counts = episodes.map(\.characters)
        let count = texts.plural("figureEpisodeCount", counts.count)
        guard let most = episodes.first(where: { $0.characters == highest }), let low = counts.min(), low < highest,
            let fewest = episodes.first(where: { $0.characters == low })
        else {
            return texts.text(
                "figureSeasonsEqual", ["episodes": count, "characters": texts.plural("figureCharacterCount", highest)])
        }
        return texts.text(
            "figureSeasonsAlternative",
            [
                "episodes": count, "most": Self.title(most), "high": String(highest), "fewest": Self.title(fewest),
                "low": String(low),
            ])
    }

    private static func title(_ episode: FigureData.Episode) -> String { "\(episode.code) \(episode.name)" }
}
