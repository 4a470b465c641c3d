import Discovery
import Testing

/// Forms of public APIs.
struct PublicAPITests {
    @Test func `A list without a count can end with the status 404`() async throws {
        let found = await survey(lists: ["https://api.example/v1/shows"]) { _, query in
            let page = number(query["page"])
            return page < 3 ? ("", items(page * 10 + 1..<page * 10 + 11)) : nil
        }
        try expect(found, [#""paginator": { "type": "page_number", "first": 0 }, "responses": { "404": "end" }"#])
        let other = await survey(lists: ["https://api.example/v1/shows"]) { _, query in
            let page = max(1, number(query["page"]))
            return ("", items(page * 10 - 9..<page * 10 + 1))
        }
        try expect(other, [#""paginator": { "type": "page_number" }"#], without: ["responses"])
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
            ])
    }
}
