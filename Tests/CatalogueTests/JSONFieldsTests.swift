import Catalogue
import Foundation
import TestSupport
import Testing

@testable import CatalogueEngine

struct JSONFieldsTests {
    private struct Record: Decodable {
        let id: Int64
        let name: String
        let list: [String]
    }

    @Test func `The longest array is a member of the object, or of one in it`() throws {
        let record = #"{"a":[1,2],"o":{"b":[1,2,3],"s":"[1,2,3,4]"},"c":[[1,2,3,4]]}"#
        #expect(try JSONFields(Array(record.utf8)).longestArray == 3)
    }

    @Test(
        arguments: [
            #"{"id":7,"name":"Rick","list":["a","b"]}"#, #" { "list" : [ ] , "name" : "" , "id" : 0 } "#,
            #"{"id":-12,"name":"\u0041\"\\/\n😀","list":["\t","ж","]","}"],"more":{"id":1}}"#,
            #"{"id":123456789012345678,"name":"{\"id\":9}","list":["\\"]}"#,
            #"{"id":9223372036854775807,"name":"x","list":[]}"#,
            #"{"id":1,"id":2,"name":"first","name":"second","list":["x"]}"#,
            #"{"\u0069d":4,"n\u0061me":"x","list":[]}"#,
            #"{"id":1e3,"name":"é","list":["e\u0301"]}"#,
            #"{"\u0069d":1,"id":2,"n\u0061me":"escaped","name":"plain","name\u0000":"","list":[],"\u006cist":["x"]}"#,
        ])
    func `Fields have the same values as a decoder reads`(json: String) throws {
        let bytes = Array(json.utf8)
        let decoded = try JSONDecoder().decode(Record.self, from: Data(bytes))
        let fields = try JSONFields(bytes)
        #expect(try fields.integer("id") == decoded.id)
        #expect(try fields.text("name") == decoded.name)
        #expect(try fields.texts("list") == decoded.list)
        #expect(fields.count("list") == decoded.list.count)
    }

    @Test(
        arguments: [
            (#"\ud800"#, "\u{FFFD}"), (#"\uDFFF"#, "\u{FFFD}"), (#"a\ud83d\ude00b"#, "a😀b"),
            (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"),
            (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"), (#"\ud83dx\ude00"#, "\u{FFFD}x\u{FFFD}"), (#"\\ud800"#, #"\ud800"#),
            (#"\\\ud800"#, "\\\u{FFFD}"), (#"\ud83d\\ude00"#, "\u{FFFD}\\ude00"), (#"\uD83D\uDE00"#, "😀"),
            (#"\ud7ff\ue000"#, "\u{D7FF}\u{E000}"),
            (#"\u0000\u001f\u0085\ufffe\ufdd0"#, "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            (#"\ud83f\udfff"#, "\u{FFFD}"),
        ])
    func `Half of a surrogate pair becomes U+FFFD, and complete pairs are decoded`(escaped: String, shown: String)
        throws
    {
        let bytes = Array(
            "{\"\(escaped)\":0,\"name\":\"\(escaped)\",\"list\":[\"\",\"\(escaped)\"],\"in\":{\"x\":\"\(escaped)\"}}"
                .utf8)
        let fields = try JSONFields(bytes)
        #expect(try fields.text("name") == shown)
        #expect(try fields.texts("list") == ["", shown])
        #expect(try fields.text("in.x") == shown)
        try fields.check()
    }

    @Test(
        arguments: [
            "1.5", "-0.25", "9223372036854775808", "1e400", "-1e19", "123456789012345678901234567890",
        ])
    func `An integer out of range is reported with its key path and digits`(number: String) throws {
        let fields = try JSONFields(Array("{\"id\":\(number),\"in\":{\"count\":\(number)}}".utf8))
        #expect(
            errorText { _ = try fields.integer("id") }
                == "id: is \(number), not a whole number of 64 bits")
        #expect(
            errorText { _ = try fields.integer("in.count") }
                == "in.count: is \(number), not a whole number of 64 bits")
    }

    @Test(
        arguments: [
            ("null", "is null, not a whole number"), (#""7""#, "is not a whole number"),
            ("true", "is not a whole number"),
            ("NaN", "is not valid JSON (at byte 0)"), ("[1]", "is not a whole number"),
            ("Infinity", "is not valid JSON (at byte 0)"), ("007", "is not valid JSON (at byte 1)"),
        ])
    func `A value that is not a number is reported with its key path`(value: String, reason: String) throws {
        let fields = try JSONFields(Array("{\"id\":\(value)}".utf8))
        #expect(errorText { _ = try fields.integer("id") } == "id: \(reason)")
    }

    @Test func `Invalid UTF-8 is reported with its key path`() throws {
        for bad in [[0xFF], [0xE9], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]] as [[UInt8]] {
            func fields(_ before: String, _ after: String) throws -> JSONFields {
                try JSONFields(Array(before.utf8) + bad + Array(after.utf8))
            }
            let name = try fields(#"{"name":"caf"#, #""}"#)
            #expect(errorText { _ = try name.text("name") } == "name: is not valid UTF-8")
            let second = try fields(#"{"list":["a","\u0041",""#, #""]}"#)
            #expect(errorText { _ = try second.texts("list") } == "list[2]: is not valid UTF-8")
            let inner = try fields(#"{"in":{"x":""#, #""}}"#)
            #expect(
                errorText { _ = try inner.text("in.x") } == "in.x: is not valid UTF-8")
        }
    }

    @Test(
        arguments: [
            (#"{"id":1,"more":tru}"#, "more: is not valid JSON (at byte 3)"),
            (#"{"id":1,"more":[1,tru]}"#, "more: is not valid JSON (at byte 6)"),
            (#"{"id":1,"in":{"x":01x}}"#, "in: is not valid JSON (at byte 6)"),
            (#"{"id":1,"x":"\q"}"#, "x: is not valid JSON (at byte 2)"),
            (#"{"id":1,"x":{"a":[}]}"#, "x: is not valid JSON (at byte 6)"),
            (#"{"id":1,"\q":1}"#, "is not valid JSON (at byte 10)"),
        ])
    func `Members that are never read must be valid JSON`(json: String, reason: String) throws {
        let fields = try JSONFields(Array(json.utf8))
        #expect(errorText { try fields.check() } == reason)
    }

    @Test func `Values at two paths belong to the elements of their array`() throws {
        let json = #"{"s":[{"n":11},{"n":22,"u":1},{"u":2},{"n":"x","u":3}],"t":[{"n":1}]}"#
        let fields = try JSONFields(Array(json.utf8))
        #expect(try fields.links("s[].u") == ["1", "2", "3"])
        #expect(fields.scalars("s[].n", besides: "s[].u") == ["22", "", "x"])
        #expect(fields.scalars("t[].n", besides: "s[].u") == [] && fields.scalars("s[].n", besides: "x[].u") == [])
    }

    @Test func `Missing values and values of another type are reported with their key path`() throws {
        let fields = try JSONFields(Array(#"{"id":"7","name":5,"list":["a",1],"none":null,"in":{"x":1}}"#.utf8))
        #expect(errorText { _ = try fields.integer("id") } == "id: is not a whole number")
        #expect(errorText { _ = try fields.text("name") } == "name: is not a string")
        #expect(errorText { _ = try fields.text("none") }?.hasPrefix("none: is") == true)
        #expect(errorText { _ = try fields.text("missing") } == "missing: is missing")
        #expect(errorText { _ = try fields.texts("list") } == "list[1]: is not a string")
        #expect(errorText { _ = try fields.texts("name") }?.hasPrefix("name: is not") == true)
        #expect(try fields.integer("in.x") == 1)
        #expect(fields.has("in.x") && !fields.has("none") && !fields.has("missing"))
        #expect(errorText { _ = try JSONFields(Array("[1]".utf8)) } != nil)
        let control = try JSONFields(Array("{\"name\":\"a\u{1}b\"}".utf8))
        #expect(
            errorText { _ = try control.text("name") } != nil,
            "a raw control character is not JSON")
    }

    @Test func `Escaped names are decoded wherever they are`() throws {
        let fields = try JSONFields(
            Array(
                #"{"\\u0069d":1,"i\u0064s":2,"i\u006":3,"\u0069":4,"\u0069d":5,"air\u005Fdate":"x","\u006E\u0061\u006d\u0065":"y"}"#
                    .utf8))
        #expect(try fields.integer("id") == 5)
        #expect(try fields.text("air_date") == "x")
        #expect(try fields.text("name") == "y")
        #expect(
            errorText { try fields.check() } == "is not valid JSON (at byte 34)",
            "because of the truncated name")
    }

    @Test func `100,000 members are accepted, and one more is refused`() throws {
        let names = String(repeating: #""\u0061":0,"#, count: 99_999)
        let fields = try JSONFields(Array("{\(names)\"id\":7}".utf8))
        for _ in 0..<20 { #expect(try fields.integer("id") == 7) }
        let reason = "has more than the 100000 members allowed"
        #expect(throws: ContentFault("", reason)) { try JSONFields(Array("{\(names)\"id\":7,\"name\":\"\"}".utf8)) }
        let outer = try JSONFields(Array("{\"in\":{\(names)\"id\":7,\"name\":\"\"}}".utf8))
        #expect(throws: ContentFault("in", reason)) { try outer.text("in.x") }
    }

    @Test func `Paths lead through arrays, to all elements or to elements with a value`() throws {
        let fields = try JSONFields(
            Array(
                #"""
                {"names":[{"lang":{"code":"fr"},"name":"Un"},{"lang":{"code":"en"},"name":"One"},{"lang":{"code":"en"},"name":null}],
                "deep":{"list":[{"in":[{"v":1,"how":[{"is":"a"},{"is":"b"}]},{"v":2.50}]},{"in":[]},{"in":[{"v":true}]}]},
                "plain":["x","y"],"text":"z","gone":null,"maybe":[{"o":null},{"o":{"n":null}},{"o":{"n":7}}]}
                """#.utf8))
        #expect(fields.scalar("names[lang.code=en].name") == "One" && fields.scalar("names[].name") == "Un")
        #expect(try fields.texts("names[].name") == ["Un", "One"] && fields.texts("plain[]") == ["x", "y"])
        #expect(fields.scalars("deep.list[].in[].v") == ["1", "2.50", "true"])
        #expect(fields.scalars("deep.list[].in[how[].is=b].v") == ["1"])
        #expect(fields.scalar("names[lang.code=de].name") == "")
        #expect(fields.scalars("maybe[].o.n") == ["7"] && fields.scalars("gone[].x").isEmpty)
        #expect(try fields.texts("gone[].x") == [] && fields.scalars("maybe[o.n=7].o.n") == ["7"])
        #expect(!fields.has("none[].name") && fields.scalars("none[]").isEmpty)
        #expect(errorText { _ = try fields.texts("text[].name") } == "text: is not an array")
        #expect(errorText { _ = try fields.texts("plain[].name") } == "plain: is not an object")
    }

    @Test func `An index selects an element of an array`() throws {
        let fields = try JSONFields(
            Array(#"{"at":{"point":[80.26,35.5,null]},"tags":[{"n":"x","l":[1,2]},{"n":"y","l":[3]}],"text":"z"}"#.utf8)
        )
        #expect(try fields.number("at.point[1]") == 35.5 && fields.texts("tags[1].n") == ["y"])
        #expect(fields.scalar("tags[0].l[1]") == "2" && fields.scalars("tags[].l[0]") == ["1", "3"])
        #expect(fields.has("at.point[1]") && !fields.has("at.point[2]") && !fields.has("at.point[9]"))
        #expect(fields.scalar("at.point[9]").isEmpty && fields.scalar("text[0]").isEmpty)
        #expect(fields.scalar("at.point[-1]").isEmpty)
        #expect(errorText { _ = try fields.number("at.point[9]") } == "at.point[9]: is missing")
        #expect(errorText { _ = try fields.texts("text[0]") } == "text: is not an array")
    }

    @Test(arguments: [
        (#"{"items":[1,2],"items_total":3}"#, "items: has only 2 of the 3 elements that \"items_total\" states"),
        (#"{"Items":[1],"totalItems":2}"#, "Items: has only 1 of the 2 elements that \"totalItems\" states"),
        (#"{"release-count":9,"releases":[]}"#, "releases: has only 0 of the 9 elements that \"release-count\" states"),
        (#"{"a":{"data":[1],"has_more":true}}"#, "a.data: announces another page at \"has_more\""),
        (#"{"a":{"a":[1],"paging":{"next":"/a?p=2"}}}"#, "a.a: announces another page at \"paging.next\""),
        (#"{"items":[1,2],"items_total":2}"#, nil), (#"{"items":{},"items_total":2}"#, nil),
        (#"{"items":[1],"items_total":"2"}"#, nil), (#"{"count":9,"total":9,"meta":[],"data":[]}"#, nil),
        (#"{"scores":[3],"total_score":7}"#, nil), (#"{"dis":[1],"discount":5}"#, nil),
        (#"{"x":[1],"x[-1].count":5,"x[0]_count":5,"x[]_total":5}"#, nil),
        (#"{"x[-1]":[1],"x[-1]_count":5}"#, "x[-1]: has only 1 of the 5 elements that \"x[-1]_count\" states"),
        (#"{"next":"/b","items":[1]}"#, nil), (#"{"at":{"next":"/b","parts":[1]}}"#, nil),
        (#"{"a":{"data":[1],"has_more":false,"next":null}}"#, nil), (#"{"a":{"data":7,"has_more":true}}"#, nil),
    ])
    func `A list within a record that is only a part of it is found`(json: String, fault: String?) throws {
        let found = try JSONFields(Array(json.utf8)).partialLists().map { "\($0)" }
        #expect(found.map { $0.prefix { $0 != ";" } } == fault.map { [$0[...]] } ?? [])
    }
}
