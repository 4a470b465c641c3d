import Catalogue
import KnownCatalogues
import Pages
import Testing

@testable import CatalogueEngine

struct CatalogueDeclarationTests {
    private static let small = #"""
        {
          "name": "library", "api": "https://a.example/api", "card": "book", "navigation": ["book", "figures"],
          "list": {
            "path": "{list}", "paginator": { "type": "page_number" }, "records": "results", "count": "info.count",
            "pages": "info.pages"
          },
          "lookup": { "path": "{kind}/{ids}" }, "lists": ["book", "author"],
          "kinds": {
            "author": {
              "count": "characterCount", "description": "countDescription", "list": { "title": "characters" },
              "fields": { "age": {}, "books": { "type": "references", "to": "book", "count": "episodeCount" } }
            },
            "book": {
              "count": "episodeCount", "description": "countDescription", "pictures": "covers",
              "fields": {
                "genre": { "agreesWith": "code" }, "code": { "format": "S{season}E{number}" },
                "author": { "type": "reference", "to": "author", "answers": "books", "note": "age" },
                "cover": { "type": "image" }
              },
              "required": ["code"], "card": ["code"], "row": ["code"], "facts": ["code"], "summary": ["code"],
              "search": ["genre"], "export": { "id": "id" },
              "list": {
                "page": "index", "folder": "shelf", "title": "episodes", "columns": ["genre"],
                "group": { "by": "code.season", "label": "season", "others": "otherEpisodes" }
              }
            }
          },
          "figures": [{ "id": "genres", "of": "book.genre", "caption": "figureStatus" }],
          "relations": { "writings": "author.books" }
        }
        """#

    private static func declaration(_ text: String = small) throws -> CatalogueDeclaration {
        try CatalogueDeclaration(Array(text.utf8))
    }

    @Test func `An unknown key is an error that names the nearest key and all keys`() {
        let keys = "layout, page, folder, perPage, title, description, count, columns, group, highlights, onHome"
        for (name, advice) in [
            ("perpage", #"; did you mean "perPage"?"#), ("colums", #"; did you mean "columns"?"#), ("x", ""),
        ] {
            let text = Self.small.replacing(
                #""title": "characters""#, with: "\"title\": \"characters\", \"\(name)\": 1")
            let reason = "is unknown\(advice); the keys are: \(keys)"
            #expect(throws: ContentFault("kinds.author.list.\(name)", reason)) { try Self.declaration(text) }
        }
    }

    @Test func `Kinds have the order of the lists, and fields that of the file`() throws {
        let declaration = try Self.declaration()
        #expect(declaration.kinds.map(\.name) == ["book", "author"])
        #expect(declaration.kinds[0].fields.map(\.name) == ["genre", "code", "author", "cover"])
        #expect(DeclaredCatalogue(declaration).lists.map { $0.path(page: 2) } == ["book?page=2", "author?page=2"])
    }

    @Test func `The only list can have the name page`() throws {
        let json =
            #"{"name":"a","api":"http://a.example","list":{"paginator":{"type":"single_page"}},"lists":["page"]}"#
        let list = try CatalogueDeclaration(Array(json.utf8)).kinds.first?.list
        #expect(list?.page == "index" && list?.folder == "page-pages")
    }

    @Test func `The labels of facts and columns are texts of the catalogue`() throws {
        for catalogue in [try DeclaredCatalogue.itunes(), try .rickAndMorty()] {
            let known = Set(catalogue.texts)
            for kind in catalogue.declaration.kinds {
                let labels = (kind.facts + (kind.list?.columns ?? [])).map(\.label)
                #expect(labels.allSatisfy(known.contains), "\(kind.name)")
            }
        }
    }

    @Test func `A declaration of one kind and two fields makes a plan and pages`() async throws {
        let declaration = try Self.declaration(
            #"""
            {"name":"library","api":"https://a.example","lists":["book"],
             "list":{"path":"{list}","paginator":{"type":"page_number"},"records":"books","count":"n.all","pages":"n.pages"},
             "kinds":{"book":{"count":"episodeCount","description":"countDescription","row":["type"],
              "fields":{"species":{"facet":true},"type":{}},"list":{"title":"episodes","columns":["type"],"perPage":2}}}}
            """#)
        let records = (1...3).map { #"{"id":\#($0),"name":"No. \#($0)","species":"novel","type":"T\#($0)"}"# }
        let revision = try await PlannedRevision(DeclaredCatalogue(declaration), [("book", records)], Strings.english())
        #expect(
            (0..<revision.plan.pages.count).map { revision.paths($0).flatMap(\.self) } == [
                ["index.html", "page/2.html"], ["book/1.html", "book/2.html", "book/3.html"],
                ["species/novel.html", "species/novel/2.html"],
            ])
        let lists = try revision.pages(0).flatMap(\.self).map(\.model)
        #expect(lists.map { $0.objects("rows").map { $0.text("field.type.text") } } == [["T1", "T2"], ["T3"]])
        let pages = try revision.pages(1).flatMap(\.self).map(\.model)
        #expect(pages.map { $0.text("name") } == ["No. 1", "No. 2", "No. 3"])
        #expect(pages[2].text("field.species.text") == "novel" && pages[2].text("list.path") == "page/2.html")
    }

    @Test func `A path with tens of thousands of arrays is an error`() {
        let arrays = "a" + String(repeating: "[]", count: 40_000)
        let steps = String(repeating: "a[].", count: 40_000) + "a"
        let nested = "a" + String(repeating: "[a", count: 40_000) + String(repeating: "]", count: 40_000)
        for path in [arrays, steps, nested] {
            for (key, value) in [("title", path), ("id", path), ("id", "{\(path)}/{b}"), ("fields.x.path", path)] {
                let text = key == "fields.x.path" ? #""fields":{"x":{"path":"\#(value)"}}"# : #""\#(key)":"\#(value)""#
                #expect(throws: ContentFault("kinds.book.\(key)", "is longer than 2048 bytes")) {
                    try Self.declaration(
                        #"""
                        {"name":"a","api":"http://a.example","list":{"paginator":{"type":"single_page"}},
                        "lists":["book"],"kinds":{"book":{\#(text)}}}
                        """#)
                }
            }
        }
    }

    @Test(arguments: ["returning", "nothing", "isnull", "notnull", "autoincrement", "deferrable"])
    func `A plural that SQLite accepts only in quotes is an error`(word: String) {
        let text = Self.small.replacing(#""pictures": "covers""#, with: #""pictures": "covers", "plural": "\#(word)""#)
        let reason = "has the name \"\(word)\", which the site, the archive or SQL uses; use another one, such as "
        #expect(throws: ContentFault("kinds.book.plural", reason + "\"\(word)s\"")) { try Self.declaration(text) }
    }

    @Test func `More than 500 kinds are an error before they are compared with each other`() {
        let fault = "has more than the 500 kinds allowed"
        let kinds = (1...501).map { #""k\#($0)":{}"# }.joined(separator: ",")
        let start = #"{"name":"a","api":"http://a.example","list":{"paginator":{"type":"single_page"}}"#
        #expect(throws: ContentFault("kinds", fault)) {
            try Self.declaration(#"\#(start),"lists":["k1"],"kinds":{\#(kinds)}}"#)
        }
        let values = (1...501).map { #""v\#($0)":"k\#($0)""# }.joined(separator: ",")
        #expect(throws: ContentFault("lists", fault)) {
            try Self.declaration(#"\#(start),"lists":[{"name":"all","kind":"{type}","kinds":{\#(values)}}]}"#)
        }
    }

    // Looking each member up by its name would return the first value for both.
    @Test func `Each member of an object of texts has its own value`() throws {
        let values: JSON = .object([("a", .object([("x", .text("1")), ("x", .text("2"))]))])
        let pairs = try DeclarationObject(values, at: "").pairs("a")
        #expect(pairs.map(\.name) == ["x", "x"] && pairs.map(\.value) == ["1", "2"])
    }
}
