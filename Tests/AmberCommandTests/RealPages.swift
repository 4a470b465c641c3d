import Foundation
import TestSupport
import Testing

/// Compares the pages of episodes, locations and values with the real data, in both languages.
struct RealPages {
    let site: String

    func expectAgreement() throws {
        let characters = try RealData.list("characters")
        try expectEpisodes(try RealData.list("episodes"), characters)
        try expectLocations(try RealData.list("locations"), characters)
        for facet in ["status", "gender", "species"] { try expectLists(facet, characters) }
        try expectRussian(characters)
    }

    private func page(_ path: String) throws -> String {
        try String(contentsOfFile: "\(site)/\(path)", encoding: .utf8)
    }

    private func text(_ key: String, _ record: [String: Any]) -> String { record[key] as? String ?? "" }

    private func cards(_ html: String) -> [String] {
        PageFacts.all(#"<li class="card"><a href="(?:\.\./)*(character/\d+\.html)">"#, in: html).map { $0[0] }
    }

    /// The characters that a record refers to, the ones with the most episodes first.
    private func byEpisodes(_ key: String, _ record: [String: Any], _ characters: [[String: Any]]) -> [String] {
        let counts = Dictionary(
            uniqueKeysWithValues: characters.map { character in
                (text("url", character), (character["episode"] as? [String] ?? []).count)
            })
        let urls = (record[key] as? [String] ?? []).enumerated()
        let sorted = urls.sorted { (-(counts[$0.element] ?? 0), $0.offset) < (-(counts[$1.element] ?? 0), $1.offset) }
        return links(key, [key: sorted.map(\.element)])
    }

    private func links(_ key: String, _ record: [String: Any]) -> [String] {
        (record[key] as? [String] ?? []).map { "character/\($0.split(separator: "/").last ?? "").html" }
    }

    private func facts(_ html: String) -> [String: String] {
        let pairs = PageFacts.all(
            #"<div><dt>(.*?)</dt><dd[^>]*>(?:<(?:time|span|a)[^>]*>)?([^<]*)"#, in: PageFacts.now(html)
        ).map {
            ($0[0], $0[1].trimmingCharacters(in: .whitespaces))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private func expectEpisodes(_ episodes: [[String: Any]], _ characters: [[String: Any]]) throws {
        let list = try page("episodes.html")
        for (index, episode) in episodes.enumerated() {
            let html = try page("episode/\(index + 1).html")
            #expect(PageFacts.first("<h1>(.*?)</h1>", in: html) == text("name", episode))
            #expect(facts(html) == ["Number": text("episode", episode), "Air date": text("air_date", episode)])
            #expect(
                cards(html) == byEpisodes("characters", episode, characters), "the characters of episode \(index + 1)")
            let russian = try page("ru/episode/\(index + 1).html")
            #expect(PageFacts.first(#"<h1 lang="en" xml:lang="en">(.*?)</h1>"#, in: russian) == text("name", episode))
            let date = try russianDate(text("air_date", episode))
            #expect(facts(russian) == ["Номер": text("episode", episode), "Дата выхода": date])
            #expect(
                list.contains(
                    "<a href=\"episode/\(index + 1).html\"><span class=\"number\">\(text("episode", episode))</span>"))
        }
        #expect(
            PageFacts.all("<h2>(.*?)</h2>", in: list).map { $0[0] }
                == (1...5).map { "<a href=\"season/\($0).html\">Season \($0)</a>" })
    }

    /// - Parameter english: such as "December 2, 2013".
    private func russianDate(_ english: String) throws -> String {
        let reader = DateFormatter()
        reader.locale = Locale(identifier: "en_US_POSIX")
        reader.dateFormat = "MMMM d, yyyy"
        let writer = DateFormatter()
        writer.locale = Locale(identifier: "ru_RU")
        writer.dateFormat = "d MMMM yyyy 'г.'"
        return writer.string(from: try #require(reader.date(from: english)))
    }

    private func expectLocations(_ locations: [[String: Any]], _ characters: [[String: Any]]) throws {
        let rows = PageFacts.all(
            #"<tr><td><a href="location/(\d+)\.html">(.*?)</a></td>"#
                + #"<td[^>]*><span>(.*?)</span></td><td[^>]*><span>(.*?)</span></td><td class="amount numeric"[^>]*>(\d+)</td>"#
                + #"<td class="amount"[^>]*>(\d+)</td></tr>"#,
            in: try page("locations.html"))
        #expect(rows.count == locations.count)
        for ((index, location), row) in zip(locations.enumerated(), rows) {
            let residents = links("residents", location)
            let natives = characters.filter {
                text("url", $0["origin"] as? [String: Any] ?? [:]) == text("url", location)
            }
            #expect(
                row == [
                    "\(index + 1)", text("name", location), text("type", location), text("dimension", location),
                    "\(natives.count)", "\(residents.count)",
                ])
            let html = try page("location/\(index + 1).html")
            #expect(PageFacts.first("<h1>(.*?)</h1>", in: html) == text("name", location))
            let shown = facts(html)
            #expect(
                shown["Type"] ?? "" == text("type", location) && shown["Dimension"] ?? "" == text("dimension", location)
            )
            #expect(shown["Residents"] == (residents.isEmpty ? "0 residents" : nil))
            let expected =
                byEpisodes("residents", location, characters)
                + natives.map { "character/\($0["id"] as? Int ?? 0).html" }
            #expect(cards(html) == expected, "the residents and natives of location \(index + 1)")
        }
    }

    /// The list of a value has all characters with that value, 20 per page, in the API's order.
    private func expectLists(_ facet: String, _ characters: [[String: Any]]) throws {
        let groups = Dictionary(grouping: characters) { text(facet, $0) }
        for (value, members) in groups {
            let slug = value.lowercased().replacingOccurrences(of: " ", with: "-")
            var found: [String] = []
            for number in 1...(members.count + 19) / 20 {
                let html = try page(number == 1 ? "\(facet)/\(slug).html" : "\(facet)/\(slug)/\(number).html")
                #expect(html.contains("<p>\(members.count) character\(members.count == 1 ? "" : "s")</p>"))
                #expect(cards(html).count == min(20, members.count - 20 * (number - 1)))
                found += cards(html)
            }
            #expect(
                found == members.compactMap { record in (record["id"] as? Int).map { "character/\($0).html" } },
                "\(facet) \(value)")
            let link = "\(facet)/\(slug).html\""
            let text = ">\(value) <span class=\"count\">\(members.count)</span>"
            let index = try page("index.html")
            #expect(index.contains(link + text) || index.contains("\(link) data-value=\"\(value)\"\(text)"))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(site)/\(facet)").filter {
            $0.hasSuffix(".html")
        }
        #expect(files.count == groups.count)
    }

    /// The form of the status depends on the gender. Names are in English and marked as such.
    private func expectRussian(_ characters: [[String: Any]]) throws {
        let words = [
            "Alive": ["Male": "Жив", "Female": "Жива", "Genderless": "В живых", "unknown": "В живых"],
            "Dead": ["Male": "Мёртв", "Female": "Мертва", "Genderless": "Нет в живых", "unknown": "Нет в живых"],
        ]
        for character in characters {
            let html = try page("ru/character/\(character["id"] ?? "").html")
            let word = words[text("status", character)]?[text("gender", character)] ?? "Неизвестно"
            #expect(PageFacts.first(#"<a class="mood [a-z]+" href="[^"]*">(.*?)</a>"#, in: html) == word)
            #expect(PageFacts.first(#"<h1 lang="en" xml:lang="en">(.*?)</h1>"#, in: html) == text("name", character))
        }
    }
}
