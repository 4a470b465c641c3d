import Archive
import Catalogue
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// Lists, rows and figures of default pages.
extension DefaultValuesTests {
    @Test func `A list of cards has the fields of its cards`() async throws {
        let catalogue = try catalogue(
            #"{"small-thing":{"fields":{"city":{},"open":{},"cover":{"type":"image"}},"card":["city","open"],"list":{"layout":"cards"}}}"#
        )
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let records = [#"{"id":1,"name":"One","city":"X","open":true}"#]
        let revision = try await PlannedRevision(catalogue, [("small-thing", records)], texts)
        let list = try #require(try revision.pages(0).first?.first?.model)
        #expect(list.objects("cards")[0].objects("cells").map { $0.text("text") } == ["X", "yes"])
        #expect(list.text("card") == "city open")
    }

    @Test func `The colours of values are in cards, in rows, and in a list for scripts`() async throws {
        for layout in ["cards", "rows"] {
            let catalogue = try catalogue(
                #"""
                {"small-thing":{"fields":{"cover":{"type":"image"},"state":{"type":"enum","facet":true,"tone":{"Open":"good","*":"bad"}}},
                "card":["state"],"list":{"layout":"\#(layout)","columns":["state"]}}}
                """#)
            let texts = try Strings.english().adding(standards: catalogue.texts)
            let records = ["Open", "Shut"].enumerated().map { #"{"id":\#($0 + 1),"name":"N","state":"\#($1)"}"# }
            let revision = try await PlannedRevision(catalogue, [("small-thing", records)], texts)
            let list = try #require(try revision.pages(0).first?.first?.model)
            let shown = list.objects("cards") + list.objects("rows")
            #expect(shown.map { $0.objects("cells").map { $0.text("tone") } } == [["good"], ["bad"]])
            #expect(list.text("tones") == "state.open=good state.shut=bad")
        }
    }

    @Test func `A list by a Boolean has the name of its facet`() async throws {
        let catalogue = try catalogue(#"{"small-thing":{"fields":{"open":{"facet":true}},"list":{}}}"#)
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let revision = try await PlannedRevision(
            catalogue, [("small-thing", [#"{"id":1,"name":"A","open":true}"#])], texts)
        var titles: [String] = []
        for index in revision.plan.pages.indices {
            titles += try revision.pages(index).joined().compactMap { $0.model.text("value") }
        }
        #expect(titles.contains("Open: yes"))
    }

    @Test func `Seven short values of each element are a table, and longer ones a list`() async throws {
        func html(_ last: String, form: String = "") async throws -> String {
            let line = (1...6).map { #""v\#($0)":\#($0),"# }.joined() + #""v7":\#(last)"#
            return try await page(#""lines":[{\#(line)},{\#(line)}],"note":"\#(form)""#).markup
        }
        #expect(try await html("7").contains("<table class=\"wide\">"))
        #expect(try await !html(#""\#(String(repeating: "long ", count: 40))""#).contains("<table"))
        let broken = String(repeating: "word ", count: 40)
        let shown = try await html("7", form: #"\#(broken)one\ftwo"#)
        #expect(shown.contains("one\ntwo"), "\(shown)")
    }

    @Test func `A row of another record has a whole long text, and a column has its beginning`() async throws {
        let catalogue = try catalogue(
            #"""
            {"small-thing":{"fields":{"things":{"type":"references","to":"thing"}}},"thing":{"fields":
            {"story":{"type":"prose"}},"row":["story"],"list":{"columns":["story"]}}}
            """#)
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let long = String(repeating: "long ", count: 100)
        let revision = try await PlannedRevision(
            catalogue,
            [
                ("small-thing", [#"{"id":1,"name":"One","things":[7]}"#]),
                ("thing", [#"{"id":7,"name":"Seven","story":"\#(long)\nnext"}"#]),
            ], texts)
        let page = try #require(try revision.pages(1).first?.first?.model)
        guard case .list(let paragraphs)? = page.objects("field.things.items")[0].value("field.story.paragraphs") else {
            Issue.record("there is no story")
            return
        }
        #expect(paragraphs.count == 2)
        let list = try #require(try revision.pages(2).first?.first?.model)
        #expect(list.objects("rows")[0].objects("cells")[0].text("text") == long.shortened)
    }

    @Test func `Figures are the last part of the navigation, if there are any`() throws {
        let figures = #","figures":[{"id":"a","of":"thing.a","caption":"As"}]"#
        let kinds = #"{"thing":{"fields":{"a":{"facet":true}}}}"#
        #expect(try catalogue(kinds).declaration.navigation == ["small-thing", "thing"])
        #expect(try catalogue(kinds, more: figures).declaration.navigation == ["small-thing", "thing", "figures"])
    }

    @Test func `Lists whose addresses differ in their queries can have records of several kinds on one path`()
        async throws
    {
        let json = #"""
            {"name":"any","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},"lists":["page",
            {"name":"story","path":"pages?type=story"},{"name":"event","path":"pages?type=event"}],
            "kinds":{"page":{"list":{}}}}
            """#
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let lists = [("page", ["1"]), ("story", ["2"]), ("event", ["3"])].map { kind, ids in
            (kind: kind, records: ids.map { #"{"id":\#($0),"name":"N"}"# })
        }
        let tables = try await PlannedRevision(catalogue, lists, texts).tables()
        #expect(tables.find("http://a.example/api/pages/2/")?.table.kind.name == "story")
        #expect(tables.find("http://a.example/api/pages/3/")?.table.kind.name == "event")
        #expect(tables.find("http://a.example/api/page/1/")?.table.kind.name == "page")
        #expect(tables.find("http://a.example/api/pages/4/") == nil)
    }

    @Test func `A table of several pages can be sorted, and numbers are sorted as numbers`() async throws {
        let catalogue = try catalogue(
            #"""
            {"small-thing":{"fields":{"area":{"type":"number"},"city":{},"long":{"type":"duration"},
            "at":{"type":"datetime","time":true}},"list":{"columns":["area","city","long","at"]}}}
            """#)
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let records = (1...101).map {
            #"{"id":\#($0),"name":"N","area":\#($0 * 10_000),"city":"X","long":61000,"at":"2010-03-05T08:00"}"#
        }
        let revision = try await PlannedRevision(catalogue, [("small-thing", records)], texts)
        var output: [UInt8] = []
        var renderer = try Renderer(FiguresSite.library(["list", "facets", "gaps", "pager"]))
        try renderer.render("list", .object(try #require(try revision.pages(0).first?.first?.model)), into: &output)
        let html = String(decoding: output, as: UTF8.self)
        for part in ["data-sort=\"number\"", "data-sort=\"text\"", "sorting.js", "class=\"pager\""] {
            #expect(html.contains(part), "\(part) is not in \(html)")
        }
        for value in [#"20000">20,000"#, #"61000">1:01"#, #"2010-03-05T08:00">March 5, 2010, 08:00"#] {
            #expect(html.contains("data-value=\"\(value)</td>"), "\(value) is not in \(html)")
        }
    }

    @Test func `The last page of a record has all elements of a list that needs more pages than were counted`()
        async throws
    {
        func elements(_ count: Int, _ element: (Int) -> String) -> String {
            (1...count).map(element).joined(separator: ",")
        }
        let rows = elements(250) { #"{"url":"http://a.example/api/thing/\#($0 + 100)","name":"v\#($0)","a":1,"b":2}"# }
        let missing = #"{"parts":{"type":"references","path":"parts[].url","to":"thing"}}"#
        #expect(try await shown(250, #""parts":[\#(rows)]"#, fields: missing) == Array(1...250))
        let links = elements(620) { "\"http://a.example/api/thing/\($0 + 100)\"" }
        let cards = try await page(
            #""parts":[\#(links)]"#, fields: #"{"parts":{"type":"references","to":"thing","display":"cards"}}"#)
        #expect(cards.markup.split(separator: "<li>").count - 1 == 620)
        let others = elements(399) { #"{"name":"v\#($0)","url":"https://b.example/\#($0)"}"# }
        let own = #"{"name":"self","url":"http://a.example/api/small-thing/1"}"#
        #expect(try await shown(399, #""related":[\#(own),\#(others)]"#, fields: "{}") == Array(1...399))
    }

    /// The numbers of the texts "v1", "v2" and so on that the first page of a record shows.
    private func shown(_ count: Int, _ members: String, fields: String) async throws -> [Int] {
        let markup = try await page(members, fields: fields).markup
        return (1...count).filter { markup.contains(">v\($0)<") }
    }
}
