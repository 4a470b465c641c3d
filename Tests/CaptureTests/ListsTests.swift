import Archive
import Capture
import Catalogue
import CatalogueEngine
import Evidence
import HTTP
import Platform
import SQLite
import Testing

/// Captures an API in memory with these lists. The kinds need no description.
func captures(lists: String, kinds: String = "{}", count: Bool = true, _ api: ItemAPI) throws -> Captures {
    let own = count ? #","count":"count""# : ""
    let json = """
        {"name":"items","api":"https://items.example/v1","kinds":\(kinds),"lists":\(lists),
        "list":{"path":"{list}","paginator":{"type":"page_number"},"records":"data"\(own)}}
        """
    return try captures(declaration: json, api)
}

/// The page of a list of objects, three on a page.
func page(_ items: [String], _ query: [String: String]) -> ItemAPI.Answer {
    let start = 3 * ((Int(query["page"] ?? "") ?? 0) - 1)
    let data = items.dropFirst(max(0, start)).prefix(3).joined(separator: ",")
    let body = #"{"count":\#(items.count),"data":[\#(data)]}"#
    return (200, "ETag: \"\(SHA256(of: body.utf8).hex)\"\r\n", body)
}

func objects(_ numbers: some Sequence<Int>, _ rest: (Int) -> String = { #""name":"n\#($0)""# }) -> [String] {
    numbers.map { #"{"id":\#($0),\#(rest($0))}"# }
}

/// Several lists with records of one kind.
struct SharedKindTests {
    private static let lists = #"[{"name":"new","kind":"item"},{"name":"old","kind":"item"},"thing"]"#

    @Test func `A record in two lists of one kind is one record`() async throws {
        let api = ItemAPI { path, query in
            page(objects(["new": 1...4, "old": 3...8, "thing": 1...2][path] ?? 9...9), query)
        }
        let captures = try captures(lists: Self.lists, api)
        let report = try await captures.run()
        #expect(report.gapTexts == [])
        #expect(report.records == ["item": 8, "thing": 2])
        #expect(try captures.numbers(of: "item") == Array(1...8))
        try captures.expectComplete(["item": 8, "thing": 2])
        let (mirror, proof) = try captures.evidence()
        #expect(
            mirror.pages.map(\.path.text).sorted() == [
                "api/item/new/page/1.json", "api/item/new/page/2.json", "api/item/old/page/1.json",
                "api/item/old/page/2.json", "api/thing/page/1.json",
            ])
        #expect(proof.kinds.map { $0.claimed?.records } == [8, 2])
        #expect(try await captures.run().isUnchanged)
    }

    @Test func `A record that moves to another list of its kind is a change`() async throws {
        let last = Locked(2)
        let api = ItemAPI { path, query in
            let last = last.withLock { $0 }
            return page(objects(["new": 1...last, "old": last + 1...3, "thing": 1...1][path] ?? 9...9), query)
        }
        let captures = try captures(lists: Self.lists, count: false, api)
        let first = try await captures.run()
        #expect(try await captures.run().isUnchanged)
        last.withLock { $0 = 1 }
        let second = try await captures.run()
        #expect(!second.isUnchanged && second.records == first.records)
        #expect(try captures.numbers(of: "item") == [1, 2, 3])
    }

    @Test func `Times in the pages of several lists make no revision, but a record that leaves one of them does`()
        async throws
    {
        let state = Locked((time: 0, old: 2...4))
        let children = #"{"name":"parts","kind":"part","path":"items/{item.id}/parts"}"#
        let api = ItemAPI { path, query in
            let (time, old) = state.withLock {
                $0.time += 1
                return $0
            }
            let numbers = ["new": 1...3, "old": old, "thing": 1...1][path]
            var answer = page(objects(numbers ?? (path == "items/2/parts" ? 1...2 : 2...2)), query)
            answer.header = ""
            answer.body.replace("{\"count\"", with: #"{"time":\#(time),"count""#)
            return answer
        }
        let captures = try captures(lists: "\(Self.lists.dropLast()),\(children)]", api)
        let first = try await captures.run()
        #expect(first.records == ["item": 4, "thing": 1, "part": 2])
        for _ in 1...2 {
            let again = try await captures.run()
            #expect(again.isUnchanged && again.revision == first.revision)
        }
        // The record is still in the other list.
        state.withLock { $0.old = 4...4 }
        let changed = try await captures.run()
        #expect(!changed.isUnchanged && changed.records == first.records)
    }

    @Test(arguments: ["new/7", "old/7", "item/7", "other/7"])
    func `Links to records begin with the path of a list, or with the kind`(link: String) async throws {
        let kinds = #"{"thing":{"fields":{"item":{"type":"reference","to":"item"}}}}"#
        let api = ItemAPI { path, query in
            let address = #""item":"https://items.example/v1/\#(link)""#
            return path == "thing" ? page(objects(1...1) { _ in address }, query) : page(objects(7...7), query)
        }
        let report = try await captures(lists: Self.lists, kinds: kinds, api).run()
        #expect(report.gaps.isEmpty == (link != "other/7"))
    }

    @Test func `A record with different bytes in a second list is a gap`() async throws {
        let api = ItemAPI { path, query in
            path == "old" ? page(objects(4...5) { #""name":"other \#($0)""# }, query) : page(objects(1...4), query)
        }
        let captures = try captures(lists: Self.lists, api)
        let report = try await captures.run()
        let reason = "has item 4 with other content than an earlier list; the earlier content is kept"
        #expect(report.gapTexts == ["old?page=1 : \(reason)"])
        #expect(try captures.numbers(of: "item") == Array(1...5))
        #expect(try !captures.evidence().proof.isComplete)
    }

    @Test func `The count of each list is compared, not their sum`() async throws {
        let api = ItemAPI { path, query in
            var answer = page(objects(1...2), query)
            answer.body.replace(#""count":2"#, with: #""count":\#(["new": 1, "old": 3][path] ?? 2)"#)
            return answer
        }
        let failure = try await captures(lists: Self.lists, api).failure() ?? ""
        #expect(failure.contains("the item new list claims 1 records, but has 2"), "\(failure)")
    }
}

/// Lists of the children of each record.
struct ChildListTests {
    private static let lists = """
        ["post",{"name":"comments","kind":"comment","path":"posts/{post.id}/comments"},
        {"name":"replies","kind":"reply","path":"comments/{comment.id}/replies","paginator":{"type":"json_link"}},
        {"name":"votes","kind":"vote","path":"{reply.votes}","paginator":{"type":"single_page"}}]
        """

    /// Post N has N - 1 comments with the numbers 10 N to 11 N - 2. Each comment has two replies on two pages, and each
    /// reply one vote.
    private static func answer(_ path: String, _ query: [String: String]) -> ItemAPI.Answer {
        let parts = path.split(separator: "/").map(String.init)
        let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        switch parts.last {
        case "post": return page(objects(1...5), query)
        case "comments": return page(objects(10 * number..<11 * number - 1), query)
        case "replies":
            let second = query["second"] != nil
            let votes = #""votes":"https://items.example/v1/replies/\#(100 * number + (second ? 1 : 0))/votes""#
            let next = second ? "" : #","next":"/api/comments/\#(number)/replies?second=1""#
            let reply = objects([100 * number + (second ? 1 : 0)]) { _ in votes }
            return (200, "", #"{"count":2,"data":[\#(reply[0])]\#(next)}"#)
        default: return page(objects([number]), ["page": "1"])
        }
    }

    @Test func `Each record has lists of children, on three levels`() async throws {
        let api = ItemAPI(Self.answer)
        let captures = try captures(lists: Self.lists, api)
        let report = try await captures.run()
        #expect(report.gapTexts == [])
        let records = ["post": 5, "comment": 10, "reply": 20, "vote": 20]
        #expect(report.records == records)
        // Children are in the order of their parents.
        #expect(try captures.numbers(of: "comment") == [20, 30, 31, 40, 41, 42, 50, 51, 52, 53])
        try captures.expectComplete(records)
        let requested = api.paths.withLock { $0 }
        #expect(Set(requested).count == requested.count)
        let paths = try captures.evidence().mirror.pages.map(\.path.text)
        #expect(paths.contains("api/comment/comments/page/5/2.json"))
        #expect(paths.contains("api/reply/replies/page/53/2.json"))
        #expect(try await captures.run().isUnchanged)
    }

    @Test(arguments: [false, true])
    func `A missing list of children is a gap, unless 404 means an empty list`(isEnd: Bool) async throws {
        let end = isEnd ? #","responses":{"404":"end"}"# : ""
        let list = #"{"name":"comments","kind":"comment","path":"comments?post={post.id}"\#(end)}"#
        let api = ItemAPI { path, query in
            query["post"] == "2" ? (404, "", "") : page(objects(path == "post" ? 1...3 : 7...7), query)
        }
        let captures = try captures(lists: "[\"post\",\(list)]", count: false, api)
        let report = try await captures.run()
        let gap = "comments?post=2&page=1 : the server does not have this list of children"
        #expect(report.gapTexts == (isEnd ? [] : [gap]))
        #expect(report.records == ["post": 3, "comment": 1])
        #expect(try captures.evidence().proof.isComplete == isEnd)
        #expect(captures.folder.proofs().compactMap(\.fault) == [])
    }

    @Test(arguments: [204, 400, 403, 404, 410])
    func `A status can mean that a record has no list of children with one page`(status: Int) async throws {
        for isEnd in [true, false] {
            let end = isEnd ? #","responses":{"\#(status)":"end"}"# : ""
            let list = """
                {"name":"parts","kind":"part","path":"posts/{post.id}/parts","paginator":{"type":"single_page"}\(end)}
                """
            let api = ItemAPI { path, query in
                if path == "post" { return page(objects(1...3), query) }
                return path == "posts/2/parts" ? (status, "", "") : page(objects(7...7), ["page": "1"])
            }
            var captures = try captures(lists: "[\"post\",\(list)]", count: false, api)
            captures.attempts = 2
            let report = try await captures.run()
            #expect(report.gapTexts.isEmpty == isEnd && report.records == ["post": 3, "part": 1], "\(report.gapTexts)")
            #expect(try captures.evidence().proof.isComplete == isEnd)
            #expect(try await captures.run().isUnchanged)
        }
    }

    @Test func `The children of records that are in no list are captured too`() async throws {
        let kinds = #"{"comment":{"fields":{"other":{"type":"reference","to":"post"}}}}"#
        let list = #"{"name":"comments","kind":"comment","path":"posts/{post.id}/comments"}"#
        let api = ItemAPI { path, query in
            if path == "post" { return page(objects(1...2), query) }
            if path == "post/9" { return (200, "", objects(9...9)[0]) }
            let number = Int(path.split(separator: "/")[1]) ?? 0
            return page(objects([number]) { _ in #""other":9"# }, query)
        }
        let captures = try captures(lists: "[\(list),\"post\"]", kinds: kinds, api)
        let report = try await captures.run()
        #expect(report.gapTexts == [] && report.records == ["post": 3, "comment": 3])
        try captures.expectComplete(["post": 3, "comment": 3])
    }

    @Test func `A child that moves to another parent is a change`() async throws {
        let parent = Locked("1")
        let list = #"{"name":"comments","kind":"comment","path":"posts/{post.id}/comments"}"#
        let api = ItemAPI { path, query in
            if path == "post" { return page(objects(1...2), query) }
            return page(path == "posts/\(parent.withLock { $0 })/comments" ? objects(7...7) : [], query)
        }
        let captures = try captures(lists: "[\"post\",\(list)]", api)
        #expect(try await captures.run().records == ["post": 2, "comment": 1])
        #expect(try await captures.run().isUnchanged)
        parent.withLock { $0 = "2" }
        #expect(try await !captures.run().isUnchanged)
    }

    @Test func `Two records can share a list of children`() async throws {
        let list = #"{"name":"books","kind":"book","path":"users/{post.user}/books"}"#
        let api = ItemAPI { path, query in
            page(path == "post" ? objects(1...3) { #""user":\#($0 % 2)"# } : objects(1...2), query)
        }
        let captures = try captures(lists: "[\"post\",\(list)]", api)
        #expect(try await captures.run().records == ["post": 3, "book": 2])
        let requests = api.paths.withLock { $0.sorted() }
        #expect(requests == ["post?page=1", "users/0/books?page=1", "users/1/books?page=1"])
        try captures.expectComplete(["post": 3, "book": 2])
    }

    @Test(arguments: ["../1", "a/b", "", "1?x=2", "https://evil.example/", "..", "."])
    func `An id that leads out of the API is not used for a list`(id: String) async throws {
        let list = #"{"name":"comments","kind":"comment","path":"posts/{post.slug}"}"#
        let api = ItemAPI { path, query in
            path == "post" ? page(objects(1...2) { #""slug":"\#($0 == 1 ? id : "fine")""# }, query) : page([], query)
        }
        let captures = try captures(lists: "[\"post\",\(list)]", api)
        let report = try await captures.run()
        let requests = api.paths.withLock { $0.filter { $0.hasPrefix("posts") } }
        // A slash in an id does not divide the path.
        let paths = ["fine", "1%3Fx%3D2", "a%2Fb"].map { "posts/\($0)?page=1" }
        #expect(requests.allSatisfy(paths.contains), "\(requests)")
        #expect(report.gaps.count + requests.count == 2 && report.gaps.allSatisfy { $0.keyPath == "data[0].slug" })
    }

    @Test func `A record with only a part of a list is a gap, unless a list of children or a field declares the list`()
        async throws
    {
        let api = ItemAPI { path, query in
            let items = #""items_total":3,"items":["#
            return page(objects(path == "post" ? 1...2 : 7...9) { items + ($0 == 1 ? "7,8]" : "7,8,9]") }, query)
        }
        func gaps(_ more: String = "", kinds: String = "{}") async throws -> [String] {
            try await captures(lists: "[\"post\"\(more)]", kinds: kinds, api).run().gapTexts
        }
        let cure = "declare a list of children for the others, or the member as a field of the type hidden"
        #expect(
            try await gaps() == [
                #"post?page=1 data[0].items: has only 2 of the 3 elements that "items_total" states; \#(cure)"#
            ])
        #expect(try await gaps(#",{"name":"items","kind":"item","path":"posts/{post.id}/items"}"#) == [])
        let hidden = #"{"post":{"fields":{"items":{"type":"hidden"}}}}"#
        #expect(try await gaps(kinds: hidden) == [])
    }

    @Test func `A record's address cannot take over the pages of another list`() async throws {
        let list = #"{"name":"comments","kind":"comment","path":"{post.comments}"}"#
        let api = ItemAPI { path, query in
            let link = #""comments":"https://items.example/v1/"#
            return page(
                path == "post" ? objects(1...2) { link + ($0 == 1 ? "tag\"" : "fine\"") } : objects(7...7), query)
        }
        let captures = try captures(lists: "[\"post\",\"tag\",\(list)]", api)
        let report = try await captures.run()
        #expect(report.gaps.map(\.keyPath) == ["data[0].comments"], "\(report.gapTexts)")
        #expect(report.records == ["post": 2, "tag": 1, "comment": 1])
    }

    @Test(arguments: [true, false])
    func `A resumed capture requests no list of children twice`(hasCounts: Bool) async throws {
        let isBroken = Locked(true)
        let lists = #"["post",{"name":"comments","kind":"comment","path":"posts/{post.id}/comments"}]"#
        let api = ItemAPI { path, query in
            let isDown = path == "posts/5/comments" && query["page"] == "2" && isBroken.withLock { $0 }
            return isDown ? (503, "", "") : Self.answer(path, query)
        }
        let captures = try captures(lists: lists, count: hasCounts, api)
        #expect(try await captures.failure()?.contains("posts/5/comments?page=2") == true)
        let before = api.paths.withLock { Set($0) }
        isBroken.withLock { $0 = false }
        api.paths.withLock { $0 = [] }
        #expect(try await captures.run().gapTexts == [])
        // Without counts, a list that was not read to its end could have changed.
        let again = api.paths.withLock { $0.filter { $0.hasPrefix("posts/") && before.contains($0) } }
        #expect(again == ["posts/5/comments?page=2"] || !hasCounts && again.count <= 4, "\(again)")
        try captures.expectComplete(["post": 5, "comment": 10])
    }

    @Test(arguments: [true, false])
    func `A list of children that changes while it is read is read again alone`(hasCounts: Bool) async throws {
        let isMoving = Locked(true)
        let lists = #"["post",{"name":"comments","kind":"comment","path":"posts/{post.id}/comments"}]"#
        let api = ItemAPI { path, query in
            // The first comment moves to the second page after the first page was read.
            let isMoved = path == "posts/5/comments" && query["page"] == "2" && isMoving.withLock { $0 }
            return isMoved ? page(objects([51, 52, 53, 50]), query) : Self.answer(path, query)
        }
        var captures = try captures(lists: lists, count: hasCounts, api)
        captures.settings.firstAttempt = millisecondsSince1970()
        do {
            _ = try await captures.run()
            Issue.record("the change was not noticed")
        } catch CaptureError.listChanged(_, let list) {
            #expect(list == "posts/5/comments?page=1")
            captures.settings.changedLists = [list]
        }
        isMoving.withLock { $0 = false }
        let before = api.paths.withLock { Set($0) }
        api.paths.withLock { $0 = [] }
        #expect(try await captures.run().gapTexts == [])
        let again = api.paths.withLock { $0.filter(before.contains) }
        #expect(Set(again).isSuperset(of: ["posts/5/comments?page=1", "posts/5/comments?page=2"]))
        #expect(again.allSatisfy { $0.hasPrefix("posts/5/comments?page=") }, "\(again)")
        try captures.expectComplete(["post": 5, "comment": 10])
    }

    @Test func `A list of children that is missing in the archive is found`() async throws {
        let captures = try captures(lists: Self.lists, ItemAPI(Self.answer))
        _ = try await captures.run()
        let db = try Connection(captures.folder.database, .readWrite)
        try db.run("DELETE FROM answer WHERE path = 'posts/1/comments?page=1'")
        let proof = try captures.evidence().proof
        #expect(!proof.isComplete && proof.kinds.map(\.missing) == [0, 1, 0, 0])
    }
}
