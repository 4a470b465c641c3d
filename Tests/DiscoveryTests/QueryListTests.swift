import Discovery
import Platform
import Testing

/// APIs with one address, whose lists are in its queries.
struct QueryListTests {
    private static let base = "https://api.example/v1/api.php"

    /// A wiki with pages whose cursor is an object, and with two lists that fit in one page.
    private func wiki(_ lists: [String]) async -> APIDescription? {
        await survey("https://api.example/v1", lists: lists.map { "\(Self.base)?action=query&\($0)" }) { _, query in
            let rows = (1..<4).map { #"{"name":"Row/\#($0)","size":\#($0)}"# }.joined(separator: ",")
            if let list = query["list"] {
                return ("", #"{"query":{"\#(list)":[\#(rows.replacing("name", with: "tag"))]}}"#)
            }
            guard query["generator"] != nil else { return nil }
            let more = query["gapcontinue"] == nil ? #""continue":{"gapcontinue":"B","continue":"-"},"# : ""
            return ("", #"{\#(more)"query":{"pages":[\#(rows)]}}"#)
        }
    }

    @Test func `Lists in queries have their own names, titles and the cursor of the others`() async throws {
        let found = await wiki(["generator=allpages&max=9", "list=alltags", "max=x&list=allusers&prop=size"])
        try expect(
            found,
            [
                #""name": "allpages", "path": "api.php?action=query&generator=allpages&max=9""#,
                #""name": "alltags""#, #""name": "allusers""#, #""title": "tag""#,
            ], without: ["single_page", "parameter", "php_", "{list}"])
        #expect(found?.doubts == [])
        let cursor = #""paginator": { "type": "cursor", "cursor": "continue" }"#
        let text = try #require(found).declaration(name: "test", title: "Test", language: "en", headers: [])
        #expect(text.ranges(of: cursor).count == 3, "\(text)")
        try expect(await wiki(["list=alltags"]), [#""name": "alltags", "path": "api.php?"#, "single_page"])
    }

    @Test func `Kinds of lists with reserved names have other names`() async throws {
        let names = ["document", "page", "sqlite_a", "values", "7"]
        let found = await survey(lists: names.map { "https://api.example/v1/\($0)" }) { _, query in
            query.isEmpty ? ("", items(1..<5)) : nil
        }
        try expect(found, [#"{ "name": "document", "kind": "documents""#])
        #expect(found?.lists.map(\.kind) == ["documents", "pages", "list_sqlite_a", "values_records", "list_7"])
    }

    @Test(arguments: [("item", "items"), ("items", "items-pages"), ("user-role", "user_role"), ("fact", "facts")])
    func `Lists with nearly equal names have different kinds and pages`(one: String, other: String) async throws {
        let found = await survey { path, _ in
            path == "/"
                ? ("", #"{"\#(one)":"/v1/\#(one)/","\#(other)":"/v1/\#(other)/"}"#)
                : ("", items(path == "/\(one)/" ? 1..<9 : 11..<19))
        }
        try expect(found, [])
        #expect(found?.lists.map(\.name) == [one, other])
    }

    @Test func `An address with the extension of a file is not a folder`() async throws {
        let targets = Locked<[String]>([])
        let api = client { target in
            targets.withLock { $0.append(target) }
            return ("Content-Type: text/html\r\n", "<p>")
        }
        let survey = APISurvey(api, api: Self.base)
        #expect(try await survey.describe(lists: [], only: []) == nil)
        #expect(targets.withLock { $0.first } == "/api.php")
        #expect(await survey.reasons == "\(Self.base) is a web page (text/html), not JSON")
        for (address, folder) in [
            (Self.base, "https://api.example/v1"), ("https://api.example", "https://api.example"),
            ("https://api.example/v1.0", "https://api.example/v1.0"),
        ] {
            #expect(APISurvey.folder(of: address) == folder)
        }
    }
}
