import HTMLCheck
import Testing

struct LinkResolverTests {
    /// The path and fragment of a link, "external", or the reason of its refusal.
    private func resolve(_ target: String, on page: String) -> [String?] {
        var resolver = LinkResolver()
        let target = Array(target.utf8)
        let resolution = target.withUnsafeBufferPointer { target in
            Array(page.utf8).withUnsafeBufferPointer { resolver.resolve(target, on: $0) }
        }
        switch resolution {
        case .external: return ["external"]
        case .malformed(let why): return ["\(why)"]
        case .page(let hasFragment):
            let fragment = hasFragment ? String(decoding: resolver.fragment, as: UTF8.self) : nil
            return [String(decoding: resolver.path, as: UTF8.self), fragment]
        }
    }

    @Test(
        arguments: [
            ("../style.css", "character/1.html", "style.css", nil),
            ("2.html", "character/1.html", "character/2.html", nil),
            ("./2.html#x", "character/1.html", "character/2.html", "x"),
            ("", "character/1.html", "character/1.html", nil),
            ("#x", "index.html", "index.html", "x"),
            ("?q=1#x", "search.html", "search.html", "x"),
            ("a.html?q=a/b", "search.html", "a.html", nil),
            ("../", "character/1.html", "index.html", nil),
            ("..", "a/b/c.html", "a/index.html", nil),
            ("location/", "index.html", "location/index.html", nil),
            (".", "a/b.html", "a/index.html", nil),
            ("caf%C3%A9.html#%C3%A9", "index.html", "café.html", "é"),
            ("%2E%2E/x.html", "a/b.html", "x.html", nil),
            ("../../c/d/../e.html", "a/b/1.html", "c/e.html", nil),
        ] as [(String, String, String, String?)])
    func `A relative link resolves to a path of the site`(target: String, page: String, path: String, fragment: String?)
    {
        #expect(resolve(target, on: page) == [path, fragment])
    }

    @Test(arguments: [
        ("65535", true), ("80", true), ("65536", false), ("99999", false), ("100000", false), ("-1", false),
    ])
    func `The port of an address is at most 65535`(port: String, isValid: Bool) {
        #expect(WebAddress.isValid("https://a.org:\(port)/") == isValid)
    }

    @Test(arguments: ["http://a.org/", "https://a.org/b", "HTTPS://a.org", "mailto:a@b.org"])
    func `An absolute link is external`(target: String) {
        #expect(resolve(target, on: "a/b.html") == ["external"])
    }

    @Test(
        arguments: [
            ("/style.css", "the link begins with a slash; links must be relative"),
            ("//host/x", "the link begins with a slash; links must be relative"),
            ("javascript:alert(1)", "the link has a scheme other than http, https and mailto"),
            ("file:///etc", "the link has a scheme other than http, https and mailto"),
            ("data:,x", "the link has a scheme other than http, https and mailto"),
            ("../../x", "the link leads above the root of the site"),
            ("..%2Fx", "the link has a slash, backslash or control character inside a name"),
            ("a\\b", "the link has a slash, backslash or control character inside a name"),
            ("a//b", "the link has an empty segment"),
            ("%FF", "the percent-encoded text of the link is not UTF-8"),
            ("a%2", "the link has a % without two hexadecimal digits"),
        ])
    func `A link that a site may not contain is refused with its reason`(target: String, why: String) {
        #expect(resolve(target, on: "a/b.html") == [why])
    }

    @Test func `Only the page for missing paths may have links from the root of the server`() {
        let refused = ["the link begins with a slash; links must be relative"]
        #expect(resolve("/", on: "404.html") == ["index.html", nil])
        #expect(resolve("/", on: "index.html") == refused && resolve("/", on: "ru/404.html") == refused)
        #expect(resolve("/style.css", on: "404.html") == ["style.css", nil])
        #expect(resolve("//a", on: "404.html") == ["the link has an empty segment"])
        #expect(resolve("/../a", on: "404.html") == ["the link leads above the root of the site"])
    }
}
