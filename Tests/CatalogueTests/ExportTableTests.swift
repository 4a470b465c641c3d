import Archive
import Testing

@testable import Catalogue

struct ExportTableTests {
    private let table = ExportTable(
        "thing",
        [
            ("id", .id), ("name", .value("name")), ("place", .value("place.name")),
            ("deep", .value("a.b_c.d")), ("links", .links("links")),
        ])

    private func line(_ json: String) throws -> String {
        String(
            decoding: try table.line(of: StoredRecord(key: RecordKey("thing", 7), bytes: Array(json.utf8))),
            as: UTF8.self)
    }

    @Test(
        arguments: [
            (
                #"{"name":"Ada","place":{"name":"Home"},"a":{"b_c":{"d":"x"}},"links":["u/1","u/22"]}"#,
                "7,Ada,Home,x,1 22"
            ),
            (#" { "name" : "Ada" , "links" : [ "u/1" , "u/22" ] } "#, "7,Ada,,,1 22"), ("{}", "7,,,,"),
            // Quotation marks, commas, line ends and escapes.
            (#"{"name":"a,b","place":{"name":"say \"hi\""}}"#, #"7,"a,b","say ""hi""",,"#),
            (#"{"name":"a\r\nb","place":{"name":"tab\tin\/it"}}"#, "7,\"a\r\nb\",tab\tin/it,,"),
            (
                #"{"n\u0061me":"first","name":"second","a":{"b\u005fc":{"\u0064":"\ud83d\ude00 \ud800"}}}"#,
                "7,first,,😀 \u{FFFD},"
            ),
            (#"{"name":"é","place":{"name":"e\u0301"}}"#, "7,é,e\u{301},,"),
            // Numbers, flags, null, and other values as compact JSON with sorted members.
            (#"{"name":12.50,"place":{"name":true},"a":{"b_c":{"d":null}}}"#, "7,12.50,true,,"),
            (
                #"{"name":["x", 1],"place":{"name":{"z":1,"a":"\u0001"}}}"#,
                #"7,"[""x"",1]","{""a"":""\u0001"",""z"":1}",,"#
            ),
            // Missing members, and members of values that are not objects.
            (#"{"place":"Home","a":{"b_c":[{"d":1}]}}"#, "7,,,,"), (#"{"place":null,"a":{"b_c":null}}"#, "7,,,,"),
            // The digits at the end of each link. Other elements are left out.
            (#"{"links":["u/3?page=4","u/5/","6",7,null,"u\/8","９","u/1\u0301"]}"#, "7,,,,4  6 8  "),
            (#"{"links":"u/3"}"#, "7,,,,"), (#"{"links":[]}"#, "7,,,,"), (#"{"links":{"0":"u/3"}}"#, "7,,,,"),
        ])
    func `A line has the decoded values of its record`(json: String, expected: String) throws {
        #expect(try line(json) == "\(expected)\r\n")
    }

    @Test(
        arguments: [
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r1", "\nx", "'quoted", "''", " =1", "\u{A0}\u{FEFF}=1", "\u{1}=1",
            "\u{200B}-1",
            "＝1+1",
            "＋1", "－1", "＠x", "=HYPERLINK(\"http://x\",\"y\")",
        ])
    func `A text that a spreadsheet would evaluate begins with an apostrophe`(text: String) throws {
        let json = "{\"name\":\(JSON.text(text))}"
        let isQuoted = text.utf8.contains { "\",\r\n".utf8.contains($0) }
        let quoted = isQuoted ? "\"'\(text.replacing("\"", with: "\"\""))\"" : "'\(text)"
        #expect(try line(json) == "7,\(quoted),,,\r\n")
    }

    @Test(
        arguments: ["-5", "-1.5e+3", "12", "\"5 - 3\"", "\"a=b\"", "\"Ünal\"", "true"])
    func `Other texts and all numbers are unchanged`(value: String) throws {
        #expect(try line("{\"name\":\(value)}") == "7,\(value.replacing("\"", with: "")),,,\r\n")
    }

    @Test(arguments: ["=1+1", "-1+2", "+1", "@x"])
    func `A literal that is not a JSON number is treated like a text`(literal: String) throws {
        #expect(try line("{\"name\":\(literal)}") == "7,'\(literal),,,\r\n")
    }

    @Test func `A column can have the same text for all records`() throws {
        let table = ExportTable(
            "thing", [("id", .id), ("country", .constant("it's, \"so\"")), ("sum", .constant("=1"))])
        let line = try table.line(of: StoredRecord(key: RecordKey("thing", 7), bytes: Array("{}".utf8)))
        #expect(String(decoding: line, as: UTF8.self) == "7,\"it's, \"\"so\"\"\",'=1\r\n")
        #expect(table.view(named: "things").contains("SELECT id AS id, 'it''s, \"so\"' AS country, '=1' AS sum FROM"))
    }

    @Test func `A quote with a combining mark cannot end a text in SQL`() {
        for mark in ["\u{301}", "\u{200D}", "\u{FE0F}"] {
            let table = ExportTable(
                "thing", [("id", .id), ("country", .constant("x'\(mark) FROM t; DROP TABLE t; --"))])
            let view = table.view(named: "things")
            #expect(view.unicodeScalars.count { $0 == "'" } == 6 && view.contains("''\(mark) FROM t"), "\(view)")
        }
    }

    @Test func `A record that is not a JSON object has no line`() {
        for json in [#"["x"]"#, #"{"name":"Ada""#, ""] {
            #expect(throws: ContentFault.self, "\(json)") { try line(json) }
        }
        #expect(throws: ContentFault.self) {
            try table.line(of: StoredRecord(key: RecordKey("thing", 7), bytes: [0x7B, 0x22]))
        }
    }

    // Archives of earlier versions may contain such records.
    @Test func `An unreadable text is written unchanged`() throws {
        let bytes = Array(#"{"name":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        let line = try table.line(of: StoredRecord(key: RecordKey("thing", 7), bytes: bytes))
        #expect(String(decoding: line, as: UTF8.self) == "7,\"\"\"\u{FFFD}(\"\"\",,,\r\n")
        #expect(try self.line(#"{"name":"\q"}"#) == "7,\"\"\"\\q\"\"\",,,\r\n")
    }
}
