import Discovery
import Platform
import Testing

/// Forms of public APIs.
struct PublicAPITests {
    @Test func `A list without a count can end with the status 404`() async throws {
        let found = await survey(lists: ["https://api.example/v1/shows"]) { _, query in
            let page = number(query["page"])
            return page < 3 ? ("", items(page * 10 + 1..<page * 10 + 11)) : nil
        }
        try expect(found, [#""paginator": { "type": "page_number", "first": 0 }, "responses": { "404": "end" }"#])
        #expect(found?.doubts == [])
        let other = await survey(lists: ["https://api.example/v1/shows"]) { _, query in
            let page = max(1, number(query["page"]))
            return ("", items(page * 10 - 9..<page * 10 + 1))
        }
        try expect(other, [#""paginator": { "type": "page_number" }"#], without: ["responses"])
    }

    @Test func `Records with the same ids are the same page, even if other members change`() async throws {
        let requests = Locked(0)
        let found = await survey(lists: ["https://api.example/v1/exhibitions"]) { _, _ in
            let views = requests.withLock { requests in
                requests += 1
                return requests
            }
            let rooms = (1...2).map { #"{"exhibitionID":\#($0),"title":"Room \#($0)","views":\#(views)}"# }
            return ("", "[\(rooms.joined(separator: ","))]")
        }
        try expect(found, [], without: ["page_number"])
    }

    @Test func `A list without a name of its own has items`() async throws {
        let found = await survey(lists: ["https://api.example/v1/all?fields=name"]) { _, _ in ("", items(1..<4)) }
        try expect(found, [#""lists": [{ "name": "items", "path": "all?fields=name""#], without: ["alls"])
    }

    @Test func `Pages above the address make the address of the API shorter`() async throws {
        let found = await survey(
            "https://api.example/v1/repos/a/b",
            lists: ["issues", "labels"].map { "https://api.example/v1/repos/a/b/\($0)" }
        ) { path, query in
            if path == "/repos/a/b/labels" { return ("", #"[{"id":7,"name":"bug"},{"id":8,"name":"help"}]"#) }
            let page = max(1, number(query["page"]))
            let next = "Link: <https://api.example/v1/repositories/5/issues?page=\(page + 1)>; rel=\"next\"\r\n"
            return (page < 3 ? next : "", items(page * 10 - 9..<page * 10 + 1))
        }
        try expect(
            found,
            [
                #""api": "https://api.example","#,
                #""list": { "path": "v1/repos/a/b/{list}", "paginator": { "type": "header_link" } }"#,
                #""lookup": { "path": "v1/repos/a/b/{kind}/{ids}" }"#,
            ])
    }

    @Test func `Dates in arrays of numbers are dates`() async throws {
        let found = await survey(lists: ["https://api.example/v1/works"]) { _, _ in
            let dates = ["[2020,5,1]", "[2021,12]", "[2019]", "[null]"]
            return (
                "",
                items(1..<9) { number in
                    let date = dates[number % 4]
                    return #","issued":{"date-parts":[\#(date)],"n":1},"posted":[2020,\#(number)],"point":[2020,5],"#
                        + #""updated":[\#(number < 8 ? 2020 : 20)]"#
                }
            )
        }
        try expect(
            found,
            [
                #""issued": { "type": "date", "path": "issued.date-parts" }"#, #""posted": { "type": "date" }"#,
                #""facts": ["colour", "issued", "posted"]"#,
            ], without: ["point", "updated"])
    }

    @Test func `Records without a usual id can be compared, and a page size can be called rows`() async throws {
        let found = await survey(lists: ["https://api.example/v1/works"]) { _, query in
            guard query["limit"] == nil, query["page"] == nil else { return nil }
            let (size, start) = (query["rows"].map { number($0) } ?? 10, number(query["offset"]))
            let works = (start + 1..<min(31, start + size + 1)).map {
                #"{"created":{"time":\#($0)},"DOI":"10.1/\#($0)","title":["Work \#($0)"],"member":"7"}"#
            }
            return ("", #"{"message":{"total-results":30,"items":[\#(works.joined(separator: ","))]}}"#)
        }
        try expect(
            found,
            [
                #""paginator": { "type": "offset", "limitParameter": "rows", "limit": 100 }"#, #""id": "DOI""#,
                #""title": "title[0]""#, #""count": "message.total-results""#,
            ])
    }

    @Test func `Unix times are declared if the name and all values agree`() async throws {
        let found = await survey(lists: ["https://api.example/v1/items"]) { _, _ in
            let items = (1...9).map { number in
                let seconds = 1_700_000_000 + number
                return #"""
                    {"id":\#(number),"name":"Item \#(number)","createdAt":\#(seconds),"mtime":"\#(seconds)000",
                    "posted_on":\#(number * 86_400 + 864_000_000),"last_seen":\#(number < 9 ? "null" : "\(seconds).0"),
                    "created_by":\#(seconds),"population":\#(seconds),"updated":\#(number == 1 ? 0 : seconds),
                    "mixed_time":\#(number == 1 ? "\(seconds)000" : "\(seconds)"),"date":\#(20_200_000 + number),
                    "gone_at":null}
                    """#
            }
            return ("", "[\(items.joined(separator: ","))]")
        }
        try expect(
            found,
            [
                #""created_at": { "type": "datetime", "path": "createdAt", "none": [0], "time": true }"#,
                #""mtime": { "type": "datetime", "none": [0], "time": true }"#,
                #""posted_on": { "type": "datetime", "none": [0] }"#,
                #""updated": { "type": "datetime", "none": [0], "time": true }"#,
                #""last_seen": { "type": "datetime", "none": [0], "time": true }"#,
                #""population": { "type": "number" }"#,
                #""list": { "columns": ["population", "created_at", "mtime", "posted_on"] }"#,
            ], without: ["created_by", "mixed_time", #""date""#, "gone_at"])
    }

    @Test func `A few records can lack the title`() async throws {
        for (missing, title) in [(2, "title"), (3, "slug")] {
            let found = await survey(lists: ["https://api.example/v1/works"]) { _, _ in
                let works = (1...20).map { number in
                    let own = number > missing ? #""title":"Work \#(number)","# : number == 1 ? #""title":null,"# : ""
                    return #"{"id":\#(number),\#(own)"slug":"work-\#(number)"}"#
                }
                return ("", "[\(works.joined(separator: ","))]")
            }
            try expect(found, [#""title": "\#(title)""#])
        }
    }

    @Test func `A code is a better id than a number, and a name can have several forms`() async throws {
        let found = await survey(lists: ["https://api.example/v1/countries/all"]) { _, _ in
            let countries = ["Fiji", "Peru", "Chad"].enumerated().map { index, name in
                #"{"name":{"common":"\#(name)","official":"Republic"},"population":\#(900 - index),"checked":"2026-01-0\#(index + 1)","cca3":"\#(name.prefix(3).uppercased())"}"#
            }
            return ("", "[\(countries.joined(separator: ","))]")
        }
        try expect(found, [#""id": "cca3""#, #""title": "name.common""#, #""lists": ["countries"]"#])
        let keyed = await survey(lists: ["https://api.example/v1/plants"]) { _, _ in
            (
                "",
                #"{"FJ":{"size":1,"scientificName":"Agathis macrophylla","rank":"A"},"PE":{"size":2,"scientificName":"Cinchona","rank":"A"}}"#
            )
        }
        try expect(keyed, [#""id": "scientificName""#, #""title": "scientificName""#])
        #expect(
            keyed?.doubts.last
                == #"plants: the names of the members, such as "FJ", are no values of the records, so the id of a record is scientificName"#,
            "\(keyed?.doubts ?? [])")
    }

    @Test func `Records can be the members of an object, whose names are their ids`() async throws {
        let codes = ["AD", "AE", "AF", "AG", "AI"]
        func found(_ codes: [String], _ record: @escaping @Sendable (String) -> String) async -> APIDescription? {
            await survey(lists: ["https://api.example/v1/countries"]) { _, _ in
                let members = codes.map { #""\#($0)":{\#(record($0))}"# }.joined(separator: ",")
                return ("", #"{"status":"OK","notes":[],"total":\#(codes.count),"data":{\#(members)}}"#)
            }
        }
        let coded = await found(codes) {
            #""id":\#(codes.firstIndex(of: $0) ?? 0),"name":"Country \#($0)","iso":{"a2":"x"},"cca2":"\#($0)""#
        }
        try expect(coded, [#""records": "data", "count": "total""#, #""id": "cca2""#, #""textIds": true"#])
        #expect(coded?.doubts == [] && coded?.lists.first?.memberNames == codes)
        let uncoded = await found(codes) { #""name":"Country \#($0)","size":1"# }
        try expect(uncoded, [#""records": "data""#, #""id": "name""#])
        #expect(uncoded?.doubts.count == 1, "\(uncoded?.doubts ?? [])")
        #expect(await found(Array(codes.prefix(4))) { #""name":"\#($0)","size":1"# } == nil, "too few to be records")
        #expect(await found(codes) { #""name \#($0)":"","size":1"# } == nil, "their members differ")
    }

    @Test func `The id is the value in the record's own address, which can be a path`() async throws {
        let found = await survey { path, _ in
            switch path {
            case "/": return ("", #"{"monsters":"/v1/monsters","skills":"/v1/skills","issues":"/v1/issues"}"#)
            case "/monsters":
                let rows = ["ape", "bat"].map { #"{"index":"\#($0)","name":"\#($0)","url":"/v1/monsters/\#($0)"}"# }
                return ("", #"{"count":2,"results":[\#(rows.joined(separator: ","))]}"#)
            case "/skills": return ("", #"{"count":1,"results":[{"index":"fly","name":"Fly","url":"/v1/skills/fly"}]}"#)
            case "/issues":
                let issues = (1...3).map { number in
                    #"{"url":"https://api.example/v1/issues/\#(number)","id":\#(900 + number),"number":\#(number),"title":"Issue \#(number)","page":"https://example.org/issues/\#(number)"}"#
                }
                return ("", "[\(issues.joined(separator: ","))]")
            default:
                let index = path.split(separator: "/").last ?? ""
                return (
                    "",
                    #"{"index":"\#(index)","name":"\#(index)","size":2,"image":"/v1/images/\#(index).png","skill":{"index":"fly","name":"Fly","url":"/v1/skills/fly"},"url":"/v1\#(path)"}"#
                )
            }
        }
        try expect(
            found,
            [
                #""id": "index""#, #""id": "number""#, #""self": "url""#, #""detail": "{url}""#,
                #""skill": { "type": "reference", "to": "skills", "path": "skill.url" }"#,
                #""picture": { "type": "image", "path": "image" }"#, #""hosts": []"#,
            ], without: [#""self": "page""#, #""to": "issues""#])
    }

    @Test func `Addresses elsewhere are no own addresses, and pictures can be on several hosts`() async throws {
        let found = await survey { path, _ in
            if path == "/" { return ("", #"{"funders":"/v1/funders","datasets":"/v1/datasets"}"#) }
            let rows = (1...4).map { number in
                path == "/funders"
                    ? #"{"key":"f-\#(number)","name":"Funder \#(number)","uri":"http://doi.example/f-\#(number)","logo":"https://cdn\#(number).example/a.png"}"#
                    : #"{"key":\#(number),"title":"Set \#(number)","funderKey":"f-\#(number)"}"#
            }
            return ("", "[\(rows.joined(separator: ","))]")
        }
        try expect(
            found,
            [
                #""hosts": ["cdn1.example", "cdn2.example", "cdn3.example", "cdn4.example"]"#,
                #""funder": { "type": "reference", "to": "funders", "path": "funderKey" }"#,
            ], without: [#""self""#])
    }
}
