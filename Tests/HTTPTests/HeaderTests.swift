import HTTP
import Platform
import Testing

struct HeaderTests {
    private func parsed(_ block: String) -> [Header] { [Header](parsing: Array(block.utf8)) }

    @Test func `Names are unchanged, and values have no surrounding white space`() {
        let headers = parsed("HTTP/1.1 200 OK\r\nETag:\"x\"\r\nX-Long:  a b\t\r\nx-empty:\r\nDate: 10:20:30\r\n\r\n")
        #expect(
            headers == [
                Header("ETag", "\"x\""), Header("X-Long", "a b"), Header("x-empty", ""), Header("Date", "10:20:30"),
            ])
        #expect(headers["etag"] == "\"x\"" && headers["X-EMPTY"] == "" && headers["none"] == nil)
    }

    @Test func `Bare line feeds and an empty block are accepted`() {
        #expect(parsed("HTTP/1.1 200 OK\na: 1\nb: 2\n\n") == [Header("a", "1"), Header("b", "2")])
        #expect(parsed("") == [])
    }

    @Test func `If several fields have one name, the last value is used`() {
        #expect(parsed("A: 1\r\na: 2\r\n")["A"] == "2")
    }

    @Test func `A status line, and a line without a colon or name, is not a field`() {
        #expect(parsed("HTTP/1.1 200 OK: fine\r\nno colon here\r\n: nameless\r\nA: 1\r\n") == [Header("A", "1")])
    }

    @Test func `Only the first line is a status line`() {
        #expect(parsed("http/1.1 200 OK: fine\r\nHTTP/1.1 200 OK: x\r\n") == [Header("HTTP/1.1 200 OK", "x")])
    }

    @Test func `A list has the members of all fields with its name`() {
        let headers = parsed("A: 1, 2,\t,3 \r\nb: 9\r\na:4\r\na: \r\n")
        #expect(headers.list("a") == ["1", "2", "3", "4"] && headers.list("none") == [])
    }

    @Test func `A folded line continues the field's value (RFC 9112, section 5.2)`() {
        #expect(
            parsed("A: 1\r\n  ETag: no\r\n\tmore\r\nB: 2\r\n") == [Header("A", "1 ETag: no more"), Header("B", "2")])
        #expect(parsed("HTTP/1.1 200 OK\r\n folded: onto nothing\r\nB: 2\r\n") == [Header("B", "2")])
    }

    // A fuzzer found the errors that this test and the following tests check.
    @Test func `A carriage return within a line becomes a space (RFC 9112, section 2.2)`() {
        #expect(parsed("X: a\rb\r\nY\rZ: 1\r\r\n") == [Header("X", "a b"), Header("Y Z", "1")])
        #expect(parsed("A: 1\r\n\rHTTP/1.1: folded\r\n\r: too\r\n") == [Header("A", "1 HTTP/1.1: folded : too")])
    }

    @Test func `A selection contains only the requested fields, without continuation lines of others`() {
        let block = "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\nb: 3\r\n C: 4\r\nno colon\r\n 5\r\nC : 6\r\n 7\r\na:8\r\n\r\n"
        #expect(
            [Header](parsing: Array(block.utf8), only: ["a", "C"]) == [
                Header("A", "1 2"), Header("C", "6 7"), Header("a", "8"),
            ])
        #expect([Header](parsing: Array(block.utf8), only: ["D"]) == [])
    }

    @Test func `An empty continuation line adds no white space to the value`() {
        #expect(parsed("A: 1\r\n  \r\nB:\r\n 2\r\n\r\n") == [Header("A", "1"), Header("B", "2")])
    }
}
