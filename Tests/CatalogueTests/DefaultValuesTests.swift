import Archive
import Catalogue
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// The values of a record on its default page: those that the declaration names without a place, and all others.
struct DefaultValuesTests {
    func catalogue(_ kinds: String, more: String = "") throws -> DeclaredCatalogue {
        let json = """
            {"name":"any","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
            "lists":["small-thing","thing"],"kinds":\(kinds)\(more)}
            """
        return DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
    }

    /// The page of the first record, and the markup of its values.
    func page(_ members: String, fields: String = "{}", more: String = "") async throws -> (
        model: Object, markup: String
    ) {
        let catalogue = try catalogue(#"{"small-thing":{"fields":\#(fields)\#(more)}}"#)
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let records = [#"{"id":1,"name":"One",\#(members)}"#]
        let revision = try await PlannedRevision(
            catalogue, [("small-thing", records), ("thing", [#"{"id":7,"name":"Seven"}"#])], texts)
        let page = try #require(try revision.pages(1).first?.first?.model)
        let markup = try ["restFacts", "sections", "restSections"].map { try #require(page.html($0)) }
        return (page, markup.joined())
    }

    /// The labels and values of the facts in markup, such as "Size: 1 MB".
    private func facts(_ markup: String) -> [String] {
        markup.split(separator: "<dt>").dropFirst().map { part in
            String(part.prefix { $0 != "\n" }.replacing("</dt><dd>", with: ": ").replacing("</dd>", with: ""))
        }
    }

    @Test func `Declared fields that are no facts have their labels, types and links among the other values`()
        async throws
    {
        let html = try await page(
            #""galleryID":7,"date_start":"1900","size":3000000,"open":true,"tags":["a","b"],"site":"https://b.example/x/","more":1"#,
            fields: #"""
                {"gallery":{"type":"reference","to":"thing","path":"galleryID"},"date_start":{"label":"From"},
                "size":{"type":"bytes"},"open":{"facet":true},"tags":{"type":"list"},"site":{"type":"url"}}
                """#
        ).markup
        #expect(
            facts(html) == [
                #"Gallery: <a href="../thing/7.html">Seven</a>"#, "From: <span>1900</span>",
                "Size: <span>3 MB</span>", #"Open: <a href="../open/true.html">yes</a>"#, "Tags: <span>a, b</span>",
                #"Site: <a href="https://b.example/x/" rel="nofollow">b.example/x</a>"#, "More: 1",
            ])
        #expect(
            "galleryID".label == "Gallery ID" && "trackX".inWords == "track X"
                && "featuredMedia".inWords == "featured media" && "_links".label == "Links")
    }

    @Test func `Fields with names of the engine's texts have their own labels, and do not change these texts`()
        async throws
    {
        let names = ["complete", "minutes", "yes", "no", "kilobytes", "megabytes"]
        let page = try await page(
            names.map { #""\#($0)":true,"# }.joined() + #""size":3000000"#,
            fields: #"{\#(names.map { #""\#($0)":{"facet":true},"# }.joined())"size":{"type":"bytes"}}"#)
        #expect(
            facts(page.markup) == names.map { #"\#($0.label): <a href="../\#($0)/true.html">yes</a>"# } + [
                "Size: <span>3 MB</span>"
            ])
    }

    @Test func `Values that their fields cannot show are shown as served`() async throws {
        let html = try await page(
            #"""
            "size":0,"owner":9,"none":0,"tags":[\#((1...101).map { "\"t\($0)\"" }.joined(separator: ","))],
            "marks":[{"id":8,"colour":"red"}]
            """#,
            fields: #"""
                {"size":{"type":"bytes"},"owner":{"type":"reference","to":"thing"},
                "marks":{"type":"references","to":"thing","path":"marks[].id"},
                "none":{"type":"reference","to":"thing","none":[0]},"tags":{"type":"list"}}
                """#, more: #","facts":["size","owner","tags"]"#
        ).markup
        #expect(facts(html) == ["Size: 0", "Owner: 9"] && html.contains("red"), "\(html)")
        #expect(html.contains("<li>t101</li>"))
    }

    @Test func `A text instead of a number is shown in its place, and one instead of a moment among the other values`()
        async throws
    {
        let members = #""at":"soon","length":"long","size":"large","weight":"12 kg","none":"0000-00-00""#
        let types = [
            "at": "datetime", "length": "duration", "size": "bytes", "weight": "number", "none": "datetime",
        ].map { #""\#($0)":{"type":"\#($1)"}"# }
        let page = try await page(
            members, fields: "{\(types.joined(separator: ","))}",
            more: #","facts":["at","length","size","weight","none"]"#)
        #expect(page.model.objects("facts").map { $0.text("name") } == ["large", "12 kg"])
        #expect(facts(page.markup) == ["At: soon", "Length: long", "None: 0000-00-00"])
    }

    @Test func `Unix times are moments, durations can be in seconds, and a declared value means that there is none`()
        async throws
    {
        let page = try await page(
            #""a":1700000000,"b":1700000000123,"c":"1700000000.5","d":20101231,"e":0,"f":164.5,"g":0,"h":"?""#,
            fields: #"""
                {"a":{"type":"datetime","time":true},"b":{"type":"datetime"},"c":{"type":"datetime","time":true},
                "d":{"type":"datetime"},"e":{"type":"datetime","none":[0]},"f":{"type":"duration","divisor":1},
                "g":{"type":"number","none":[0]},"h":{"none":["?"]}}
                """#, more: #","facts":["a","b","c","d","e","f","g","h"]"#)
        let moment = "November 14, 2023, 22:13 UTC"
        #expect(
            page.model.objects("facts").map { $0.text("name") } == [moment, "November 14, 2023", moment, "2:45"])
        #expect(page.model.text("field.a.machine") == "2023-11-14T22:13:20Z")
        #expect(facts(page.markup) == ["D: 20,101,231"])
    }

    @Test(arguments: [
        ("2010-03-05T17:30:15.1234567+0100", "2010-03-05T17:30:15+0100", "March 5, 2010, 17:30 +0100"),
        ("2019-06-01.08:15:48", "2019-06-01T08:15:48", "June 1, 2019, 08:15"),
        ("2010-03-05 17:30+00:00", "2010-03-05T17:30+00:00", "March 5, 2010, 17:30 UTC"),
        ("2010-03-05T23:59:59-23:59", "2010-03-05T23:59:59-23:59", "March 5, 2010, 23:59 -23:59"),
        ("2010-03-05", "2010-03-05", "March 5, 2010"),
    ])
    func `The machine-readable form of a moment has its time`(served: String, machine: String, text: String)
        async throws
    {
        let model = try await page(#""at":"\#(served)""#, fields: #"{"at":{"type":"datetime","time":true}}"#).model
        #expect(model.text("field.at.machine") == machine && model.text("field.at.text") == text)
    }

    @Test(arguments: [
        "2026-02-31", "2026-02-31T08:00", "2010-03-05T24:00", "2010-03-05T25:99", "2010-03-05 23:60",
        "2010-03-05T23:59:60Z", "2010-03-05T08:00+24:00", "2010-03-05T08:00:00.5-0060",
    ])
    func `A moment or day that does not exist is shown as served`(served: String) async throws {
        let markup = try await page(
            #""at":"\#(served)","day":"\#(served)","other":"\#(served)""#,
            fields: #"{"at":{"type":"datetime","time":true},"day":{"type":"date"}}"#
        ).markup
        #expect(facts(markup) == ["Day: <span>\(served)</span>", "At: \(served)", "Other: \(served)"])
    }

    @Test func `Dates in arrays of numbers are shown as far as they are known`() async throws {
        let html = try await page(
            #""a":{"date-parts":[[2010,3,5]]},"b":[2010,3],"c":[2010],"d":[2010,3,5],"e":[2010,13],"f":[[null]]"#,
            fields: #"""
                {"a":{"type":"date","path":"a.date-parts"},"b":{"type":"date"},"c":{"type":"datetime"},
                "d":{"type":"datetime","facet":true},"e":{"type":"date"},"f":{"type":"date"}}
                """#, more: #","facts":["a","b","c","d","e","f"]"#
        )
        let facts = html.model.objects("facts").map { "\($0.text("label") ?? "") \($0.text("name") ?? "")" }
        #expect(facts == ["A March 5, 2010", "B 2010-03", "C 2010", "D March 5, 2010"])
        #expect(html.model.objects("facts").last?.text("path") == "d/2010-03-05.html")
        // An array that is no date is shown as served.
        #expect(self.facts(html.markup) == ["E: 2010, 13"], "\(html.markup)")
    }

    @Test func `A facet lists moments by their day`() async throws {
        let model = try await page(
            #""at":"2010-03-05T17:30""#, fields: #"{"at":{"type":"datetime","time":true,"facet":true}}"#,
            more: #","facts":["at"]"#
        ).model.objects("facts")[0]
        #expect(model.text("name") == "March 5, 2010, 17:30" && model.text("path") == "at/2010-03-05.html")
    }

    @Test(arguments: [
        (#"one\n  two\r\n \nthree"#, "<p>one\n  two</p><p>three</p>"), (#"one\ntwo\n"#, "<p>one</p><p>two</p>"),
    ])
    func `A long text has a paragraph for each part between blank lines, or for each line`(text: String, html: String)
        async throws
    {
        let markup = try await page(#""story":"\#(text)""#, fields: #"{"story":{"type":"prose"}}"#).markup
        #expect(markup.contains("<h2>Story</h2>\(html)</section>"), "\(markup)")
    }

    @Test func `A long text that means that there is none has no section`() async throws {
        let html = try await page(
            #""a":"n/a","b":"-","c":"none","d":"short""#,
            fields: #"""
                {"a":{"type":"prose","none":["n/a","-"]},"b":{"type":"html","none":["n/a","-"]},
                "c":{"type":"prose"},"d":{"type":"prose","none":["n/a"]}}
                """#
        ).markup
        #expect(html.ranges(of: "<section").count == 2 && !html.contains("n/a") && facts(html) == [], "\(html)")
        #expect(html.contains("<h2>C</h2><p>none</p>") && html.contains("<h2>D</h2><p>short</p>"))
    }

    @Test func `Blank lines separate the paragraphs of a text with formatting but without blocks`() async throws {
        let html = try await page(
            #""a":"A <i>slow\n\nrecord</i>.","c":"<p>A slow</p>\n\n<p>record.</p>""#,
            fields: #"{"c":{"type":"html"}}"#
        ).markup
        for part in [
            "<p>A <i>slow</i></p><p><i>record</i>.</p>", "<p>A slow</p><p>record.</p>",
        ] { #expect(html.contains(part), "\(part) is not in \(html)") }
    }

    @Test func `A moment has its time and zone if no field declares it, or if its field has the key time`() async throws
    {
        let html = try await page(
            #""a":"2010-03-05T17:30:00-05:00","b":"2010-03-05T17:30","c":"2010-03-05T00:00:00Z","d":"2010-03-05T00:00:00Z","e":"2010-03-06 23:59:00.5+0100","f":"2010-03-05""#,
            fields: #"""
                {"b":{"type":"datetime"},"d":{"type":"datetime","time":true},"e":{"type":"datetime","time":true},
                "f":{"type":"datetime","time":true}}
                """#
        ).markup
        #expect(
            facts(html) == [
                #"B: <time datetime="2010-03-05">March 5, 2010</time>"#,
                #"D: <time datetime="2010-03-05T00:00:00Z">March 5, 2010, 00:00 UTC</time>"#,
                #"E: <time datetime="2010-03-06T23:59:00+0100">March 6, 2010, 23:59 +0100</time>"#,
                #"F: <time datetime="2010-03-05">March 5, 2010</time>"#,
                #"A: <time datetime="2010-03-05">March 5, 2010</time>, 17:30 -05:00"#,
                #"C: <time datetime="2010-03-05">March 5, 2010</time>"#,
            ])
    }

    @Test func `A field with an address hides no member of the same name`() async throws {
        let html = try await page(
            #""cover":"a note","code":"x7""#,
            fields: #"{"cover":{"type":"image","address":"covers/{code}.jpg"}}"#
        ).markup
        #expect(facts(html) == ["Cover: a note", "Code: x7"])
    }

    @Test func `A long text of a declared field has a section`() async throws {
        let html = try await page(#""story":"one\n\ntwo""#, fields: #"{"story":{"label":"The story"}}"#).markup
        #expect(html.contains("<h2>The story</h2><p>one</p><p>two</p>"))
    }

    @Test func `Long texts come before short values, and objects of addresses that are no records come last`()
        async throws
    {
        let html = try await page(
            #""tools":{"a":{"u":"http://a.example/api/x"}},"size":3,"sub":{"x":"1","y":"2"},"body":{"text":"one\ntwo","type":"plain"}"#
        ).markup
        let places = ["<h2>Body", "<dt>Size", "<h2>Sub", "<h2>Tools"].map { html.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(html)")
    }

    @Test func `A field with a condition hides only the elements that it selects, unless they differ in language`()
        async throws
    {
        let html = try await page(
            #"""
            "body":[{"type":"text","value":"<p>first</p>"},{"type":"quote","value":"second"}],
            "texts":[{"lang":"en","text":"third"},{"lang":"fr","text":"fourth"}]
            """#,
            fields: #"""
                {"text":{"type":"html","path":"body[type=text].value"},"note":{"type":"prose","path":"texts[lang=en].text"}}
                """#
        ).markup
        #expect(html.ranges(of: "first").count == 1 && html.contains("second") && html.contains("third"))
        #expect(!html.contains("fourth"))
    }

    @Test(arguments: ["http://a.example", ""])
    func `Addresses of the page itself, and those in the object of a reference, are not repeated`(host: String)
        async throws
    {
        let html = try await page(
            #"""
            "meta":{"self":"\#(host)/api/small-thing/1/","kind":"x"},
            "hero":{"id":7,"title":"Seven","meta":{"url":"\#(host)/api/thing/7","type":"t"}},
            "other":"\#(host)/api/thing/7"
            """#,
            fields: #"{"hero":{"type":"reference","to":"thing","path":"hero.id"}}"#
        ).markup
        #expect(!html.contains("small-thing/1") && html.contains("<dt>Meta kind</dt><dd>x</dd>"))
        #expect(html.ranges(of: "Seven").count == 2, "\(html)")
    }

    @Test(arguments: ["http://a.example", ""])
    func `An object that says no more than a link to a record is a link`(host: String) async throws {
        let url = #""\#(host)/api/thing/7""#
        let link = #""link":\#(url),"id":"7""#
        let html = try await page(
            #"""
            "at":{\#(link),"label":"Seven","@type":"thing"},"by":[{\#(link),"label":"Seven"}],"of":{\#(link),"since":1999},
            "to":{\#(link),"label":"Seven","since":1999},"with":{"at":{\#(link)},"name":"N"},"as":{"url":\#(url),"role":"R"}
            """#,
            fields: #"{"to":{"type":"reference","to":"thing","path":"to.link"}}"#
        ).markup
        let seven = #"<a href="../thing/7.html">Seven</a>"#
        #expect(
            facts(html) == [
                "To: \(seven)", "At: \(seven)", "By: \(seven)", "To since: 1999", "As: R: \(seven)", "Link: \(seven)",
                "Id: 7", "Since: 1999", "At: \(seven)", "Name: N",
            ])
    }

    @Test(
        arguments: [
            (#""things":[7,98]"#, "things", ["98"]), (#""things":[98,99]"#, "things", ["98", "99"]),
            (#""things":["http://a.example/api/thing/7","http://a.example/api/thing/98"]"#, "things", ["98"]),
            (#""in":[{"of":{"id":7},"as":"x"},{"of":{"id":98},"as":"y"}]"#, "in[].of.id", ["98", "y"]),
            (#""in":[{"id":7,"on":"a"},{"id":98,"on":"a"},{"id":99,"on":"b"}]"#, "in[on=a].id", ["98", "99"]),
            (#""things":[7]"#, "things", []), (#""things":[7,{}]"#, "things", ["7"]),
        ], ["rows", "cards"])
    func `Records of a list that are not captured are named`(
        of list: (members: String, path: String, named: [String]), display: String
    ) async throws {
        let html = try await page(
            list.members,
            fields: #"{"own":{"type":"references","to":"thing","path":"\#(list.path)","display":"\#(display)"}}"#
        ).markup
        let links = html.ranges(of: #"href="../thing/7.html""#).count
        #expect(links == (list.members.contains("7") && list.named != ["7"] ? 1 : 0), "\(html)")
        let text = html.replacing(/<section class="of-own">.*?<\/section>/.dotMatchesNewlines(), with: "")
        let values = text.replacing(/<[^>]*>/, with: " ").split { !$0.isNumber && $0 != "y" }.map(String.init)
        #expect(values == list.named, "\(html)")
    }

    @Test func `An object with one short value is a fact`() async throws {
        let html = try await page(
            #""author":{"id":12,"name":"Ada"},"parent":{"id":12345},"more":{"text":"\#(String(repeating: "x", count: 41))"}"#,
            fields: #"{"author":{"path":"author.name"}}"#, more: #","facts":["author"]"#
        ).markup
        #expect(facts(html).prefix(2) == ["Author id: 12", "Parent id: 12345"] && html.contains("<h2>More</h2>"))
    }

    @Test(arguments: [
        (#""population":3206373"#, "Population: 3,206,373"), (#""count":1234"#, "Count: 1234"),
        (#""lat":-96.80261999999999"#, "Lat: -96.80262"), (#""lon":0.1234567890123456"#, "Lon: 0.123456789012346"),
        (#""huge":12345678901234567890.5"#, "Huge: 12345678901234567890.5"), (#""pageid":123456"#, "Pageid: 123456"),
        (#""zip_code":75201"#, "Zip code: 75201"), (#""yearBuilt":12345"#, "Year built: 12345"),
        (#""sizeInBytes":2500000"#, "Size in bytes: 2.5 MB"), (#""file_size":1500000"#, "File size: 1.5 MB"),
        (#""trackTimeMillis":215000"#, "Track time: 3:35"), (#""took_ms":61000"#, "Took: 1:01"),
        (#""gap_ms":-3600000"#, "Gap: -3600000 ms"), (#""wait_ms":740"#, "Wait: 740 ms"),
        (#""height_mm":182.5"#, "Height: 182.5 mm"), (#""weightKg":1200000"#, "Weight: 1,200,000 kg"),
        (#""elevation_m":7"#, "Elevation: 7 m"), (#""size_m":7"#, "Size m: 7"), (#""size_mm":"7""#, "Size mm: 7"),
        (#""price":{"value":89362000,"currency":"EUR"}"#, "Price: 89,362,000 EUR"),
        (#""price":{"value":5,"note":"EUR"}"#, "Note: EUR"), (#""change":-1234567"#, "Change: -1,234,567"),
        (#""isbn":9780306406157"#, "Isbn: 9780306406157"), (#""a":{"views":10000}"#, "A views: 10,000"),
    ])
    func `An undeclared number is shown by its name`(member: String, fact: String) async throws {
        #expect(facts(try await page(member).markup).last == fact)
    }

    @Test func `Addresses of the API are the last facts`() async throws {
        let html = try await page(#""a":"http://a.example/api/else/5","b":"x""#).markup
        #expect(facts(html).first == "B: x" && facts(html).last?.contains("/api/else/5") == true, "\(html)")
    }

    @Test(arguments: [
        ("1234567890123456789", "1,234,567,890,123,456,789"), ("-9007199254740993", "-9,007,199,254,740,993"),
        ("12345678901234567890123", "12345678901234567890123"), ("-9223372036854775808", "-9223372036854775808"),
    ])
    func `A large whole number has all its digits`(served: String, shown: String) async throws {
        let number = #"{"type":"number","unit":"{number} m","decimals":2}"#
        let markup = try await page(
            #""a":\#(served),"b":"\#(served)","c":\#(served)"#, fields: "{\"a\":\(number),\"b\":\(number)}"
        ).markup
        #expect(facts(markup) == ["A: <span>\(shown) m</span>", "B: <span>\(shown) m</span>", "C: \(shown)"])
    }

    @Test func `Undeclared numbers have the decimal mark of the language, unless they are labels`() throws {
        let texts = try Strings.russian()
        #expect(
            texts.number("-3.53", NumberForm("gain")) == "-3,53" && texts.number("1.5e9", NumberForm("x")) == "1,5e9")
        #expect(texts.number("6.2", NumberForm("version")) == "6.2")
    }

    @Test(arguments: ["", " ", "_", "--"]) func `A name without words is quoted`(name: String) async throws {
        let long = String(repeating: "long ", count: 100)
        let html = try await page(#""\#(name)":"\#(long)""#).markup
        #expect(html.contains(#"<h2>&quot;\#(name)&quot;</h2>"#), "\(html)")
    }

    @Test func `Columns of numbers are marked, and the bytes of a file in a text are left out`() async throws {
        let html = try await page(
            #""rows":[{"n":1,"t":"a"},{"n":20000,"t":"2"}],"icon":"data:image/gif;base64,R0lGODlh""#
        ).markup
        #expect(
            html.contains(#"<td data-label="N" class="numeric">20,000</td>"#)
                && html.contains(#"<td data-label="T">2</td>"#))
        #expect(html.contains("<dd>data:image/gif;base64,…</dd>"))
    }

    @Test func `A fact with an address is a link, and the elements of a facet lead to their lists`() async throws {
        let facts = try await page(
            #""site":"https://b.example/x/","peer":"http://a.example/api/thing/7","tags":["a","b"]"#,
            fields: #"{"site":{"type":"url"},"peer":{"type":"url"},"tags":{"type":"list","facet":true}}"#,
            more: #","facts":["site","peer","tags"]"#
        ).model.objects("facts")
        #expect(facts.map { $0.text("name") } == ["b.example/x", "Seven", "a, b"])
        #expect(facts[0].text("link") == "https://b.example/x/" && facts[1].text("path") == "thing/7.html")
        #expect(facts[2].objects("elements").map { $0.text("path") } == ["tags/a.html", "tags/b.html"])
    }
}
