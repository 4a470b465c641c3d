import Catalogue
import FeedGrammar
import Foundation
import Pages
import TestSupport
import Testing

struct FeedTests {
    private static let hostile = [
        "</title><script>alert(1)</script>", "]]>", "<![CDATA[x", "&amp;&#0;&bogus;", #"\" onload='x'"#,
        #"nul \u0000 \ufffe \ud800"#,
        "\u{202E}turned", "<?xml?>", "{what} {} {{name}}", String(repeating: "long ", count: 1_000),
    ]

    private func hostileChanges() async throws -> Changes {
        func things(_ shift: Int, _ range: ClosedRange<Int64>) -> [Int64: String] {
            Dictionary(
                uniqueKeysWithValues: range.map { id in
                    let text = Self.hostile[(Int(id) + shift) % Self.hostile.count]
                    return (
                        id,
                        #""name":"\#(text)","\#(Self.hostile[(Int(id) + 1) % 8])":"\#(text)","friends":["\#(Int(id) + shift)"]"#
                    )
                })
        }
        return try await Changes([
            (17_000, things(0, 1...30)), (17_100, things(1, 11...90)), (17_200, things(2, 12...200)),
        ])
    }

    private func faults(in feed: String) throws -> [String] {
        try #require(RelaxNG(AtomGrammar.source)).faults(in: Array(feed.utf8))
    }

    @Test(arguments: [nil, "https://example.org/kept"])
    func `A feed with hostile names is valid by RFC 4287`(baseURL: String?) async throws {
        let feeds = try await hostileChanges().feeds(baseURL: baseURL)
        #expect(feeds.keys.sorted() == ["feed.xml", "ru/feed.xml"])
        for (path, feed) in feeds { #expect(try faults(in: feed).isEmpty, "\(path)") }
    }

    @Test(arguments: [nil, "https://example.org/kept"])
    func `A feed of records is valid, and its links are like those of changes`(baseURL: String?) async throws {
        let changes = try await hostileChanges()
        let entries: [FeedEntry] = Self.hostile.enumerated().map { number, text in
            (
                "post \(number)", text, "2020-01-01T00:00:00Z", SitePath(joined: "post/\(number).html"),
                "<p>Text &amp; more</p>\n"
            )
        }
        let records: RecordFeed = (
            SitePath(fixed: "posts.xml"), TextDeclaration("changes"), SitePath(fixed: "index.html"), { _, _ in entries }
        )
        let feeds = try changes.feeds(baseURL: baseURL, records: records)
        #expect(feeds.keys.sorted() == ["posts.xml", "ru/posts.xml"])
        for (path, feed) in feeds { #expect(try faults(in: feed).isEmpty, "\(path): \(feed)") }
        let link = (baseURL.map { "\($0)/" } ?? "") + "post/3.html"
        #expect(feeds["posts.xml"]?.contains("href=\"\(link)\"") == true)
    }

    @Test func `The grammar check finds errors`() async throws {
        let feed = try #require(try await hostileChanges().feeds()["feed.xml"])
        #expect(try faults(in: feed).isEmpty)
        for (good, bad) in [
            ("<updated>", "<updated> on "), ("<entry>", "<entry><id>again</id>"), ("type=\"xhtml\"", "type=\"text\""),
            ("</title>", ""),
            ("<div xmlns=\"http://www.w3.org/1999/xhtml\">", "<div>"),
        ] {
            let place = try #require(feed.range(of: good))
            #expect(try !faults(in: feed.replacingCharacters(in: place, with: bad)).isEmpty, "\(bad)")
        }
    }

    @Test func `Ids are unique and do not depend on the base URL, and links are absolute`() async throws {
        let changes = try await hostileChanges()
        let plain = try changes.feeds()
        let based = try changes.feeds(baseURL: "https://example.org/kept")
        func found(_ pattern: String, in feed: String?) throws -> [String] {
            let feed = try #require(feed)
            return try NSRegularExpression(pattern: pattern).matches(
                in: feed, range: NSRange(feed.startIndex..., in: feed)
            ).compactMap {
                Range($0.range(at: 1), in: feed).map { String(feed[$0]) }
            }
        }
        var ids: [String] = []
        for path in ["feed.xml", "ru/feed.xml"] {
            let own = try found("<id>(.*?)</id>", in: plain[path])
            #expect(own == (try found("<id>(.*?)</id>", in: based[path])))
            ids += own
        }
        #expect(ids.count == 6 && Set(ids).count == 6)
        let form = "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
        #expect(ids.allSatisfy { $0.range(of: form, options: .regularExpression) != nil })
        let links = try found("<link [^>]*href=\"(.*?)\"", in: plain["ru/feed.xml"])
        #expect(links == ["feed.xml", "changes.html", "revision/3.html", "revision/2.html"])
        #expect(
            try found("<link [^>]*href=\"(.*?)\"", in: based["ru/feed.xml"])
                == links.map { "https://example.org/kept/ru/\($0)" })
        #expect(
            try found("<updated>(.*?)</updated>", in: plain["feed.xml"]) == [
                "2017-02-03T00:00:00Z", "2017-02-03T00:00:00Z", "2016-10-26T00:00:00Z",
            ])
    }

    @Test func `An entry lists additions, removals and changes with bounded values`() async throws {
        let friends = (1...40).map { "\"\($0)\"" }.joined(separator: ",")
        let changes = try await Changes([
            (
                17_000,
                [
                    1: #""name":"Ada","friends":["2","3"]"#, 2: #""name":"Ben","friends":["1","3"]"#,
                    3: #""name":"Cid","friends":[]"#,
                ]
            ),
            (
                17_100,
                [
                    1: #""name":"Eve","friends":["2","4"]"#, 2: #""name":"Ben","friends":["3","1"]"#,
                    4: #""name":"Dan","friends":[\#(friends)]"#,
                ]
            ),
        ])
        let feed = try #require(try changes.feeds()["feed.xml"])
        let lines = feed.split(separator: "\n").filter { $0.hasPrefix("<li>") }.map(String.init)
        #expect(
            lines == [
                #"<li>Added: <a href="thing/4.html">Dan</a></li>"#, "<li>Removed: Cid</li>",
                #"<li><a href="thing/1.html">Eve</a>: Name: Ada → Eve; friends: Added 1, Removed 1</li>"#,
                #"<li><a href="thing/2.html">Ben</a>: friends: Only the order changed</li>"#,
            ])
        #expect(
            feed.contains("<title>2016-10-26: Added: 1 character; Removed: 1 character; Changed: 2 characters</title>"))
    }

    @Test func `A source with one revision has a feed without entries`() async throws {
        let feed = try #require(try await Changes([(17_000, [1: #""name":"Ada""#])]).feeds()["feed.xml"])
        #expect(try faults(in: feed).isEmpty)
        #expect(!feed.contains("<entry>") && feed.contains("<updated>2016-07-18T00:00:00Z</updated>"))
    }
}
