import Glibc
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1)))
struct ServerLimitTests {
    private func server(hosts: [String] = [], headerLimit: Duration = .seconds(1)) throws -> HTTPServer {
        try HTTPServer(hosts: hosts, headerLimit: headerLimit) { request in
            var answer = ServerAnswer.text(200, "answer to \(request.path)")
            if request.path == "/late" { answer.delay = .seconds(3) }
            if request.path == "/large" { answer.body = .bytes([UInt8](repeating: 65, count: 30 << 20)) }
            return answer
        }
    }

    @Test(
        arguments: [
            "localhost", "LocalHost:8000", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8000", "proxy.example",
            "Proxy.Example:443",
            "[FE80::1]:80", "127.0.0.1:", "localhost.", "LOCALHOST.:80", "proxy.example.", "dotted.example",
        ])
    func `Local and allowed host names are accepted with any port`(host: String) throws {
        let server = try server(hosts: ["proxy.example", "[fe80::1]", "dotted.example."])
        defer { server.stop() }
        #expect(try Socket(server.port).ask("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n").text == "answer to /a")
    }

    @Test(
        arguments: [
            "rebound.example", "rebound.example:8000", "localhost.rebound.example", "127.0.0.1.nip.io", "127.0.0.2",
            "0.0.0.0", "[::]",
            "2130706433", "proxy.example.evil",
        ])
    func `Other host names are refused, against DNS rebinding`(host: String) throws {
        let server = try server(hosts: ["proxy.example"])
        defer { server.stop() }
        let reply = try Socket(server.port).ask("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let name = host.split(separator: ":80")[0]
        #expect(reply.status == 403)
        #expect(reply.text == "This server does not answer for the host \(name). Allow it with --allow-host \(name).\n")
        #expect(reply.header("X-Content-Type-Options") == "nosniff")
    }

    @Test(
        arguments: [
            "", "Host:\r\n", "Host: a b\r\n", "Host: <script>\r\n", "Host: localhost\r\nHost: localhost\r\n",
            "Host: localhost:x\r\n",
            "Host: .\r\n", "Host: [::1\r\n", "Host: ::1\r\n", "Host: user@localhost\r\n", "Host: [::1]x\r\n",
        ])
    func `An HTTP/1.1 request needs exactly one valid Host`(header: String) throws {
        let server = try server()
        defer { server.stop() }
        #expect(try Socket(server.port).ask("GET / HTTP/1.1\r\n\(header)\r\n").status == 400)
    }

    @Test func `An HTTP/1.0 request needs no Host, but the name of another host is refused`() throws {
        let server = try server()
        defer { server.stop() }
        #expect(try Socket(server.port).ask("GET / HTTP/1.0\r\n\r\n").status == 200)
        #expect(try Socket(server.port).ask("GET / HTTP/1.0\r\nHost: rebound.example\r\n\r\n").status == 403)
    }

    @Test func `A connection is closed if its header does not arrive in time`() throws {
        let server = try server()
        defer { server.stop() }
        let silent = try Socket(server.port)
        let halting = try Socket(server.port)
        halting.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
        let again = try Socket(server.port)
        #expect(again.ask("GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n").text == "answer to /first")
        let start = ContinuousClock.now
        var open: [Socket] = [silent, halting, again]
        while !open.isEmpty, ContinuousClock.now - start < .seconds(10) {
            halting.send("X")
            again.send("G")
            wait(0.1)
            open.removeAll { $0.isClosed }
        }
        #expect(open.isEmpty)
        #expect(ContinuousClock.now - start > .milliseconds(900))
    }

    @Test func `Slow answers and idle connections may exceed the header limit`() throws {
        let server = try server()
        defer { server.stop() }
        let (idle, late, large) = (try Socket(server.port), try Socket(server.port), try Socket(server.port))
        #expect(idle.ask("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n").text == "answer to /1")
        late.send("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n")
        large.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(late.reply().text == "answer to /late")
        // The client has not read the large answer for three seconds.
        #expect(large.reply().body.count == 30 << 20)
        #expect(idle.ask("GET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n").text == "answer to /2")
        #expect(late.ask("GET /3 HTTP/1.1\r\nHost: localhost\r\n\r\n").text == "answer to /3")
    }

    @Test func `The server stops immediately despite a hanging client and releases its port`() throws {
        let server = try HTTPServer { _ in
            var answer = ServerAnswer()
            answer.delay = .seconds(60)
            return answer
        }
        let client = try Client(server.port, "/")
        wait(0.2)
        #expect(ContinuousClock().measure { server.stop() } < .seconds(10))
        #expect(client.reply().status == 0)
        #expect(throws: Client.Refused.self) { try Client(server.port, "/") }
        try HTTPServer(port: UInt16(server.port)) { _ in ServerAnswer() }.stop()
    }

    @Test func `A port in use is reported`() throws {
        let server = try server()
        defer { server.stop() }
        let error = #expect(throws: ServerError.self) {
            try HTTPServer(port: UInt16(server.port)) { _ in ServerAnswer() }
        }
        #expect(
            error?.description
                == "port \(server.port) on 127.0.0.1 is in use by another program; choose another port, or 0 for any free port"
        )
    }

    @Test func `Answers beyond the byte budget get 503 until memory is free`() throws {
        let body = [UInt8](repeating: 65, count: 30 << 20)
        let server = try HTTPServer(bodyBudget: 40 << 20, slowAnswer: .seconds(600)) { request in
            ServerAnswer(body: .bytes(request.path == "/large" ? body : Array(body[..<(15 << 20)])))
        }
        defer { server.stop() }
        let large = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
        var reader: Socket? = try Socket(server.port)
        reader?.send(large)
        #expect(reader?.status == 200)
        for target in ["/large", "/small"] {
            let refused = try Socket(server.port).ask("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(refused.status == 503)
            #expect(refused.header("Retry-After") == "1")
            #expect(refused.body.isEmpty)
        }

        reader = nil
        var status = 503
        let start = ContinuousClock.now
        while status != 200, ContinuousClock.now - start < .seconds(20) {
            let next = try Socket(server.port)
            next.send(large)
            status = next.status
            if status != 200 { wait(0.02) }
        }
        #expect(status == 200)
    }

    @Test func `The oldest unread answer is closed when its memory is needed`() throws {
        let body = [UInt8](repeating: 65, count: 30 << 20)
        let server = try HTTPServer(bodyBudget: 40 << 20, slowAnswer: .zero) { _ in ServerAnswer(body: .bytes(body)) }
        defer { server.stop() }
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let slow = try Socket(server.port)
        slow.send(request)
        #expect(slow.status == 200)
        let next = try Socket(server.port)
        next.send(request)
        #expect(next.status == 200)
    }

    @Test func `The memory of each sent answer is released`() throws {
        let server = try HTTPServer(bodyBudget: 40_000) { _ in
            ServerAnswer(body: .bytes([UInt8](repeating: 65, count: 30_000)))
        }
        defer { server.stop() }
        let socket = try Socket(server.port)
        for _ in 0..<10 {
            #expect(socket.ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").body.count == 30_000)
        }
    }

    @Test(arguments: [152, 256, 1_024, 4_999, 5_000, 1_048_576])
    func `All connections can send files without using all descriptors`(limit: Int) {
        let connections = HTTPServer.maximumConnections(descriptors: limit)
        #expect(connections == min(1_000, limit / 5))
        #expect(limit - 4 * connections >= 24)
    }

    @Test(arguments: [false, true])
    func `The server answers before the limit of 1,000 idle connections ends them`(haveAsked: Bool) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try #require(limit.rlim_cur >= 2_500, "this test needs 2,500 open files; allow more with: ulimit -n 2500")
        let server = try server(headerLimit: .seconds(60))
        defer { server.stop() }
        var crowd: [Socket] = []
        for number in 0..<1_000 {
            let socket = try Socket(server.port)
            if haveAsked { #expect(socket.ask("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200) }
            crowd.append(socket)
        }
        for _ in 0..<20 {
            let start = ContinuousClock.now
            let reply = try Socket(server.port).ask("GET /more HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try #require(reply.text == "answer to /more")
            #expect(ContinuousClock.now - start < .seconds(30), "the limit is 60 seconds")
        }
        #expect(crowd[0].isClosed, "the oldest connection is closed first")
        #expect(crowd.last?.isClosed == false)
    }
}
