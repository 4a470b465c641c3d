import Foundation
import FoundationXML
import HTTP
import HTTPServer
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

/// Whatever a server sends stays text, stays in its record, stays in the output folder; what cannot be had is named.
@Suite(.serialized) struct HostileDataTests {
    /// Texts as JSON has them, and as pages show them.
    private static let texts: [(json: String, shown: String)] = [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("</script><script>alert(1)</script>", "</script><script>alert(1)</script>"),
        (#"\"><img src=x onerror=alert(1)>"#, "\"><img src=x onerror=alert(1)>"),
        ("' onmouseover='alert(1)", "' onmouseover='alert(1)"),
        ("]]>", "]]>"), ("<![CDATA[x", "<![CDATA[x"), ("<!-- --!> --", "<!-- --!> --"), ("<?php ?>", "<?php ?>"),
        ("<!DOCTYPE x>", "<!DOCTYPE x>"),
        ("&amp;&#0;&lt;&bogus;&", "&amp;&#0;&lt;&bogus;&"),
        (#"back\\slash \\u003cb\\u003e \\"#, #"back\slash \u003cb\u003e \"#),
        ("{{name}} {{{name}}} {{#cards}} {{/layout}}", "{{name}} {{{name}}} {{#cards}} {{/layout}}"),
        ("%s %n %2e%2e/ 100%", "%s %n %2e%2e/ 100%"),
        ("javascript:alert(1)", "javascript:alert(1)"), ("${alert(1)} `x`", "${alert(1)} `x`"),
        ("../../../etc/passwd", "../../../etc/passwd"),
        ("__proto__", "__proto__"), ("http://пример.испытание/ xn--e1afmkfd", "http://пример.испытание/ xn--e1afmkfd"),
        ("👩‍🚀🏳️‍🌈 emoji", "👩‍🚀🏳️‍🌈 emoji"),
        (#"nul \u0000 kept"#, "nul \u{FFFD} kept"),
        (
            #"\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\u000b\f\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f"#,
            String(repeating: "\u{FFFD}", count: 28)
        ),
        ((0x7F...0x9F).map { String(UnicodeScalar($0) ?? " ") }.joined(), String(repeating: "\u{FFFD}", count: 33)),
        (
            String(
                String.UnicodeScalarView([0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF].compactMap(Unicode.Scalar.init)))
                + " non",
            "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD} non"
        ),
        (#"escaped \ufdd0\ufffe\uffff\ud83f\udffe"#, "escaped \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        (#"high \ud800 low \udc00 swapped \ude00\ud83d"#, "high \u{FFFD} low \u{FFFD} swapped \u{FFFD}\u{FFFD}"),
        (#"pair \ud83d\ude00"#, "pair 😀"), ("line\u{2028}and\u{2029}paragraph", "line\u{2028}and\u{2029}paragraph"),
        ("\u{202E}turned", "\u{202E}turned\u{202C}"), ("\u{2069}\u{202C}\u{2067}out", "\u{2067}out\u{2069}"),
        ("z\u{200B}\u{200D}\u{FEFF}w\u{2060}", "z\u{200B}\u{200D}\u{FEFF}w\u{2060}"), ("שלום (1) 2", "שלום (1) 2"),
        ("constructor", "constructor"), ("\u{E000}\u{F8FF} private", "\u{E000}\u{F8FF} private"),
        (#"tab\tand\nlines\r\nend"#, "tab\tand\nlines\nend"),
        ("a" + String(repeating: "\u{301}", count: 200), "a" + String(repeating: "\u{301}", count: 200)),
    ]

    private static let letters = String(repeating: "long words, ", count: 5)
    private static let long = String(repeating: "many words ", count: 200_000)
    /// A mebi of characters: its JSON, and as it is shown.
    private static let mebi = (
        json: String(repeating: #"\"<&'"# + letters, count: (1 << 20) / 64),
        shown: String(repeating: "\"<&'" + letters, count: (1 << 20) / 64)
    )

    /// A site whose every text is one of these, the same text in the same places whatever the texts are.
    private func behaviour(_ text: @escaping (Int) -> String, mebi: String, long: String) -> Behaviour {
        var behaviour = Behaviour()
        let quoted = { (number: Int) in "\"\(text(number))\"" }
        for id in 1...45 {
            let place = { (number: Int) in
                #"{"name":\#(quoted(number)),"url":"\#(Universe.canonicalBase)/location/\#(number % 7 + 1)"}"#
            }
            behaviour.replaced[.init(.character, id)] = HostileRecords.character(
                id,
                [
                    "name": id == 44 ? "\"\(mebi)\"" : quoted(id), "status": quoted(id + 1), "species": quoted(id + 2),
                    "gender": quoted(id + 3),
                    "type": id == 45 ? "\"\(long)\"" : quoted(id + 4), "origin": place(id + 5),
                    "location": place(id + 6),
                    "created": quoted(id),
                ])
        }
        for id in 1...7 {
            behaviour.replaced[.init(.location, id)] = HostileRecords.location(
                id, residents: Array(id...id + 10),
                ["name": quoted(id * 4), "type": quoted(id * 4 + 1), "dimension": quoted(id * 4 + 2)])
        }
        for id in 1...3 {
            behaviour.replaced[.init(.episode, id)] = HostileRecords.episode(
                id, characters: Array(id * 3...id * 3 + 30),
                ["name": quoted(id * 11), "air_date": quoted(id * 11 + 1), "episode": quoted(id * 11 + 2)])
        }
        return behaviour
    }

    @Test func `hostile texts make the same elements as harmless ones, and are shown as text`() async throws {
        let count = Self.texts.count
        let hostile = try Small(behaviour({ Self.texts[$0 % count].json }, mebi: Self.mebi.json, long: Self.long))
        let harmless = try Small(behaviour({ "harmless \($0 % count)" }, mebi: "harmless mebi", long: "harmless"))
        let run = try await hostile.run("build", "--base-url", "https://example.org/x")
        #expect(run.code == 0, "\(run.errors)\(run.output)")
        #expect(try await harmless.run("build", "--base-url", "https://example.org/x").code == 0)

        let pages = try contents(of: hostile.site).filter { $0.key.hasSuffix(".html") }
        let others = try contents(of: harmless.site).filter { $0.key.hasSuffix(".html") }
        // Lists by a value are named for it.
        let byValue = { (path: String) in ["status/", "species/", "gender/"].contains { path.contains($0) } }
        #expect(pages.keys.filter { !byValue($0) }.sorted() == others.keys.filter { !byValue($0) }.sorted())
        #expect(pages.count == others.count && pages.count > 200)
        for (path, page) in pages {
            let read = ReadPage(page)
            #expect(read.fault == nil, "\(path) is no XML")
            #expect(read.titles.utf16.count < 2_000, "\(path)")
            if let other = others[path], !byValue(path) {
                #expect(read.elements == ReadPage(other).elements, "\(path)")
            }
            for data in read.data {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(data.utf8)) }
            }
            let number = Int(path.split(separator: "/").last?.dropLast(5) ?? "")
            let name =
                path.contains("character/")
                ? number : path.contains("location/") ? number.map { $0 * 4 } : number.map { $0 * 11 }
            if let name, ["character/", "location/", "episode/"].contains(where: { path.contains($0) }) {
                #expect(
                    scalars(read.heading)
                        == scalars(
                            path.hasSuffix("character/44.html") ? Self.mebi.shown : Self.texts[name % count].shown),
                    "\(path)")
            }
            let isOwn = path.contains("character/") || path.contains("location/") || path.contains("episode/")
            #expect(page.count < (isOwn ? 64 << 20 : 400_000), "\(path)")
        }
        let own = try #require(pages["character/45.html"])
        #expect(own.count > 1 << 20 && own.count < 2 << 20, "two million characters are cut at a mebi")
        #expect(try #require(pages["character/44.html"]).count > 1 << 20, "a mebi of characters is shown in full")

        for (path, file) in try contents(of: hostile.site)
        where path.hasSuffix(".js") || path.hasSuffix(".html") || path.hasSuffix(".xml") {
            #expect(!Self.hasForbidden(file), "\(path)")
        }
        #expect(try #require(contents(of: hostile.site)["search-index.js"]).count < 100_000)
        let archive = try Data(contentsOf: URL(fileURLWithPath: "\(hostile.output)/archive/archive.sqlite"))
        #expect(archive.range(of: Data(#"high \ud800 low"#.utf8)) != nil, "the archive keeps what came")
        #expect(archive.range(of: Data(#"nul \u0000 kept"#.utf8)) != nil)
        let check = try await hostile.run("check")
        #expect(check.code == 0, "\(check.errors)")
    }

    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    /// Whether a file has a control or a noncharacter, by its UTF-8.
    private static func hasForbidden(_ file: Data) -> Bool {
        file.withUnsafeBytes { bytes in
            for place in bytes.indices {
                switch bytes[place] {
                case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x80...0xC1, 0xC3...0xEE: continue
                case 0xC2 where bytes[place + 1] >= 0xA0: continue
                case 0xEF where bytes[place + 1] == 0xB7 && (0x90...0xAF).contains(bytes[place + 2]): return true
                case 0xEF: if bytes[place + 1] == 0xBF && bytes[place + 2] >= 0xBE { return true }
                case 0xF0...0xF4:
                    if bytes[place + 1] & 15 == 15 && bytes[place + 2] == 0xBF && bytes[place + 3] >= 0xBE {
                        return true
                    }
                default: return true
                }
            }
            return false
        }
    }
}

extension HostileDataTests {
    @Test func `a record that cannot be read costs only itself, and is named with its place`() async throws {
        let base = Universe.canonicalBase
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let record = { (id: Int, name: String, value: String) in HostileRecords.character(id, [name: value]) }
        let broken: [(bytes: [UInt8], fault: String)] = [
            (record(1, "id", "-1"), ".id: is -1, not 1 to 9007199254740991"),
            (record(2, "id", "0"), ".id: is 0, not 1 to 9007199254740991"),
            (record(3, "id", "9007199254740992"), ".id: is 9007199254740992, not 1 to 9007199254740991"),
            (record(4, "id", "9223372036854775808"), ".id: is 9223372036854775808, not a whole number of 64 bits"),
            (record(5, "id", "1e400"), ".id: is 1e400, not a whole number of 64 bits"),
            (record(6, "id", "1.5"), ".id: is 1.5, not a whole number of 64 bits"),
            (record(7, "id", #""7""#), ".id: is not a whole number"),
            (record(8, "id", "null"), ".id: is null, not a whole number"),
            (record(9, "id", "10"), ": is character 10, which the answer has already"),
            (HostileRecords.character(10), ""),
            (record(11, "name", #""caf@""#).with([0xE9]), ".name: is not valid UTF-8"),
            (record(12, "type", #""@""#).with([0xED, 0xA0, 0x80]), ".type: is not valid UTF-8"),
            (record(13, "extra", deep), ".extra: is nested deeper than 64 levels"),
            (Array(deep.utf8), ": is not an object"),
            (Array("null".utf8), ": is null, not an object"), (Array("7".utf8), ": is not an object"),
            (HostileRecords.character(17, without: "species"), ".species: is missing"),
            (record(18, "origin", #"{"name":"\ud800"}"#), ".origin.url: is missing"),
            (record(19, "episode", #"["\#(base)/episode/1",["x"]]"#), ".episode[1]: is not a text"),
            (record(20, "more", "tru"), ".more: is not valid JSON (at byte 3)"),
        ]
        var behaviour = Behaviour()
        for (index, record) in broken.enumerated() { behaviour.replaced[.init(.character, index + 1)] = record.bytes }
        let everyone = Array(21...45)
        for id in 1...7 { behaviour.replaced[.init(.location, id)] = HostileRecords.location(id, residents: everyone) }
        // Ten thousand links to one episode, unknown members, repeated names, a record that names itself.
        let many = "[" + String(repeating: "\"\(base)/episode/2\",", count: 9_999) + "\"\(base)/episode/1\"]"
        behaviour.replaced[.init(.character, 21)] = record(21, "episode", many)
        behaviour.replaced[.init(.character, 22)] = HostileRecords.character(
            22,
            [
                "unknown": #"{"a":[1,{"b":null}],"id":"x"}"#, "\\u0075nknown": "1e5", "\\ud800": "0",
                "zzz\":1,\"name": #""again""#,
            ])
        behaviour.replaced[.init(.character, 23)] = record(23, "url", #""\#(base)/character/24""#)
        for id in 1...3 {
            behaviour.replaced[.init(.episode, id)] = HostileRecords.episode(id, characters: everyone + everyone)
        }
        let small = try Small(behaviour)
        let run = try await small.run("build", "--json")
        #expect(run.code == 4, "\(run.errors)")
        let gaps = try #require(try Small.summary(run)["gaps"] as? [[String: String]]).map {
            "\($0["url"] ?? "") \($0["reason"] ?? "")"
        }
        for (index, record) in broken.enumerated() where !record.fault.isEmpty {
            // The tenth came first under the number of the ninth.
            let place = index == 8 ? 9 : index
            #expect(
                gaps.contains { $0.hasPrefix("character?page=1 results[\(place)]\(record.fault)") },
                "\(index + 1): \(gaps)")
        }
        #expect(
            gaps.contains(
                #"character?page=1 results[8].url: is "\#(base)/character/9", though the record is character 10"#))
        #expect(
            gaps.contains(
                #"character?page=2 results[2].url: is "\#(base)/character/24", though the record is character 23"#))
        #expect(gaps.count == 21, "\(gaps)")
        let pages = try FileManager.default.contentsOfDirectory(atPath: "\(small.site)/character").compactMap {
            Int($0.dropLast(5))
        }
        #expect(pages.sorted() == [10] + everyone)
        let crowded = try String(contentsOfFile: "\(small.site)/character/21.html", encoding: .utf8)
        #expect(crowded.components(separatedBy: "href=\"../episode/").count == 3, "each episode once")
        #expect(
            try String(contentsOfFile: "\(small.site)/character/22.html", encoding: .utf8).contains(
                "<h1>Somebody 22</h1>"))
    }

    @Test(
        "A list that claims what no list can hold ends the capture with its place, and asks for no page",
        arguments: [
            (#""count":-1,"pages":3"#, "info.count: is -1, less than nothing"),
            (
                #""count":45,"pages":4611686018427387904"#,
                "info.pages: is 4611686018427387904, more than a list can hold"
            ),
            (#""count":45,"pages":"3""#, "info.pages: is not a whole number"),
            (#""count":45"#, "info.pages: is missing"),
        ])
    func claims(claim: String, reason: String) async throws {
        let body = Array("{\"info\":{\(claim)},\"results\":[]}".utf8)
        let small = try Small(Behaviour(faults: [Fault(.prefix("/api/character?page="), times: nil, .body(body))]))
        let run = try await small.run("capture")
        #expect(run.code == 3)
        #expect(run.errors.contains("\(small.server.apiURL)/character?page=1: \(reason)"), "\(run.errors)")
        #expect(
            !small.server.log.contains {
                $0.target.hasPrefix("/api/character?page=") && $0.target != "/api/character?page=1"
            })
    }
}

extension HostileDataTests {
    @Test func `nothing is asked of another host, nothing is written beside the output, and what is refused is named`()
        async throws
    {
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
        let gaps = try #require(try Small.summary(run)["gaps"] as? [[String: String]])
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

    @Test func `a picture is what its bytes are, whole; others are named with why and have the placeholder`()
        async throws
    {
        let html = Array("<html><script>alert(1)</script></html>".utf8)
        let zip = Array("PK\u{3}\u{4}".utf8) + html
        let whole = HostilePictures.self
        let none = "is no picture, whatever it is called"
        let refused: [(bytes: [UInt8], reason: String)] = [
            (html, none), (Array("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8), none),
            (Array("GIF89a/*".utf8) + html + Array("*/=1;alert(1)".utf8), "begins as a GIF and is none"),
            (Array(whole.png(1, 1).prefix(33)) + html, "begins as a PNG and is none"),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + html, "begins as a JPEG and is none"),
            (whole.png(60_000, 60_000), "is a picture of 60000 x 60000 pixels, more than the 40000000 that are taken"),
            (whole.png(0, 0), "is a PNG of 0 x 0 pixels"), (whole.png(1 << 31, 1), "begins as a PNG and is none"),
            ([], "is empty"),
            (Array(whole.png(1, 1).dropLast(4)), "begins as a PNG and is none, or not to its end"),
            (Array(whole.webp.dropLast()), "begins as a WebP and is none"),
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
        let gaps = try #require(try Small.summary(run)["gaps"] as? [[String: String]])
        let avatars = try Set(FileManager.default.contentsOfDirectory(atPath: "\(small.site)/avatar"))
        for (index, picture) in refused.enumerated() {
            let reason = gaps.first { $0["url"] == "character/avatar/\(index + 1).jpeg" }?["reason"]
            #expect(reason?.hasPrefix(picture.reason) == true, "\(index): \(reason ?? "no gap")")
            #expect(reason?.hasSuffix("; it is the picture of character \(index + 1)") == true)
            #expect(!avatars.contains { $0.hasPrefix("\(index + 1).") })
            let page = try String(contentsOfFile: "\(small.site)/character/\(index + 1).html", encoding: .utf8)
            #expect(page.contains("<img src=\"../placeholder.svg\""))
        }
        #expect(gaps.count == refused.count)

        // As amber serve does.
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

/// Small whole pictures, as far as formats tell where they end.
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

/// What an XML parser finds in a page.
private final class ReadPage: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private(set) var heading = ""
    /// The title and what else the head says for people.
    private(set) var titles = ""
    private(set) var data: [String] = []
    private(set) var fault: (any Error)?
    private var open: [String] = []

    init(_ page: Data) {
        super.init()
        let parser = XMLParser(data: page)
        parser.delegate = self
        if !parser.parse() { fault = parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(name)
        open.append(name)
        if name == "meta" { titles += attributes["content"] ?? "" }
        if name == "script", attributes["type"] != nil { data.append("") }
        if name == "script", attributes["type"] == nil { open[open.count - 1] = "file" }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        switch open.last {
        case "h1": heading += text
        case "title": titles += text
        case "script": data[data.count - 1] += text
        default: break
        }
    }
}
