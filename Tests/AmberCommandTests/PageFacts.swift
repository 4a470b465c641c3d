import Foundation

/// The content of a character's page, read from its HTML.
struct PageFacts: Equatable {
    var title = ""
    var heading = ""
    var status = ""
    /// In order, such as "Gender: Male".
    var facts: [String] = []
    /// The types of places, by label.
    var placeTypes: [String: String] = [:]
    /// "S01E01 | Pilot | December 2, 2013"
    var episodes: [String] = []
    var picture = ""

    init(_ html: String) {
        title = Self.first(#"<title>(.*?) · Rick and Morty</title>"#, in: html)
        heading = Self.first(#"<h1>(.*?)</h1>"#, in: html)
        status = Self.first(#"<span class="mood [a-z]+">(.*?)</span>"#, in: html)
        picture = Self.first(#"<div class="portrait">\s*<img src="\.\./(.*?)""#, in: html)
        let fact = #"<dt>(.*?)</dt><dd>(?:<a href="[^"]*">)?([^<]*)(?:</a>)?(?: <span class="kind">(.*?)</span>)?</dd>"#
        for match in Self.all(fact, in: Self.now(html)) {
            facts.append("\(match[0]): \(match[1])")
            if !match[2].isEmpty { placeTypes[match[0]] = match[2] }
        }
        let row =
            #"<li><span class="number">(.*?)</span> <a class="name" href="[^"]*">(.*?)</a> <(?:time datetime="[0-9-]+"|span class="date")>(.*?)</(?:time|span)></li>"#
        episodes = Self.all(row, in: html).map { $0.joined(separator: " | ") }
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
    init(of character: [String: Any], places: [String: [String: Any]], episodes all: [String: [String: Any]]) {
        func text(_ key: String, in object: [String: Any]) -> String { object[key] as? String ?? "" }
        title = text("name", in: character)
        heading = title
        status = text("status", in: character)
        for (label, key) in [("Gender", "gender"), ("Species", "species"), ("Type", "type")]
        where !text(key, in: character).isEmpty {
            facts.append("\(label): \(text(key, in: character))")
        }
        for (label, key) in [("Origin", "origin"), ("Location", "location")] {
            let place = character[key] as? [String: Any] ?? [:]
            facts.append("\(label): \(text("name", in: place))")
            let type = text("type", in: places[text("url", in: place)] ?? [:])
            if !type.isEmpty { placeTypes[label] = type }
        }
        episodes = (character["episode"] as? [String] ?? []).map { url in
            let episode = all[url] ?? [:]
            return ["episode", "name", "air_date"].map { text($0, in: episode) }.joined(separator: " | ")
        }
    }
}
