import Catalogue
import Mustache
import Pages
import Testing

@testable import CatalogueEngine

/// The feed of a kind's newest records.
struct RecordFeedTests {
    private func planned(_ posts: [String]) async throws -> PlannedRevision {
        let json = """
            {"name":"blog","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},"lists":["posts","tags"],
            "kinds":{"posts":{"title":"title","page":{"permalink":"link"},"about":"start","feed":"date","fields":{
            "date":{"type":"datetime"},"start":{"type":"html"},"content":{"type":"html"}}}}}
            """
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let texts = try Strings.english().adding(standards: catalogue.texts)
        return try await PlannedRevision(catalogue, [("posts", posts), ("tags", [])], texts)
    }

    private func post(_ id: Int, _ date: String) -> String {
        #"{"id":\#(id),"title":"Post \#(id)","link":"http://a.example/2020/\#(id)/","start":"S","date":"\#(date)","#
            + #""content":"<p>See <a href=\"http://a.example/2020/1/\">one</a>.<script>x</script></p>"}"#
    }

    private func entries(_ revision: PlannedRevision) throws -> [FeedEntry] {
        let shared = try #require(revision.plan.shared)
        let feed = try #require(shared.feeds.first)
        #expect(shared.feeds.count == 1 && feed.path.text == "posts.xml" && feed.page.text == "posts.html")
        return try feed.entries(revision.reader, shared.frame.context.editions[0])
    }

    @Test func `The newest records are first, with their pages, texts and moments`() async throws {
        let dates = ["2019-03-01T10:20:30", "2021-03-01", "never", "2020-03-01T10:20+01:00"]
        let found = try entries(await planned(dates.enumerated().map { post($0 + 1, $1) }))
        #expect(
            found.map(\.title) == ["Post 2", "Post 4", "Post 1"]
                && found.map(\.id) == ["posts 2", "posts 4", "posts 1"])
        #expect(
            found.map(\.updated) == ["2021-03-01T00:00:00Z", "2020-03-01T10:20:00+01:00", "2019-03-01T10:20:30Z"])
        #expect(found[0].page.text == "2020/2/index.html")
        #expect(found[0].markup.contains(#"<p>See <a href="2020/1/index.html">one</a>.</p>"#), "\(found[0].markup)")
    }

    @Test func `A feed has at most 30 records, and pages name it`() async throws {
        let revision = try await planned((1...40).map { post($0, "2020-01-01T00:00:\($0 + 10)") })
        let found = try entries(revision)
        #expect(found.count == 30 && found.first?.title == "Post 40")
        let page = try #require(try revision.pages(0).first?.first?.model)
        guard case .list(let feeds)? = page.value("feeds") else {
            Issue.record("the page has no list of feeds")
            return
        }
        #expect(feeds.compactMap { if case .text(let path) = $0 { path } else { nil } } == ["posts.xml"])
    }
}
