import Archive
import Catalogue
import Foundation
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// Pages at the paths of original addresses, and links between them.
struct PermalinkTests {
    private func planned(_ posts: [String], tags: [String] = [], fields: String = "{}", card: String = "[]")
        async throws -> PlannedRevision
    {
        let json = """
            {"name":"blog","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
            "lists":["posts","tags"],"kinds":{
            "posts":{"title":"title","page":{"permalink":"link"},"card":\(card),"fields":\(fields)},
            "tags":{"fields":{"posts":{"type":"inverse","of":"posts.tags"}}}}}
            """
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let texts = try Strings.english().adding(standards: catalogue.texts)
        return try await PlannedRevision(catalogue, [("posts", posts), ("tags", tags)], texts)
    }

    private let tagsField = #"{"tags":{"type":"references","to":"tags"}}"#

    private func post(_ id: Int, _ link: String, _ others: String = "") -> String {
        let quoted = String(decoding: (try? JSONEncoder().encode(link)) ?? Data(), as: UTF8.self)
        return "{\"id\":\(id),\"title\":\"Post \(id)\",\"link\":\(quoted)\(others)}"
    }

    private func paths(_ links: [String]) async throws -> [String] {
        let posts = links.enumerated().map { post($0 + 1, $1) }
        return try await planned(posts, fields: tagsField).paths(1).flatMap(\.self)
    }

    @Test func `A page has the path of its original address`() async throws {
        let found = try await paths([
            "https://blog.example/2019/05/hello/", "http://blog.example/World", "https://blog.example/old/post.html",
            "https://blog.example/me/#top", "https://blog.example/a_b-c/",
        ])
        #expect(
            found == [
                "2019/05/hello/index.html", "World/index.html", "old/post.html", "me/index.html", "a_b-c/index.html",
            ])
    }

    @Test(
        arguments: [
            "", "https://blog.example", "https://blog.example/", "https://blog.example/?p=12",
            "https://blog.example/a/?b",
            "/a/", "ftp://blog.example/a/", "javascript:x", "https://blog.example/../a/", "https://blog.example/a//b/",
            "https://blog.example/%D0%B0/", "https://blog.example/а/", "https://blog.example/a b/",
            "https://blog.example/a.php",
            "https://blog.example/a.html/b/", "https://blog.example/con/", "https://blog.example/\\a/",
            "https://blog.example/API/a/", "https://blog.example/data/", "https://blog.example/Posts/2/",
            "https://blog.example/tags/", "https://blog.example/revision/1/", "https://blog.example/index.html",
            "https://blog.example/about.html", "https://blog.example/tags.html",
            "https://blog.example/Search/", "https://blog.example/feed/x/", "https://blog.example/about/",
            "https://blog.example/" + String(repeating: "a", count: 300),
            "https://blog.example/" + String(repeating: "a/", count: 17),
            "https://blog.example/" + String(repeating: "\(String(repeating: "a", count: 60))/", count: 4),
        ])
    func `A page keeps the usual path if its address has no usable path`(link: String) async throws {
        #expect(try await paths([link]) == ["posts/1.html"])
    }

    @Test func `The search has the pictures of pages at original addresses, and those of referenced records`()
        async throws
    {
        let json = #"""
            {"name":"blog","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
            "lists":["posts","media","tags"],"kinds":{
            "posts":{"title":"title","fields":{"photo":{"type":"reference","to":"media","primary":true}}},
            "media":{"page":{"permalink":"link"},"fields":{"image":{"type":"image"}}}}}
            """#
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let media = #"{"id":5,"name":"M","link":"https://blog.example/m/","image":"http://a.example/api/m.png"}"#
        let posts = [post(1, "", #","photo":5"#), post(2, "", #","photo":6"#)]
        let revision = try await PlannedRevision(
            catalogue, [("posts", posts), ("media", [media]), ("tags", [#"{"id":1,"name":"T"}"#])],
            try Strings.english().adding(standards: catalogue.texts),
            assets: ["m.png": ([1], (.png, width: 3, height: 2))])
        let kinds = try #require(revision.plan.shared?.search)
        #expect(kinds.map { $0.picturePath?(0)?.text } == ["media-pictures/5.png", "media-pictures/5.png", nil])
        #expect(kinds[0].picturePath?(1) == nil && kinds[1].pictures == nil)
    }

    @Test func `The builder learns which addresses the site uses for other pages`() async throws {
        let links = [
            "https://blog.example/me/", "https://blog.example/about/", "https://b.example/ME", "https://b.example/?p=1",
        ]
        let posts = links.enumerated().map { post($0 + 1, $1) }
        let note = try await planned(posts, fields: tagsField).plan.shared?.note
        #expect(
            note?.contains("2 original addresses") == true && note?.contains("\"https://blog.example/about/\"") == true
                && note?.contains(#""list": { "page""#) == true)
        let other = try await planned([post(1, links[0])], fields: tagsField).plan.shared?.note
        #expect(other?.contains("original addresses") != true)
    }

    @Test func `The folder of a language is not used, and equal paths are used once`() async throws {
        let found = try await paths([
            "https://a.example/x/", "https://b.example/X", "https://a.example/x/y", "https://a.example/en/z",
            "https://a.example/X/z", "https://a.example/" + String(repeating: "a/", count: 16),
        ])
        #expect(
            found == [
                "x/index.html", "posts/2.html", "x/y/index.html", "posts/4.html", "posts/5.html",
                String(repeating: "a/", count: 16) + "index.html",
            ])
    }

    @Test func `Links to records lead to their pages`() async throws {
        let source = #"""
            <a href='http://blog.example/b#x'>1</a><a href='https://a.example/api/tags/5'>2</a><a href=/b/>3</a>\
            <a href=/other>4</a><a href='http://blog.example/b?x'>5</a><a href='#b'>6</a><a href='//blog.example/b'>7</a>\
            <a href='/100%'>8</a><a href='/a#b#c'>9</a><img src='/?q=%'>
            """#.replacing("\\\n", with: "").replacing("https://a.", with: "http://a.")
        let text = String(decoding: try JSONEncoder().encode(source), as: UTF8.self)
        let revision = try await planned(
            [
                post(1, "http://a.example/x/y/", ",\"text\":\(text),\"see\":\"http://BLOG.example/b/\""),
                post(2, "https://blog.example/b/"), post(3, "http://a.example/b"),
            ],
            tags: [#"{"id":5,"name":"Five"}"#],
            fields: #"{"text":{"type":"html"},"tags":{"type":"references","to":"tags"}}"#)
        let page = try #require(try revision.pages(1).first?.first?.model)
        func own(_ path: String, _ text: Int) -> String { "<a href=\"../../\(path)\">\(text)</a>" }
        func other(_ address: String, _ text: Int) -> String { "<a href=\"\(address)\" rel=\"nofollow\">\(text)</a>" }
        let wanted =
            own("b/index.html", 1) + own("tags/5.html", 2) + own("posts/3.html", 3) + other("http://a.example/other", 4)
            + other("http://blog.example/b?x", 5) + "6" + other("https://blog.example/b", 7) + "89"
        #expect(page.html("field.text.html") == "<p>\(wanted)</p>")
        #expect(page.html("restFacts")?.contains("<a href=\"../../b/index.html\">Post 2</a>") == true)
    }

    @Test func `A reference can be the original address of a record`() async throws {
        let fields = #"""
            {"parent":{"type":"reference","to":"posts"},"tags":{"type":"references","to":"tags"},
            "below":{"type":"inverse","of":"posts.parent"}}
            """#
        let parent = #","parent":"http://blog.example/a","tags":[]"#
        let posts = [post(1, "https://blog.example/a/"), post(2, "", parent), post(3, "", #","parent":"no address""#)]
        let pages = try await planned(posts, fields: fields).pages(1).joined().map(\.model)
        #expect(pages[1].text("field.parent.path") == "a/index.html")
        #expect(pages[0].objects("field.below.items").map { $0.text("path") } == ["posts/2.html"])
        #expect(pages[2].isNull("field.parent") && pages[0].text("field.below.count") == "1 post")
    }

    @Test func `A record shows the records that refer to it in arrays`() async throws {
        let revision = try await planned(
            [
                post(1, "http://a.example/x", #","tags":[5,6,5]"#), post(2, "", #","tags":[6]"#),
                post(3, "http://a.example/z", #","tags":[]"#),
            ],
            tags: [#"{"id":6,"name":"Six"}"#, #"{"id":5,"name":"Five"}"#], fields: tagsField)
        let pages = try revision.pages(3).flatMap { $0.map(\.model) }
        let found = pages.map { $0.objects("field.posts.items").map { $0.text("path") } }
        #expect(found == [["x/index.html", "posts/2.html"], ["x/index.html"]])
    }

    @Test func `A text of another record has links to pages, and no headings`() async throws {
        let text = #","text":"<h2>a</h2><a href='https://a.example/y/'>b</a>","tags":[5]"#
        let revision = try await planned(
            [post(1, "http://a.example/x", text), post(2, "http://a.example/y")], tags: [#"{"id":5,"name":"Five"}"#],
            fields: #"{"text":{"type":"html"},"tags":{"type":"references","to":"tags"}}"#, card: #"["text"]"#)
        let page = try #require(try revision.pages(3).first?.first?.model)
        let html = page.objects("field.posts.items").first?.html("field.text.html")
        #expect(html == "<p>a</p><p><a href=\"../y/index.html\">b</a></p>")
    }

    @Test func `The search finds pages at their original addresses`() async throws {
        let revision = try await planned([post(1, "http://a.example/x"), post(2, "")], fields: tagsField)
        let kind = try #require(revision.plan.shared?.1.first)
        #expect(kind.pathPrefix == "" && kind.file?(0) == "x/index" && kind.file?(1) == "posts/2")
    }
}
