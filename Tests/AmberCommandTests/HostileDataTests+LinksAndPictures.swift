import Foundation
import HTTP
import HTTPServer
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

extension HostileDataTests {
    @Test func `Hostile links cause no request to another host and no file outside the output`() async throws {
        let other = try SampleServer(Small.universe)
        let base = Universe.canonicalBase
        let host = String(other.apiURL.dropFirst("http://".count).dropLast("/api".count))
        let links = [
            "\(other.apiURL)/character/avatar/1.jpeg", "http://\(host)", "//\(host)/api/character/avatar/1.jpeg",
            "http://sample.invalid@\(host)/api/character/avatar/1.jpeg", "\(base)@\(host)/character/avatar/1.jpeg",
            "https://sample.invalid.\(host)/api/character/avatar/1.jpeg", "https://sample.invalid:80@\(host)/api/x",
            "https://user:pass@sample.invalid/api/x", "https://sample.invalid:1/api/x",
            #"https://sample.invalid\\@\#(host)/api/x"#,
            #"\#(base)\\..\\..\\x"#, "\(base)/../../../../etc/passwd", "\(base)/%2e%2e/%2e%2e/x", "\(base)/a%2fb",
            "\(base)/..",
            "\(base)//\(host)/x",
            "file:///etc/passwd", "data:image/png;base64,AAAA", "javascript:alert(1)", "http://127.0.0.1/x",
            "http://[::1]/x",
            "http://169.254.169.254/latest/meta-data", "http://localhost/x", "http://2130706433/x",
            "https://sаmple.invalid/api/x",
            #"\#(base)/x\r\nHost: \#(host)"#, #"\#(base)/x\u0000.png"#,
            "\(base)/" + String(repeating: "a", count: 65_536),
            "../../../x.png", "x",
        ]
        var behaviour = Behaviour()
        for (index, link) in links.enumerated() {
            behaviour.replaced[.init(.character, index + 1)] = HostileRecords.character(
                index + 1,
                [
                    "image": "\"\(link)\"", "origin": #"{"name":"../../../x","url":"\#(link)"}"#,
                    "name": #""../../../../x\u0000/..""#,
                ])
        }
        let small = try Small(behaviour)
        try small.scratch.write("stays", to: "beside/file")
        let before = try fingerprint(of: small.scratch.path)
        let run = try await small.run("build", "--json")
        #expect(run.code == 4, "\(run.errors)")
        let gaps = try run.gaps()
        for index in links.indices {
            for place in ["image", "origin.url"] {
                let start = "results[\(index % 20)].\(place): links to "
                #expect(
                    gaps.contains {
                        $0["url"] == "character?page=\(index / 20 + 1)" && $0["reason"]?.hasPrefix(start) == true
                    },
                    "\(links[index])")
            }
        }
        #expect(gaps.count == 2 * links.count)
        #expect(
            gaps.allSatisfy {
                ($0["reason"]?.unicodeScalars.allSatisfy { $0.value >= 0x20 } ?? false)
                    && ($0["reason"]?.utf8.count ?? 0) < 400
            })
        #expect(other.log.isEmpty)
        let asked = try NSRegularExpression(
            pattern: #"^/api/(character|location|episode)(\?page=\d+|/[\d,]+|/avatar/\d+\.jpeg)$"#)
        for request in small.server.log {
            #expect(
                asked.firstMatch(in: request.target, range: NSRange(request.target.startIndex..., in: request.target))
                    != nil,
                "\(request.target)")
        }
        #expect(
            try fingerprint(of: small.scratch.path).filter { $0.key != "out" && !$0.key.hasPrefix("out/") } == before)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: small.output)).isSubset(of: [
                "site", "archive", ".amber", ".gitignore",
            ])
        )
    }

    @Test func `The type of a picture is that of its bytes, and invalid pictures are gaps`() async throws {
        let html = Array("<html><script>alert(1)</script></html>".utf8)
        let zip = Array("PK\u{3}\u{4}".utf8) + html
        let whole = HostilePictures.self
        let none = "is not a PNG, JPEG, GIF or WebP picture"
        let refused: [(bytes: [UInt8], reason: String)] = [
            (html, none),
            (Array("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8), "is an SVG"),
            (Array("GIF89a/*".utf8) + html + Array("*/=1;alert(1)".utf8), "is a damaged or incomplete GIF picture"),
            (Array(whole.png(1, 1).prefix(33)) + html, "is a damaged or incomplete PNG picture"),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + html, "is a damaged or incomplete JPEG picture"),
            (whole.png(60_000, 60_000), "is a picture of 60000 x 60000 pixels, more than the limit of 40000000"),
            (whole.png(0, 0), "is a PNG picture of 0 x 0 pixels"),
            (whole.png(1 << 31, 1), "is a damaged or incomplete PNG picture"),
            ([], "is empty"),
            (Array(whole.png(1, 1).dropLast(4)), "is a damaged or incomplete PNG picture"),
            (Array(whole.webp.dropLast()), "is a damaged or incomplete WebP picture"),
        ]
        let accepted: [(bytes: [UInt8], ending: String, type: String)] = [
            (whole.png(1, 1), "png", "image/png"), (whole.png(1, 1) + html, "png", "image/png"),
            (whole.jpeg + zip, "jpg", "image/jpeg"),
            (whole.gif, "gif", "image/gif"), (whole.webp, "webp", "image/webp"),
        ]
        var behaviour = Behaviour()
        for (index, picture) in refused.enumerated() { behaviour.avatarOverrides[index + 1] = picture.bytes }
        for (index, picture) in accepted.enumerated() { behaviour.avatarOverrides[index + 31] = picture.bytes }
        let small = try Small(behaviour)
        let run = try await small.run("build", "--json")
        #expect(run.code == 4, "\(run.errors)")
        let gaps = try run.gaps()
        let avatars = try Set(FileManager.default.contentsOfDirectory(atPath: "\(small.site)/avatar"))
        for (index, picture) in refused.enumerated() {
            let reason = gaps.first { $0["url"] == "character/avatar/\(index + 1).jpeg" }?["reason"]
            #expect(reason?.hasPrefix(picture.reason) == true, "\(index): \(reason ?? "no gap")")
            #expect(reason?.hasSuffix("; it is the picture of character \(index + 1)") == true)
            #expect(!avatars.contains { $0.hasPrefix("\(index + 1).") })
            let page = try small.page("character/\(index + 1).html")
            #expect(page.contains("<img src=\"../placeholder.svg\""))
        }
        #expect(gaps.count == refused.count)

        let answers = SiteAnswers(files: StaticFiles(folder: small.site), watched: nil)
        let server = try HTTPServer { answers.answer($0) }
        defer { server.stop() }
        for (index, picture) in accepted.enumerated() {
            let url = try #require(WebURL("http://127.0.0.1:\(server.port)/avatar/\(index + 31).\(picture.ending)"))
            let answer = try await HTTP.Client.libcurl(agent: "test", spillFolder: small.scratch.path).send(
                HTTP.Request(url))
            let headers = String(decoding: answer.rawHeaders, as: UTF8.self).lowercased()
            #expect(answer.status == 200)
            #expect(
                headers.contains("\r\ncontent-type: \(picture.type)\r\n")
                    && headers.contains("\r\nx-content-type-options: nosniff\r\n"))
            if case .bytes(let bytes) = answer.body { #expect(bytes == picture.bytes) }
        }
    }
}

/// Small pictures that are complete by the rules of their formats.
private enum HostilePictures {
    static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        let size = [width, height].flatMap { number in
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size + [
            8, 6, 0, 0, 0, 1, 2, 3, 4,
        ]
            + [0, 0, 0, 1] + Array("IDAT".utf8) + [7, 1, 2, 3, 4] + [0, 0, 0, 0] + Array("IEND".utf8) + [
                0xAE, 0x42, 0x60, 0x82,
            ]
    }

    static let jpeg: [UInt8] =
        [
            0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 9, 0, 8, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA, 0, 2, 1, 2,
            3, 0xFF, 0xD9,
        ]
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [8, 0, 9, 0, 0, 0, 0] + frame + frame + [0x3B]
    private static let frame: [UInt8] = [
        0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 8, 0, 9, 0, 0, 2, 2, 0x4C, 0x01, 0,
    ]
    static let webp: [UInt8] =
        Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [
            10, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 8, 0, 9, 0,
        ]
}
