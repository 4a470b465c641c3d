import Discovery
import HTTP
import Platform
import Testing

struct OpenAPITests {
    /// An API that pages its items with `skip` and `limit`, as in the tutorial of FastAPI.
    private static func skipping(_ query: [String: String], count: String = "", more: String = "") -> (
        header: String, body: String
    ) {
        let (skip, limit) = (number(query["skip"]), query["limit"].map { number($0) } ?? 10)
        let items = items(skip + 1..<skip + limit + 1) { _ in more }
        return ("", count.isEmpty ? items : "{\(count),\"data\":\(items)}")
    }

    private static let paths = """
        {"/health":{"get":{}},"/items/":{"post":{},"get":{"parameters":[{"name":"skip","in":"query","required":false}]}},\
        "/items/{id}":{"get":{}},"/search":{"get":{"parameters":[{"$ref":"#/components/parameters/q"}]}},\
        "/hooks":{"post":{}},"/admin/items":{"get":{}}}
        """

    @Test(arguments: ["", #""count":30"#])
    func `The paths of a document are lists, though the root document has none`(count: String) async throws {
        let asked = Locked<[String]>([])
        let found = await survey { path, query in
            asked.withLock { $0.append(path) }
            switch path {
            case "/openapi.json":
                let parameters = #"{"q":{"name":"q","in":"query","required":true}}"#
                return (
                    "",
                    #"{"openapi":"3.1.0","servers":[{"url":"/v1"}],"paths":\#(Self.paths),"#
                        + #""components":{"parameters":\#(parameters)}}"#
                )
            case "/items/": return Self.skipping(query, count: count)
            case "/admin/items": return Self.skipping(query, more: #","secret":1"#)
            case "/health": return ("", #"{"status":"ok"}"#)
            default: return nil
            }
        }
        try expect(
            found,
            [
                #""paginator": { "type": "offset", "parameter": "skip", "limit": \#(count.isEmpty ? 10 : 100) }"#,
                #""path": "{list}/""#, #""name": "admin-items""#,
                // A list does not inherit the place of the other one's records.
                count.isEmpty ? #"["items", {"# : #"{ "name": "items", "records": "data", "count": "count" }"#,
            ])
        // A path with records below it is first.
        #expect(
            found?.lists.map(\.name) == ["items", "admin-items"] && found?.lists.allSatisfy(\.isDocumented) == true)
        #expect(found?.doubts == ["OpenAPI also names health, without records"])
        let requests = asked.withLock(\.self)
        #expect(!requests.contains { ["/search", "/hooks", "/items/{id}"].contains($0) }, "\(requests)")
    }

    @Test func `The address can be that of a document, here of version 2`() async throws {
        let document = #"{"swagger":"2.0","host":"api.example","basePath":"/v1/","paths":{"/things":{"get":{}}}}"#
        let found = await survey("https://api.example/v1/docs/swagger.json") { path, _ in
            // Frameworks redirect the address with a slash at its end.
            path.hasPrefix("/docs/swagger.json") ? ("", document) : path == "/things" ? ("", items(1..<5)) : nil
        }
        try expect(found, [#""api": "https://api.example/v1""#, #""lists": ["things"]"#])
        #expect(found?.address == "https://api.example/v1")
    }

    @Test func `A document adds to the lists of the root document, wherever it is`() async throws {
        let found = await survey { path, _ in
            switch path {
            case "/":
                (
                    "Link: </v1/about>; rel=\"service-desc\"; type=\"application/json\"\r\n",
                    #"{"items":"https://api.example/v1/items/"}"#
                )
            case "/about":
                ("", #"{"openapi":"3.0.0","servers":[{"url":"http://api.example/v1"}],"paths":\#(Self.paths)}"#)
            case "/items/": ("", items(1..<5))
            case "/admin/items": ("", items(6..<9))
            default: nil
            }
        }
        #expect(found?.lists.map(\.name) == ["items", "admin-items"])
        #expect(found?.lists.map(\.isDocumented) == [false, true])
    }

    @Test func `A hostile document is read in bounded time, and names no other host and no path above the API`()
        async throws
    {
        let names = [
            "/../../etc", "//evil.example/a", "/a/%2e%2e/b", "/{env:HOME}", "/x/{a}/{b}", "/\\u0000", "a",
        ]
        let odd = names.map { "\"\($0)\":{\"get\":{}}" }
        let many = (0..<30_000).map { ##""/p\##($0)":{"get":{"parameters":[{"$ref":"#/components/parameters/a"}]}}"## }
        let loops = (0..<1_000).map { ##""a\##($0)":{"$ref":"#/components/parameters/a\##($0 + 1)"}"## }
        let parameters = (loops + [##""a":{"$ref":"#/components/parameters/a"}"##]).joined(separator: ",")
        func document(_ server: String, _ paths: [String]) -> String {
            #"{"openapi":"3.0.0","servers":[{"url":"\#(server)"}],"components":{"parameters":{\#(parameters)}},"#
                + #""paths":{\#(paths.joined(separator: ","))}}"#
        }
        let asked = Locked<[String]>([])
        func find(_ document: String) async -> APIDescription? {
            await survey { path, _ in
                asked.withLock { $0.append(path) }
                return path == "/"
                    ? ("", #"{"items":"/v1/items"}"#)
                    : path == "/openapi.json"
                        ? ("", document)
                        : path == "/items" ? ("", items(1..<5)) : nil
            }
        }
        let found = await find(document("/v1", odd + many))
        try expect(found, [#""lists": ["items"]"#], without: ["evil", "etc", "HOME"])
        var requests = asked.withLock(\.self)
        #expect(requests.count <= 200 && requests.contains("/p0"), "\(requests.count)")
        #expect(
            requests.allSatisfy { $0.hasPrefix("/p") || ["/", "/items", "/openapi.json"].contains($0) }, "\(requests)")
        asked.withLock { $0 = [] }
        for server in ["https://evil.example/v1", "//evil.example", "/v1/../..", "{server}", "file:///etc", "/v1?a=b"] {
            let other = await find(document(server, many))
            requests = asked.withLock(\.self)
            #expect(other?.lists.map(\.name) == ["items"] && !requests.contains("/p0"), "\(server)")
        }
    }
}
