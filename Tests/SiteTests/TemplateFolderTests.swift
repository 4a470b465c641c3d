import Catalogue
import Glibc
import Mustache
import Pages
import Platform
import TestSupport
import Testing

@testable import Site

struct TemplateFolderTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    private func failure() -> String? {
        errorText { try TemplateFolder(TemplateSource(scratch.path)).check(for: FixedCatalogue()) }
    }

    @Test func `Templates and other files are read, hidden files are not, and all are hashed`() throws {
        try scratch.write("{{{body}}}", to: "page.mustache")
        try scratch.write("p{}", to: "style.css")
        try scratch.write("x", to: ".hidden")
        try scratch.write("x", to: "folder/file")
        try scratch.write("x", to: ".git/file")
        let folder = try TemplateFolder(TemplateSource(scratch.path))
        #expect(folder.files.map(\.path.text) == ["folder/file", "style.css"])
        #expect(failure() == nil)
        try scratch.write("q{}", to: "style.css")
        #expect(try TemplateFolder(TemplateSource(scratch.path)).digest != folder.digest)
        // Packages get the contents that were read, not the current ones.
        #expect(
            folder.source.contents.map { "\($0.path): \(String(decoding: $0.bytes, as: UTF8.self))" }
                == ["folder/file: x", "page.mustache: {{{body}}}", "style.css: p{}"])
        try scratch.write("p{}", to: "style.css")
        #expect(try TemplateFolder(TemplateSource(scratch.path)).digest == folder.digest)
    }

    @Test func `A fault of the folder is reported with its remedy`() throws {
        #expect(
            failure() == "there are no templates (*.mustache) in \(scratch.path); name their folder with --templates")
        try scratch.write("x", to: "other.mustache")
        #expect(failure() == "there is no template \"page\"\ntemplates: other")
        try scratch.write("{{{bodi}}}", to: "page.mustache")
        #expect(failure()?.hasPrefix("\(scratch.path)/page.mustache:1:") == true)
        try File.overwrite(scratch["other.mustache"], with: [0x63, 0xE9])
        #expect(failure() == "\(scratch.path)/other.mustache: is not in UTF-8; save it in that encoding")
        try scratch.write("x", to: "other.mustache")
        try scratch.write("x", to: "a b.css")
        #expect(
            failure()
                == "\(scratch.path)/a b.css: the name of a file in the site may have only letters, digits, \".\", \"_\" and \"-\", no dot at either end, and must not be reserved by Windows; rename it"
        )
        #expect(throws: SiteError.self) { try TemplateFolder(TemplateSource("\(scratch.path)/nowhere")) }
    }

    @Test func `A text of the declaration that no file has is reported at its place in the declaration`() throws {
        try scratch.write("{\n  \"artist\": {\n    \"label\": \"artist\"\n  }\n}\n", to: "catalogue.json")
        let catalogue = FixedCatalogue(texts: [TextDeclaration("artist")])
        let (templates, folder) = ("\(Program.root)/Templates", scratch.path)
        let error = #expect(throws: TemplateError.self) {
            try TemplateFolder(TemplateSource(templates, catalogue: folder)).check(for: catalogue)
        }
        #expect(
            error?.lines == [
                "\(folder)/catalogue.json:3:14: there is no text \"artist\"", "        \"label\": \"artist\"",
                "                 ^",
                "add it to \(folder)/strings/en.json and \(folder)/strings/ru.json, or begin it with a capital letter to "
                    + "show it as it is",
            ])
        try scratch.write("{\n  \"unit\":  \"artist\"\n}\n", to: "catalogue.json")
        let other = #expect(throws: TemplateError.self) {
            try TemplateFolder(TemplateSource(templates, catalogue: folder)).check(for: catalogue)
        }
        #expect(other?.lines.last?.hasSuffix(", or write \"{number} artist\" to show it as it is") == true)
    }

    @Test func `A fault in a catalogue's texts is reported at its place`() throws {
        try scratch.write("{}", to: "catalogue.json")
        for (text, reason) in [
            ("", "1:1: is not valid JSON"),
            ("{\n  \"texts\": {\"title\": 5}\n}", "2:13: texts.title: is not an object"),
            (#"{"texts": {"title": "\ud800"}}"#, "1:12: texts.title: has half of a surrogate pair"),
        ] {
            try scratch.write(text, to: "strings/en.json")
            let error = errorText {
                _ = try TemplateFolder(TemplateSource("\(Program.root)/Templates", catalogue: scratch.path))
            }
            #expect(error?.hasPrefix("\(scratch.path)/strings/en.json:\(reason)") == true, "\(error ?? "no error")")
        }
    }

    @Test func `A catalogue can have some of the languages, and the first is at the root if the usual one is missing`()
        throws
    {
        let templates = "\(Program.root)/Templates"
        try scratch.write(#"{"texts":{"own":"Own"}}"#, to: "strings/ru.json")
        let folder = try TemplateFolder(
            TemplateSource(templates, catalogue: scratch.path), for: FixedCatalogue(languages: ["ru"]))
        #expect(folder.editions.map(\.texts.language) == ["ru"])
        try scratch.write(#"{"languages": ["ru", "de"]}"#, to: "catalogue.json")
        let error = errorText {
            _ = try TemplateFolder(
                TemplateSource(templates, catalogue: scratch.path), for: FixedCatalogue(languages: ["ru", "de"]))
        }
        let reason = "languages[1]: has no file \(templates)/strings/de.json; add it, or remove this language"
        #expect(error?.hasPrefix("\(scratch.path)/catalogue.json:1:22: \(reason)\n") == true, "\(error ?? "none")")
    }

    @Test func `A text that nothing uses, such as a misspelled one, is reported at its place`() throws {
        func note(_ strings: String) throws -> String? {
            try scratch.write(strings, to: "strings/en.json")
            let catalogue = FixedCatalogue(texts: [TextDeclaration("own")], languages: ["en"])
            return try TemplateFolder(
                TemplateSource("\(Program.root)/Templates", catalogue: scratch.path), for: catalogue
            ).unusedText(for: catalogue)
        }
        try scratch.write(#"{"fields": {"genre": {}}}"#, to: "catalogue.json")
        try scratch.write("{{t.shown}}", to: "templates/mine.mustache")
        let used = #""texts": {"own": "O", "shown": "S", "search": "F"}"#
        let fields = #""scripts": {"filter.genre": "G"}, "values": {"genre": {"x": "X"}}"#
        #expect(try note("{\(used), \(fields)}") == nil)
        let file = "\(scratch.path)/strings/en.json"
        #expect(
            try note(#"{"texts": {"shown": "S", "serch": "F"}}"#)
                == "\(file):1:26: texts.serch: is used nowhere; did you mean \"texts.search\"?")
        #expect(
            try note(#"{"texts": {"shown": "S"}, "scripts": {"filter.gender": "G"}}"#)
                == "\(file):1:39: scripts.filter.gender: is used nowhere")
        #expect(
            try note(#"{"texts": {"shown": "S"}, "values": {"gender": {"x": "X"}}}"#)
                == "\(file):1:38: values.gender: is used nowhere")
    }

    @Test func `A template that no page and no template uses is reported`() throws {
        func note(_ names: String...) throws -> String? {
            for name in names { try scratch.write("{{>mark}}", to: "templates/\(name).mustache") }
            let catalogue = FixedCatalogue(languages: ["en"])
            return try TemplateFolder(
                TemplateSource("\(Program.root)/Templates", catalogue: scratch.path), for: catalogue
            )
            .unusedTemplate(for: catalogue)
        }
        try scratch.write("x", to: "templates/mark.mustache")
        // A shared template is replaced.
        #expect(try note("head") == nil)
        #expect(
            try note("serch")
                == "\(scratch.path)/templates/serch.mustache: no page and no template uses it; did you mean \"search\"?"
        )
    }

    @Test func `Texts of a catalogue in a language that the site lacks are reported`() throws {
        for name in ["en", "ru", "de"] { try scratch.write("{}", to: "strings/\(name).json") }
        let folder = try TemplateFolder(TemplateSource("\(Program.root)/Templates", catalogue: scratch.path))
        #expect(
            try folder.unusedText(for: FixedCatalogue())
                == "\(scratch.path)/strings/de.json: is not used, because \(Program.root)/Templates/strings has no file of this name"
        )
    }

    @Test func `A link may lead to a file within the folder only`() throws {
        try scratch.write("private", to: "private.txt")
        try scratch.write("{{{body}}}", to: "templates/page.mustache")
        try scratch.write("a", to: "templates/scripts/a.js")
        symlink("scripts/a.js", scratch["templates/b.js"])
        symlink("templates", scratch["to-templates"])
        #expect(
            try TemplateFolder(TemplateSource(scratch["to-templates"])).files.map(\.path.text) == [
                "b.js", "scripts/a.js",
            ])
        for (name, target) in [
            ("notes.txt", "../private.txt"), ("notes.txt", scratch["private.txt"]), ("strings", ".."), ("x", "scripts"),
        ] {
            symlink(target, scratch["templates/\(name)"])
            let failure = #expect(throws: SystemError.self) { try TemplateFolder(TemplateSource(scratch["templates"])) }
            let reason =
                target == "scripts"
                ? "it is not a regular file; remove it"
                : "it leads out of its folder; replace the link with the file or folder itself"
            #expect(
                failure?.description.hasSuffix("\(scratch["templates/\(name)"]): \(reason)") == true,
                "\(failure?.description ?? "")")
            unlink(scratch["templates/\(name)"])
        }
    }

    @Test func `Pipes and too large or too many files are refused`() throws {
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
            refusal()
                == "\(scratch["sparse.bin"]): has more than 67108864 bytes, which is the limit for this type of file")
        for name in 0..<5 {
            try scratch.write("", to: "\(name).bin")
            truncate(scratch["\(name).bin"], 60 << 20)
        }
        unlink(scratch["sparse.bin"])
        #expect(
            refusal()
                == "\(scratch.path): contains more than 268435456 bytes, which is the limit for a folder of templates")
        for name in 0..<5 { unlink(scratch["\(name).bin"]) }
        try scratch.write(String(repeating: "x", count: 1 << 20 + 1), to: "long.mustache")
        #expect(
            refusal()
                == "\(scratch["long.mustache"]): has more than 1048576 bytes, which is the limit for this type of file")
    }

    @Test func `Names that other systems reserve or change are refused`() throws {
        try scratch.write("{{{body}}}", to: "page.mustache")
        for name in ["con.html", "a/AUX", "notes."] {
            try scratch.write("x", to: name)
            #expect(failure()?.hasSuffix("must not be reserved by Windows; rename it") == true, "\(name)")
            unlink(scratch[name])
        }
        try scratch.write("{}", to: "strings/con.json")
        #expect(
            failure()
                == "\(scratch.path)/strings/con.json: Windows reserves the name con; add a country, such as con-US.json"
        )
    }

    @Test func `Templates that need too much memory in all languages are refused`() throws {
        try scratch.write(String(repeating: "{{{body}}}", count: 100_000), to: "page.mustache")
        let letters = Array("abcd")
        for one in letters { for other in letters { try scratch.write("{}", to: "strings/\(one)\(other).json") } }
        _ = try TemplateSource(scratch.path, language: "en")
        try scratch.write("{}", to: "strings/xa.json")
        #expect(
            failure()?.hasPrefix(
                "\(scratch.path): its templates have more than 16777216 bytes, counted once for each language") == true)
    }

    @Test func `Copies of a standard template for many kinds are counted`() throws {
        try scratch.write(String(repeating: "{{{body}}}", count: 100_000), to: "record.mustache")
        let source = try TemplateSource(scratch.path)
        var catalogue = FixedCatalogue()
        catalogue.pageTemplates = (1...16).map { ("kind\($0)", FixedCatalogue.shape, "record") }
        let error = errorText { _ = try TemplateFolder(source, for: catalogue) }
        #expect(error?.hasPrefix("\(scratch.path): its templates have more than 16777216 bytes") == true)
    }

    @Test func `Used texts have a common limit over all languages`() throws {
        try scratch.write(String(repeating: "{{{t.long}}}\n", count: 40), to: "page.mustache")
        func write(_ language: String) throws {
            let long = String(repeating: "x", count: 900_000)
            try scratch.write(
                #"{"language": "\#(language)", "plurals": "en", "texts": {"long": "\#(long)"}, "scripts": {}, "values": {}}"#,
                to: "strings/\(language).json")
        }
        try write("en")
        _ = try TemplateFolder(TemplateSource(scratch.path))
        try write("ru")
        let failure = #expect(throws: TemplateError.self) { try TemplateFolder(TemplateSource(scratch.path)) }?
            .description
        #expect(
            failure?.hasPrefix(
                "\(scratch.path)/page.mustache:35:4: the templates with their texts, in all languages together, "
                    + "have more than 67108864 bytes; ") == true, "\(failure?.prefix(200) ?? "")")
    }

    @Test func `Long runs of combining marks are refused`() throws {
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

    @Test func `A folder has at most a thousand templates`() throws {
        for number in 0..<1_000 {
            try scratch.write("{{{body}}}", to: "\(number == 0 ? "page" : "p\(number)").mustache")
        }
        #expect(failure() == nil)
        try scratch.write("x", to: "more.mustache")
        #expect(
            failure()
                == "\(scratch.path): contains more than 1000 templates (*.mustache), which is the limit; remove some"
        )
    }
}
