import HTTP
import Testing

@Suite("A header block")
struct HeaderTests {
    private func parsed(_ block: String) -> [Header] { [Header](parsing: Array(block.utf8)) }

    @Test("is read field by field, names as sent, values without white space around them")
    func fields() {
        let headers = parsed("HTTP/1.1 200 OK\r\nETag:\"x\"\r\nX-Long:  a b\t\r\nx-empty:\r\nDate: 10:20:30\r\n\r\n")
        #expect(
            headers == [
                Header("ETag", "\"x\""), Header("X-Long", "a b"), Header("x-empty", ""), Header("Date", "10:20:30"),
            ])
        #expect(headers["etag"] == "\"x\"" && headers["X-EMPTY"] == "" && headers["none"] == nil)
    }

    @Test("with bare line feeds, and of nothing, is read as well")
    func lineFeeds() {
        #expect(parsed("HTTP/1.1 200 OK\na: 1\nb: 2\n\n") == [Header("a", "1"), Header("b", "2")])
        #expect(parsed("") == [])
    }

    @Test("answers the last of several fields of one name")
    func last() {
        #expect(parsed("A: 1\r\na: 2\r\n")["A"] == "2")
    }

    @Test("has no field in its status line, in a line without a colon, or without a name")
    func odd() {
        #expect(parsed("HTTP/1.1 200 OK: fine\r\nno colon here\r\n: nameless\r\nA: 1\r\n") == [Header("A", "1")])
    }

    @Test("has a status line in its first line only, so that no field can pose as one")
    func statusLine() {
        #expect(parsed("http/1.1 200 OK: fine\r\nHTTP/1.1 200 OK: x\r\n") == [Header("HTTP/1.1 200 OK", "x")])
    }

    @Test("answers the members of a list, from all of its fields")
    func list() {
        let headers = parsed("A: 1, 2,\t,3 \r\nb: 9\r\na:4\r\na: \r\n")
        #expect(headers.list("a") == ["1", "2", "3", "4"] && headers.list("none") == [])
    }

    @Test("that is folded goes on with the field's value, whatever the line looks like (RFC 9112, section 5.2)")
    func folded() {
        #expect(
            parsed("A: 1\r\n  ETag: no\r\n\tmore\r\nB: 2\r\n") == [Header("A", "1 ETag: no more"), Header("B", "2")])
        #expect(parsed("HTTP/1.1 200 OK\r\n folded: onto nothing\r\nB: 2\r\n") == [Header("B", "2")])
    }

    // What a fuzzer found, as what follows.
    @Test("with a carriage return within a line has a space in its place (RFC 9112, section 2.2)")
    func bareCarriageReturn() {
        #expect(parsed("X: a\rb\r\nY\rZ: 1\r\r\n") == [Header("X", "a b"), Header("Y Z", "1")])
        #expect(parsed("A: 1\r\n\rHTTP/1.1: folded\r\n\r: too\r\n") == [Header("A", "1 HTTP/1.1: folded : too")])
    }

    @Test("of which only some fields are wanted has those alone, whole, and nothing that was folded onto others")
    func only() {
        let block = "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\nb: 3\r\n C: 4\r\nno colon\r\n 5\r\nC : 6\r\n 7\r\na:8\r\n\r\n"
        #expect(
            [Header](parsing: Array(block.utf8), only: ["a", "C"]) == [
                Header("A", "1 2"), Header("C", "6 7"), Header("a", "8"),
            ])
        #expect([Header](parsing: Array(block.utf8), only: ["D"]) == [])
    }

    @Test("folded onto nothing, or with nothing, has no white space around its value")
    func foldedEmpty() {
        #expect(parsed("A: 1\r\n  \r\nB:\r\n 2\r\n\r\n") == [Header("A", "1"), Header("B", "2")])
    }
}
