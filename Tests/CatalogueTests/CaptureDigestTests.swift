import Archive
import Catalogue
import Foundation
import TestSupport
import Testing

@testable import CatalogueEngine

struct CaptureDigestTests {
    private static let small = #"""
        {
          "name": "library", "api": "https://a.example/api", "lists": ["book", "author"], "card": "book",
          "list": { "path": "{list}", "paginator": { "type": "page_number" }, "records": "r", "count": "i.c", "pages": "i.p" },
          "navigation": ["book"], "future": { "list": 1 },
          "kinds": {
            "author": { "title": "name", "count": "n", "fields": { "books": { "type": "references", "to": "book" } } },
            "book": {
              "id": "number", "count": "n", "required": ["code"], "future": true,
              "fields": { "code": { "type": "string", "label": "l", "path": "a.b" }, "future": { "type": "image" } }
            }
          }
        }
        """#

    private static func digest(_ old: String = "", _ new: String = "") throws -> SHA256 {
        let text = small.replacing(old, with: new)
        #expect(old.isEmpty || text != small, "\(old)")
        return try JSON(declaration: Array(text.utf8)).captureDigest
    }

    @Test(
        arguments: [
            (#""type": "string""#, #""type": "date""#), (#""type": "string", "#, ""),
            (#""label": "l""#, #""label": "m", "facet": true, "tone": { "x": "y" }, "format": "S{n}", "time": true"#),
            (#""to": "book""#, #""to": "book", "count": "x", "display": "cards", "most": 3, "note": "code""#),
            (
                #""navigation": ["book"]"#,
                #""navigation": [], "figures": [{ "id": "x" }], "language": "en", "languages": ["en"]"#
            ),
            (#""count": "n", "fields""#, #""count": "m", "list": { "perPage": 3 }, "jsonld": {}, "row": [], "fields""#),
            (#""name": "library", "api": "https://a.example/api""#, #""api":"https://a.example/api","name":"library""#),
            (#""label": "l", "path": "a.b""#, #""path": "a.b", "label": "l""#),
            (#""to": "book""#, #""to": "book", "orderBy": "code""#),
            (#""to": "book""#, #""to": "book", "display": "bars", "numbers": "n", "full": 9"#),
            (#""fields": { "code""#, #""fields": { "x": { "from": "author.name" }, "code""#),
            (#""fields": { "code""#, #""fields": { "x": { "type": "tree", "to": "author", "link": "u" }, "code""#),
            (#""count": "n", "fields""#, #""count": "n", "rest": false, "fields""#),
            (#""fields": { "code""#, #""fields": { "x": { "type": "inverse", "of": "author.books" }, "code""#),
            (#""fields": { "code""#, #""fields": { "x": { "type": "together", "of": "book.x" }, "code""#),
        ])
    func `A change that only pages show keeps the capture digest`(_ old: String, _ new: String) throws {
        #expect(try Self.digest(old, new) == Self.digest())
    }

    @Test(
        arguments: [
            (#""type": "references", "#, ""), (#""type": "image""#, #""type": "string""#),
            (#""type": "image""#, #""type": "file""#), (#""type": "string""#, #""type": "string", "capture": true"#),
            (#""type": "string""#, #""type": "future""#), (#""to": "book""#, #""to": "author""#),
            (#""to": "book""#, #""to": "book", "answers": "code""#),
            (#""path": "a.b""#, #""path": "a.c""#), (#""id": "number""#, #""id": "slug""#),
            (#""title": "name""#, #""title": "label""#), (#""required": ["code"]"#, #""required": []"#),
            (#""book", "author""#, #""author", "book""#), (#""card": "book""#, #""card": "author""#),
            (#""{list}""#, #""v2/{list}""#), (#""records": "r""#, #""records": "s""#),
            (#""future": true"#, #""future": false"#), (#"{ "list": 1 }"#, #"{ "list": 2 }"#),
            (#""count": "n", "fields""#, #""plural": "authors", "fields""#),
        ])
    func `A change of requests, ids, references or unknown keys changes it`(_ old: String, _ new: String) throws {
        #expect(try Self.digest(old, new) != Self.digest())
    }

    @Test func `Changed ids and removed kinds are found, other changes are not`() throws {
        func declaration(_ kinds: String) -> String {
            let names = ["book", "author"].filter { kinds.contains("\"\($0)\"") }
            return #"""
                {"name":"library","api":"https://a.example","lists":[\#(names.map { "\"\($0)\"" }.joined(separator: ","))],
                 "list":{"path":"{list}","paginator":{"type":"page_number"},"records":"r","count":"i.c","pages":"i.p"},
                 "kinds":{\#(kinds)}}
                """#
        }
        func kind(_ name: String, _ more: String = "") -> String {
            #""\#(name)":{"count":"n","description":"d","list":{"title":"t"}\#(more)}"#
        }
        func change(_ old: String, _ new: String, of kinds: [String] = ["book"]) throws -> String? {
            try CatalogueDeclaration(Array(declaration(new).utf8))
                .change(ofKinds: kinds, since: Array(declaration(old).utf8)).map { "\($0)" }
        }
        #expect(try change(kind("book"), kind("book", #","id":"id","title":"label""#)) == nil)
        #expect(try change(kind("book"), kind("book") + "," + kind("author")) == nil)
        let old = kind("book") + "," + kind("author", #","id":"a.b""#)
        let new = kind("book", #","id":"slug""#)
        #expect(try change(old, new) == #"kinds.book.id: changed from "id" to "slug""#)
        #expect(try change(old, new, of: ["author"]) == #"kinds: have no "author" any more"#)
        #expect(try change(old, new, of: []) == nil)
        // The rules of a declaration that this version does not accept can be compared.
        let stricter = kind("book", #","id":"key","future":1"#)
        #expect(try change(stricter, kind("book")) == #"kinds.book.id: changed from "key" to "id""#)
    }

    @Test func `The ids of roots depend on their path, and those of their results on the member`() throws {
        let file = "\(Program.root)/Catalogues/itunes/catalogue.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        func change(_ old: String, _ new: String, of kind: String) throws -> String? {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            return try CatalogueDeclaration(Array(changed.utf8)).change(ofKinds: [kind], since: Array(text.utf8))
                .map { "\($0)" }
        }
        let path = ("&limit={limit}", "&count={limit}")
        #expect(try change(path.0, path.1, of: "search-music-us")?.hasPrefix("roots.path: changed from") == true)
        #expect(try change(path.0, path.1, of: "song-us") == nil)
        let word = (#""word": "Yes""#, #""word": "yes""#)
        #expect(
            try change(word.0, word.1, of: "search-music-us")
                == "parameters.explicit: changed, or lacks an earlier value")
        let more = (#""no": { "word": "No" }"#, #""no": { "word": "No" }, "maybe": { "word": "Maybe" }"#)
        #expect(try change(more.0, more.1, of: "search-music-us") == nil)
        #expect(
            try change(#""id": "trackId""#, #""id": "artistId""#, of: "book-ru")
                == #"kinds.book-{country}.id: changed from "trackId" to "artistId""#)
        let country = #", "RU": { "code": "ru" }"#
        #expect(try change(country, "", of: "song-ru") == #"kinds: have no "song-ru" any more"#)
    }
}
