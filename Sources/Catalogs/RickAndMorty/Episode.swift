import Archive
import Catalogue

/// An episode as the API serves it (docs/apis.md).
struct Episode: Numbered {
    let id: Int64
    let name: String
    let airDate: String
    let episode: String
    let characters: [String]
    /// The record's own address; empty if missing.
    let url: String

    init(_ fields: JSONFields) throws(ContentFault) {
        id = try fields.integer("id")
        name = try fields.text("name")
        airDate = try fields.text("air_date")
        episode = try fields.text("episode")
        characters = try fields.texts("characters")
        url = fields.optionalText("url") ?? ""
    }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        sorter.add(characters, kind: "character", in: "characters")
        sorter.check(url, is: RecordKey("episode", id))
        return RecordFacts(id: id, card: [], references: sorter.references, pictures: [], refused: sorter.refused)
    }
}

struct EpisodeEntry: CastEntry {
    let id: Int64
    let name: String
    /// The air date as served, and in the form 2013-12-02; empty if it cannot be parsed.
    let airDate: String
    let machineDate: String
    let code: String
    let cast: Cast

    static let members: [StaticString] = ["name", "episode", "air_date"]
    var texts: [String] { [name, code, airDate] }

    static func heading(_ name: String, _ id: Int64) -> String { name.isBlank ? "Episode \(id)" : name }

    var season: Int? {
        let parts = code.dropFirst().split(separator: "E", omittingEmptySubsequences: false)
        guard code.first == "S", parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else {
            return nil
        }
        return Int(parts[0])
    }

    var number: Int? { season.flatMap { _ in code.split(separator: "E").last.flatMap { Int($0) } } }

    /// A name such as "Season 1"; nil if the code contains no season.
    func seasonName(_ texts: Texts) -> String? {
        season.map { texts.filled(CharacterTexts.season, ["number": "\($0)"]) }
    }

    var values: KeyValuePairs<String, any TemplateValue> {
        [
            "path": CharacterAddresses.episode(id), "name": name, "code": code, "airDate": airDate,
            "machineDate": machineDate,
        ]
    }
}

extension EpisodeEntry {
    init(_ episode: Episode, cast: Cast) {
        self.init(
            id: episode.id, name: Self.heading(episode.name, episode.id).shortened, airDate: episode.airDate.shortened,
            machineDate: AirDate.machineReadable(episode.airDate) ?? "", code: episode.episode.shortened, cast: cast)
    }
}

struct EpisodeTable: RandomAccessCollection, Sendable {
    private var ids: [Int64] = []
    private var names = TextColumn()
    private var airDates = TextColumn()
    private var machineDates = TextColumn()
    private var codes = TextColumn()
    private var casts = CastColumn()

    var startIndex: Int { 0 }
    var endIndex: Int { ids.count }

    mutating func append(_ entry: EpisodeEntry) {
        ids.append(entry.id)
        names.append(entry.name)
        airDates.append(entry.airDate)
        machineDates.append(entry.machineDate)
        codes.append(entry.code)
        casts.append(entry.cast)
    }

    subscript(row: Int) -> EpisodeEntry {
        EpisodeEntry(
            id: ids[row], name: names[row], airDate: airDates[row], machineDate: machineDates[row], code: codes[row],
            cast: casts[row])
    }

    func id(_ row: Int) -> Int64 { ids[row] }

    mutating func finish() {
        names.finish()
        airDates.finish()
        machineDates.finish()
        codes.finish()
        casts.finish()
    }
}

/// Parses dates of the API, such as "December 2, 2013".
enum AirDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The date in the form 2013-12-02; nil if it cannot be parsed.
    static func machineReadable(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let month = months.firstIndex(of: String(parts[0])), parts[1].last == ",",
            let date = number(parts[1].dropLast()), let year = number(parts[2])
        else { return nil }
        return Day(year: year, month: month + 1, day: date)?.machineReadable
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
    }
}
