import Foundation
import TestSupport
import Testing

/// Imported states of the real API and its current state. The numbers are from the README of the data.
@Suite(
    .enabled(
        if: RealData.isAvailable
            && FileManager.default.fileExists(atPath: "\(RealData.folder)/data/rickandmorty-history"),
        Comment(rawValue: RealData.comment)), .serialized)
struct RealHistoryTests {
    /// The site of the imported states and of the present one.
    private func site(in scratch: ScratchFolder) async throws -> Pages {
        let replica = try Replica()
        let options = ["--api", replica.api, "--output", scratch.path]
        for day in ["2018-02-05", "2018-04-17", "2018-05-01", "2018-05-23", "2019-11-30"] {
            let state = ["import", "\(RealData.folder)/data/rickandmorty-history/\(day)", "--date", day]
            try await Program.start(state + options).wait().succeeded()
        }
        try await Program.start(["build", "--source", "live"] + options).wait().succeeded()
        return Pages("\(scratch.path)/site")
    }

    @Test func `The pages of changes show the counts in the README of the history`() async throws {
        let scratch = try ScratchFolder()
        let site = try await site(in: scratch)
        let overview = try site.words("changes.html")
        for sentence in [
            "First revision: 394 characters, 67 locations, 31 episodes.",
            "Added: 42 characters, 7 locations · Changed: 2 characters, 7 locations, 14 episodes",
            "Added: 24 characters, 1 location · Changed: 7 characters, 6 locations, 7 episodes",
            "Added: 33 characters, 1 location · Changed: 12 characters, 5 locations, 9 episodes",
            "Added: 333 characters, 50 locations, 20 episodes · Changed: 72 characters, 8 locations, 10 episodes",
        ] { #expect(overview.contains(sentence), "\(sentence)") }
        #expect(!overview.contains("November 30, 2019") && !overview.contains(/Removed: [0-9]/))

        // A revision's pages show every added record, and every changed record with each changed member.
        let pages = try (2...5).map { number in try site.revision(number) }
        #expect(pages.map { $0.components(separatedBy: "<ul class=\"chips\">").count - 1 }.allSatisfy { $0 >= 2 })
        #expect(pages.map { Self.named($0, "character/", in: "chips") } == [42, 24, 33, 333])
        #expect(pages.map { Self.named($0, "location/", in: "chips") } == [7, 1, 1, 50])
        #expect(pages.map { Self.named($0, "episode/", in: "chips") } == [0, 0, 0, 20])
        let fields = pages.map(Self.fields)
        #expect(fields[0] == ["Episodes": 2, "Type": 1, "Residents": 7, "Characters": 14])
        #expect(fields[1] == ["Name": 1, "Status": 1, "Episodes": 5, "Residents": 6, "Characters": 7])
        #expect(
            fields[2] == [
                "Status": 1, "Species": 1, "Type": 1, "Location": 5, "Episodes": 7, "Residents": 5, "Characters": 9,
            ])
        #expect(
            fields[3] == [
                "Name": 4, "Status": 3, "Species": 31, "Type": 21, "Gender": 1, "Origin": 2, "Location": 13,
                "Episodes": 29,
                "Residents": 8, "Characters": 10,
            ])
        #expect(pages.map { $0.components(separatedBy: "Only the order changed").count - 1 } == [0, 0, 0, 7])
    }

    @Test func `Pages of records show changes of status, moves and reordered lists`() async throws {
        let scratch = try ScratchFolder()
        let site = try await site(in: scratch)
        let today = try #require(try site.history("character/47.html").firstMatch(of: /until (\w+ \d+, \d{4})/)).1
        var changed: [Int: String] = [:]
        for id in 1...826 {
            let history = try site.history("character/\(id).html")
            if let status = history.firstMatch(of: /Status (.*? then (?:Alive|Dead|unknown))/) {
                changed[id] = String(status.1)
            }
        }
        #expect(
            changed == [
                393: "Dead until May 1, 2018 then Alive", 284: "Alive until May 23, 2018 then unknown",
                47: "Dead until \(today) then Alive",
                94: "unknown until \(today) then Dead", 344: "Alive until \(today) then Dead",
            ])
        #expect(
            try site.history("ru/character/94.html").contains(
                /Статус Неизвестно до \d+ \w+ \d{4} г\. затем Мертва/))
        #expect(
            try site.history("character/340.html").contains(
                "Location Vindicator's Base until May 23, 2018 then Worldender's lair"))
        #expect(try site.history("character/395.html").contains("In the archive since April 17, 2018"))
        for page in ["episode/11", "episode/13", "episode/19", "episode/21", "episode/25", "episode/28", "location/4"] {
            #expect(try site.history("\(page).html").hasSuffix("\(today) Only the order changed"), "\(page)")
        }
    }
}

extension RealHistoryTests {
    private static func named(_ page: String, _ sort: String, in list: String) -> Int {
        page.components(separatedBy: "<ul class=\"\(list)\">").dropFirst().map {
            $0.components(separatedBy: "</ul>")[0]
        }
        .joined().components(separatedBy: "<a class=\"who\" href=\"../\(sort)").count - 1
    }

    private static func fields(_ page: String) -> [String: Int] {
        var counts: [String: Int] = [:]
        for part in page.components(separatedBy: "<dt>").dropFirst() {
            counts[String(part.prefix { $0 != "<" }), default: 0] += 1
        }
        return counts
    }
}

private struct Pages {
    let site: String

    init(_ site: String) {
        self.site = site
    }

    func source(_ path: String) throws -> String { try String(contentsOfFile: "\(site)/\(path)", encoding: .utf8) }

    /// The visible text, with single spaces.
    func words(_ path: String) throws -> String { Self.words(try source(path)) }

    /// The text of a record's history; empty without one.
    func history(_ path: String) throws -> String {
        let parts = try source(path).components(separatedBy: "<section class=\"history\"")
        return parts.count > 1 ? Self.words("<" + parts[1].components(separatedBy: "</section>")[0]) : ""
    }

    /// All pages of a revision as one text, with the links of the first page.
    func revision(_ number: Int) throws -> String {
        var all = try source("revision/\(number).html")
        var next = 2
        while FileManager.default.fileExists(atPath: "\(site)/revision/\(number)/\(next).html") {
            all += try source("revision/\(number)/\(next).html").replacingOccurrences(of: "../../", with: "../")
            next += 1
        }
        return all
    }

    private static func words(_ source: String) -> String {
        source.replacingOccurrences(of: "<[^>]*>", with: " ", options: .regularExpression)
            .replacingOccurrences(of: "&#39;", with: "'").replacingOccurrences(of: "&amp;", with: "&")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
