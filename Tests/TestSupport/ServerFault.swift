import Foundation

/// A fault of a server. The fault matrix tests each fault with each kind of request.
public struct ServerFault: Sendable {
    /// The effect on a capture if the fault persists.
    public enum Nature: Sendable {
        /// There is no valid answer: a list page ends the capture, anything else is a gap.
        case lost
        /// Records in the answer are invalid: each is a gap.
        case unreadable
        /// The answer is valid.
        case harmless
        /// The list contradicts itself: it is read again, and finally the capture ends.
        case moved
        /// The server stops: the capture ends, and the next one continues it.
        case gone
    }

    /// The name in the matrix.
    public let name: String
    /// The action of the proxy.
    public let action: Fault.Action
    /// The effect if the fault persists.
    public let nature: Nature
    /// Texts that name the cause. A message must contain one of them.
    public let words: [String]

    /// Whether a message names the cause.
    public func isNamed(in sentence: String) -> Bool { words.isEmpty || words.contains { sentence.contains($0) } }

    init(_ name: String, _ words: String, _ action: Fault.Action) { self.init(name, .lost, words, action) }

    init(_ name: String, _ nature: Nature, _ words: String, _ action: Fault.Action) {
        self.name = name
        self.action = action
        self.nature = nature
        self.words = words.isEmpty ? [] : words.components(separatedBy: "|")
    }
}

/// The kinds of requests in the matrix.
public enum RequestKind: String, CaseIterable, Sendable {
    case firstPage = "first page"
    case laterPage = "later page"
    case location, episode
    case several = "multi-id"
    case avatar
}

extension ServerFault {
    /// Faults of the connection, of HTTP and of the content.
    public static let all: [ServerFault] =
        connection + statuses + bodies + records + [
            redirect("to another host", "http://127.0.0.1:1/elsewhere", "which is not on the API's host"),
            redirect("to a file", "file:///etc/passwd", "which is not on the API's host"),
            ServerFault(
                "redirect to itself", "redirected more than 10 times", .answer { Reply(302, [("Location", $0.target)]) }
            ),
            ServerFault(
                "unrequested 304", "answered 304 to an unconditional request",
                .answer { _ in Reply(304, [("ETag", "\"x\"")]) }),
            ServerFault("wrong ETag", .harmless, "", .answer { $0.with("ETag", "\"un\"quoted\", *") }),
            ServerFault(
                "endless ETag", .harmless, "",
                .answer { $0.with("ETag", "\"\(String(repeating: "a", count: 60_000))\"") }),
        ]

    /// In `make test` one fault for each reason to refuse an answer, in `make soak` all, and in a short soak some.
    public static let selected = Soak.many(all) {
        [
            "connection refused", "reset in the body", "429 with Retry-After in seconds", "502 with HTML",
            "200 with HTML", "nested 10,000 deep", "endless body", "gzip bomb", "missing keys", "unknown extra keys",
            "redirect to another host", "unrequested 304",
        ].contains($0.name)
    }

    /// Faults of lists, for pages after the first.
    public static let lists: [ServerFault] = [
        ServerFault(
            "count that changes", .moved, "records on",
            editing { $0.replacingOccurrences(of: #""count":\d+"#, with: #""count":999"#, options: .regularExpression) }
        ),
        ServerFault(
            "pages that shrink", .moved, "records on",
            editing { $0.replacingOccurrences(of: #""pages":\d+"#, with: #""pages":1"#, options: .regularExpression) }),
        ServerFault(
            "missing page", .moved, "answered 404, though the list claims this page",
            .answer { _ in
                Reply(404, [("Content-Type", "application/json")], Array(#"{"error":"There is nothing here"}"#.utf8))
            }),
        ServerFault(
            "page that repeats another's ids", .moved, "twice, the second time on page",
            editing { page in
                page.replacingOccurrences(of: #"\{"id":2(\d),"#, with: #"{"id":1$1,"#, options: .regularExpression)
            }),
        ServerFault(
            "page without records", .moved, "is empty, but the list claims",
            editing { page in
                page.replacingOccurrences(of: #""results":.*"#, with: #""results":[]}"#, options: .regularExpression)
            }),
    ]

    private typealias Reply = FaultyServer.Reply

    private static let connection: [ServerFault] = [
        ServerFault("connection refused", .gone, "no connection", .down(for: nil)),
        ServerFault("reset before the first byte", "the answer is incomplete", .reset),
        ServerFault(
            "reset in the body", "the answer is incomplete",
            .raw({ $0.with("Content-Length", "\($0.body.count)").head + half($0.body) }, reset: true)),
        ServerFault(
            "Content-Length longer than the body", "the answer is incomplete",
            .raw { $0.with("Content-Length", "\($0.body.count + 100)").head + $0.body }),
        ServerFault(
            "chunked body cut off", "the answer is incomplete",
            .raw {
                $0.with("Transfer-Encoding", "chunked").head + Array("\(String($0.body.count, radix: 16))\r\n".utf8)
                    + half($0.body)
            }),
        ServerFault("silence", "timed out", .hang(.seconds(3_600))),
        ServerFault("a byte a second", "timed out", .slow(bytes: 1, every: .seconds(1))),
    ]

    private static let statuses: [ServerFault] = [
        status(429, "with Retry-After in seconds", ("Retry-After", "120")),
        ServerFault(
            "429 with Retry-After as a date", "answered status 429",
            .answer { _ in
                Reply(429, [("Retry-After", date(in: 120))], Array("wait".utf8))
            }),
        status(429, "without Retry-After"),
        status(503, "with Retry-After", ("Retry-After", "120")),
        ServerFault(
            "500 with the API's client-error body", "answered status 500",
            .answer { _ in
                Reply(
                    500, [("Content-Type", "application/json")], Array(#"{"error":"Hey! you must provide an id"}"#.utf8)
                )
            }),
        ServerFault(
            "502 with HTML", "answered status 502", .answer { _ in Reply(502, [("Content-Type", "text/html")], html) }),
    ]

    private static let bodies: [ServerFault] = [
        body("200 with HTML", "is a web page (text/html), not JSON|is not a PNG", type: "text/html", html),
        body(
            "200 with an error object", "There is nothing here|is not a PNG|id: is missing|members are not all records",
            Array(#"{"error":"There is nothing here"}"#.utf8)),
        body("empty body", "is empty", []),
        ServerFault(
            "truncated JSON", "ends in the middle|is a damaged or incomplete",
            .answer { Reply($0.status, $0.headers, Array($0.body.prefix(20))) }),
        body(
            "JSON of another shape", "not an object|id: is missing|is not a PNG",
            Array(#"[1,{"info":[],"results":{}},null]"#.utf8)
        ),
        body(
            "nested 10,000 deep", "deep|ends in the middle|is not an object|is not a PNG",
            Array(repeating: UInt8(ascii: "["), count: 10_000)),
        ServerFault(
            "1 GiB body", "larger than",
            .endless({ $0.with("Content-Length", "\(1 << 30)").head }, piece: Array(repeating: 32, count: 65_536))),
        ServerFault(
            "endless body", "the body is larger than", .endless({ $0.head }, piece: Array(repeating: 32, count: 65_536))
        ),
        ServerFault(
            "gzip bomb", "has the content encoding gzip", .answer { $0.with("Content-Encoding", "gzip").withBody(bomb) }
        ),
        body("gzip bomb without its name", "is not an object|is not an array|is not a PNG", bomb),
        ServerFault(
            "wrong charset",
            "has a member without a name|is not an object|has no|is not a PNG|is a damaged or incomplete",
            .answer { reply in
                let text = String(decoding: reply.body, as: UTF8.self).data(using: .utf16LittleEndian) ?? Data()
                return reply.with("Content-Type", "application/json; charset=utf-16le").withBody(
                    Array(text.prefix(20_000)))
            }),
    ]

    private static let records: [ServerFault] = [
        ServerFault(
            "wrong types", .unreadable, "id: is not a whole number",
            editing { $0.replacingOccurrences(of: #"{"id":"#, with: #"{"id":"x","was":"#) }),
        ServerFault(
            "missing keys", .unreadable, "id: is missing",
            editing { $0.replacingOccurrences(of: #"{"id":"#, with: #"{"was":"#) }),
        ServerFault(
            "invalid UTF-8", .unreadable, "name: is not valid UTF-8",
            .answer { reply in
                let name = Array(#","name":""#.utf8)
                // A picture does not contain these bytes.
                let parts = reply.body.split(separator: name, omittingEmptySubsequences: false)
                return reply.withBody(Array(parts.joined(separator: name + [0xC3, 0x28])))
            }),
        ServerFault(
            "unknown extra keys", .harmless, "",
            editing { $0.replacingOccurrences(of: #","name":""#, with: #","extra":{"deep":[1,null]},"name":""#) }),
    ]

    private static func status(_ code: Int, _ how: String, _ headers: (name: String, value: String)...) -> ServerFault {
        ServerFault(
            "\(code) \(how)", "answered status \(code)", .answer { _ in Reply(code, headers, Array("wait".utf8)) })
    }

    private static func body(
        _ name: String, _ words: String, type: String = "application/json; charset=utf-8", _ bytes: [UInt8]
    )
        -> ServerFault
    {
        ServerFault(name, words, .answer { _ in Reply(200, [("Content-Type", type)], bytes) })
    }

    private static func redirect(_ where: String, _ address: String, _ words: String) -> ServerFault {
        ServerFault("redirect \(`where`)", words, .answer { _ in Reply(302, [("Location", address)]) })
    }

    private static func editing(_ edit: @escaping @Sendable (String) -> String) -> Fault.Action {
        // A picture is not text and stays unchanged.
        .answer { reply in
            String(validating: reply.body, as: UTF8.self).map { reply.withBody(Array(edit($0).utf8)) } ?? reply
        }
    }

    private static func half(_ body: [UInt8]) -> [UInt8] { Array(body.prefix(body.count / 2)) }

    private static let html = Array("<!DOCTYPE html><html><body><h1>Bad gateway</h1></body></html>".utf8)

    /// The beginning of the output of `head -c 10485760 /dev/zero | gzip -9`, which decompresses to 10 MiB.
    private static let bomb: [UInt8] =
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xED, 0xC1, 1, 1, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 8]
        + [UInt8](repeating: 0, count: 10_000)

    private static func date(in seconds: Int) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: Date(timeIntervalSinceNow: Double(seconds)))
    }
}

extension FaultyServer.Reply {
    func withBody(_ body: [UInt8]) -> FaultyServer.Reply {
        var copy = self
        copy.body = body
        return copy
    }
}
