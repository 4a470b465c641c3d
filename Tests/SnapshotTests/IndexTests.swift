import Testing

@testable import Snapshot

@Suite("An index of a web archive")
struct IndexTests {
    /// What the Internet Archive's own program makes of them; `make judges` asks it.
    @Test(arguments: [
        ("http://127.0.0.1:8090/api/character/?page=2", "1,0,0,127:8090)/api/character?page=2"),
        ("https://API.example.org/api/Thing/1.jpeg", "org,example,api)/api/thing/1.jpeg"),
        ("http://www2.Example.org:80/", "org,example)/"),
        ("https://example.org", "org,example)/"),
        ("https://u:p@example.org:443/a//b/?b=2&a=1&A&a=#part", "org,example)/a/b?a&a=&a=1&b=2"),
        ("https://example.org/%7Ea/%20x/%C3%96?q=%26", "org,example)/~a/%20x/%c3%96?&q="),
        ("https://example.org/x?", "org,example)/x"),
        ("http://[::1]:80/a", "::1)/a"),
    ])
    func `has keys as the Internet Archive's`(url: String, key: String) {
        #expect(SURT.key(url) == key)
    }

    @Test func `has whole lines in the order of their bytes, however much they share with the first one`() {
        let keys = ["b/a 1 ", "b/ 1 ", "b/a 2 ", "a 1 ", "b/b 1 ", "c 1 ", "b/a1 1 ", "b/a 1 "]
        let facts = ["{m/m}", "{m/n}", "{m/}", "{m/m}}", "", "{m/mm}"]
        let lines = keys.flatMap { key in facts.map { (key: Array(key.utf8), facts: Array($0.utf8)) } }
        var index = WACZIndex()
        for line in lines { index.append(key: line.key, facts: line.facts) }
        let sorted = lines.map { $0.key + $0.facts }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(Array(index.sorted()) == sorted)
        var empty = WACZIndex()
        #expect(Array(empty.sorted()).isEmpty)
    }

    /// RFC 4648, section 10.
    @Test func `has digests in base 32`() {
        let vectors = [
            "": "", "f": "MY======", "fo": "MZXQ====", "foo": "MZXW6===", "foob": "MZXW6YQ=", "fooba": "MZXW6YTB",
            "foobar": "MZXW6YTBOI======",
        ]
        for (text, coded) in vectors { #expect(Base32.text(Array(text.utf8)) == coded) }
    }
}
