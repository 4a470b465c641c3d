import Archive
import Capture
import Catalogue
import Foundation
import HTTP
import Platform
import TestSupport
import Testing

struct SecretsTests {
    private static let token = "p/ss wörd+1".replacing("ö", with: "o")
    private static let list =
        #"{"path":"{list}?key={env:TOKEN}","paginator":{"type":"json_link","next":"next"},"records":"items"}"#

    private static func secrets(_ header: String = "Token {env:TOKEN}") -> Secrets {
        Secrets(headers: [Header("Authorization", header)], values: [("TOKEN", token)], api: FakeAPI.base)
    }

    /// All forms of the token that a server could send back.
    private static var forms: [String] {
        let encoded = percentEncoded(token)
        return [
            token, encoded, encoded.replacing("%2F", with: "%2f").replacing("%2B", with: "%2b"),
            token.replacing("/", with: "\\/"),
            Data(token.utf8).base64EncodedString(), encoded.replacing("%2F", with: "/"),
            String(Data(token.utf8).base64EncodedString().prefix { $0 != "=" }),
        ]
    }

    @Test func `A secret is sent to the API only, and no byte of it is stored`() async throws {
        let sent = Locked<[String]>([])
        // A server can also escape letters that need no escape.
        let escaped = Self.token.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
        let echo = (Self.forms + [escaped]).map { #""\#($0)""# }.joined(separator: ",")
        let api = ItemAPI { path, query in
            sent.withLock { $0.append(query["key"] ?? "") }
            let next =
                query["page"] == nil ? #""\#(FakeAPI.base)/item?page=2&key=\#(percentEncoded(Self.token))""# : "null"
            let ids = query["page"] == nil ? 1...3 : 4...7
            let items = ItemAPI.items(ids).map { $0.dropLast() + #","echo":[\#(echo)]}"# }
            return (
                200, "X-Echo: \(Self.token)\r\nSet-Cookie: a=\(Self.token)\r\n more\r\n",
                #"{"next":\#(next),"items":[\#(items.joined(separator: ","))]}"#
            )
        }
        var captures = try captures(Self.list, api)
        let seen = Locked<[Header]>([])
        let client = Client { [inner = captures.client] (request) async throws(HTTPError) in
            seen.withLock { $0 += request.headers.filter { $0.name == "Authorization" } }
            return try await inner.send(request)
        }
        captures.client = client.adding(Self.secrets())
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty)
        #expect(try captures.numbers(of: "item") == Array(1...7))
        #expect(sent.withLock { $0 } == [Self.token, Self.token])
        let header = Header("Authorization", "Token \(Self.token)")
        #expect(seen.withLock { $0 } == [header, header])
        #expect(try await captures.run().isUnchanged)
        for file in try Folder.files(below: captures.folder.path) {
            let bytes = try File.read("\(captures.folder.path)/\(file)")
            for form in Self.forms {
                let isFound = bytes.contains(Array(form.utf8))
                #expect(!isFound, "\(file) has \(form)")
            }
            let hasPlaceholder = bytes.contains(Array("{env:TOKEN}".utf8))
            #expect(hasPlaceholder == file.hasSuffix(".sqlite"), "\(file)")
        }
        let answers = try RevisionReader(report.revision, in: captures.folder).answers(as: .page)
        #expect(answers.count == 2)
        for answer in answers {
            let headers = [Header](parsing: answer.headers)
            #expect(headers["Amber-Redacted"] == "1" && headers["Set-Cookie"] == nil)
            #expect(headers["X-Echo"] == "{env:TOKEN}")
        }
    }

    @Test func `Requests to other hosts have no secret`() async throws {
        let seen = Locked<[Request]>([])
        let client = Client { (request) async throws(HTTPError) in
            seen.withLock { $0.append(request) }
            throw HTTPError(.refused, url: request.url.text, reason: "answered \(Self.token)")
        }.adding(Self.secrets())
        for address in ["https://other.example/api/a?key={env:TOKEN}", "https://fake.example/api/a?key={env:TOKEN}"] {
            let url = try #require(WebURL(address))
            let error = await #expect(throws: HTTPError.self) { try await client.send(Request(url)) }
            // The message of a server does not have it either.
            #expect(error?.description.contains(Self.token) == false && error?.reason == "answered {env:TOKEN}")
        }
        #expect(seen.withLock { $0.count } == 2)
        let encoded = percentEncoded(Self.token)
        #expect(seen.withLock { $0.allSatisfy { $0.headers.isEmpty && !$0.url.text.contains(encoded) } })
    }

    @Test func `A message that was shortened has no part of a secret`() async throws {
        let client = Client { (request) async throws(HTTPError) in
            throw HTTPError(
                .refused, url: request.url.text, reason: "redirects to https://a.example/?k=\(Self.token.dropLast())…")
        }.adding(Self.secrets())
        let url = try #require(WebURL("\(FakeAPI.base)/item"))
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request(url)) }
        #expect(error?.reason == "redirects to https://a.example/?k={env:TOKEN}…")
    }

    @Test func `A password of the scheme Basic is encoded`() async throws {
        for (header, value) in [("Basic user:{env:TOKEN}", "user:\(Self.token)"), ("Basic {env:TOKEN}", Self.token)] {
            let seen = Locked<[Header]>([])
            let client = Client { (request) async throws(HTTPError) in
                seen.withLock { $0 += request.headers }
                let sent = request.headers.map(\.value).joined(separator: ", ")
                throw HTTPError(.refused, url: request.url.text, reason: "does not like \(sent)")
            }.adding(Self.secrets(header))
            let url = try #require(WebURL("\(FakeAPI.base)/item"))
            let error = await #expect(throws: HTTPError.self) { try await client.send(Request(url)) }
            #expect(seen.withLock { $0.map(\.value) } == ["Basic \(Data(value.utf8).base64EncodedString())"])
            #expect(error?.reason == "does not like \(header)")
        }
    }

    @Test func `Documents are requested as JSON, pictures in any format, and a declared field replaces this`()
        async throws
    {
        for declared in [nil, "text/x-json"] {
            let captures = try Captures(FakeAPI.filled(1))
            let seen = Locked<[String: [Header]]>([:])
            var client = Client { [inner = captures.client] (request) async throws(HTTPError) in
                seen.withLock { $0[request.url.target.hasSuffix(".jpeg") ? "picture" : "document"] = request.headers }
                return try await inner.send(request)
            }
            if let declared {
                client = client.adding(Secrets(headers: [Header("ACCEPT", declared)], values: [], api: FakeAPI.base))
            }
            var changed = captures
            changed.client = client
            _ = try await changed.run()
            let values = seen.withLock { $0.mapValues { $0.map(\.value) } }
            #expect(values["document"] == [declared ?? "application/json"])
            #expect(values["picture"] == (declared.map { [$0] } ?? []))
        }
    }
}
