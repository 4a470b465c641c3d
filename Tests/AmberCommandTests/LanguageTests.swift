import Foundation
import SampleAPI
import TestSupport
import Testing

/// The site's languages, and what belongs to the site as a whole.
struct LanguageTests {
    private func templates(_ small: Small) throws -> String {
        let templates = "\(small.scratch.path)/Templates"
        try FileManager.default.copyItem(atPath: "\(Program.root)/Templates", toPath: templates)
        return templates
    }

    private func edit(_ path: String, _ edit: (String) -> String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try Data(edit(text).utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("A third language is one more file: its pages stand beside the others, and all lead to them")
    func third() async throws {
        let small = try Small()
        let templates = try templates(small)
        let english = try String(contentsOfFile: "\(templates)/strings/en.json", encoding: .utf8)
        // Czech counts one, few, other.
        var czech = english.replacingOccurrences(of: "\"English\"", with: "\"Čeština\"").replacingOccurrences(
            of: "\"en\"", with: "\"cs\"")
        czech = czech.replacingOccurrences(of: "{ \"one\": ", with: "{ \"few\": \"{count} epizody\", \"one\": ")
        try small.scratch.write(czech, to: "Templates/strings/cs.json")
        let run = try await small.run("build", "--templates", templates)
        #expect(run.code == 0, "\(run.errors)")
        let page = try String(contentsOfFile: "\(small.site)/cs/character/1.html", encoding: .utf8)
        #expect(page.contains("<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"cs\""))
        #expect(page.contains(#"<link rel="alternate" hreflang="ru" href="../../ru/character/1.html" />"#))
        let index = try String(contentsOfFile: "\(small.site)/page/2.html", encoding: .utf8)
        #expect(
            index.contains(
                #"<a href="../cs/page/2.html" lang="cs" xml:lang="cs" hreflang="cs" rel="alternate">Čeština</a>"#))
        let pages = try contents(of: small.site).keys.filter { $0.hasSuffix(".html") }
        #expect(pages.filter { $0.hasPrefix("cs/") }.count == pages.filter { $0.hasPrefix("ru/") }.count)

        // Taken away, it leaves nothing: two builds bring both trees up to date.
        try FileManager.default.removeItem(atPath: "\(templates)/strings/cs.json")
        for change in ["one", "another"] {
            try edit("\(templates)/style.css") { "/* \(change) */\n\($0)" }
            #expect(try await small.run("render", "--templates", templates).code == 0)
            #expect(!FileManager.default.fileExists(atPath: "\(small.site)/cs"))
            #expect(FileManager.default.fileExists(atPath: "\(small.site)/ru/character"))
        }
    }

    @Test("A site in one language has no language switch and no folders of others")
    func alone() async throws {
        let small = try Small()
        let templates = try templates(small)
        try FileManager.default.removeItem(atPath: "\(templates)/strings/ru.json")
        let run = try await small.run("build", "--templates", templates)
        #expect(run.code == 0, "\(run.errors)")
        let site = try contents(of: small.site)
        #expect(!site.keys.contains { $0.hasPrefix("ru/") })
        #expect(!site.contains { $0.hasSuffix(".html") && String(decoding: $1, as: UTF8.self).contains("hreflang") })
    }

    @Test(
        "A text that a language lacks, or that a template names and nobody has, stops the build with its place, exit 5")
    func missing() async throws {
        let small = try Small()
        let templates = try templates(small)
        #expect(try await small.run("build", "--templates", templates).code == 0)
        try edit("\(templates)/strings/ru.json") { $0.replacingOccurrences(of: "\"episodes\": \"Эпизоды\",", with: "") }
        let lacking = try await small.run("render", "--templates", templates)
        #expect(lacking.code == 5)
        #expect(
            lacking.errors == """
                amber: \(templates)/strings/ru.json:4:5: texts.episodes: is missing; en.json has it
                        "texts": {
                        ^

                """)
        try edit("\(templates)/strings/en.json") {
            $0.replacingOccurrences(of: "\"episodes\": \"Episodes\",", with: "")
        }
        let nobody = try await small.run("render", "--templates", templates)
        #expect(nobody.code == 5)
        #expect(nobody.errors.contains(".mustache:"), "\(nobody.errors)")
        #expect(nobody.errors.contains("there is no text \"episodes\""))
    }

    @Test("A text that a script asks for and no file has stops the build with the script's name, exit 5")
    func scriptText() async throws {
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

    // Read letter by letter, a combining mark is part of the quote before it.
    @Test("A text that a script asks for is found by its bytes")
    func oddScriptText() async throws {
        let small = try Small()
        let templates = try templates(small)
        try edit("\(templates)/scripts/reading.js") { $0 + "amber.text('\u{301}tryAgain');\n" }
        let run = try await small.run("build", "--templates", templates)
        #expect(run.code == 5)
        #expect(run.errors.contains("reading.js: there is no text"), "\(run.errors)")
    }

    @Test("A file of texts is named for a language", arguments: ["es-419", "zh-Hant", "status", "e", "de_DE"])
    func names(name: String) async throws {
        let small = try Small()
        let templates = try templates(small)
        try FileManager.default.copyItem(
            atPath: "\(templates)/strings/en.json", toPath: "\(templates)/strings/\(name).json")
        let run = try await small.run("build", "--templates", templates)
        if name.hasPrefix("es") || name.hasPrefix("zh") {
            #expect(run.code == 0, "\(run.errors)")
            #expect(FileManager.default.fileExists(atPath: "\(small.site)/\(name)/character/1.html"))
        } else {
            #expect(run.code == 5)
            #expect(
                run.errors.hasSuffix(
                    "/strings/\(name).json: a file of texts is named for its language, as ru.json or pt-BR.json\n"))
        }
    }

    @Test("Another language can be the root's; one that is not there is an error with those that are")
    func root() async throws {
        let small = try Small()
        try small.scratch.write(#"{"language": "ru", "retryDelay": 0.01}"#, to: "quick.json")
        #expect(try await small.run("build").code == 0)
        #expect(try String(contentsOfFile: "\(small.site)/index.html", encoding: .utf8).contains("<h1>Персонажи</h1>"))
        #expect(
            try String(contentsOfFile: "\(small.site)/en/index.html", encoding: .utf8).contains("<h1>Characters</h1>"))
        try small.scratch.write(#"{"language": "de"}"#, to: "quick.json")
        let run = try await small.run("render")
        #expect(
            run.code == 5
                && run.errors.hasSuffix(
                    "/strings has no de.json for the site's root, which the key \"language\" names; there are: en, ru\n"
                ),
            "\(run.errors)")
    }

    @Test(
        "With a base URL there are a site map, canonical links and a whole 404.html; without one that needs no other file"
    )
    func baseURL() async throws {
        let small = try await Small.built()
        let plain = try contents(of: small.site).mapValues { String(decoding: $0, as: UTF8.self) }
        #expect(plain["sitemap.xml"] == nil)
        #expect(!plain.values.contains { $0.contains("rel=\"canonical\"") || $0.contains("og:image") })
        #expect(try #require(plain["404.html"]).contains("href=") == false)
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
        #expect(
            try #require(site["character/1.html"]).contains(
                "<meta property=\"og:image\" content=\"https://example.org/a%20b/avatar/1.png\" />"))
        #expect(
            try #require(site["404.html"]).contains("<a href=\"https://example.org/a%20b/episodes.html\">Episodes</a>"))
        #expect(site["robots.txt"]?.hasSuffix("Sitemap: https://example.org/a%20b/sitemap.xml\n") == true)
    }
}
