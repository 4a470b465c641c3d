import Catalogue

/// An episode with its cast, as rows of the table of characters. Its texts are shortened: only its own page shows them
/// in full.
struct EpisodeEntry: Sendable {
    let id: Int64
    /// The name that other pages show.
    let name: String
    let airDate: String
    /// The air date as 2013-12-02; empty where it cannot be read.
    let machineDate: String
    let code: String
    let cast: Cast

    /// The heading of its own page: a heading needs some text, and the API promises none.
    static func heading(_ name: String, _ id: Int64) -> String { name.isBlank ? "Episode \(id)" : name }

    /// The season in "S01E01"; nil where the code is another.
    var season: Int? {
        let parts = code.dropFirst().split(separator: "E", omittingEmptySubsequences: false)
        guard code.first == "S", parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else {
            return nil
        }
        return Int(parts[0])
    }

    /// The number within the season.
    var number: Int? { season.flatMap { _ in code.split(separator: "E").last.flatMap { Int($0) } } }
}

extension EpisodeEntry {
    init(_ episode: Episode, cast: Cast) {
        self.init(
            id: episode.id, name: Self.heading(episode.name, episode.id).shortened, airDate: episode.airDate.shortened,
            machineDate: AirDate.machineReadable(episode.airDate) ?? "", code: episode.episode.shortened, cast: cast)
    }
}
