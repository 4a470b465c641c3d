import HTTP
import Testing

@Suite("A web URL")
struct WebURLTests {
    @Test(
        "knows its origin with the port spelled out, and what its request line asks for",
        arguments: [
            ("http://Example.com", "http://example.com:80", "/"),
            ("http://example.com:80/a?b=c#d", "http://example.com:80", "/a?b=c"),
            ("https://example.com/a/../b", "https://example.com:443", "/b"),
            ("HTTPS://example.com:8443/", "https://example.com:8443", "/"),
            ("http://[::1]:8080/x?", "http://[::1]:8080", "/x"),
            ("http://127.0.0.1:1/%20ä", "http://127.0.0.1:1", "/%20ä"),
        ])
    func origins(text: String, origin: String, target: String) throws {
        let url = try #require(WebURL(text))
        #expect(url.origin == origin)
        #expect(url.target == target)
        #expect(url.description == url.text)
    }

    @Test(
        "is no other scheme, no relative reference, and carries no user name",
        arguments: [
            "", "example.com", "/path", "file:///etc/passwd", "ftp://example.com/", "gopher://x/",
            "http://user@example.com/",
            "http://user:secret@example.com/", "http://:secret@example.com/", "http://", "http://example.com:99999/",
            "http://exa mple.com/", "http://[::1/", "javascript:alert(1)",
        ])
    func refused(text: String) {
        #expect(WebURL(text) == nil)
    }

    // A fuzzer found that a lone question mark was in the target, but not in the text, which is what is sent.
    @Test(
        "asks for the same when it is read again",
        arguments: ["http://a/x?", "http://a?", "http://a/x?#y", "http://a/?x="])
    func again(text: String) throws {
        let url = try #require(WebURL(text))
        #expect(WebURL(url.text) == url)
    }
}
