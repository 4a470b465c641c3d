import Catalogue

/// An episode with those in it, as rows of the table of characters.
struct EpisodeEntry: Sendable {
    let id: Int64
    let name: String
    let airDate: String
    /// The air date as 2013-12-02; empty where it cannot be read.
    let machineDate: String
    let code: String
    let cast: Cast

    /// What its page calls it.
    var heading: String { name.isBlank ? "Episode \(id)" : name }
    /// What other pages call it.
    var shownName: String { heading.shortened }

    /// The season in "S01E01"; nil where the code is another.
    var season: Int? {
        let parts = code.dropFirst().split(separator: "E", omittingEmptySubsequences: false)
        guard code.first == "S", parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return nil
        }
        return Int(parts[0])
    }

    /// The number within the season.
    var number: Int? { season.flatMap { _ in code.split(separator: "E").last.flatMap { Int($0) } } }
}
