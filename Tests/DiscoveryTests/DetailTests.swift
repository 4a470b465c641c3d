import Discovery
import Platform
import Testing

/// Records that are requested one by one, and what their values show.
struct DetailTests {
    /// The rows of a page, each with the address of its record.
    private static func rows(_ path: String, _ query: [String: String], ids: [Int] = Array(1...60)) -> String {
        let (start, limit) = (number(query["offset"]), query["limit"].map { number($0) } ?? 20)
        let address = "https://api.example/v1\(path)"
        let page = ids.dropFirst(start).prefix(limit).map { #"{"name":"t\#($0)","url":"\#(address)\#($0)/"}"# }
        let next = start + limit < ids.count ? "\"\(address)?offset=\(start + limit)&limit=\(limit)\"" : "null"
        return #"{"count":\#(ids.count),"next":\#(next),"results":[\#(page.joined(separator: ","))]}"#
    }

    private static func record(_ id: Int) -> String {
        #"{"id":\#(id),"name":"t\#(id)","mood":"\#(["new", "old", "lost"][id % 3])","rare":\#(id % 2 == 0)}"#
    }

    @Test func `A survey of many lists has a record for each, and one of few lists has enough for facets`() async throws
    {
        for count in [1, 45] {
            let requests = Locked(0)
            let names = (0..<count).map { "thing\($0)" }
            let found = await survey { path, query in
                requests.withLock { $0 += 1 }
                let parts = path.split(separator: "/").map(String.init)
                guard let name = parts.first else {
                    let lists = names.map { #""\#($0)":"https://api.example/v1/\#($0)/""# }
                    return ("", "{\(lists.joined(separator: ","))}")
                }
                guard names.contains(name) else { return nil }
                return ("", parts.count > 1 ? Self.record(number(parts[1])) : Self.rows("/\(name)/", query))
            }
            let description = try #require(found)
            #expect(description.lists.count == count && description.refused.isEmpty, "\(description.refused)")
            #expect(description.lists.allSatisfy { $0.detail == "{url}" })
            let sent = requests.withLock { $0 }
            #expect(sent <= 200)
            if count == 1 {
                try expect(
                    found,
                    [
                        #""mood": { "type": "enum", "facet": true }"#, #""rare": { "type": "enum", "facet": true }"#,
                        #"{ "id": "thing0_mood", "of": "thing0.mood", "most": 12, "rest": "Other values ({count})", "#
                            + #""caption": "Thing0s: mood" }"#,
                    ])
            }
        }
    }

    @Test(arguments: ["row", "record", "answer"], [100, 200])
    func `A record is recognised by the first 200 members of its row, itself and its answer`(place: String, count: Int)
        async throws
    {
        let nulls = (0..<count).map { #""m\#($0)":null,"# }.joined()
        let found = await survey { path, query in
            if path == "/" { return ("", #"{"thing":"https://api.example/v1/thing/"}"#) }
            if path == "/thing/" {
                guard query.isEmpty else { return nil }
                let rows = (1..<13).map { number in
                    let name = (place == "row" ? nulls : "") + #""name":"t\#(number)""#
                    let link = #""meta":{"detail_url":"https://api.example/v1/thing/\#(number)/"}"#
                    return #"{"code":"c\#(number)",\#(name),\#(link)}"#
                }
                return ("", "[\(rows.joined(separator: ","))]")
            }
            guard path.hasPrefix("/thing/") else { return nil }
            let id = number(path.split(separator: "/").last.map(String.init))
            let more = (0..<250).map { #","n\#($0)":null"# }.joined()
            let record = "{" + (place == "record" ? nulls : "") + Self.record(id).dropFirst().dropLast() + more + "}"
            return ("", place == "answer" ? #"{\#(nulls)"data":\#(record)}"# : record)
        }
        let list = try #require(found?.lists.first)
        #expect(list.detail == (count < 200 ? "{meta.detail_url}" : nil))
    }

    @Test func `An id that only the address of a row shows can be a text`() async throws {
        let ids = [1, 2, -1] + Array(3...30)
        let found = await survey { path, query in
            if path == "/" { return ("", #"{"ailment":"https://api.example/v1/ailment/"}"#) }
            if path == "/ailment/" { return ("", Self.rows(path, query, ids: ids)) }
            // The record itself is not there.
            let id = number(path.split(separator: "/").last.map(String.init))
            return id < 0 ? nil : ("", Self.record(id))
        }
        try expect(found, [#""textIds": true"#])
    }

    @Test func `Files on the host of the API are declared if they are there`() async throws {
        for (file, isThere) in [("/media/1.pdf", true), ("/media/gone.pdf", false), ("https://b.example/1.pdf", false)]
        {
            let found = await survey("https://api.example", lists: ["https://api.example/papers"]) { path, query in
                if path == "/media/1.pdf" { return ("", "%PDF-1.7") }
                let papers = (1..<4).map { #"{"id":\#($0),"name":"Paper \#($0)","meta":{"download_url":"\#(file)"}}"# }
                return path == "/papers" && query.isEmpty ? ("", "[\(papers.joined(separator: ","))]") : nil
            }
            let field = #""download_url": { "type": "file", "path": "meta.download_url" }"#
            try expect(found, isThere ? [field] : [], without: isThere ? [] : ["download_url"])
        }
    }

    @Test func `Templates have the name of a record, unless a shared template has it`() async throws {
        let names = ["pages", "documents", "offsets", "records", "changes", "homes"]
        let found = await survey { path, query in
            guard query.isEmpty else { return nil }
            let lists = names.map { #""\#($0)":"/v1/\#($0)""# }
            if path == "/" { return ("", "{\(lists.joined(separator: ","))}") }
            guard let start = names.firstIndex(where: { path == "/\($0)" }) else { return nil }
            return ("", items(start + 1..<start + 3))
        }
        try expect(
            found, ["page", "document", "offset"].map { #""template": "\#($0)""# },
            without: ["record", "change", "home"].map { #""template": "\#($0)""# })
    }

    @Test func `Offsets can have a dollar sign, and a header field can be a cursor`() async throws {
        let socrata = await survey(lists: ["https://api.example/v1/lakes"]) { _, query in
            let start = number(query["$offset"])
            return ("", items(start + 1..<start + 1 + (query["$limit"].map { number($0) } ?? 10)))
        }
        try expect(
            socrata, [#"{ "type": "offset", "parameter": "$offset", "limitParameter": "$limit", "limit": 10 }"#])
        let cursors = await survey(lists: ["https://api.example/v1/lakes"]) { _, query in
            let start = number(query["next"])
            return ("X-Next: \(start + 10)\r\n", items(start + 1..<start + 11))
        }
        try expect(cursors, [#"{ "type": "cursor", "parameter": "next", "cursor": "header:X-Next" }"#])
    }

    @Test func `A list without an answer is tried again with a slash`() async throws {
        let found = await survey(lists: ["https://api.example/v1/lakes", "https://api.example/v1/none"]) {
            path, query in
            path == "/lakes/" && query.isEmpty ? ("", items(1..<4)) : nil
        }
        try expect(found, [#""path": "{list}/""#])
        #expect(found?.refused.map(\.reason) == ["https://api.example/v1/none answered status 404"])
    }
}
