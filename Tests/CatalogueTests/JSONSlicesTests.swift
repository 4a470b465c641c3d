import Catalogue
import Testing

/// Where values lie in JSON text: the exact bytes, and never a trap, whatever comes.
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

    @Test("Elements are found as the exact bytes, without the white space around them")
    func exactElements() throws {
        #expect(try elements("[]") == [])
        #expect(try elements(" \t\r\n[ \n ] \n") == [])
        #expect(try elements("[1]") == ["1"])
        #expect(try elements("[ 1 ,\n-2.5e+10\t, true,false ,null]") == ["1", "-2.5e+10", "true", "false", "null"])
        #expect(try elements(#"[{"a": [1, {"b": 2}]} , [ ], {}]"#) == [#"{"a": [1, {"b": 2}]}"#, "[ ]", "{}"])
        #expect(try elements(#"["é","\u00e9"]"#) == [#""é""#, #""\u00e9""#])
    }

    @Test("Elements, members and values have limits")
    func limits() throws {
        func list(_ count: Int) -> String { "[\(Array(repeating: "0", count: count).joined(separator: ","))]" }
        #expect(try elements(list(JSONSlices.maximumElements)).count == JSONSlices.maximumElements)
        #expect(
            fault(list(JSONSlices.maximumElements + 1))?.contains("more than the 1000000 elements that are taken")
                == true)
        let many = "{\((0...JSONSlices.maximumMembers).map { "\"\($0)\":0" }.joined(separator: ","))}"
        #expect(throws: ContentFault("", "has more than the 100000 members that are taken")) { try members(many) }
        // The list's comma-separated values, the list, and those around it.
        _ = try JSONFields(Array("{\"a\":\(list(JSONSlices.maximumValues - 1))}".utf8))
        for value in [list(JSONSlices.maximumValues), "{\"b\":[\(list(JSONSlices.maximumValues))]}"] {
            #expect(throws: ContentFault("a", "holds more than the 250000 values that are taken")) {
                try JSONFields(Array("{\"a\":\(value)}".utf8))
            }
        }
    }

    @Test("A record's size is limited, and how many combining marks follow one another in its texts, escaped or not")
    func sizeAndMarks() throws {
        func fields(_ value: String) throws -> JSONFields { try JSONFields(Array("{\"a\":\(value)}".utf8)) }
        _ = try fields("\"\(String(repeating: "x", count: JSONSlices.maximumRecordSize - 8))\"")
        #expect(throws: ContentFault("", "has 4194305 bytes, more than the 4194304 that are taken")) {
            try fields("\"\(String(repeating: "x", count: JSONSlices.maximumRecordSize - 7))\"")
        }
        let marks = { (count: Int, mark: String) in "\"a\(String(repeating: mark, count: count))\"" }
        for mark in ["\u{301}", "\\u0316"] {
            _ = try fields(marks(JSONSlices.maximumMarks, mark))
            _ = try fields("[\(marks(JSONSlices.maximumMarks, mark + "b"))]")
            for value in [marks(JSONSlices.maximumMarks + 1, mark), "[\(marks(2_000_000 / mark.utf8.count, mark))]"] {
                #expect { try fields(value) } throws: { "\($0)".contains("more than the 200 combining marks in a row") }
            }
        }
        // A list with such a record is read: the record alone is refused.
        #expect(try elements("[1,{\"a\":\(marks(1_000, "\u{301}"))}]").count == 2)
        // As a member's name as well.
        #expect(throws: ContentFault.self) { try JSONFields(Array("{\(marks(1_000, "\u{301}")):1}".utf8)) }
    }

    @Test("Brackets, quotes and backslashes inside strings are text")
    func strings() throws {
        #expect(try elements(#"["\"","\\","]","[{,",""]"#) == [#""\"""#, #""\\""#, #""]""#, #""[{,""#, #""""#])
        #expect(try elements(#"["a\\\"b","\\\\"]"#) == [#""a\\\"b""#, #""\\\\""#])
        #expect(try elements(#"[{"}":"\\"},{"]":"\""}]"#) == [#"{"}":"\\"}"#, #"{"]":"\""}"#])
    }

    @Test("Members are found by name; of repeated names the first counts, as for the decoder of records")
    func membersByName() throws {
        struct Named: Decodable { let a: Int }
        #expect(try JSONRecord.decode(Named.self, from: #"{"a":1,"a":2}"#.utf8).a == 1)
        #expect(try members("{}") == [:])
        #expect(try members(#" { "a" : 1 , "b":[ 2 ],"":{} } "#) == ["a": "1", "b": "[ 2 ]", "": "{}"])
        #expect(try members(#"{"a":1,"a":2}"#) == ["a": "1"])
    }

    @Test("Of an object 64 levels are read and 65 refused; elements of a list are stepped over however deep they are")
    func depth() throws {
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

    @Test("A byte order mark is passed over at the beginning, and nowhere else")
    func byteOrderMark() throws {
        #expect(try elements("\u{FEFF}[1]") == ["1"])
        #expect(try members("\u{FEFF} {\"a\":1}") == ["a": "1"])
        #expect(fault("\u{FEFF}") == "ends in the middle, after 3 bytes")
        #expect(fault("\u{FEFF}\u{FEFF}[1]") == "is not an array (at byte 3)")
        // UTF-16 is not JSON's encoding between systems (RFC 8259, section 8.1).
        #expect(throws: ContentFault.self) { try JSONSlices.elements(of: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0]) }
    }

    @Test("A body that is something else says what is wrong, and at which byte")
    func faults() {
        #expect(fault("") == "is empty")
        #expect(fault("  ") == "ends in the middle, after 2 bytes")
        #expect(fault("{}") == "is not an array (at byte 0)")
        #expect(fault("<html>") == "is not an array (at byte 0)")
        #expect(fault("[1 2]") == "has no comma between elements (at byte 3)")
        #expect(fault("[1,]") == "has no value where one belongs (at byte 3)")
        #expect(fault("[,1]") == "has no value where one belongs (at byte 1)")
        #expect(fault("[1] x") == "goes on behind its end (at byte 4)")
        #expect(fault("[1]]") == "goes on behind its end (at byte 3)")
        #expect(fault(#"["a"#) == "ends in the middle, after 3 bytes")
        #expect(fault(#"["\"#) == "ends in the middle, after 3 bytes")
        for broken in [#"{"a"}"#, "{1:2}", #"{"a":{}"b":2}"#, #"{"a":}"#, #"{"a":1,}"#, "[]"] {
            #expect(throws: ContentFault.self) { try members(broken) }
        }
    }

    @Test("A page cut at any byte is refused")
    func truncated() throws {
        let page = Array(
            #" {"info":{"count":2,"pages":1,"next":null},"results":[{"id":1,"name":"A \"b\" \\"},{"id":2,"list":[[],{}]}]}"#
                .utf8)
        for length in 0..<page.count {
            #expect(throws: ContentFault.self) { try JSONSlices.members(of: Array(page[..<length])) }
        }
        let results = try #require(try JSONSlices.members(of: page)["results"])
        #expect(try JSONSlices.elements(of: page, at: results).count == 2)
    }

    @Test("Damaged pages are read or refused, without a trap, and slices stay inside the body")
    func mutated() {
        let page = Array(
            #"{"info":{"count":2,"pages":1},"results":[{"id":1,"name":"A \"b\" \\"},{"id":2,"list":[[],{}],"x":-1.5e3}]}"#
                .utf8)
        var random = Random(seed: 7)
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
