import Catalogue
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
            return error.description
        }
    }

    @Test("Templates are compiled, other files taken as they are at their own paths, hidden ones left out; the digest is over both")
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
        #expect(failure() == "there are no templates (*.mustache) in \(scratch.path); name their folder with --templates")
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
                == "\(scratch.path)/a b.css: a file that goes into the site has a name of letters, digits, \".\", \"_\" and \"-\"")
        #expect(throws: SiteError.self) { try TemplateFolder("\(scratch.path)/nowhere") }
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
}
