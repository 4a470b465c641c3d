import Platform
import TestSupport
import Testing

@testable import HTTP

/// A scripted server, and an artificial clock. Waits take no real time.
private final class Stage: Sendable {
    enum Answer: Sendable {
        case status(Int, retryAfter: Int = 0, header: String = "")
        case fault(HTTPError.Cause)
    }

    private struct State {
        var script: [Answer]
        var now = 0.0
        var sent: [Double] = []
        var waits: [Double] = []
        var notices: [String] = []
    }

    private let state: Locked<State>
    let url: WebURL

    init(_ script: Answer...) throws {
        state = Locked(State(script: script))
        url = try #require(WebURL("http://api.test/x"))
    }

    /// When each request was sent, and the seconds of each wait.
    var sent: [Double] { state.withLock { $0.sent } }
    var waits: [Double] { state.withLock { $0.waits } }
    var notices: [String] { state.withLock { $0.notices } }

    func pass(_ seconds: Double) { state.withLock { $0.now += seconds } }

    /// The client of this stage; the last answer of the script repeats.
    var client: RetryingClient {
        let client = Client { [self] (request) async throws(HTTPError) in
            let answer = state.withLock {
                $0.sent.append($0.now)
                return $0.script.count > 1 ? $0.script.removeFirst() : $0.script[0]
            }
            switch answer {
            case .status(let status, let after, let header):
                return Response(
                    status: status, rawHeaders: Array(((after > 0 ? "Retry-After: \(after)\r\n" : "") + header).utf8),
                    body: .bytes([1]),
                    url: request.url, received: 0)
            case .fault(let cause): throw HTTPError(cause, url: request.url.text, reason: "failed")
            }
        }
        let clock = HTTP.Clock(
            now: { [self] in state.withLock { $0.now } },
            sleep: { [self] seconds in
                try Task.checkCancellation()
                state.withLock {
                    $0.now += seconds
                    $0.waits.append(seconds)
                }
            })
        return RetryingClient(client, clock: clock, random: { 1 }) { [self] url, reason, seconds in
            state.withLock { $0.notices.append("\(url): \(reason), \(seconds)") }
        }
    }

    func send(
        judge: @Sendable (Response) async throws(HTTPError) -> Int = { $0.status }
    ) async throws
        -> Int
    {
        try await client.send(Request(url), judge: judge)
    }
}

struct RetryingClientTests {
    private func error(_ cause: HTTPError.Cause, _ reason: String) -> HTTPError {
        HTTPError(cause, url: "http://api.test/x", reason: reason)
    }

    @Test func `Temporary faults are retried, and each wait is reported`() async throws {
        let stage = try Stage(.fault(.connect), .status(503), .fault(.truncated), .fault(.timeout), .status(200))
        #expect(try await stage.send() == 200)
        #expect(stage.waits == [1, 2, 4, 8])
        let expected = ["failed, 1.0", "answered status 503, 2.0", "failed, 4.0", "failed, 8.0"].map {
            "http://api.test/x: \($0)"
        }
        #expect(stage.notices == expected)
    }

    @Test func `A request fails after five attempts, and the error says so`() async throws {
        let stage = try Stage(.status(503))
        await #expect(throws: error(.status(503), "answered status 503 (5 attempts)")) { try await stage.send() }
        #expect(stage.sent.count == 5)
    }

    @Test(arguments: [500, 0])
    func `The total number of retries is limited`(status: Int) async throws {
        // The status 0 means responses with status 200 and unexpected content.
        let stage = try Stage(.status(status == 0 ? 200 : status))
        let client = stage.client
        let url = stage.url
        for _ in 1...600 {
            await #expect(throws: HTTPError.self) {
                try await client.send(Request(url)) { _ in throw self.error(.refused, "is bad") } as Int
            }
        }
        #expect(stage.sent.count == 2 * 500 + 100)
    }

    @Test func `Doubtful faults are retried once, and permanent ones never`() async throws {
        for status in [400, 403, 500] {
            let server = try Stage(.status(status))
            await #expect(throws: error(.status(status), "answered status \(status) (2 attempts)")) {
                try await server.send()
            }
            #expect(server.sent.count == 2)
        }
        for cause in [HTTPError.Cause.tls, .refused] {
            let stage = try Stage(.fault(cause))
            await #expect(throws: error(cause, "failed (2 attempts)")) { try await stage.send() }
            #expect(stage.sent.count == 2)
        }
        for cause in [HTTPError.Cause.name, .disk] {
            let stage = try Stage(.fault(cause))
            await #expect(throws: error(cause, "failed")) { try await stage.send() }
            #expect(stage.sent.count == 1)
        }
    }

    @Test(
        arguments: [Stage.Answer.status(400), .status(403), .fault(.refused)])
    private func `A temporary 400, 403 or refusal is retried`(first: Stage.Answer) async throws {
        #expect(try await Stage(first, .status(200)).send() == 200)
    }

    @Test func `Name and TLS faults are retried once the server has answered`() async throws {
        for cause in [HTTPError.Cause.name, .tls] {
            let stage = try Stage(.status(503), .fault(cause), .fault(cause), .fault(cause), .status(200))
            #expect(try await stage.send() == 200, "\(cause)")
        }
        let stage = try Stage(.status(404), .fault(.name), .status(200))
        let client = stage.client
        #expect(try await client.send(Request(stage.url)) { $0.status } == 404)
        #expect(try await client.send(Request(stage.url)) { $0.status } == 200)
    }

    @Test(arguments: [200, 206, 299, 304, 404])
    func `The judge gets responses with status 200 to 299, 304 and 404`(status: Int) async throws {
        #expect(try await Stage(.status(status)).send() == status)
    }

    @Test func `A client pauses when the server accepts no more requests`() async throws {
        let stage = try Stage(
            .status(200, header: "RateLimit: limit=9, remaining=1, reset=7\r\n"),
            .status(200, header: "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 5\r\n"), .status(200))
        let client = stage.client
        for _ in 1...3 { _ = try await client.send(Request(stage.url)) { $0.status } }
        #expect(stage.sent == [0, 0, 5])
        #expect(stage.notices == ["http://api.test/x: the server asked for a pause, 5.0"])
    }

    @Test func `An announced pause over the maximum is ignored`() async throws {
        let stage = try Stage(.status(200, header: "RateLimit-Remaining: 0\r\nRateLimit-Reset: 301\r\n"), .status(200))
        let client = stage.client
        for _ in 1...2 { _ = try await client.send(Request(stage.url)) { $0.status } }
        #expect(stage.sent == [0, 0])
    }

    @Test(
        arguments: [
            ("RateLimit: limit=100, remaining=50, reset=5", 50, 5),
            ("RateLimit: \"default\";r=50;t=30", 50, 30),
            ("RateLimit: \"default\";r=50;t=5, \"daily\";r=9;t=99", 9, 99),
            ("RateLimit-Limit: 10\r\nratelimit-remaining: 3\r\nRateLimit-Reset: 2", 3, 2),
            ("X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 1700000060", 0, 60),
            ("X-RateLimit-Remaining: 4\r\nX-RateLimit-Reset: 1600000000", 4, 0),
            ("X-RateLimit-Remaining: 0", nil, 0), ("RateLimit: remaining=-1, reset=5", nil, 0),
            ("RateLimit: remaining=99999999999999999999, reset=5", nil, 0), ("RateLimit-Policy: \"a\";q=9;w=1", nil, 0),
            ("X-RateLimit-Remaining: one\r\nX-RateLimit-Reset: 5", nil, 0),
        ] as [(String, Int?, Int)])
    func `Announced limits are read in all their forms`(header: String, remaining: Int?, seconds: Int) {
        let limit = AnnouncedLimit.read([Header](parsing: Array("\(header)\r\n".utf8)), received: 1_700_000_000_000)
        #expect(limit?.remaining == remaining)
        if remaining != nil { #expect(limit?.seconds == seconds) }
    }

    @Test func `A wait is at least as long as Retry-After and the policy's delay`() async throws {
        let stage = try Stage(.status(503, retryAfter: 7), .status(429, retryAfter: 1), .status(200))
        #expect(try await stage.send() == 200)
        #expect(stage.waits == [7, 2])
    }

    @Test func `A Retry-After over the maximum ends the request`() async throws {
        let stage = try Stage(.status(503, retryAfter: 301))
        let words =
            "answered status 503, and asks for a pause of 301 seconds, more than the limit of 300; run again later"
        await #expect(throws: error(.status(503), words)) { try await stage.send() }
        #expect(stage.waits.isEmpty)
    }

    @Test(arguments: [403, 429])
    func `A refusal that announces a pause over the maximum ends the request`(status: Int) async throws {
        let stage = try Stage(.status(status, header: "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 3600\r\n"))
        let words =
            "answered status \(status), and asks for a pause of 3600 seconds, more than the limit of 300; run again later"
        await #expect(throws: error(.status(status), words)) { try await stage.send() }
        #expect(stage.sent == [0])
    }

    @Test func `A refusal during a pause that another answer asked for is no failed attempt`() async throws {
        let (first, second) = (try #require(WebURL("http://api.test/1")), try #require(WebURL("http://api.test/2")))
        let state = Locked((time: 0.0, sent: [String](), hasPause: false))
        let client = Client { request in
            let count = state.withLock { state in
                state.sent.append("\(request.url.target) \(state.time)")
                return state.sent.count
            }
            // The second request is in flight when the first one is refused.
            while request.url == first ? state.withLock({ $0.sent.count }) < 2 : !state.withLock({ $0.hasPause }) {
                await Task.yield()
            }
            return Response(
                status: count <= 2 ? 429 : 200, rawHeaders: Array("Retry-After: 5\r\n".utf8), body: .bytes([]),
                url: request.url, received: 0)
        }
        let clock = HTTP.Clock(
            now: { state.withLock { $0.time } }, sleep: { seconds in state.withLock { $0.time += seconds } })
        var policy = RetryPolicy()
        policy.attempts = 1
        let retrying = RetryingClient(client, policy: policy, clock: clock)
        async let status = retrying.send(Request(second)) { $0.status }
        await #expect(throws: HTTPError.self) { try await retrying.send(Request(first)) { $0.status } }
        state.withLock { $0.hasPause = true }
        #expect(try await status == 200)
        #expect(state.withLock { $0.sent.last } == "/2 5.0")
    }

    @Test func `A Retry-After delays all later requests, even after a failure`() async throws {
        let stage = try Stage(
            .status(503), .status(503), .status(503), .status(503), .status(503, retryAfter: 40), .status(200))
        let client = stage.client
        await #expect(throws: HTTPError.self) {
            try await client.send(Request(stage.url)) { _ in 1 }
        }
        let refused = try #require(stage.sent.last)
        stage.pass(15)
        #expect(try await client.send(Request(stage.url)) { $0.status } == 200)
        #expect(stage.sent.last == refused + 40)
        #expect(stage.notices.last == "http://api.test/x: the server asked for a pause, 25.0")
    }

    @Test func `The judge decides between a retry and a refusal`() async throws {
        let patience = try Stage(.status(200))
        await #expect(throws: error(.content, "is half a page (5 attempts)")) {
            try await patience.send { _ throws(HTTPError) in throw self.error(.content, "is half a page") }
        }
        #expect(patience.sent.count == 5)
        let refusal = try Stage(.status(200))
        await #expect(throws: error(.refused, "is no page (2 attempts)")) {
            try await refusal.send { _ throws(HTTPError) in throw self.error(.refused, "is no page") }
        }
        #expect(refusal.sent.count == 2)
    }

    @Test func `A request that is cancelled while it waits is reported as cancelled`() async throws {
        let stage = try Stage(.status(503))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stage.send()
        }
        await #expect(throws: error(.cancelled, "was cancelled before the next attempt")) { try await task.value }
    }

    @Test(arguments: [503, 200])
    func `A large body that is not used is removed`(status: Int) async throws {
        let folder = try ScratchFolder()
        let url = try #require(WebURL("http://api.test/x"))
        let client = Client { (request) async throws(HTTPError) in
            do { try File.writeNew([1], to: folder["body"]) } catch {
                throw HTTPError(.disk, url: "", reason: "\(error)")
            }
            return Response(
                status: status, rawHeaders: [], body: .file(path: folder["body"], size: 1), url: url, received: 0)
        }
        var policy = RetryPolicy()
        policy.attempts = 1
        let patient = RetryingClient(client, policy: policy)
        await #expect(throws: HTTPError.self) {
            try await patient.send(Request(url)) { _ in throw self.error(.refused, "no") } as Int
        }
        #expect(try Folder.names(in: folder.path) == [])
    }
}
