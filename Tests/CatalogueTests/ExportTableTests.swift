import Archive
import CatalogueEngine
import Pages
import SQLite
import TestSupport
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
        String(decoding: try table.line(of: record(Array(json.utf8))), as: UTF8.self)
    }

    private func record(_ bytes: [UInt8]) -> StoredRecord { (RecordKey("thing", 7), bytes, SHA256(of: bytes), nil) }

    @Test(
        arguments: [
            (
                #"{"name":"Ada","place":{"name":"Home"},"a":{"b_c":{"d":"x"}},"links":["http://a.example/u/1","http://a.example/u/22/"]}"#,
                "7,Ada,Home,x,1 22"
            ),
            (#" { "name" : "Ada" , "links" : [ 1 , 22 ] } "#, "7,Ada,,,1 22"), ("{}", "7,,,,"),
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
            // Only addresses have an id at their end. Null, arrays and objects are left out.
            (
                #"{"links":["u/3","https:\/\/a.example\/5/","6",7,null,"MA-8","９","http://a/1\u0301",[1],{"id":1}]}"#,
                "7,,,,u/3 5 6 7 MA-8 ９ 1\u{301}"
            ),
            (#"{"links":["=1"]}"#, "7,,,,'=1"), (#"{"links":"u/3"}"#, "7,,,,"), (#"{"links":[]}"#, "7,,,,"),
            (#"{"links":{"0":"u/3"}}"#, "7,,,,"),
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
        let line = try table.line(of: record(Array("{}".utf8)))
        #expect(String(decoding: line, as: UTF8.self) == "7,\"it's, \"\"so\"\"\",'=1\r\n")
        #expect(table.view(named: "things").contains(#"AS "id", 'it''s, "so"' AS "country", '=1' AS "sum" FROM"#))
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
            try table.line(of: record([0x7B, 0x22]))
        }
    }

    // Archives of earlier versions may contain such records.
    @Test func `An unreadable text is written unchanged`() throws {
        let bytes = Array(#"{"name":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        let line = try table.line(of: record(bytes))
        #expect(String(decoding: line, as: UTF8.self) == "7,\"\"\"\u{FFFD}(\"\"\",,,\r\n")
        #expect(try self.line(#"{"name":"\q"}"#) == "7,\"\"\"\\q\"\"\",,,\r\n")
    }

    /// A catalogue with text ids, and fields whose names are words of SQL.
    private static let declaration = #"""
        {"name":"museum","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
        "lists":["town","room","artist","work"],"relations":{"made_by":"work.makers"},"kinds":{
        "artist":{"textIds":true},"room":{"id":"{floor.number}/{door}"},
        "work":{"textIds":true,"id":"slug","title":"names[lang.code=en].name","fields":{
        "makers":{"type":"references","to":"artist"},"owners":{"type":"references","to":"artist","path":"owners[].id"},
        "deep":{"type":"references","to":"work","path":"parts[kinds[].name=main].works[].id"},
        "first":{"type":"reference","to":"artist"},"town":{"type":"reference","to":"town"},
        "position":{},"title":{"path":"other"},"latitude":{"type":"number","path":"at.point[1]"},
        "tags":{"type":"list","path":"tags[].name"},"true_tag":{"path":"tags[isMain=true].name"},
        "room":{"type":"reference","to":"room"}}}}}
        """#

    @Test func `Views and CSV files have the same ids and values, also of text ids and paths through arrays`()
        async throws
    {
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(Self.declaration.utf8)))
        let works = [
            #"""
            {"slug":"w-1","names":[{"lang":{"code":"de"},"name":"Eins"},{"lang":{"code":"en"},"name":"One"}],
            "makers":["MA-1","http://a.example/api/artist/MA-2"],"owners":[{"id":"MA-2"},{"id":3}],
            "parts":[{"kinds":[{"name":"x"}],"works":[{"id":"w-9"}]},
            {"kinds":[{"name":"y"},{"name":"main"}],"works":[{"id":"w-1"},{"id":"w-2"}]}],
            "first":"http://a.example/api/artist/MA-1","town":"http://a.example/api/town/12/",
            "position":"left","other":"Uno","at":{"point":[80.26,35.5]},
            "tags":[{"name":"a b"},{"name":"c","isMain":true}],"room":"2/A"}
            """#,
            #"{"slug":"w-2","names":[{"lang":{"code":"en"},"name":"Two"}],"makers":["MA-2"],"town":"none"}"#,
        ]
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let artists = (1...3).map { #"{"id":"\#($0 < 3 ? "MA-" : "")\#($0)"}"# }
        let revision = try await PlannedRevision(
            catalogue,
            [
                ("town", [#"{"id":12}"#]), ("room", [#"{"floor":{"number":2},"door":"A"}"#]), ("artist", artists),
                ("work", works),
            ], texts)
        let table = try #require(catalogue.exportTables.last)
        let head =
            "id,title,makers,owners,deep,first,town,position,title_field,latitude,tags,true_tag,room"
        #expect(String(decoding: table.header, as: UTF8.self) == "\(head)\r\n")
        let rows = [
            [
                "w-1", "One", "MA-1 MA-2", "MA-2 3", "w-1 w-2", "MA-1", "12", "left", "Uno", "35.5", #"["a b","c"]"#,
                "c", "2/A",
            ],
            ["w-2", "Two", "MA-2", "", "", "", "none", "", "", "", "[]", "", ""],
        ]
        let lines = try revision.reader.records(of: "work", at: 0..<2).map {
            String(decoding: try table.line(of: $0), as: UTF8.self).replacing(#""["#, with: "[")
                .replacing(#"]""#, with: "]").replacing(#""""#, with: #"""#)
        }
        #expect(lines == rows.map { $0.joined(separator: ",") + "\r\n" })
        let scratch = try ScratchFolder()
        let views = catalogue.exportTables.map { $0.view(named: "\($0.kind)s") } + catalogue.exportRelations
        try revision.reader.export(to: scratch["data.sqlite"], views: views)
        let db = try Connection(scratch["data.sqlite"], .readOnly)
        let columns = table.columns.map { "coalesce(CAST(\"\($0.name)\" AS TEXT), '')" }.joined(separator: ", ")
        let found = try db.all("SELECT \(columns) FROM works") { row in table.columns.indices.map(row.text) }
        #expect(found == rows)
        let joined = try db.all(
            "SELECT works.title, artists.id FROM made_by JOIN works ON works.id = work JOIN artists ON artists.id = artist"
        ) {
            "\($0.text(0)) \($0.text(1))"
        }
        #expect(try db.all("SELECT works.title FROM works JOIN towns ON towns.id = town") { $0.text(0) } == ["One"])
        #expect(try db.all("SELECT works.title FROM works JOIN rooms ON rooms.id = room") { $0.text(0) } == ["One"])
        let rooms = try #require(catalogue.exportTables.first { $0.kind == "room" })
        let room = try rooms.line(of: #require(revision.reader.records(of: "room", at: 0..<1).first))
        #expect(room.starts(with: "2/A,".utf8))
        #expect(joined.sorted() == ["One MA-1", "One MA-2", "Two MA-2"])
    }

    @Test func `Values of other records are in views and CSV files`() async throws {
        let json = #"""
            {"name":"museum","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
            "lists":["country","town","work"],"kinds":{"country":{"textIds":true},"town":{"fields":{
            "land":{"type":"reference","to":"country"},"land_name":{"from":"land"},"size":{"type":"number"},
            "code":{"format":"T{number}"},"part":{"from":"code.number"},"tags":{"type":"list","path":"tags[].name"}}},
            "work":{"fields":{"town":{"type":"reference","to":"town","path":"place.url"},"place_name":{"from":"town"},
            "size":{"type":"number","from":"town.size"},"land":{"from":"town.land_name"},
            "land_id":{"type":"reference","to":"country","from":"town.land"},
            "country":{"type":"reference","to":"country"},"country_name":{"from":"country"}}}}}
            """#
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let towns = [
            #"{"id":1,"name":"=Riga","land":"LV","size":1.50,"code":"T5","tags":[]}"#,
            #"{"id":2,"name":"Oslo","land":"http://a.example/api/country/NO","size":7}"#,
        ]
        let works = [
            #"{"id":1,"name":"One","place":{"url":"http://a.example/api/town/1/"},"country":"NO"}"#,
            #"{"id":2,"name":"Two","place":{"url":2},"country":"none"}"#, #"{"id":3,"name":"Three","place":null}"#,
            #"{"id":4,"name":"Four","place":{"url":"http://a.example/api/town/9/"}}"#,
        ]
        let countries = [#"{"id":"LV","name":"Latvia"}"#, #"{"id":"NO","name":"Norway"}"#]
        let revision = try await PlannedRevision(
            catalogue, [("country", countries), ("town", towns), ("work", works)], texts)
        let head = ["id", "title", "town", "place_name", "size", "land", "land_id", "country", "country_name"]
        let others = ["id", "title", "land", "land_name", "size", "code", "tags"]
        let rows = [
            ["1", "One", "1", "=Riga", "1.50", "Latvia", "LV", "NO", "Norway"],
            ["2", "Two", "2", "Oslo", "7", "Norway", "NO", "none", ""], ["3", "Three", "", "", "", "", "", "", ""],
            ["4", "Four", "9", "", "", "", "", "", ""],
        ]
        let table = try #require(catalogue.exportTables.last)
        #expect(table.columns.map(\.name) == head)
        #expect(catalogue.exportTables[1].columns.map(\.name) == others)
        let lines = try revision.reader.records(of: "work", at: 0..<4).map { record in
            String(decoding: try table.line(of: record, revision.reader.record), as: UTF8.self)
        }
        #expect(lines == rows.map { $0.joined(separator: ",").replacing("=", with: "'=") + "\r\n" })
        let scratch = try ScratchFolder()
        let views = catalogue.exportTables.map { $0.view(named: "\($0.kind)s") } + catalogue.exportRelations
        try revision.reader.export(to: scratch["data.sqlite"], views: views)
        let db = try Connection(scratch["data.sqlite"], .readOnly)
        let columns = head.map { "coalesce(CAST(\"\($0)\" AS TEXT), '')" }.joined(separator: ", ")
        let found = try db.all("SELECT \(columns) FROM works") { row in head.indices.map(row.text) }
        #expect(found == rows.map { $0.map { $0 == "1.50" ? "1.5" : $0 } })
    }

    @Test func `A kind can have 60 fields with values of other records`() throws {
        func declare(_ count: Int) throws -> CatalogueDeclaration {
            let fields = (1...count).map { #","x\#($0)":{"from":"part.y"}"# }.joined()
            let json = #"""
                {"name":"a","api":"http://a.example","list":{"paginator":{"type":"single_page"}},
                "lists":["part","thing"],"kinds":{"part":{"fields":{"y":{}}},
                "thing":{"fields":{"part":{"type":"reference","to":"part"}\#(fields)}}}}
                """#
            return try CatalogueDeclaration(Array(json.utf8))
        }
        #expect(throws: Never.self) { try declare(60) }
        #expect(
            throws: ContentFault(
                "kinds.thing.fields.x61.from",
                "is one of more than the 60 values of other records that a kind can have")
        ) { try declare(61) }
    }
}
