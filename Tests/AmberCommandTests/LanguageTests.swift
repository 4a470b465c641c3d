import Foundation
import SampleAPI
import TestSupport
import Testing

struct LanguageTests {
    private func templates(_ small: Small) throws -> String {
        let templates = "\(small.scratch.path)/Templates"
        try FileManager.default.copyItem(atPath: "\(Program.root)/Templates", toPath: templates)
        return templates
    }

    @Test func `A third language needs one more file, and all languages link to each other`() async throws {
        let small = try Small()
        let templates = try templates(small)
        let catalogue = try small.copyCatalogue()
        for folder in [templates, catalogue] {
            let english = try String(contentsOfFile: "\(folder)/strings/en.json", encoding: .utf8)
            // Czech has the plural forms one, few and other.
            var czech = english.replacingOccurrences(of: "\"English\"", with: "\"Čeština\"").replacingOccurrences(
                of: "\"en\"", with: "\"cs\"")
            czech = czech.replacingOccurrences(of: "{ \"one\": ", with: "{ \"few\": \"{count} epizody\", \"one\": ")
            try Data(czech.utf8).write(to: URL(fileURLWithPath: "\(folder)/strings/cs.json"))
        }
        try await small.run("build", "--templates", templates, "--catalogue", catalogue).succeeded()
        let page = try small.page("cs/character/1.html")
        #expect(page.contains("<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"cs\""))
        #expect(page.contains(#"<link rel="alternate" hreflang="ru" href="../../ru/character/1.html" />"#))
        #expect(page.contains(#"<link rel="alternate" hreflang="x-default" href="../../character/1.html" />"#))
        let index = try small.page("page/2.html")
        #expect(
            index.contains(
                #"<a href="../cs/page/2.html" lang="cs" xml:lang="cs" hreflang="cs" rel="alternate">Čeština</a>"#))
        let pages = try contents(of: small.site).keys.filter { $0.hasSuffix(".html") }
        #expect(pages.filter { $0.hasPrefix("cs/") }.count == pages.filter { $0.hasPrefix("ru/") }.count)

        // Without its file the language disappears. Two renders update both trees.
        try FileManager.default.removeItem(atPath: "\(templates)/strings/cs.json")
        for change in ["one", "another"] {
            try edit("\(templates)/style.css") { "/* \(change) */\n\($0)" }
            #expect(try await small.run("render", "--templates", templates, "--catalogue", catalogue).code == 0)
            #expect(!small.hasFile("cs"))
            #expect(small.hasFile("ru/character"))
        }
    }

    @Test func `A site in one language has no language switch and no folders of others`() async throws {
        let small = try Small()
        let templates = try templates(small)
        try FileManager.default.removeItem(atPath: "\(templates)/strings/ru.json")
        try await small.run("build", "--templates", templates).succeeded()
        let site = try contents(of: small.site)
        #expect(!site.keys.contains { $0.hasPrefix("ru/") })
        #expect(!site.contains { $0.hasSuffix(".html") && String(decoding: $1, as: UTF8.self).contains("hreflang") })
    }

    @Test func `A text that is missing in one or all languages stops the build, exit 5`() async throws {
        let small = try Small()
        let catalogue = try small.copyCatalogue()
        #expect(try await small.run("build", "--catalogue", catalogue).code == 0)
        try edit("\(catalogue)/strings/ru.json") { $0.replacingOccurrences(of: "\"episodes\": \"Эпизоды\",", with: "") }
        let lacking = try await small.run("render", "--catalogue", catalogue)
        #expect(lacking.code == 5)
        #expect(
            lacking.errors == """
                amber: \(catalogue)/strings/ru.json:2:5: texts.episodes: is missing; en.json has it
                        "texts": {
                        ^

                """)
        try edit("\(catalogue)/strings/en.json") {
            $0.replacingOccurrences(of: "\"episodes\": \"Episodes\",", with: "")
        }
        try await small.run("render", "--catalogue", catalogue).failed(5, ".mustache:", "there is no text \"episodes\"")
    }

    @Test func `A missing text of a script stops the build with the script's name, exit 5`() async throws {
        let small = try Small()
        let templates = try templates(small)
        for language in ["en", "ru"] {
            try edit("\(templates)/strings/\(language).json") {
                $0.replacingOccurrences(of: "\"tryAgain\":", with: "\"tryOnce\":")
            }
        }
        let run = try await small.run("build", "--templates", templates)
        #expect(run.code == 5)
        let place = "\(templates)/strings/en.json"
        #expect(
            run.errors
                == "amber: \(templates)/scripts/reading.js: there is no text \"tryAgain\" in the group \"scripts\" of \(place)\n"
        )
    }

    // As a Character, a quotation mark includes a combining mark that follows it.
    @Test func `The texts that a script uses are found by their bytes`() async throws {
        let small = try Small()
        let templates = try templates(small)
        try edit("\(templates)/scripts/reading.js") { $0 + "amber.text('\u{301}tryAgain');\n" }
        try await small.run("build", "--templates", templates).failed(5, "reading.js: there is no text")
    }

    @Test(arguments: ["es-419", "zh-Hant", "status", "e", "de_DE"])
    func `A file of texts must be named for a language`(name: String) async throws {
        let small = try Small()
        let templates = try templates(small)
        let catalogue = try small.copyCatalogue()
        for folder in [templates, catalogue] {
            try FileManager.default.copyItem(
                atPath: "\(folder)/strings/en.json", toPath: "\(folder)/strings/\(name).json")
        }
        let run = try await small.run("build", "--templates", templates, "--catalogue", catalogue)
        if name.hasPrefix("es") || name.hasPrefix("zh") {
            #expect(run.code == 0, "\(run.errors)")
            #expect(small.hasFile("\(name)/character/1.html"))
        } else {
            #expect(run.code == 5)
            #expect(
                run.errors.hasSuffix(
                    "/strings/\(name).json: the file name is not a language; rename the file, for example to ru.json or pt-BR.json\n"
                ))
        }
    }

    @Test func `The first language needs no words for values`() async throws {
        let small = try Small(universe: Universe(seed: 7, characters: 3))
        let catalogue = try small.copyCatalogue()
        try edit("\(catalogue)/strings/en.json") {
            $0.replacing(#""Dead": "Dead","#, with: "").replacing(#""gender": {"#, with: #""other": {"#)
        }
        try await small.run("build", "--catalogue", catalogue).succeeded()
    }

    @Test func `Another language can be at the root, and a missing one is an error`() async throws {
        let small = try Small()
        try small.scratch.write(#"{"language": "ru", "retryDelay": 0.01}"#, to: "quick.json")
        #expect(try await small.run("build").code == 0)
        #expect(try small.page("index.html").contains("<h1>Персонажи</h1>"))
        #expect(
            try small.page("en/index.html").contains("<h1>Characters</h1>"))
        try small.scratch.write(#"{"language": "de"}"#, to: "quick.json")
        let run = try await small.run("render")
        #expect(
            run.code == 5
                && run.errors.hasSuffix(
                    "/strings has no de.json for the key \"language\", the language of the site's root; add it, or choose one of: en, ru\n"
                ),
            "\(run.errors)")
    }

    @Test func `A base URL adds a site map, canonical links and links in 404.html`() async throws {
        let small = try await Small.built()
        let plain = try contents(of: small.site).mapValues { String(decoding: $0, as: UTF8.self) }
        #expect(plain["sitemap.xml"] == nil)
        #expect(!plain.values.contains { $0.contains("rel=\"canonical\"") || $0.contains("og:image") })
        #expect(try #require(plain["404.html"]).components(separatedBy: "href=\"/\"").count == 3)
        // The others are the icon and the style sheet.
        #expect(try #require(plain["404.html"]).components(separatedBy: "href=").count == 5 + 5)
        #expect(try #require(plain["404.html"]).contains("<li><a href=\"/episodes.html\">"))
        #expect(plain["robots.txt"] == "User-agent: *\nDisallow:\n")

        #expect(try await small.run("render", "--base-url", "https://example.org/a%20b/").code == 0)
        let site = try contents(of: small.site).mapValues { String(decoding: $0, as: UTF8.self) }
        let map = try #require(site["sitemap.xml"])
        let pages = site.keys.filter { $0.hasSuffix(".html") && $0 != "404.html" }
        for page in pages {
            let address = "https://example.org/a%20b/\(page == "index.html" ? "" : page)"
            #expect(map.contains("<loc>\(address)</loc>"), "\(page)")
            #expect(try #require(site[page]).contains("<link rel=\"canonical\" href=\"\(address)\" />"))
        }
        #expect(map.components(separatedBy: "<url>").count - 1 == pages.count)
        for page in ["character/1.html", "ru/character/1.html"] {
            for (language, folder) in [("en", ""), ("ru", "ru/"), ("x-default", "")] {
                let link = "hreflang=\"\(language)\" href=\"https://example.org/a%20b/\(folder)character/1.html\" />"
                #expect(try #require(site[page]).contains("<link rel=\"alternate\" \(link)"))
            }
        }
        #expect(
            try #require(site["character/1.html"]).contains(
                "<meta property=\"og:image\" content=\"https://example.org/a%20b/avatar/1.png\" />"))
        #expect(
            try #require(site["404.html"]).contains("<a href=\"https://example.org/a%20b/episodes.html\">Episodes</a>"))
        #expect(site["robots.txt"]?.hasSuffix("Sitemap: https://example.org/a%20b/sitemap.xml\n") == true)
    }
}
