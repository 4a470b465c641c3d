import Foundation
import TestSupport
import Testing

struct MovedPagesTests {
    private func files(_ small: SmallMedia, _ folder: String) throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: "\(small.site)/\(folder)").filter {
                $0.hasSuffix(".html")
            })
    }

    /// The path to which a page forwards, relative to its folder; nil for other pages.
    private func target(_ small: SmallMedia, _ path: String) throws -> String? {
        let forwards = MediaFacts.all(
            #"<meta http-equiv="refresh" content="0; url=([^"]*)" />"#, in: try small.page(path))
        return forwards.first?[0]
    }

    private func build(_ small: SmallMedia) async throws {
        try await small.run("build", "--base-url", "https://media.example").succeeded()
        try await small.run("check").succeeded()
        try await small.run("verify", "--base-url", "https://media.example").succeeded()
    }

    @Test func `Names in Cyrillic have addresses in ASCII, to which the former addresses forward`() async throws {
        let small = try SmallMedia()
        try await build(small)
        let found = try files(small, "found")
        #expect(found.isSuperset(of: ["love-music-us.html", "more-ebook-ru.html", "star-movie-us.html"]))
        let former = try #require(found.first { $0.first?.isNumber == true && $0.hasSuffix("-ebook-ru.html") })
        #expect(found.count == 4)
        for edition in ["", "ru/"] {
            let page = try small.page("\(edition)found/\(former)")
            #expect(try target(small, "\(edition)found/\(former)") == "../found/more-ebook-ru.html")
            #expect(page.contains("<a href=\"../found/more-ebook-ru.html\">"))
            #expect(page.contains("<meta name=\"robots\" content=\"noindex\" />"))
            #expect(
                page.contains(
                    "<link rel=\"canonical\" href=\"https://media.example/\(edition)found/more-ebook-ru.html\" />"))
            #expect(try !small.page("\(edition)index.html").contains(former))
        }
        let map = try small.page("sitemap.xml")
        #expect(map.contains("/ru/found/more-ebook-ru.html<") && !map.contains(former))
        #expect(!map.contains("/genre/other") && map.contains("/genre/"))
    }

    @Test func `A search whose address changed keeps a page that forwards, as long as it exists`() async throws {
        let first = MediaSearch("love", "music", "US", limit: 6)
        var second = first
        second.explicit = false
        let small = try SmallMedia([first, second])
        try await build(small)
        let plain = "love-music-us.html"
        let before = try files(small, "found")
        let numbered = try #require(before.subtracting([plain]).first)
        #expect(before.count == 2)
        try small.configure([second])
        try await build(small)
        #expect(try files(small, "found") == before)
        #expect(try target(small, "found/\(plain)") == nil)
        #expect(try target(small, "found/\(numbered)") == "../found/\(plain)")
        #expect(try target(small, "ru/found/\(numbered)") == "../found/\(plain)")
        try small.configure([first])
        try await build(small)
        #expect(try files(small, "found") == [plain] && target(small, "found/\(plain)") == nil)
    }
}
