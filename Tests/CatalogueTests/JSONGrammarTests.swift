import Catalogue
import Testing

struct JSONGrammarTests {
    private func fault(_ bytes: [UInt8]) -> String? {
        do {
            try JSONSlices.check(bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        arguments: [
            "{}", "[]", " [ ] ", "null", "true", "false", "0", "-0", "-1.5e+10", "1E-2",
            "123456789012345678901234567890", #""""#,
            #"{"a":[{"b":null}],"a":2}"#, #""\"\\\/\b\f\n\r\t\u00e9\uD800""#, "\"\u{1F600}\u{7F}\u{FFFE}\"",
            "\r\n\t[1 , 2]\n",
            "\u{FEFF}{}",
        ])
    func `Valid JSON is accepted`(json: String) {
        #expect(fault(Array(json.utf8)) == nil)
    }

    @Test(
        arguments: [
            ("", 0), ("{", 1), ("[1,]", 3), (#"{"a":1,}"#, 7), ("[1 2]", 3), ("tru", 3), ("nul]", 3), ("NaN", 0),
            ("'a'", 0), ("01", 1),
            ("1.", 2), (".5", 0), ("+1", 0), ("-", 1), ("1e", 2), ("1.2.3", 3), ("0x1", 1), ("1-2", 1), ("--1", 1),
            (#""\q""#, 2),
            (#""\u12g4""#, 5), ("\"a\nb\"", 2), ("\"a\u{0}\"", 2), (#""a"#, 2), (#"{"a"}"#, 4), (#"{a:1}"#, 1),
            (#"{"a":[}]"#, 6),
            ("[]]", 2), ("{}{}", 2), ("[1]x", 3), ("\u{A0}1", 0), ("/**/1", 0),
        ])
    func `Invalid JSON is refused at its first wrong byte`(json: String, offset: Int) {
        #expect(fault(Array(json.utf8)) == "is not valid JSON (at byte \(offset))")
    }

    @Test func `Invalid UTF-8 is refused, also in a string`() {
        for bad in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xC3]] as [[UInt8]] {
            #expect(fault(Array("\"a".utf8) + bad + Array("\"".utf8)) == "is not valid UTF-8")
        }
    }

    @Test func `64 levels and 100,000 members are accepted, and one more is refused`() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(fault(nested(64)) == nil)
        #expect(fault(nested(65)) == "is nested deeper than 64 levels (at byte 64)")
        #expect(fault(nested(100_000))?.hasPrefix("is nested deeper than 64 levels") == true)
        let members = String(repeating: #""a":0,"#, count: 99_999)
        #expect(fault(Array("[{\(members)\"b\":0}]".utf8)) == nil)
        #expect(
            fault(Array("[{\(members)\"b\":0,\"c\":0}]".utf8))?.hasPrefix(
                "has more than the 100000 members allowed") == true)
    }

    @Test func `A byte order mark is skipped`() {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(#"{"a": [1, {"b": 2}]}"#.utf8)
        #expect(JSONSlices.firstFault(in: bytes) == nil)
        #expect(JSONSlices.offset(of: "a[1].b", in: bytes) == 3 + 11)
        #expect(JSONSlices.firstFault(in: bytes.dropLast() + [0x2C])?.offset == bytes.count - 1)
    }

    @Test func `An offset is that of the value, or of the innermost enclosing value that exists`() {
        let bytes = Array(#"{"a":{"ab":[0,{"c":1}]},"ab":2,"a.b":3}"#.utf8)
        for (keyPath, offset) in [
            ("", 0), ("x", 0), ("a", 1), ("a.ab", 6), ("a.ab[1]", 14), ("a.ab[1].c", 15), ("a.ab[2]", 6), ("a.x.y", 1),
            ("ab", 24), ("ab[0]", 24), ("a.b", 31),
        ] {
            #expect(JSONSlices.offset(of: keyPath, in: bytes) == offset, "\(keyPath)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `The offset of an element is found below a long name`() {
        let name = String(repeating: "a", count: 500_000)
        let bytes = Array("{\"\(name)\":[\(String(repeating: "1,", count: 260_000))1]}".utf8)
        #expect(JSONSlices.offset(of: name, in: bytes) == 1)
        #expect(JSONSlices.offset(of: "\(name)[260000]", in: bytes) == bytes.count - 3)
    }

    @Test(arguments: [
        (#"{"a": 1,}"#, 8, "; remove the comma before it"), ("[1,]", 3, "; remove the comma before it"),
        (#"{"a": 1 "b": 2}"#, 8, "; a comma or colon is missing before it"), (#"{"a": nul}"#, 9, ""), ("", 0, ""),
    ])
    func `The first fault has a byte offset and advice`(
        text: String, offset: Int, advice: String
    )
        throws
    {
        let problem = try #require(JSONSlices.firstFault(in: Array(text.utf8)))
        #expect(problem.offset == offset && problem.reason == "is not valid JSON from here on\(advice)")
    }
}
