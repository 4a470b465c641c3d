import Foundation

/// The content of a character's page, read from its HTML.
struct PageFacts: Equatable {
    var title = ""
    var heading = ""
    var status = ""
    /// The facts with one value, in order, such as "Gender: Male".
    var facts: [String] = []
    /// The type and the dimension of places, without those that the name contains, by label.
    var notes: [String: [String]] = [:]
    /// "S01E01 | Pilot | December 2, 2013"
    var episodes: [String] = []
    /// The first and the last episode, if there are several.
    var appearances: [String] = []
    /// The ids of the characters with the most common episodes, with the numbers of these episodes: "2: 51".
    var companions: [String] = []
    var picture = ""

    init(_ html: String) {
        title = Self.first(#"<title>(.*?) · Rick and Morty</title>"#, in: html)
        heading = Self.first(#"<h1>(.*?)</h1>"#, in: html)
        status = Self.first(#"<dt>Status</dt><dd><a class="mood [a-z]+" href="[^"]*">(.*?)</a></dd>"#, in: html)
        picture = Self.first(#"<div class="portrait">\s*<img src="\.\./(.*?)""#, in: html)
        let fact =
            #"<dt>(.*?)</dt><dd[^>]*><(?:a|span)[^>]*>([^<]*)</(?:a|span)>((?: <span class="kind">[^<]*</span>)*)</dd>"#
        for match in Self.all(fact, in: Self.now(html)) {
            facts.append("\(match[0]): \(match[1])")
            let shown = Self.all(#"<span class="kind">(.*?)</span>"#, in: match[2]).map { $0[0] }
            if !shown.isEmpty { notes[match[0]] = shown }
        }
        let row =
            #"<li><span class="number">(.*?)</span> <a class="name" href="[^"]*">(.*?)</a> <(?:time datetime="[0-9-]+"|span class="date")>(.*?)</(?:time|span)></li>"#
        episodes = Self.all(row, in: html).map { $0.joined(separator: " | ") }
        let appearance =
            #"appearance</dt><dd><a href="[^"]*"><span class="number">(.*?)</span> <span>(.*?)</span></a> <span class="kind"><time datetime="[0-9-]+">(.*?)</time></span></dd>"#
        appearances = Self.all(appearance, in: html).map { $0.joined(separator: " | ") }
        let companion =
            #"<li><a href="../character/(\d+).html"><img [^>]*> <span class="name">.*?</span>(?: <span class="amount">(\d+) episodes</span>)?</a></li>"#
        // The number is shown only if it is larger than one.
        companions = Self.all(companion, in: html).map { "\($0[0]): \($0[1].isEmpty ? "1" : $0[1])" }
    }

    init() {}

    /// A record's page without its history and its source.
    static func now(_ html: String) -> String {
        html.components(separatedBy: "<section class=\"history\"")[0].components(
            separatedBy: "<details class=\"provenance\"")[0]
    }

    static func first(_ pattern: String, in html: String) -> String { all(pattern, in: html).first?[0] ?? "" }

    /// The groups of every match, with entities decoded.
    static func all(_ pattern: String, in html: String) -> [[String]] {
        MediaFacts.all(pattern, in: html).map { $0.map(MediaFacts.decoded) }
    }
}

extension PageFacts {
    /// The expected content, computed from the records.
    init(
        of character: [String: Any], places: [String: [String: Any]], episodes all: [String: [String: Any]],
        ids: [String: Int]
    ) {
        func text(_ key: String, in object: [String: Any]) -> String { object[key] as? String ?? "" }
        title = text("name", in: character)
        heading = title
        status = text("status", in: character)
        for (label, key) in [("Status", "status"), ("Species", "species"), ("Gender", "gender"), ("Type", "type")]
        where !text(key, in: character).isEmpty {
            facts.append("\(label): \(text(key, in: character))")
        }
        for (label, key) in [("Origin", "origin"), ("Location", "location")] {
            let place = character[key] as? [String: Any] ?? [:]
            facts.append("\(label): \(text("name", in: place))")
            let known = places[text("url", in: place)] ?? [:]
            let shown = ["type", "dimension"].map { text($0, in: known) }.filter {
                !$0.isEmpty && !text("name", in: place).contains($0)
            }
            if !shown.isEmpty { notes[label] = shown }
        }
        episodes = (character["episode"] as? [String] ?? []).map { url in
            let episode = all[url] ?? [:]
            return ["episode", "name", "air_date"].map { text($0, in: episode) }.joined(separator: " | ")
        }
        if episodes.count > 1 { appearances = [episodes[0], episodes[episodes.count - 1]] }
        var counts: [Int: Int] = [:]
        for url in Set(character["episode"] as? [String] ?? []) {
            for other in all[url]?["characters"] as? [String] ?? [] where other != text("url", in: character) {
                counts[ids[other] ?? 0, default: 0] += 1
            }
        }
        let least = min(2, Set(character["episode"] as? [String] ?? []).count)
        companions = counts.filter { $0.value >= least }.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.prefix(10)
            .map { "\($0): \($1)" }
    }
}
