import Discovery
import HTTP
import Platform
import Testing

struct WordPressTests {
    private static let relation = #"rel="https://api.w.org/""#

    @Test(arguments: [
        ("Link: </v1/a>; rel=shortlink\r\nLink: <https://blog.example/v1/api/>; \(relation)\r\n", "", "/api/", "/api/"),
        (
            "", "<p>a<link \(relation) href='https://blog.example/v1/in-page/?a&amp;b=/'>", "/in-page/?a&b=/",
            "/in-page/?a&b=/"
        ),
        ("", "", "/wp-json/", "/wp-json/"),
        ("", "", "/?rest_route=/", "/?rest_route=/"),
        // A wrong link is no reason to give up.
        ("Link: <javascript:alert(1)>; \(relation)\r\n", "", "/wp-json/", "/wp-json/"),
        ("Link: <https://blog.example/v1/../../x\u{0}>; \(relation)\r\n", "", "/wp-json/", "/wp-json/"),
        ("", "<html>", "/other/", nil),
    ])
    func `The API is found from the address of the site`(header: String, page: String, place: String, root: String?)
        async throws
    {
        let client = client { target in
            target == "/" ? (header, page) : target == "\(place)wp/v2" ? ("", #"{"routes":{"/wp/v2/posts":{}}}"#) : nil
        }
        let found = await APISurvey(client, api: "https://blog.example/v1").wordPressRoot()
        #expect(found?.address == root.map { "https://blog.example/v1\($0)" } && found?.isElsewhere != true)
    }

    @Test func `An API on another host is not asked`() async throws {
        let asked = Locked<[String]>([])
        let client = client { target in
            asked.withLock { $0.append(target) }
            return ("Link: <https://evil.example/wp-json/>; \(Self.relation)\r\n", #"{"routes":{"/wp/v2/posts":{}}}"#)
        }
        let found = await APISurvey(client, api: "https://blog.example").wordPressRoot()
        #expect(found?.address == "https://evil.example/wp-json/" && found?.isElsewhere == true)
        #expect(asked.withLock(\.self) == ["/"])
    }
}
