import Catalogue
import Glibc
import Mustache
import Platform
import TestSupport
import Testing

@testable import Site

/// What a folder of templates must have, and the index of places.
struct TemplateFolderTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func failure() -> String? {
        do {
            try TemplateFolder(scratch.path).check(for: HandMade())
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "Templates are compiled, other files taken as they are at their own paths, hidden ones left out; the digest is over both"
    )
    func read() throws {
        try scratch.write("{{{body}}}", to: "page.mustache")
        try scratch.write("p{}", to: "style.css")
        try scratch.write("x", to: ".hidden")
        try scratch.write("x", to: "folder/file")
        try scratch.write("x", to: ".git/file")
        let folder = try TemplateFolder(scratch.path)
        #expect(folder.files.map(\.path.text) == ["folder/file", "style.css"])
        #expect(failure() == nil)
        try scratch.write("q{}", to: "style.css")
        #expect(try TemplateFolder(scratch.path).digest != folder.digest)
        // What goes into packages is what was read, not what stands there by now.
        #expect(
            folder.source.contents.map { "\($0.path): \(String(decoding: $0.bytes, as: UTF8.self))" }
                == ["folder/file: x", "page.mustache: {{{body}}}", "style.css: p{}"])
        try scratch.write("p{}", to: "style.css")
        #expect(try TemplateFolder(scratch.path).digest == folder.digest)
    }

    @Test("What is wrong with the folder is told with what to do")
    func faults() throws {
        #expect(
            failure() == "there are no templates (*.mustache) in \(scratch.path); name their folder with --templates")
        try scratch.write("x", to: "other.mustache")
        #expect(failure() == "there is no template \"page.mustache\"; there are: other")
        try scratch.write("{{{bodi}}}", to: "page.mustache")
        #expect(failure()?.hasPrefix("\(scratch.path)/page.mustache:1:") == true)
        try File.overwrite(scratch["other.mustache"], with: [0x63, 0xE9])
        #expect(failure() == "\(scratch.path)/other.mustache: is not in UTF-8; save it in that encoding")
        try scratch.write("x", to: "other.mustache")
        try scratch.write("x", to: "a b.css")
        #expect(
            failure()
                == "\(scratch.path)/a b.css: a file that goes into the site has a name of letters, digits, \".\", \"_\" and \"-\", with no dot at either end, that Windows does not reserve; rename it"
        )
        #expect(throws: SiteError.self) { try TemplateFolder("\(scratch.path)/nowhere") }
    }

    @Test("A link in the folder may lead to a file in it, and to none outside")
    func links() throws {
        try scratch.write("private", to: "private.txt")
        try scratch.write("{{{body}}}", to: "templates/page.mustache")
        try scratch.write("a", to: "templates/scripts/a.js")
        symlink("scripts/a.js", scratch["templates/b.js"])
        symlink("templates", scratch["to-templates"])
        #expect(try TemplateFolder(scratch["to-templates"]).files.map(\.path.text) == ["b.js", "scripts/a.js"])
        for (name, target) in [
            ("notes.txt", "../private.txt"), ("notes.txt", scratch["private.txt"]), ("strings", ".."), ("x", "scripts"),
        ] {
            symlink(target, scratch["templates/\(name)"])
            let failure = #expect(throws: SystemError.self) { try TemplateFolder(scratch["templates"]) }
            let reason =
                target == "scripts"
                ? "it is not a regular file; remove it"
                : "it leads out of its folder; put the file or folder itself in its place"
            #expect(
                failure?.description.hasSuffix("\(scratch["templates/\(name)"]): \(reason)") == true,
                "\(failure?.description ?? "")")
            unlink(scratch["templates/\(name)"])
        }
    }

    @Test("Pipes, devices and endless or too many files are refused at once")
    func sizes() throws {
        try scratch.write("{{{body}}}", to: "page.mustache")
        func refusal() -> String? {
            #expect(throws: (any Error).self) { try TemplateSource(scratch.path, language: "en") }.map { "\($0)" }
        }
        mkfifo(scratch["style.css"], 0o600)
        #expect(refusal() == "cannot read \(scratch["style.css"]): it is not a regular file; remove it")
        unlink(scratch["style.css"])
        try scratch.write("", to: "sparse.bin")
        truncate(scratch["sparse.bin"], 8 << 40)
        #expect(
            refusal() == "\(scratch["sparse.bin"]): has more than 67108864 bytes, the most that such a file may have")
        for name in 0..<5 {
            try scratch.write("", to: "\(name).bin")
            truncate(scratch["\(name).bin"], 60 << 20)
        }
        unlink(scratch["sparse.bin"])
        #expect(
            refusal()
                == "\(scratch.path): holds more than 268435456 bytes, the most that templates and their files may have")
        for name in 0..<5 { unlink(scratch["\(name).bin"]) }
        try scratch.write(String(repeating: "x", count: 1 << 20 + 1), to: "long.mustache")
        #expect(
            refusal() == "\(scratch["long.mustache"]): has more than 1048576 bytes, the most that such a file may have")
    }

    @Test("Names that other systems reserve, change or take for one are refused")
    func portableNames() throws {
        try scratch.write("{{{body}}}", to: "page.mustache")
        for name in ["con.html", "a/AUX", "notes."] {
            try scratch.write("x", to: name)
            #expect(failure()?.hasSuffix("that Windows does not reserve; rename it") == true, "\(name)")
            unlink(scratch[name])
        }
        try scratch.write("x", to: "A.png")
        try scratch.write("x", to: "a.png")
        #expect(
            failure()
                == "\(scratch.path)/a.png: differs from A.png in capital letters only, and Windows and macOS take both for one; rename one"
        )
        unlink(scratch["A.png"])
        try scratch.write("{}", to: "strings/con.json")
        #expect(
            failure()
                == "\(scratch.path)/strings/con.json: Windows reserves the name con; add a country, as con-US.json")
    }

    @Test("Places are told apart, each is there once")
    func index() {
        var index = PathIndex()
        let areNew = (0..<20_000).allSatisfy { index.insert(SitePath("character/", $0, ".html")) }
        let isNewAgain = index.insert(SitePath("character/", 77, ".html"))
        #expect(areNew && !isNewAgain)
        #expect(index.contains(Array("character/19999.html".utf8)))
        for other in ["character/20000.html", "character/1.htm", "character/1", "", "Character/1.html"] {
            #expect(!index.contains(Array(other.utf8)))
        }
    }

    @Test("Templates that would take too much memory with all languages are refused before they are compiled")
    func languages() throws {
        try scratch.write(String(repeating: "{{{body}}}", count: 100_000), to: "page.mustache")
        let letters = Array("abcd")
        for one in letters { for other in letters { try scratch.write("{}", to: "strings/\(one)\(other).json") } }
        _ = try TemplateSource(scratch.path, language: "en")
        try scratch.write("{}", to: "strings/xa.json")
        #expect(
            failure()?.hasPrefix(
                "\(scratch.path): its templates have more than 16777216 bytes, counted once for each language") == true)
    }

    @Test("Texts that are used often have one limit over all languages")
    func texts() throws {
        try scratch.write(String(repeating: "{{{t.long}}}\n", count: 40), to: "page.mustache")
        func write(_ language: String) throws {
            let long = String(repeating: "x", count: 900_000)
            try scratch.write(
                #"{"language": "\#(language)", "plurals": "en", "texts": {"long": "\#(long)"}, "scripts": {}, "values": {}}"#,
                to: "strings/\(language).json")
        }
        try write("en")
        _ = try TemplateFolder(scratch.path)
        try write("ru")
        let failure = #expect(throws: TemplateError.self) { try TemplateFolder(scratch.path) }?.description
        #expect(
            failure?.hasPrefix(
                "\(scratch.path)/page.mustache:35:4: the templates with their texts, in all languages, have more than "
                    + "67108864 bytes here") == true, "\(failure?.prefix(200) ?? "")")
    }

    @Test("Templates and texts with endless runs of combining marks are refused, because comparing them takes hours")
    func marks() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 20_000)
        try scratch.write("{{a\(marks)}}", to: "page.mustache")
        #expect(
            failure() == "\(scratch.path)/page.mustache: has more than 200 combining marks in a row; remove them")
        try scratch.write("{{{body}}}", to: "page.mustache")
        let escaped = String(repeating: #"\u0301\u0323"#, count: 20_000)
        try scratch.write(
            #"{"language": "en", "plurals": "en", "texts": {"a\#(escaped)": "b"}, "scripts": {}, "values": {}}"#,
            to: "strings/en.json")
        #expect(failure()?.contains("has a text with more than the 200 combining marks in a row") == true)
    }

    @Test("A folder has at most a thousand templates")
    func count() throws {
        for number in 0..<1_000 {
            try scratch.write("{{{body}}}", to: "\(number == 0 ? "page" : "p\(number)").mustache")
        }
        #expect(failure() == nil)
        try scratch.write("x", to: "more.mustache")
        #expect(
            failure()
                == "\(scratch.path): holds more than 1000 templates (*.mustache), the most that it may have; remove some"
        )
    }
}
