import Discovery
import Testing

/// Fields, ids and further pages that look like others.
struct FieldTests {
    private func found(_ more: @escaping @Sendable (Int) -> String) async -> APIDescription? {
        await survey(lists: ["https://api.example/v1/item"]) { _, query in
            query.isEmpty ? ("", items(1..<13, more)) : nil
        }
    }

    @Test func `A number that equals the ids of the first records is shown`() async throws {
        try expect(
            await found { #","game_index":\#($0),"item_id":\#($0)"# }, [#""item_id": { "type": "hidden" }"#],
            without: [#""game_index": { "type": "hidden" }"#])
    }

    @Test func `Ids can be written without an underscore, and a root document can have only the names of lists`()
        async throws
    {
        let found = await survey { path, query in
            guard query.isEmpty else { return nil }
            if path == "/" { return ("", #"{"meta":{"total":2},"links":[{"name":"builds"},{"name":"workers"}]}"#) }
            let builds = (1..<4).map { #"{"buildid":\#($0),"workerid":7,"name":"b"}"# }.joined(separator: ",")
            return path == "/builds"
                ? ("", "[\(builds)]") : path == "/workers" ? ("", #"[{"name":"w","workerid":7}]"#) : nil
        }
        try expect(
            found,
            [
                #""lists": ["builds", "workers"]"#, #""id": "buildid""#, #""id": "workerid""#,
                #""worker": { "type": "reference", "to": "workers", "path": "workerid" }"#,
            ])
    }

    @Test func `A member with a name that SQL reserves is a facet`() async throws {
        let state: @Sendable (Int) -> String = { #","state":"\#($0 % 2 == 0 ? "open" : "closed")""# }
        try expect(
            await found(state),
            [#""state": { "type": "enum", "facet": true }"#, #""facts": ["state", "colour"]"#])
    }

    @Test func `A thumbnail is the picture only if there is no larger one`() async throws {
        let thumbnail: @Sendable (Int) -> String = { #","image_thumb":{"url":"/media/\#($0).small.jpg"}"# }
        try expect(await found(thumbnail), [#""path": "image_thumb.url""#])
        let both = await found { thumbnail($0) + #","meta":{"download_url":"/media/originals/\#($0).jpg"}"# }
        try expect(both, [#""path": "meta.download_url""#], without: ["image_thumb"])
    }

    @Test func `The parameter of a documented address of a record is its id`() async throws {
        let document =
            #"{"openapi":"3.1.0","servers":[{"url":"/v1"}],"paths":{"/item":{"get":{}},"/item/{itemCode}":{"get":{}}}}"#
        let found = await survey { path, query in
            if path == "/openapi.json" { return ("", document) }
            return path == "/item" && query.isEmpty ? ("", items(1..<13) { #","item_code":"c\#($0)""# }) : nil
        }
        try expect(found, [#""id": "item_code""#])
    }

    @Test(arguments: [true, false])
    func `A list with an empty second page has the page numbers of a longer list`(isEmpty: Bool) async throws {
        let found = await survey(lists: ["https://api.example/v1/item", "https://api.example/v1/tag"]) { path, query in
            let page = max(1, number(query["page"]))
            if path == "/item" { return ("", items(page * 10 - 9..<page * 10 + 1)) }
            return ("", page > 1 && isEmpty ? "[]" : items(1..<4) { #","tag":\#($0)"# })
        }
        try expect(
            found,
            isEmpty
                ? [#""paginator": { "type": "page_number" }"#, #""lists": ["item", "tag"]"#]
                : [#"{ "name": "tag", "paginator": { "type": "single_page" } }"#])
    }

    @Test func `Moments as texts are columns`() async throws {
        let moments = await found { number in
            let day = "2024-01-\(number + 10)"
            return #","made_on":"\#(day)T08:00:00Z","till":"\#(day)T00:00:00Z","code":"\#(day)x""#
        }
        try expect(
            moments,
            [
                #""made_on": { "type": "datetime", "time": true }"#, #""till": { "type": "datetime" }"#,
                #""facts": ["colour"]"#, #""columns": ["colour", "code", "made_on", "till"]"#,
            ], without: [#""code": { "#])
    }

    @Test func `The fields of a long list are those of records in all its parts`() async throws {
        let found = await survey(lists: ["https://api.example/v1/tracks"]) { _, query in
            let tracks = (0..<600).map { number in
                #"{"id":\#(number + 1),"name":"T\#(number)","album":"A\#(number / 12)","style":"S\#(number / 50)"}"#
            }
            return query.isEmpty ? ("", #"{"tracks":[\#(tracks.joined(separator: ","))]}"#) : nil
        }
        try expect(found, [#""facts": ["style"]"#, #""records": "{list}""#], without: [#""album": { "#])
    }

    @Test func `Paths are no facets, and texts of Markdown with an element are no HTML`() async throws {
        let texts = await found { number in
            #","folder":"/srv/\#(number % 2)","text":"One.\r\n\r\n<pre>\#(number)</pre>","page":"<p>a</p>\n\n<p>b</p>""#
        }
        try expect(texts, [#""page": { "type": "html" }"#], without: ["folder", #""text""#])
    }

    @Test func `A table has up to four columns, also of values that are no facets`() async throws {
        let found = await found { number in
            let values = #","same":1,"client_id":\#(number),"total":\#(number).5,"due":"day \#(number)","flag":true"#
            return values + #","note":"One.\nTwo \#(number)","email":"\#(number)@a.example","extra":\#(number)"#
        }
        try expect(
            found,
            [#""total": { "type": "number" }"#, #""due": {}"#, #""columns": ["colour", "total", "due", "email"]"#],
            without: ["same", "extra", "note", "flag", "client_id"])
    }

    @Test func `Columns are neither ids nor places, and names replace codes`() async throws {
        let found = await survey(lists: ["https://api.example/v1/item", "https://api.example/v1/media"]) {
            path, query in
            guard query.isEmpty else { return nil }
            if path == "/media" { return ("", #"[{"id":901,"name":"a"},{"id":902,"name":"b"}]"#) }
            let items = items(1..<13) { number in
                let times = #","date":"2024-01-\#(number + 10)T10:00:00","date_gmt":"2024-01-\#(number + 10)T08:00:00""#
                let ids = #","author":\#(number % 3),"parent":\#(number * 7),"featured_media":\#(number % 5)"#
                let place = #","stop_lat":\#(number).5,"longitude":\#(number).5,"line_color":"FF00\#(number + 10)""#
                return times + ids + place
                    + #","state_code":"C\#(number)","hair_color":"dark \#(number)","state_name":"State \#(number)""#
            }
            return ("", items)
        }
        try expect(
            found,
            [#""columns": ["colour", "state_name", "hair_color", "date"]"#, #""date_gmt": { "type": "datetime""#],
            without: ["state_code", "line_color", "stop_lat", "featured_media", "author", "parent"])
    }

    @Test func `Records without a title have numbers and times in their lists and on other pages`() async throws {
        let found = await survey(lists: ["https://api.example/v1/run"]) { _, query in
            guard query.isEmpty else { return nil }
            let runs = (1...12).map { number in
                let groups = ["place", "state", "team", "type"].map { #""\#($0)":"\#($0) \#(number % 3)""# }
                return #"{"id":\#(number),\#(groups.joined(separator: ",")),"lastValue":\#(number).5,"#
                    + #""took_ms":\#(number * 999),"began":"2024-01-\#(number + 10)T08:00:00Z"}"#
            }
            return ("", "[\(runs.joined(separator: ","))]")
        }
        try expect(
            found,
            [
                #""columns": ["state", "type", "place", "last_value", "began"]"#,
                #""row": ["place", "last_value", "began"]"#,
                #""last_value": { "type": "number", "path": "lastValue" }"#,
            ], without: ["took_ms"])
    }

    @Test func `Milliseconds in a column are a duration, and other columns have units`() async throws {
        try expect(
            await found { #","height_mm":\#($0 * 7)"# },
            [#""label": "Height", "unit": "{number} mm""#, #""columns": ["colour", "height_mm"]"#])
        try expect(
            await found { #","took_ms":\#($0 * 999)"# },
            [#""took_ms": { "type": "duration", "label": "Took" }"#, #""columns": ["colour", "took_ms"]"#],
            without: [#""row""#])
    }

    @Test func `Cards show the first two facets that are texts`() async throws {
        let found = await found { number in
            #","image":"/media/\#(number).jpg","is_new":\#(number % 2 == 0),"status":"\#(number % 3)x","kind":"\#(number % 2)y""#
        }
        try expect(found, [#""card": ["status", "kind"]"#], without: ["columns", #""row""#])
        let dated = await self.found { #","image":"/media/\#($0).jpg","made":"2024-01-\#($0 + 10)""# }
        try expect(dated, [#""card": ["colour", "made"]"#])
    }

    @Test(arguments: [(#","email":"a@b","company":"C"#, "company"), (#","email":"a@b"#, "email")])
    func `A company is a better name than an address`(values: String, title: String) async throws {
        let found = await survey(lists: ["https://api.example/v1/client"]) { _, query in
            let records = (1..<13).map { #"{"id":\#($0)\#(values)\#($0)"}"# }
            return query.isEmpty ? ("", "[\(records.joined(separator: ","))]") : nil
        }
        try expect(found, [#""title": "\#(title)""#])
    }

    @Test(arguments: [
        (#""short_name":"1","long_name":"To the lake"#, "long_name"), (#""short_name":"1"#, "short_name"),
        (#""abbr_title":"1","email":"a@b"#, "email"),
    ])
    func `A long name is a better title than a short one`(values: String, title: String) async throws {
        let found = await survey(lists: ["https://api.example/v1/route"]) { _, query in
            let records = (1..<13).map { number in
                "{\"id\":\(number),\(values.replacing("\",", with: "\(number)\",")) \(number)\"}"
            }
            return query.isEmpty ? ("", "[\(records.joined(separator: ","))]") : nil
        }
        try expect(found, [#""title": "\#(title)""#])
    }

    @Test(arguments: [(100, true), (101, false)])
    func `A member with a name of more than 100 bytes is ignored`(length: Int, isTitle: Bool) async throws {
        let name = String(repeating: "a", count: length - "_name".count) + "_name"
        let found = await survey(lists: ["https://api.example/v1/route"]) { _, query in
            let records = (1..<13).map { #"{"id":\#($0),"\#(name)":"Route \#($0)","place":"P\#($0 % 3)"}"# }
            return query.isEmpty ? ("", "[\(records.joined(separator: ","))]") : nil
        }
        try expect(found, isTitle ? [#""title": "\#(name)""#] : [], without: isTitle ? [] : [name])
    }

    @Test(arguments: [(196, true), (197, false)])
    func `A picture is found among the first 200 members of a record`(others: Int, isFound: Bool) async throws {
        let nulls = (0..<others).map { #","m\#($0)":null"# }.joined()
        let found = await found { nulls + #","photo":"/media/\#($0).jpg""# }
        let photo = #""path": "photo""#
        try expect(found, isFound ? [photo] : [], without: isFound ? [] : [photo])
    }

    @Test func `One record can have a code as its id`() async throws {
        let found = await survey(lists: ["https://api.example/v1/station"]) { _, query in
            query.isEmpty ? ("", #"[{"city":"New York","temperature":7,"call":"KNYC"}]"#) : nil
        }
        try expect(found, [#""id": "call""#])
        #expect(found?.doubts.contains("station: the id of a record is call, a guess from one record") == true)
    }
}
