import Glibc
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FramingTests {
    private func server() throws -> HTTPServer {
        try HTTPServer(headerLimit: .seconds(1)) { .text(200, "answer to \($0.path)") }
    }

    /// Sends a POST request with these headers, and bytes that a careless server reads as a second request.
    private func refusal(ofHeaders rest: String) throws -> Client.Reply {
        let server = try server()
        defer { server.stop() }
        let socket = try Socket(server.port)
        let reply = socket.ask(
            "POST / HTTP/1.1\r\nHost: localhost\r\n\(rest)GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(reply.status == 400)
        #expect(!reply.text.contains("answer"))
        #expect(socket.ask("GET /third HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 0, "the connection is closed")
        return reply
    }

    @Test(
        arguments: [
            "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: \u{b}chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
            "Content-Length: 5\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        ])
    func `A request with two lengths is refused, and nothing after it is read`(rest: String) throws {
        _ = try refusal(ofHeaders: rest)
    }

    @Test(
        arguments: [
            "Content-Length : 49", "Content-Length\t: 49", "Content-Length: 0\r\nContent-Length : 49",
            "Content-Length:\r\n 49", "Content-Length:\r\n\t49", "Content-Length: 4\r\n 9",
            "Content-: 49\r\n Length", "X: y\r\n z", " Content-Length: 49", "X: y\rContent-Length: 49",
            ": x", ":", ": x\r\nContent-Length: 49", "X: y\u{0}z", "X: y\u{0}z\r\nA: b", "X: \u{0}",
            "Transfer-Encoding: chunked\u{0}x", "Content-Length: 49\u{0} 1", "X: y\u{1}", "X: y\u{7f}", "X(): y",
            "Transfer-Encoding : chunked", "Transfer-Encoding:\r\n chunked",
        ])
    func `An ambiguous header is refused, and nothing after it is read`(header: String) throws {
        let reply = try refusal(ofHeaders: "\(header)\r\n\r\n")
        #expect(reply.header("Connection") == "close")
        #expect(reply.text.contains(" request header "))
    }

    @Test func `All headers that RFC 9110 allows are accepted`() throws {
        let server = try server()
        defer { server.stop() }
        let headers = ["!#$%&'*+-.^_`|~09azAZ: x", "X:", "X: ", "X:y", "X: \t a\tb \t", "X: é\u{301}", "x: a: b"]
        let socket = try Socket(server.port)
        for header in headers + [headers.joined(separator: "\r\n")] {
            #expect(socket.ask("GET /a HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n\r\n").text == "answer to /a")
        }
        let body = "POST /b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"
        #expect(socket.ask(body).text == "answer to /b")
    }

    @Test(
        arguments: [
            "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody",
            "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: content-LENGTH\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX-Transfer-Encoding: chunked\r\n\r\n",
            "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4;a\nbody\r\n0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 9_000))\r\n\r\n",
            "GET / HTTP/1.1\nHost: localhost\n\n", "GET / HTTP/1.1\r\nHost: localhost\n\r\n",
        ])
    func `Nothing is read after a request that may have a body`(request: String) throws {
        let server = try server()
        defer { server.stop() }
        let text = try Socket(server.port).everything(
            after: "\(request)GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("answer to /"), "\(text)")
        #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
    }

    @Test func `Nothing is read after a body of 2^64-1 bytes`() throws {
        let server = try server()
        defer { server.stop() }
        let socket = try Socket(server.port)
        let second = "GET /second HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let length = "Content-Length: 18446744073709551615"
        socket.send("POST / HTTP/1.1\r\nHost: localhost\r\n\(length)\r\n\r\n\(second)")
        shutdown(socket.socket, Int32(SHUT_WR))
        #expect(!socket.everything().contains("/second"))
    }

    @Test func `Nothing is read after a header folded at the end of the server's buffer`() throws {
        let server = try server()
        defer { server.stop() }
        let second = "GET /second HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        for count in 16_200..<16_400 {
            let padding = String(repeating: "p", count: count)
            let text = try Socket(server.port).everything(
                after:
                    "POST / HTTP/1.1\r\nHost: localhost\r\nX: \(padding)\r\nContent-Length:  \r\n 66\r\n\r\n\(second)")
            #expect(!text.contains("/second"), "\(count)")
        }
    }
}
