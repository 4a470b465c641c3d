import Catalogue
import Discovery
import Platform
import Testing

/// Lists that a root document names, and answers that are not lists.
struct RootTests {
    @Test(arguments: [#""documentation":"https://museum.example/api","#, ""])
    func `The addresses of lists can be in a member of the root document`(first: String) async throws {
        let found = await survey { path, _ in
            path == "/"
                ? (
                    "",
                    #"{\#(first)"info":{"a":"b","version":"1"},"config":{"iiif":"https://api.example/iiif","x":"y"},"#
                        + #""resources":{"things":"https://api.example/v1/things","more":"/v1/more"}}"#
                ) : path == "/things" ? ("", items(1..<5)) : nil
        }
        try expect(found, [#""api": "https://api.example/v1""#, #""lists": ["things"]"#])
        #expect(found?.refused.map(\.name) == ["more"])
        // The same members without addresses of lists are no records.
        let other = await survey("https://api.example/v1/v2") { path, _ in
            path == "/v2/" ? ("", #"{\#(first)"info":{"a":"b","version":"1"},"config":{"c":"d","x":"y"}}"#) : nil
        }
        #expect(other == nil)
    }

    @Test func `Records with their own addresses are no lists`() async throws {
        let records = ["a", "b"].map { #""\#($0)":{"id":"\#($0)","url":"https://api.example/v1/letters/\#($0)"}"# }
        let found = await survey("https://api.example/v1/letters") { path, query in
            path == "/letters/" && query.isEmpty ? ("", "{\(records.joined(separator: ","))}") : nil
        }
        try expect(found, [#""lists": ["letters"]"#, #""self": "url""#])
    }

    @Test func `Rows that are only links have records elsewhere`() async throws {
        let found = await survey { path, query in
            guard query.isEmpty else { return nil }
            func address(_ number: Int) -> String { "https://api.example/v1/shows/\(number)" }
            switch path {
            case "/": return ("", #"{"shows":"/v1/shows"}"#)
            case "/shows":
                let rows = (1..<9).map { #"{"id":\#($0),"url":"\#(address($0))"}"# }
                return ("", #"{"total":8,"shows":[\#(rows.joined(separator: ","))]}"#)
            default:
                let number = path.split(separator: "/").last ?? ""
                return ("", #"{"title":"Show \#(number)","showID":\#(number),"place":"Hall"}"#)
            }
        }
        try expect(found, [#""detail": "{url}""#, #""id": "showID""#, #""title": "title""#])
    }

    @Test func `Records in a member of their answers are found, with references in objects`() async throws {
        let found = await survey { path, query in
            func link(_ path: String, _ id: Int) -> String {
                #"{"id":"\#(id)","link":"https://api.example/v1/\#(path)/\#(id)"}"#
            }
            func list(_ path: String) -> String { (1..<5).map { link(path, $0) }.joined(separator: ",") }
            guard query.isEmpty else { return nil }
            let parts = path.split(separator: "/")
            switch parts.count {
            case 0:
                return (
                    "", #"{"data":{"issue":{"link":"/v1/issue"},"user":{"link":"/v1/user"},"key":{"link":"/v1/key"}}}"#
                )
            case 1: return ("", #"{"data":{"collection":[\#(list(path == "/key" ? "lost" : String(parts[0])))]}}"#)
            default:
                guard parts[0] != "lost", let id = Int(parts[1]) else { return nil }
                let members =
                    parts[0] == "user"
                    ? #""username":"u\#(id)","friends":[\#(list("user"))]"#
                    : #""title":"Title \#(id)","nosy":[\#(list("user"))],"owner":\#(link("user", id))"#
                return (
                    "",
                    #"{"data":{"id":"\#(id)","type":"\#(parts[0])","link":"https://api.example/v1\#(path)","attributes":{\#(members)}}}"#
                )
            }
        }
        try expect(
            found,
            [
                #""records": "data.collection""#, #""detail": "{link}", "record": "data""#,
                #""title": "attributes.title""#, #""title": "attributes.username""#,
                #""nosy": { "type": "references", "to": "user", "path": "attributes.nosy[].link" }"#,
                #""owner": { "type": "reference", "to": "user", "path": "attributes.owner.link" }"#,
            ])
        #expect(
            found?.doubts.contains("key: its rows have only ids, and no records were found at their addresses") == true,
            "\(found?.doubts ?? [])")
    }

    @Test func `Lists on one path keep their queries, and rows that are summaries have records elsewhere`() async throws
    {
        let lists = ["StoryPage", "PersonPage"].map { "https://api.example/v1/pages/?type=home.\($0)&fields=*" }
        let found = await survey(lists: lists + ["https://api.example/v1/files/"]) { path, query in
            let id = path.split(separator: "/").last.flatMap { Int($0) }
            if let id { return ("", #"{"id":\#(id),"title":"Page \#(id)","meta":{},"body":"text"}"#) }
            guard query["type"] == "home.StoryPage" else {
                return path == "/files/" && !query.isEmpty ? nil : ("", #"{"total":4,"items":\#(items(1..<5))}"#)
            }
            let start = number(query["offset"]) + 1
            let rows = (start..<min(start + number(query["limit"] ?? "20"), 41)).map {
                #"{"id":\#($0),"title":"Page \#($0)","meta":{"detail_url":"https://api.example/v1/pages/\#($0)/"}}"#
            }
            return ("", #"{"total":40,"items":[\#(rows.joined(separator: ","))]}"#)
        }
        try expect(
            found,
            [
                "pages/?type=home.StoryPage&fields=*", "pages/?type=home.PersonPage&fields=*", #""name": "StoryPage""#,
                #""detail": "{meta.detail_url}""#,
            ], without: ["files/?"])
    }

    @Test func `Lists of ids, of records without an id, and of links are refused with a reason`() async throws {
        let found = await survey { path, query in
            guard query.isEmpty else { return nil }
            return switch path {
            case "/": ("", #"{"a":"/v1/a","ids":"/v1/ids","same":"/v1/same","links":"/v1/links"}"#)
            case "/a": ("", items(1..<5))
            case "/ids": ("", #"{"total":2,"objectIDs":[1,2]}"#)
            case "/same": ("", #"[{"a":1,"b":"c"},{"a":1,"b":"c"}]"#)
            case "/links": ("", #"{"links":[{"rel":"a","href":"/b"},{"rel":"c","uri":"/d"}]}"#)
            default: nil
            }
        }
        #expect(found?.lists.map(\.name) == ["a"])
        let address = "https://api.example/v1"
        #expect(
            found?.refused.map(\.reason) == [
                "\(address)/ids has no records, but a list of texts or numbers in \"objectIDs\"",
                "\(address)/same has records without an id", "\(address)/links is not a list of records",
            ])
    }

    @Test func `The error for an unknown list name shows the known names`() async throws {
        let api = client { target in
            target == "/" ? ("", #"{"lakes":"/v1/lakes","hills":"/v1/hills"}"#) : ("", items(1..<5))
        }
        let survey = APISurvey(api, api: "https://api.example/v1")
        let error = await #expect(throws: ContentFault.self) { try await survey.describe(lists: [], only: ["lake"]) }
        #expect("\(try #require(error))" == #"no list is named "lake"; found: lakes, hills"#)
    }

    @Test(arguments: [
        ("limit", 100, #""path": "{list}?limit=100""#), ("perPage", 20, #""path": "{list}?perPage=20""#),
    ])
    func `The size of a page is that of its member, as far as the server allows`(name: String, most: Int, part: String)
        async throws
    {
        let found = await survey { path, query in
            guard path != "/" else { return ("", #"{"things":"/v1/things"}"#) }
            let size = min(most, query[name].map { number($0) } ?? 10, 30)
            let start = size * (max(1, number(query["page"])) - 1)
            return (
                "", #"{"paging":{"total":30,"\#(name)":\#(size)},"data":\#(items(start + 1..<start + size + 1))}"#
            )
        }
        try expect(found, [part, #""count": "paging.total""#])
    }

    @Test(arguments: [
        (#""title":"Atlas","lists":"#, "Atlas"), (#""name":"atlas of lakes","lists":"#, "atlas of lakes"),
        (#""title":"{env:HOME}","lists":"#, nil), (#""title":"\#(String(repeating: "a", count: 101))","lists":"#, nil),
        (#""x":"#, nil),
    ])
    func `The title is that of the root document`(members: String, title: String?) async throws {
        let found = await survey { path, _ in
            path == "/" ? ("", #"{\#(members){"things":"/v1/things"}}"#) : path == "/things" ? ("", items(1..<5)) : nil
        }
        #expect(try #require(found).title == title)
    }

    @Test func `The title is that of a WordPress, or of an OpenAPI document`() async throws {
        let wordPress = await survey("https://api.example/v1/wp/v2") { path, _ in
            switch path {
            case "/": ("", #"{"name":"My blog"}"#)
            case "/wp/v2/": ("", #"{"routes":{"/wp/v2/posts":{}}}"#)
            default: path == "/wp/v2/posts" ? ("", items(1..<5)) : nil
            }
        }
        #expect(wordPress?.title == "My blog")
        let documented = await survey { path, _ in
            switch path {
            case "/openapi.json":
                (
                    "",
                    #"{"openapi":"3.1.0","info":{"title":"Things"},"paths":{"/v1/things":{"get":{}},"/v1/all":{"get":{}}}}"#
                )
            default: ["/things", "/all"].contains(path) ? ("", items(1..<5)) : nil
            }
        }
        #expect(documented?.title == "Things" && documented?.lists.map(\.name) == ["things"])
        #expect(documented?.doubts.first == "left out, because other lists have the same records: all")
    }
}
