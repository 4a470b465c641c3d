import Catalogue
import Testing

struct SitePathTests {
    @Test(arguments: ["index.html", "character/1.html", "a/b/c-d_e.F9", "1"])
    func `A path of plain segments is accepted`(text: String) throws {
        #expect(try #require(SitePath(text)).text == text)
    }

    @Test(
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", ".hidden", "a/.b", "a b", "a%2Fb",
            "a\\b", "a\u{0}b", "é",
            "a?b", "a#b", "a:b", "a\n", "e\u{301}", "a.", "a./b", "con", "a/AUX.html",
            String(repeating: "a/", count: 600) + "a",
        ])
    func `A path that leaves the site, is hidden or needs escaping is refused`(text: String) {
        #expect(SitePath(text) == nil)
    }

    @Test(
        arguments: [
            ("a.png", true), ("console.html", true), ("com10", true), ("lpt.txt", true), ("x-con", true),
            ("a..b", true), ("", false),
            (".", false), ("..", false), ("con", false), ("CON", false), ("Aux.html", false), ("nul.tar.gz", false),
            ("com0", false),
            ("LPT9.txt", false), ("a.", false), ("a ", false), ("a:b", false), ("a\\b", false), ("a/b", false),
            ("a\u{0}", false),
            ("\u{212A}", false), (String(repeating: "a", count: 255), true),
            (String(repeating: "a", count: 256), false),
        ])
    func `A name is portable unless a file system forbids, reserves or changes it`(name: String, isPortable: Bool) {
        #expect(PortableName.accepts(name) == isPortable)
    }

    @Test(
        arguments: ["../a", "/a", "a/../../b", "a\u{0}", ""])
    func `A joined path that could leave the site is refused and harmless`(text: String) {
        let path = SitePath(joined: text)
        #expect(
            path.isRefused && !path.text.contains("/") && !path.text.contains("..")
                && path.text.utf8.allSatisfy { $0 > 32 })
        #expect(SitePath(joined: "a/b.html").text == "a/b.html" && !SitePath(joined: "a/b.html").isRefused)
    }

    @Test(arguments: [0, 7, 10, -5, .max, .min] as [Int64])
    func `A numbered path contains any number`(number: Int64) {
        #expect(SitePath(joined: "character/\(number).html").text == "character/\(number).html")
    }

    @Test func `A path has a lower-case form only if it has capital letters`() {
        #expect(SitePath("a/B.png")?.folded?.text == "a/b.png" && SitePath("a/b.png")?.folded == nil)
    }

    @Test func `The path to the root has one step for each folder`() {
        #expect(SitePath(fixed: "index.html").root == "")
        #expect(SitePath(joined: "character/5.html").root == "../")
        #expect(SitePath(fixed: "a/b/c").root == "../../")
    }

    @Test(
        arguments: [
            ("Чайковский", "chaykovskiy"), ("ЩУКА, объезд; Ёлка", "shchuka-obezd-yolka"),
            ("и\u{306}од е\u{308}", "yod-yo"), ("Київ їжак є", "kiyiv-yizhak-ye"),
            ("Beyoncé ØRSTED Łódź", "beyonce-orsted-lodz"),
            ("Straße Æon İstanbul ıı", "strasse-aeon-istanbul-ii"), ("Sci-Fi & Fantasy", "sci-fi-fantasy"),
            ("东京 1 Ω", "1"), ("東京", ""), ("../Ж/..", "zh"), ("a\u{0}б", "a-b"), ("ьъ", ""),
        ])
    func `Words of a path have letters of ASCII`(text: String, words: String) {
        #expect(SitePath.words(text, bytes: 48) == words)
    }

    @Test func `Words of a path have a limited length, and those of a text in ASCII are as before`() {
        #expect(SitePath.words(String(repeating: "щ", count: 1_000), bytes: 10) == "shchshchsh")
        #expect(SitePath.words(String(repeating: "ь", count: 1_000_000) + "a", bytes: 10) == "")
        for text in ["Rock'n'Roll", "a b  c", "  A--B  ", "0123456789-abc", "x/y\\z"] {
            #expect(SitePath.words(text, bytes: 8) == SitePath.asciiWords(text, bytes: 8))
        }
    }

    @Test func `Paths are sorted by their bytes`() {
        let paths = ["b", "a/b", "a-b", "B", "a"].compactMap { SitePath($0) }
        #expect(paths.sorted().map(\.text) == ["B", "a", "a-b", "a/b", "b"])
    }

    @Test func `The key path of a fault gets the outer names before the inner names`() {
        #expect(ContentFault("", "is empty").inside("results").description == "results: is empty")
        #expect(
            ContentFault("name", "is missing").inside("[3]").inside("results").description
                == "results[3].name: is missing")
        #expect(ContentFault("[2]", "is null").inside("episode").description == "episode[2]: is null")
        #expect(ContentFault("", "is empty").description == "is empty")
    }
}
