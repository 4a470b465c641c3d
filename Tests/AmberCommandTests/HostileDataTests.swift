import Foundation
import FoundationXML
import SampleAPI
import TestSupport
import Testing

@Suite(.serialized) struct HostileDataTests {
    /// Texts in JSON, and as pages show them.
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
            String(repeating: "\u{FFFD}", count: 9) + "\n" + String(repeating: "\u{FFFD}", count: 18)
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
    /// 2^20 characters in JSON, and as pages show them.
    private static let largest = (
        json: String(repeating: #"\"<&'"# + letters, count: (1 << 20) / 64),
        shown: String(repeating: "\"<&'" + letters, count: (1 << 20) / 64)
    )

    /// Records in which each place has the text of a fixed number.
    private func behaviour(_ text: @escaping (Int) -> String, largest: String, long: String) -> Behaviour {
        var behaviour = Behaviour()
        let quoted = { (number: Int) in "\"\(text(number))\"" }
        for id in 1...45 {
            let place = { (number: Int) in
                #"{"name":\#(quoted(number)),"url":"\#(Universe.canonicalBase)/location/\#(number % 7 + 1)"}"#
            }
            behaviour.replaced[.init(.character, id)] = HostileRecords.character(
                id,
                [
                    "name": id == 44 ? "\"\(largest)\"" : quoted(id), "status": quoted(id + 1),
                    "species": quoted(id + 2),
                    "gender": quoted(id + 3),
                    "type": id == 45 ? "\"\(long)\"" : quoted(id + 4), "origin": place(id + 5),
                    "location": place(id + 6),
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

    @Test func `Hostile texts produce the same elements as harmless texts and are shown as text`() async throws {
        let count = Self.texts.count
        let hostile = try Small(behaviour({ Self.texts[$0 % count].json }, largest: Self.largest.json, long: Self.long))
        let harmless = try Small(behaviour({ "harmless \($0 % count)" }, largest: "harmless largest", long: "harmless"))
        try await hostile.run("build", "--base-url", "https://example.org/x").succeeded()
        #expect(try await harmless.run("build", "--base-url", "https://example.org/x").code == 0)

        // Values outside ASCII also have their former addresses, which forward.
        let pages = try contents(of: hostile.site).filter {
            $0.key.hasSuffix(".html") && $0.value.range(of: Data("http-equiv=\"refresh\"".utf8)) == nil
        }
        let others = try contents(of: harmless.site).filter { $0.key.hasSuffix(".html") }
        // The paths of lists by a value contain the value.
        let byValue = { (path: String) in
            ["status/", "species/", "gender/", "type/", "dimension/"].contains { path.contains($0) }
        }
        #expect(pages.keys.filter { !byValue($0) }.sorted() == others.keys.filter { !byValue($0) }.sorted())
        #expect(pages.count == others.count && pages.count > 200)
        for (path, page) in pages {
            let read = ReadPage(page)
            #expect(read.fault == nil, "\(path) is not XML")
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
                            path.hasSuffix("character/44.html") ? Self.largest.shown : Self.texts[name % count].shown),
                    "\(path)")
            }
            let isOwn = path.contains("character/") || path.contains("location/") || path.contains("episode/")
            #expect(page.count < (isOwn ? 64 << 20 : 400_000), "\(path)")
        }
        let own = try #require(pages["character/45.html"])
        #expect(own.count > 1 << 20 && own.count < 2 << 20, "two million characters are cut to 2^20")
        #expect(try #require(pages["character/44.html"]).count > 1 << 20, "2^20 characters are shown in full")

        for (path, file) in try contents(of: hostile.site)
        where path.hasSuffix(".js") || path.hasSuffix(".html") || path.hasSuffix(".xml") {
            #expect(!Self.hasForbidden(file), "\(path)")
        }
        #expect(try #require(contents(of: hostile.site)["search-index.js"]).count < 100_000)
        let archive = try Data(contentsOf: URL(fileURLWithPath: "\(hostile.output)/archive/archive.sqlite"))
        #expect(archive.range(of: Data(#"high \ud800 low"#.utf8)) != nil, "the archive keeps the received bytes")
        #expect(archive.range(of: Data(#"nul \u0000 kept"#.utf8)) != nil)
        try await hostile.run("check").succeeded()
    }

    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    /// Whether a UTF-8 file contains a control character or a noncharacter.
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
    @Test func `An invalid record is a gap with its path and affects no other record`() async throws {
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
            (record(7, "id", #""07""#), ".id: is not a whole number"),
            (record(8, "id", "null"), ".id: is null, not a whole number"),
            (record(9, "id", "10"), ": is a second character 10 in the same answer"),
            (HostileRecords.character(10), ""),
            (record(11, "name", #""caf@""#).with([0xE9]), ".name: is not valid UTF-8"),
            (record(12, "type", #""@""#).with([0xED, 0xA0, 0x80]), ".type: is not valid UTF-8"),
            (record(13, "extra", deep), ".extra: is nested deeper than 64 levels"),
            (Array(deep.utf8), ": is not an object"),
            (Array("null".utf8), ": is null, not an object"), (Array("7".utf8), ": is not an object"),
            (HostileRecords.character(17, without: "species"), ".species: is missing"),
            (record(18, "origin", #"{"name":"\ud800"}"#), ".origin.url: is missing"),
            (record(19, "episode", #"["\#(base)/episode/1",["x"]]"#), ".episode[1]: is not a string"),
            (record(20, "more", "tru"), ".more: is not valid JSON (at byte 3)"),
        ]
        var behaviour = Behaviour()
        for (index, record) in broken.enumerated() { behaviour.replaced[.init(.character, index + 1)] = record.bytes }
        let everyone = Array(21...45)
        for id in 1...7 { behaviour.replaced[.init(.location, id)] = HostileRecords.location(id, residents: everyone) }
        // 10,000 links to two episodes, unknown members, repeated names, and a record with the URL of another one.
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
        let gaps = try run.gaps().map {
            "\($0["url"] ?? "") \($0["reason"] ?? "")"
        }
        for (index, record) in broken.enumerated() where !record.fault.isEmpty {
            // Record 9 claims the id 10, so record 10 is reported as the duplicate.
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
        let crowded = try small.page("character/21.html")
        #expect(
            crowded.components(separatedBy: "href=\"../episode/").count == 5,
            "each episode is linked once, and as the first or last appearance")
        #expect(
            try small.page("character/22.html").contains(
                "<h1>Somebody 22</h1>"))
    }

    @Test(
        arguments: [
            (#""count":-1,"pages":3"#, "info.count: is -1, less than nothing"),
            (
                #""count":45,"pages":4611686018427387904"#,
                "info.pages: is 4611686018427387904, more than a list can hold"
            ),
            (#""count":45,"pages":"03""#, "info.pages: is not a whole number"),
            (#""count":45"#, "info.pages: is missing"),
        ])
    func `A list with impossible counts ends the capture before other pages are requested`(
        claim: String, reason: String
    ) async throws {
        let body = Array("{\"info\":{\(claim)},\"results\":[]}".utf8)
        let small = try Small(Behaviour(faults: [Fault(.prefix("/api/character?page="), times: nil, .body(body))]))
        try await small.run("capture").failed(3, "\(small.server.apiURL)/character?page=1: \(reason)")
        #expect(
            !small.server.log.contains {
                $0.target.hasPrefix("/api/character?page=") && $0.target != "/api/character?page=1"
            })
    }
}

/// The content of a page, read by an XML parser.
private final class ReadPage: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private(set) var heading = ""
    /// The title and the content of all meta elements.
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
