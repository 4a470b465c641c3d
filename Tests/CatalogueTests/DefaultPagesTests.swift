import Archive
import Catalogue
import Foundation
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// The pages of kinds that a declaration does not describe.
struct DefaultPagesTests {
    private func catalogue(_ kinds: String = "{}") throws -> DeclaredCatalogue {
        let json = """
            {"name":"any","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
            "lists":["small-thing","thing"],"kinds":\(kinds)}
            """
        return DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
    }

    private func planned(_ records: [String], kinds: String = "{}", pictures: [String] = []) async throws
        -> PlannedRevision
    {
        let catalogue = try catalogue(kinds)
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let assets = pictures.map { ($0, (bytes: [UInt8(1)], facts: AssetFacts(.png, width: 1, height: 1))) }
        return try await PlannedRevision(
            catalogue, [("small-thing", records), ("thing", [#"{"id":7,"name":"Seven"}"#])], texts,
            assets: Dictionary(assets) { $1 })
    }

    /// The markup of the values on the page of the first record.
    private func markup(_ record: String, kinds: String = "{}", pictures: [String] = []) async throws -> String {
        let revision = try await planned([record], kinds: kinds, pictures: pictures)
        let page = try #require(try revision.pages(1).first?.first?.model)
        return try ["restFacts", "sections", "restSections"].map { try #require(page.html($0)) }.joined(separator: "\n")
    }

    @Test func `Texts follow from the names of kinds and fields`() async throws {
        let revision = try await planned([#"{"id":1,"name":"One"}"#, #"{"id":2}"#])
        let list = try #require(try revision.pages(0).first?.first?.model)
        #expect(list.text("listTitle") == "Small things" && list.text("count") == "2 small things")
        #expect(list.objects("rows").map { $0.text("name") } == ["One", "Small thing 2"])
        // The home page has all lists, because no list is the first page.
        let home = try #require(try revision.pages(4).first?.first)
        #expect(home.path.text == "index.html" && home.template == "home")
        #expect(home.model.objects("lists").map { $0.text("label") } == ["Small things", "Things"])
    }

    @Test func `Numbers of any size and sign are shown, and bars belong to their references`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"cold":{"type":"number","divisor":10},"huge":{"type":"number"},
            "share":{"type":"number","decimals":2,"unit":"{number}%"},
            "stats":{"type":"references","to":"thing","path":"stats[].u","numbers":"stats[].n","display":"bars"}}}}
            """#
        let catalogue = try catalogue(kinds)
        let fields = try #require(catalogue.declaration.kind("small-thing")).fields
        let texts = try Strings.english().adding(standards: catalogue.texts)
        #expect(fields[0].text("-125", texts) == "-12.5" && fields[0].text("-1", texts) == "-0.1")
        #expect(fields[1].text("1e19", texts) == "1e+19" && fields[1].text("-0.0", texts) == "0")
        #expect(
            ["6.07", "80.262107", "3206373", "-12345.5", "12", "37.349999999999994"].map { fields[1].text($0, texts) }
                == ["6.07", "80.262107", "3,206,373", "-12,345.5", "12", "37.35"])
        #expect(
            ["6.075", "-0.001", "99.996", "1e300", "7"].map { fields[2].text($0, texts) }
                == ["6.08%", "0%", "100%", "1e+300%", "7%"])
        let html = try await markup(#"{"id":1,"stats":[{"n":5},{"n":"inf","u":7},{"u":7}]}"#, kinds: kinds)
        #expect(html.contains("<span class=\"count\">inf</span>") && html.contains("width=\"0%\""), "\(html)")
    }

    @Test func `Exported tables have the served id, the title and the fields`() throws {
        let kinds = #"""
            {"thing":{"id":"slug","textIds":true,"fields":{"colour":{},"order":{},"home":{"path":"at.home"},"same":{"value":"x"}}}}
            """#
        let table = try #require(try catalogue(kinds).exportTables.first { $0.kind == "thing" })
        #expect(table.columns.map(\.name) == ["id", "title", "colour", "order", "home"])
        let record = StoredRecord(
            key: RecordKey("thing", text: "red-fox"),
            bytes: Array(#"{"slug":"red-fox","name":"Fox","colour":"red","at":{"home":"den"}}"#.utf8),
            sha256: SHA256(of: []), picture: nil)
        #expect(String(decoding: try table.line(of: record), as: UTF8.self) == "red-fox,Fox,red,,den\r\n")
    }

    @Test func `Every value of a record is on its page, and null and empty ones are left out`() async throws {
        let html = try await markup(
            """
            {"id":1,"name":"One","air_date":"2013-12-02","isOpen":true,"none":null,"empty":"","no":[],"o":{},"size":12.50,
            "tags":["a1","b2"],"deep":{"inner":{"value":"c3","list":[{"x":"d4","y":{"z":"e5"}},{"x":"f6"}]}},
            "owner":{"id":6,"name":"Ada"},"members":[{"by":{"name":"Bo","id":"b-9"},"n":1},{"n":2}],
            "rows":[{"n":1,"t":"g7"},{"n":2,"t":"h8"}],"link":"https://elsewhere.example/a/b.pdf",
            "thing":{"name":"its name","url":"http://a.example/api/thing/7/"},"text":"first\\n\\nsecond\\nline"}
            """)
        for part in [
            "<dt>Air date</dt><dd><time datetime=\"2013-12-02\">December 2, 2013</time></dd>",
            "<dt>Is open</dt><dd>yes</dd>",
            "<dt>Owner</dt><dd>Ada (6)</dd>", "<td data-label=\"By\">Bo (b-9)</td>", "<dd>12.50</dd>",
            "<dd>a1, b2</dd>", "c3", "d4", "e5", "f6", "<th scope=\"col\" class=\"numeric\">N</th>",
            "<td data-label=\"T\">h8</td>", ">b.pdf</a>", "<a href=\"../thing/7.html\">Seven</a>",
            "<p>first</p><p>second\nline</p>",
        ] { #expect(html.contains(part), "\(part) is not in \(html)") }
        for part in ["None", "Empty", ">No<", ">O<", "{", "its name"] {
            #expect(!html.contains(part), "\(part) is in \(html)")
        }
    }

    @Test func `Values that are declared are not shown twice`() async throws {
        let html = try await markup(
            #"{"id":1,"name":"One","colour":"red","author":{"name":"Seven","url":"http://a.example/api/thing/7"},"body":"<p>b1</p>"}"#,
            kinds: """
                {"small-thing":{"fields":{"colour":{"facet":true},"author":{"type":"reference","to":"thing","path":"author.url"},
                "body":{"type":"html"}},"facts":["colour","author"]}}
                """)
        #expect(!html.contains("red") && !html.contains("Seven"))
        #expect(html.components(separatedBy: "b1").count == 2)
    }

    @Test func `A list can have numbers and Booleans, and a value of the wrong type is shown as if not declared`()
        async throws
    {
        let kinds = #"""
            {"small-thing":{"fields":{"at":{"type":"list","path":"geo.at"},"size":{"type":"number"},"tags":{"type":"list"}},
            "facts":["at","size","tags"]}}
            """#
        let good = #"{"id":1,"geo":{"at":[80.26,-3,true,"x"]},"size":7,"tags":["a"]}"#
        let catalogue = try catalogue(kinds)
        let facts = try catalogue.facts(of: Array(good.utf8)[...], kind: "small-thing", base: "http://a.example/api")
        #expect(facts.refused.isEmpty)
        let page = try #require(try await planned([good], kinds: kinds).pages(1).first?.first?.model)
        #expect(page.objects("facts").map { $0.text("name") } == ["80.26, -3, true, x", "7", "a"])
        #expect(try await !markup(good, kinds: kinds).contains("80.26"))
        let rest = try await markup(
            #"{"id":1,"geo":{"at":[{"n":"c3"}]},"size":{"x":"b2"},"tags":["d4",{"e":"f5"}]}"#, kinds: kinds)
        for part in ["c3", "b2", "d4", "f5"] { #expect(rest.contains(part), "\(part) is not in \(rest)") }
    }

    @Test func `Decimal texts are numbers, and HTML in an array keeps its line ends`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"price":{"type":"number"},"text":{"type":"html","path":"parts[].text"}},"facts":["price"]}}
            """#
        let record = #"{"id":1,"price":"12.50","parts":[{"text":"<pre>a\n  b</pre>"}]}"#
        let page = try #require(try await planned([record], kinds: kinds).pages(1).first?.first?.model)
        #expect(page.objects("facts").map { $0.text("name") } == ["12.5"])
        #expect(try await markup(record, kinds: kinds).contains("<pre tabindex=\"0\">a\n  b</pre>"))
    }

    @Test func `Addresses with letters outside ASCII are links, whose text is as served`() async throws {
        let html = try await markup(
            #"""
            {"id":1,"a":"https://en.wikipedia.org/wiki/José_Izquierdo","b":"https://exämple.org/x",
            "c":"https://a.example/‮gnp.x","d":"https://a.example/a b"}
            """#)
        #expect(html.contains("<a href=\"https://en.wikipedia.org/wiki/Jos%C3%A9_Izquierdo\" rel=\"nofollow\">"))
        #expect(html.contains(">en.wikipedia.org/wiki/José_Izquierdo</a>"))
        #expect(html.components(separatedBy: "<a ").count == 2, "\(html)")
    }

    @Test func `A path that no record has is reported with a similar name`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"height":{"path":"at.elevation"},"colour":{},"none":{},"tag":{"path":"tags[].n"},
            "old":{"type":"url","path":"gone","or":"link"},"below":{"path":"none.deep"}},"facts":["height"]}}
            """#
        let first = #"{"id":1,"at":{"elevation_m":7},"colour":"","none":null,"tags":[],"link":""}"#
        let note = try await planned([first, #"{"id":2}"#], kinds: kinds).plan.shared?.note
        #expect(
            note
                == "kinds.small-thing.fields.height: no record has a member at \"at.elevation\"; did you mean \"elevation_m\"?"
        )
        let later = try await planned([first, #"{"id":2,"at":{"elevation":8}}"#], kinds: kinds).plan.shared
        #expect(later != nil && later?.note == nil)
        let two = try await planned(
            [#"{"id":1,"colours":"x"}"#], kinds: #"{"small-thing":{"fields":{"colour":{},"x":{}}}}"#)
        #expect(
            two.plan.shared?.note
                == "kinds.small-thing.fields.colour: no record has a member at \"colour\"; did you mean \"colours\"? (declared paths without a member: 2)"
        )
    }

    @Test func `A record can lack the title, but not all records`() async throws {
        let kinds = #"{"small-thing":{"title":"label"}}"#
        let some = try await planned([#"{"id":1,"label":"One"}"#, #"{"id":2}"#, #"{"id":3,"label":4}"#], kinds: kinds)
        let list = try #require(try some.pages(0).first?.first?.model)
        #expect(list.objects("rows").map { $0.text("name") } == ["One", "Small thing 2", "4"])
        #expect(some.plan.shared != nil && some.plan.shared?.note == nil)
        let note = try await planned([#"{"id":1,"labels":"One"}"#, #"{"id":2}"#], kinds: kinds).plan.shared?.note
        #expect(
            note == "kinds.small-thing.title: no record has a member at \"label\"; did you mean \"labels\"?",
            "\(note ?? "")")
        let html = try await markup(#"{"id":1,"label":{"en":"One"}}"#, kinds: kinds)
        #expect(html.contains("One"), "A title that cannot be shown is among the values: \(html)")
    }

    @Test func `References of a wrong type are a gap, and the record is kept with their value`() async throws {
        let kinds = #"{"small-thing":{"fields":{"things":{"type":"references","to":"thing"}}}}"#
        let catalogue = try catalogue(kinds)
        for (value, fault) in [
            ("{}", "things: is not an array"), (#""""#, "things: is not an array"),
            (#"[7,null,"b2"]"#, "things[1]: is null, not a string"), (#"{"a":"b2"}"#, "things: is not an array"),
        ] {
            let record = #"{"id":1,"name":"One","things":\#(value)}"#
            let facts = try catalogue.facts(
                of: Array(record.utf8)[...], kind: "small-thing", base: "http://a.example/api")
            #expect(facts.refused.map(\.description) == [fault] && facts.references.isEmpty, "\(record)")
            #expect(try await markup(record, kinds: kinds).contains("b2") == value.contains("b2"), "\(record)")
        }
    }

    @Test func `The address of a picture that is not captured is on the page`() async throws {
        let kinds = #"{"small-thing":{"fields":{"icon":{"type":"image","path":"art.icon"}}}}"#
        let record = #"{"id":1,"name":"One","art":{"icon":"http://a.example/api/a.svg"}}"#
        let link = #"<a href="http://a.example/api/a.svg" rel="nofollow">a.svg</a>"#
        #expect(try await markup(record, kinds: kinds).contains(link))
        #expect(try await !markup(record, kinds: kinds, pictures: ["a.svg"]).contains("a.svg"))
        for none in ["null", #""""#] {
            let empty = record.replacing(#""http://a.example/api/a.svg""#, with: none)
            #expect(try await !markup(empty, kinds: kinds).contains("Icon"))
        }
    }

    @Test func `The text of a picture can have fields`() async throws {
        let kinds = #"{"small-thing":{"fields":{"alt":{"path":"thumbnail.alt"}},"alternative":"{alt}"}}"#
        let page = try await planned([#"{"id":1,"thumbnail":{"alt":"A fox"}}"#], kinds: kinds).pages(1).first?.first
        #expect(page?.model.text("alternative") == "A fox")
    }

    @Test func `An index of a path hides only this element`() async throws {
        let kinds = #"{"small-thing":{"fields":{"first":{"path":"at[0]"}},"facts":["first"]}}"#
        let html = try await markup(#"{"id":1,"at":["a1","b2","c3"]}"#, kinds: kinds)
        #expect(html.contains("b2, c3") && !html.contains("a1"), "\(html)")
    }

    @Test func `Hostile names and values are text`() async throws {
        let bad = #"<script>alert(1)</script>\"'&\u202e"#
        let html = try await markup(
            """
            {"id":1,"name":"x","\(bad)":"\(bad)","l":[{"\(bad)":"\(bad)","b":1}],"j":"javascript:alert(1)",
            "g":"if x <y then Array<string> KEEP","h":"<p onclick='a()'>ok<img src=x onerror=a()><script>alert(1)</script></p>","u":"https://a.example/\\"onclick=\\"a()"}
            """)
        for part in ["<script", "onclick", "onerror", "href=\"javascript", "<img"] {
            #expect(!html.contains(part) || part == "onclick" && !html.contains("<p onclick"), "\(part) is in \(html)")
        }
        #expect(
            html.contains("&lt;script&gt;") && html.contains("<p>ok</p>") && html.contains("Array&lt;string&gt; KEEP"))
    }

    @Test func `Long tables and lists continue on further pages, wherever they are in the record`() async throws {
        let rows = (1...250).map { #"{"n":"v\#($0)","t":"w\#($0)"}"# }.joined(separator: ",")
        let links = (1...501).map { "\"u\($0)\"" }.joined(separator: ",")
        let record =
            #"{"id":1,"name":"x","a":{"note":"short","rows":[\#(rows)]},"links":[\#(links)],"more":{"text":"once","n":1}}"#
        let revision = try await planned([record, #"{"id":2,"name":"y","links":[1,2,3,4,5,6,7,8,9]}"#])
        #expect(
            revision.paths(1) == [
                ["small-thing/1.html", "small-thing/1/2.html", "small-thing/1/3.html", "small-thing/2.html"]
            ])
        let pages = try revision.pages(1)[0].map { try #require($0.model.html("restSections")) }
        for number in 1...250 {
            let own = pages.map { $0.contains("v\(number)<") && $0.contains("w\(number)<") }
            #expect(own == (0..<4).map { $0 == (number - 1) / 100 })
        }
        #expect(pages.map { $0.components(separatedBy: "<li>").count - 1 } == [500, 1, 0, 9])
        #expect(pages.map { $0.contains("<h2>A rows</h2>") } == [true, true, true, false])
        #expect(pages.map { $0.contains("once") } == [true, false, false, false])
        #expect(!pages.contains { $0.contains("<details") })
    }

    @Test func `References to a record and from it continue on further pages`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"things":{"type":"references","to":"thing"}}},
            "thing":{"fields":{"small":{"type":"inverse","of":"small-thing.things"}}}}
            """#
        let revision = try await planned((1...1_001).map { #"{"id":\#($0),"things":[7]}"# }, kinds: kinds)
        #expect(revision.paths(3) == [["thing/7.html", "thing/7/2.html", "thing/7/3.html"]])
        let pages = try revision.pages(3)[0].map { try #require($0.model.html("sections")) }
        #expect(pages.map { $0.components(separatedBy: "<li").count - 1 } == [500, 500, 1])
        #expect(pages.allSatisfy { $0.contains("<h2>Small</h2>") })
    }

    @Test func `Related records are shown with their rows, in the declared order`() async throws {
        let kinds = #"""
            {"small-thing":{"row":["size","made","home"],"fields":{"size":{"type":"number","history":false},"made":{"type":"date"},
            "home":{"type":"reference","to":"thing"},"tags":{"type":"references","to":"thing","display":"cards"}}},
            "thing":{"fields":{"nosy":{"type":"inverse","of":"small-thing.home","orderBy":"size"},
            "tagged":{"type":"inverse","of":"small-thing.tags","orderBy":"made"}}}}
            """#
        let revision = try await planned(
            [
                #"{"id":1,"name":"A","home":7,"size":10,"made":"2020-05-02"}"#, #"{"id":2,"name":"B","home":7}"#,
                #"{"id":3,"name":"C","home":7,"size":9,"tags":[7]}"#,
                #"{"id":4,"name":"D","tags":[7],"made":"2019-12-01"}"#,
            ], kinds: kinds)
        let page = try #require(try revision.pages(3).first?.first?.model)
        let sections = try #require(page.html("sections")).components(separatedBy: "<section")
        func order(_ name: String) -> [Substring]? {
            sections.first { $0.hasPrefix(" class=\"of-\(name)") }?.matches(of: /class="name">(.)</).map(\.1)
        }
        #expect(order("nosy") == ["C", "A", "B"] && order("tagged") == ["D", "C"])
        #expect(sections[1].contains("<h2>Nosy</h2>"))
        #expect(
            sections[1].contains(
                "<span class=\"facts\"><span>10</span> <span>May 2, 2020</span> <span>Seven</span> </span>"))
    }

    @Test func `Labels are the names of fields in words, wherever they are shown`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"nosy":{"type":"references","to":"thing"},"air_date":{"history":false},
            "thing":{"type":"references","to":"thing"}}}}
            """#
        let html = try await markup(#"{"id":1,"nosy":[7],"air_date":"x","thing":[7]}"#, kinds: kinds)
        #expect(html.contains("<h2>Things</h2>"))
        #expect(html.contains("<h2>Nosy</h2>") && html.contains("<dt>Air date</dt>"), "\(html)")
        let status = try KindDeclaration(
            "status", family: "status", .object([]), at: "", kinds: [], lists: [:], isOnly: false, api: "")
        #expect(status.count.standard == "{count} statuses" && status.plural == "status")
    }

    @Test func `A list of cards without pictures has rows with the fields of the cards`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"colour":{}},"card":["colour"],"list":{"layout":"cards"}},
            "thing":{"fields":{"cover":{"type":"image"}},"list":{"layout":"cards"}}}
            """#
        let revision = try await planned([#"{"id":1,"name":"One","colour":"red"}"#], kinds: kinds)
        let lists = try [0, 2].map { try #require(try revision.pages($0).first?.first?.model) }
        #expect(lists[0].objects("cards").isEmpty && lists[0].objects("columns").map { $0.text("label") } == ["Colour"])
        #expect(lists[0].objects("rows").first?.objects("cells").map { $0.text("text") } == ["red"])
        #expect(lists[1].objects("cards").count == 1 && lists[1].objects("rows").isEmpty)
    }

    @Test func `The home page shows each picture once before it repeats one`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"part_of":{"type":"reference","to":"thing","primary":true}},"list":{"onHome":3}},
            "thing":{"fields":{"image":{"type":"image"}}}}
            """#
        let catalogue = try catalogue(kinds)
        let things = [7, 8].map { #"{"id":\#($0),"image":"http://a.example/api/\#($0).png"}"# }
        let parts = [7, 7, 7, 8].enumerated().map { #"{"id":\#($0 + 1),"name":"\#($0 + 1)","part_of":\#($1)}"# }
        let revision = try await PlannedRevision(
            catalogue, [("small-thing", parts), ("thing", things)],
            Strings.english().adding(standards: catalogue.texts),
            assets: ["7.png": ([7], (.png, width: 1, height: 1)), "8.png": ([8], (.png, width: 1, height: 1))])
        let home = try #require(try revision.pages(4).first?.first?.model)
        #expect(home.objects("lists").first?.objects("records").map { $0.text("name") } == ["1", "4", "2"])
    }

    @Test func `Each element of a list has a page of its records, and the search has all elements`() async throws {
        let kinds = #"""
            {"small-thing":{"fields":{"tags":{"type":"list","facet":true,"facetAs":{"x":"old"}},"cover":{"type":"image"}},
            "list":{"layout":"cards"},"card":["tags"],"facts":["tags"]}}
            """#
        let revision = try await planned(
            [#"{"id":1,"tags":["new","x","old"]}"#, #"{"id":2,"tags":["old\tish","new"]}"#, #"{"id":3}"#], kinds: kinds)
        let pages = try revision.plan.pages.indices.flatMap { try revision.pages($0).joined() }
        func rows(_ path: String) -> [String?] {
            pages.first { $0.path.text == path }?.model.objects("cards").map { $0.text("path") } ?? ["no page"]
        }
        #expect(rows("tags/new.html") == ["small-thing/1.html", "small-thing/2.html"])
        #expect(rows("tags/old.html") == ["small-thing/1.html"])
        #expect(
            rows("tags/old-ish.html") == ["small-thing/2.html"] && rows("tags/other.html") == ["small-thing/3.html"])
        let list = try #require(pages.first { $0.path.text == "small_things.html" }?.model)
        #expect(list.objects("cards").map { $0.text("field.tags.text") } == ["new, old", "old ish, new", ""])
        #expect(
            pages.first { $0.path.text == "small-thing/1.html" }?.model.objects("facts").first?.text("name")
                == "new, x, old"
        )
        #expect(
            pages.first { $0.path.text == "small-thing/1.html" }?.model.objects("facts").first?.objects("elements").map
            {
                $0.text("path")
            } == ["tags/new.html", "tags/old.html", "tags/old.html"])
        let column = try #require(revision.plan.shared?.search[0].columns.first)
        guard case .listed(let values) = column.values else { throw CocoaError(.coderInvalidValue) }
        #expect(column.uses.isSuperset(of: [.list, .facet]) && column.value(0).map { values[$0] } == "new\told")
    }

    @Test func `One record has a singular noun`() throws {
        #expect(
            ["books", "boxes", "berries", "movies", "classes", "species", "status", "statuses", "houses"]
                .map(\.singularised)
                == ["book", "box", "berry", "movie", "class", "species", "status", "status", "house"])
        let catalogue = try catalogue()
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let count = try #require(catalogue.declaration.kind("thing")).count
        #expect(texts.plural(count, 1) == "1 thing" && texts.plural(count, 2) == "2 things")
    }
}
