import HTTP
import Testing

struct WebURLTests {
    @Test(
        arguments: [
            ("http://Example.com", "http://example.com:80", "/"),
            ("http://example.com:80/a?b=c#d", "http://example.com:80", "/a?b=c"),
            ("https://example.com/a/../b", "https://example.com:443", "/b"),
            ("HTTPS://example.com:8443/", "https://example.com:8443", "/"),
            ("http://[::1]:8080/x?", "http://[::1]:8080", "/x"),
            ("http://127.0.0.1:1/%20ä", "http://127.0.0.1:1", "/%20ä"),
        ])
    func `A URL has an origin with its port, and a request target`(
        text: String, origin: String, target: String
    ) throws {
        let url = try #require(WebURL(text))
        #expect(url.origin == origin)
        #expect(url.target == target)
        #expect(url.description == url.text)
    }

    @Test(
        arguments: [
            "", "example.com", "/path", "file:///etc/passwd", "ftp://example.com/", "gopher://x/",
            "http://user@example.com/",
            "http://user:secret@example.com/", "http://:secret@example.com/", "http://", "http://example.com:99999/",
            "http://exa mple.com/", "http://[::1/", "javascript:alert(1)",
        ])
    func `Other schemes, relative references and user names are refused`(text: String) {
        #expect(WebURL(text) == nil)
    }

    // A fuzzer found targets with a question mark that the URL's text does not contain.
    @Test(
        arguments: ["http://a/x?", "http://a?", "http://a/x?#y", "http://a/?x="])
    func `A URL is the same after its text is parsed again`(text: String) throws {
        let url = try #require(WebURL(text))
        #expect(WebURL(url.text) == url)
    }
}
