import Discovery
import HTTP
import Testing

/// Lists whose paginator is found only if rows, parameters and addresses are read with care.
struct PaginatorTests {
    @Test(arguments: [
        #""paid":EVEN,"#, #""valid":"yes","#, #""name":"Ada","#, #""id":"LAST","#, #""user_id":7,"#, #""isVoid":EVEN,"#,
    ])
    func `A member with the same value in several rows does not identify them`(members: String) async throws {
        let found = await survey(lists: ["https://api.example/v1/orders"]) { _, query in
            let start = number(query["offset"])
            let rows = (start..<min(30, start + (query["limit"].map { number($0) } ?? 10))).map { number in
                let own = members.replacing("EVEN", with: "\(number % 2 == 0)")
                    .replacing("LAST", with: "\(number % 2)")
                return #"{\#(own)"order_number":"N\#(number)"}"#
            }
            return ("", "[\(rows.joined(separator: ","))]")
        }
        try expect(found, [#""paginator": { "type": "offset", "limit": 10 }"#, #""id": "order_number""#])
        #expect(found?.doubts == [])
    }

    @Test(arguments: ["route?limit=100", "route?limit=100&offset=0", "route?active=1&limit=100"])
    func `A list with the paginator of another one does not keep the parameters of the paginator`(path: String)
        async throws
    {
        let found = await survey(lists: ["item", path].map { "https://api.example/v1/\($0)" }) { path, query in
            if path == "/route" { return ("", #"{"total":4,"items":\#(items(1..<5) { ",\"x\":\($0)" })}"#) }
            let (start, limit) = (number(query["offset"]), query["limit"].map { number($0) } ?? 10)
            return ("", #"{"total":30,"items":\#(items(start + 1..<start + limit + 1))}"#)
        }
        let filtered = path.contains("active") ? #""path": "{list}?active=1""# : #""lists": ["item", "route"]"#
        try expect(
            found, [#""paginator": { "type": "offset", "limit": 100 }"#, filtered], without: ["limit=100", "offset=0"])
    }

    @Test(arguments: [(406, "", "a"), (200, "Content-Type: text/html\r\n", "a?status=*")])
    func `A list can need the ending of its format`(status: Int, header: String, list: String) async throws {
        let api = Client { (request) async throws(HTTPError) in
            let isJSON = request.url.target.hasPrefix("/v1/a.json")
            let body = isJSON ? #"{"a":\#(items(1..<11)),"total_count":10}"# : "<p>"
            return Response(
                status: isJSON ? 200 : status, rawHeaders: Array("HTTP/1.1 200 OK\r\n\(isJSON ? "" : header)\r\n".utf8),
                body: .bytes(Array(body.utf8)), url: request.url, received: 0)
        }
        let survey = APISurvey(api, api: "https://api.example/v1")
        let found = try await survey.describe(lists: ["https://api.example/v1/\(list)"], only: [])
        try expect(
            found, [#""lists": ["a"]"#, #""path": "{list}.json\#(list.dropFirst())""#, #""count": "total_count""#])
        #expect(await survey.reasons == nil && found?.refused.isEmpty == true)
    }
}
