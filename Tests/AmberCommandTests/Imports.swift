import Foundation
import TestSupport
import Testing

struct Imports {
    let scratch: ScratchFolder

    static let api = "https://rickandmortyapi.com/api"

    init() throws {
        scratch = try ScratchFolder()
    }

    var output: String { "\(scratch.path)/out" }

    static func character(_ id: Int, _ name: String, status: String = "Alive", place: Int = 1, episodes: [Int] = [1])
        -> String
    {
        """
        {"id":\(id),"name":"\(name)","status":"\(status)","species":"Human","type":"","gender":"Female",\
        "origin":{"name":"unknown","url":""},"location":{"name":"Place \(place)","url":"\(api)/location/\(place)"},\
        "image":"\(api)/character/avatar/\(id).jpeg","episode":[\(episodes.map { "\"\(api)/episode/\($0)\"" }.joined(separator: ","))],\
        "url":"\(api)/character/\(id)","created":"2017-11-04T18:48:46.250Z"}
        """
    }

    static func location(_ id: Int, residents: [Int]) -> String {
        """
        {"id":\(id),"name":"Place \(id)","type":"Planet","dimension":"","residents":\
        [\(residents.map { "\"\(api)/character/\($0)\"" }.joined(separator: ","))],"url":"\(api)/location/\(id)","created":"2017-11-10T12:42:04.162Z"}
        """
    }

    static func episode(_ id: Int, characters: [Int]) -> String {
        """
        {"id":\(id),"name":"Episode \(id)","air_date":"December 2, 2013","episode":"S01E0\(id)","characters":\
        [\(characters.map { "\"\(api)/character/\($0)\"" }.joined(separator: ","))],"url":"\(api)/episode/\(id)","created":"2017-11-10T12:56:33.798Z"}
        """
    }

    /// Writes a state into a new folder and returns the path of the folder.
    func state(
        _ name: String, characters: [String], locations: [String] = [location(1, residents: [1, 2])],
        episodes: [String] = [episode(1, characters: [1, 2])]
    ) throws -> String {
        for (file, records) in [("characters", characters), ("locations", locations), ("episodes", episodes)] {
            try scratch.write("[\n  \(records.joined(separator: ",\n  "))\n]\n", to: "\(name)/\(file).json")
        }
        return "\(scratch.path)/\(name)"
    }

    @discardableResult
    func run(_ verb: String, _ more: String...) async throws -> Program.Result {
        try await Program.start([verb, "--output", output] + more).wait()
    }

    func json(_ verb: String, _ more: String...) async throws -> [String: Any] {
        try await Program.start([verb, "--output", output, "--json"] + more).wait().succeeded().summary()
    }

    func revisions() async throws -> [[String: Any]] {
        try #require(try await json("log")["revisions"] as? [[String: Any]])
    }

    /// Imports two states: one character dies, one is removed, one is added, and an episode's list is reordered.
    func importTwo() async throws {
        let first = try state(
            "first", characters: [Self.character(1, "Ada"), Self.character(2, "Ben")])
        let second = try state(
            "second",
            characters: [
                Self.character(1, "Ada", status: "Dead", episodes: [1, 2]), Self.character(3, "Cid", place: 2),
            ],
            locations: [Self.location(1, residents: [1]), Self.location(2, residents: [3])],
            episodes: [Self.episode(1, characters: [2, 1]), Self.episode(2, characters: [1])])
        // The later state is imported first, because revisions are ordered by date.
        try await run("import", second, "--date", "2018-05-01")
        try await run("import", first, "--date", "2018-02-05")
    }
}
