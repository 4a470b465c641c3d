import Catalogue
import Foundation
import Platform
import TestSupport
import Testing

struct JSONSlicesTests {
    private func elements(_ text: String) throws -> [String] {
        let body = Array(text.utf8)
        return try JSONSlices.elements(of: body).map { String(decoding: body[$0], as: UTF8.self) }
    }

    private func members(_ text: String) throws -> [String: String] {
        let body = Array(text.utf8)
        return try JSONSlices.members(of: body).mapValues { String(decoding: body[$0], as: UTF8.self) }
    }

    private func fault(_ text: String) -> String? {
        do {
            _ = try elements(text)
            return nil
        } catch let error as ContentFault {
            return error.description
        } catch {
            return "\(error)"
        }
    }

    @Test func `The range of an element has its exact bytes without surrounding white space`() throws {
        #expect(try elements("[]") == [])
        #expect(try elements(" \t\r\n[ \n ] \n") == [])
        #expect(try elements("[1]") == ["1"])
        #expect(try elements("[ 1 ,\n-2.5e+10\t, true,false ,null]") == ["1", "-2.5e+10", "true", "false", "null"])
        #expect(try elements(#"[{"a": [1, {"b": 2}]} , [ ], {}]"#) == [#"{"a": [1, {"b": 2}]}"#, "[ ]", "{}"])
        #expect(try elements(#"["é","\u00e9"]"#) == [#""é""#, #""\u00e9""#])
    }

    @Test func `Elements, members and values have limits`() throws {
        func list(_ count: Int) -> String { "[\(Array(repeating: "0", count: count).joined(separator: ","))]" }
        #expect(try elements(list(JSONSlices.maximumElements)).count == JSONSlices.maximumElements)
        #expect(
            fault(list(JSONSlices.maximumElements + 1))?.contains("more than the 1000000 elements allowed")
                == true)
        let many = "{\((0...JSONSlices.maximumMembers).map { "\"\($0)\":0" }.joined(separator: ","))}"
        #expect(throws: ContentFault("", "has more than the 100000 members allowed")) { try members(many) }
        // The elements and the list itself count.
        _ = try JSONFields(Array("{\"a\":\(list(JSONSlices.maximumValues - 1))}".utf8))
        for value in [list(JSONSlices.maximumValues), "{\"b\":[\(list(JSONSlices.maximumValues))]}"] {
            #expect(throws: ContentFault("a", "has more than the 250000 values allowed")) {
                try JSONFields(Array("{\"a\":\(value)}".utf8))
            }
        }
    }

    @Test func `A record has a maximum size and a maximum run of combining marks`() throws {
        func fields(_ value: String) throws -> JSONFields { try JSONFields(Array("{\"a\":\(value)}".utf8)) }
        _ = try fields("\"\(String(repeating: "x", count: JSONSlices.maximumRecordSize - 8))\"")
        #expect(throws: ContentFault("", "is longer than the 4194304 bytes allowed")) {
            try fields("\"\(String(repeating: "x", count: JSONSlices.maximumRecordSize - 7))\"")
        }
        let marks = { (count: Int, mark: String) in "\"a\(String(repeating: mark, count: count))\"" }
        for mark in ["\u{301}", "\\u0316"] {
            _ = try fields(marks(String.maximumMarks, mark))
            _ = try fields("[\(marks(String.maximumMarks, mark + "b"))]")
            for value in [marks(String.maximumMarks + 1, mark), "[\(marks(2_000_000 / mark.utf8.count, mark))]"] {
                #expect { try fields(value) } throws: { "\($0)".contains("more than the 200 combining marks in a row") }
            }
        }
        // A page may leave out directional formatting.
        let interrupted = String(repeating: String(repeating: "\u{301}", count: 150) + "\u{2069}", count: 2)
        #expect(throws: ContentFault.self) { try fields("\"\(interrupted)\"") }
        // A list with such a record is read, and only the record is refused.
        #expect(try elements("[1,{\"a\":\(marks(1_000, "\u{301}"))}]").count == 2)
        // The limit also applies to names.
        #expect(throws: ContentFault.self) { try JSONFields(Array("{\(marks(1_000, "\u{301}")):1}".utf8)) }
    }

    @Test func `Brackets, quotes and backslashes in strings are text`() throws {
        #expect(try elements(#"["\"","\\","]","[{,",""]"#) == [#""\"""#, #""\\""#, #""]""#, #""[{,""#, #""""#])
        #expect(try elements(#"["a\\\"b","\\\\"]"#) == [#""a\\\"b""#, #""\\\\""#])
        #expect(try elements(#"[{"}":"\\"},{"]":"\""}]"#) == [#"{"}":"\\"}"#, #"{"]":"\""}"#])
    }

    @Test func `Members are found by name, and the first of equal names is used`() throws {
        struct Named: Decodable { let a: Int }
        #expect(try JSONDecoder().decode(Named.self, from: Data(#"{"a":1,"a":2}"#.utf8)).a == 1)
        #expect(try members("{}") == [:])
        #expect(try members(#" { "a" : 1 , "b":[ 2 ],"":{} } "#) == ["a": "1", "b": "[ 2 ]", "": "{}"])
        #expect(try members(#"{"a":1,"a":2}"#) == ["a": "1"])
    }

    @Test func `An object may have 64 levels, and list elements are skipped at any depth`() throws {
        let nested = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
        #expect(try elements("[\(nested(100_000)),1]") == [nested(100_000), "1"])
        #expect(fault(String(repeating: "[", count: 1_000_000)) == "ends in the middle, after 1000000 bytes")
        #expect(try members(#"{"a":"# + nested(100_000) + "}").count == 1)
        _ = try JSONFields(Array((#"{"a":"# + nested(63) + "}").utf8))
        for levels in [64, 10_000] {
            let deep = Array((#"{"a":1,"b":"# + nested(levels) + "}").utf8)
            #expect(throws: ContentFault("b", "is nested deeper than 64 levels (at byte 74)")) { try JSONFields(deep) }
        }
    }

    @Test func `A byte order mark is skipped only at the beginning`() throws {
        #expect(try elements("\u{FEFF}[1]") == ["1"])
        #expect(try members("\u{FEFF} {\"a\":1}") == ["a": "1"])
        #expect(fault("\u{FEFF}") == "ends in the middle, after 3 bytes")
        #expect(fault("\u{FEFF}\u{FEFF}[1]") == "is not an array (at byte 3)")
        // UTF-16 is not JSON's encoding between systems (RFC 8259, section 8.1).
        #expect(throws: ContentFault.self) { try JSONSlices.elements(of: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0]) }
    }

    @Test func `A body of another form is reported with the offset of its first wrong byte`() {
        #expect(fault("") == "is empty")
        #expect(fault("  ") == "ends in the middle, after 2 bytes")
        #expect(fault("{}") == "is not an array (at byte 0)")
        #expect(fault("<html>") == "is not an array (at byte 0)")
        #expect(fault("[1 2]") == "has no comma between elements (at byte 3)")
        #expect(fault("[1,]") == "has no value where one is expected (at byte 3)")
        #expect(fault("[,1]") == "has no value where one is expected (at byte 1)")
        #expect(fault("[1] x") == "continues after its end (at byte 4)")
        #expect(fault("[1]]") == "continues after its end (at byte 3)")
        #expect(fault(#"["a"#) == "ends in the middle, after 3 bytes")
        #expect(fault(#"["\"#) == "ends in the middle, after 3 bytes")
        for broken in [#"{"a"}"#, "{1:2}", #"{"a":{}"b":2}"#, #"{"a":}"#, #"{"a":1,}"#, "[]"] {
            #expect(throws: ContentFault.self) { try members(broken) }
        }
    }

    @Test func `A page cut at any byte is refused`() throws {
        let page = Array(
            #" {"info":{"count":2,"pages":1,"next":null},"results":[{"id":1,"name":"A \"b\" \\"},{"id":2,"list":[[],{}]}]}"#
                .utf8)
        for length in 0..<page.count {
            #expect(throws: ContentFault.self) { try JSONSlices.members(of: Array(page[..<length])) }
        }
        let results = try #require(try JSONSlices.members(of: page)["results"])
        #expect(try JSONSlices.elements(of: page, at: results).count == 2)
    }

    @Test func `Damaged pages are read or refused without a crash`() {
        let page = Array(
            #"{"info":{"count":2,"pages":1},"results":[{"id":1,"name":"A \"b\" \\"},{"id":2,"list":[[],{}],"x":-1.5e3}]}"#
                .utf8)
        var random = SeededRandom(7)
        for _ in 0..<5_000 {
            let body = random.damaged(page)
            if let members = try? JSONSlices.members(of: body) {
                for place in members.values {
                    #expect(place.lowerBound < place.upperBound && place.upperBound <= body.count)
                    if let inner = try? JSONSlices.elements(of: body, at: place) {
                        #expect(inner.allSatisfy { $0.upperBound <= body.count })
                    }
                }
            }
            if let elements = try? JSONSlices.elements(of: body) {
                #expect(elements.allSatisfy { $0.upperBound <= body.count })
            }
        }
    }
}
