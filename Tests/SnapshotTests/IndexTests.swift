import Testing

@testable import Snapshot

struct IndexTests {
    /// The results of the Internet Archive's own program, which `make judges` runs.
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
    func `Keys of the index equal those of the Internet Archive's program`(url: String, key: String) {
        #expect(SURT.key(url) == key)
    }
}
