import Archive
import Catalogue
import KnownCatalogues
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

struct RecordTableTests {
    private let catalogue: DeclaredCatalogue

    init() throws {
        catalogue = try .rickAndMorty()
    }

    private func table(_ kind: String, _ records: [String]) throws -> RecordTable {
        let declared = try #require(catalogue.declaration.kind(kind))
        let table = RecordTable(declared, in: catalogue.declaration, count: records.count)
        for record in records { table.append(try table.entry(of: Array(record.utf8), catalogue.links("")), nil) }
        table.finish()
        return table
    }

    private func characters(_ ids: [Int]) throws -> RecordTable {
        let location = #"{"name":"","url":"\#(catalogue.declaration.api)/location/7"}"#
        return try table(
            "character",
            ids.map { id in
                #"{"id":\#(id),"name":"n\#(id)","status":"","species":"s","type":"","gender":"","location":\#(location),"episode":["x"]}"#
            })
    }

    @Test func `A character is found by its id in any order of ids`() throws {
        let table = try characters([3, 5, 9, 4])
        #expect([3, 4, 5, 9].map { table.row(of: $0) } == [0, 3, 1, 2])
        #expect(table.row(of: 1) == nil && table.row(of: 10) == nil)
        let fields = ["species", "location"].compactMap(table.kind.field)
        #expect(table.names[2] == "n9" && table.text(fields[0], 2) == "s" && table.reference(fields[1], 2) == 7)
    }

    @Test func `If an id is repeated, the first record is found`() throws {
        #expect(try characters([2, 1, 2, 1]).row(of: 1) == 1)
        #expect(try characters([2, 1, 2, 1]).row(of: 2) == 0)
    }

    @Test func `The parts of a formatted value are numbers, and another value has none`() throws {
        let codes = ["S01E02", "S1E2", "S010E02", "", "E02", "S01E02 ", "S99999999999999999999E01"]
        let table = try table(
            "episode",
            codes.enumerated().map { #"{"id":\#($0 + 1),"name":"","air_date":"","episode":"\#($1)","characters":[]}"# })
        let code = try #require(table.kind.field("code"))
        #expect(codes.indices.map { table.part("season", of: code, $0) } == [1, 1, 10, nil, nil, nil, nil])
        #expect(codes.indices.map { table.part("number", of: code, $0) } == [2, 2, 2, nil, nil, nil, nil])
        #expect(table.part("other", of: code, 0) == nil)
    }

    @Test func `A reference by an id above 2^53 - 1 finds a record of a kind with text ids`() async throws {
        let json = #"""
            {"name":"any","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
            "lists":["account","post"],"kinds":{"account":{"textIds":true},
            "post":{"fields":{"account":{"type":"reference","to":"account"}}}}}
            """#
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let ids = ["109357260772763021", "9007199254740992", "9007199254740991", "5", "05"]
        let accounts = ids.map { #"{"id":"\#($0)","name":"Account \#($0)"}"# }
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let tables = try await PlannedRevision(
            catalogue, [("account", accounts), ("post", [#"{"id":1,"account":"\#(ids[0])"}"#])], texts
        ).tables()
        #expect(ids.map { tables.find($0, "account")?.name } == ids.map { "Account \($0)" })
        #expect(tables.find("9007199254740993", "account") == nil)
        let links = catalogue.links("http://a.example/api")
        for start in ["", "http://a.example/api/post/"] {
            #expect(
                links.key("\(start)9007199254740991", kind: "post") == RecordKey("post", 9_007_199_254_740_991),
                "\(start)")
            #expect(links.key("\(start)9007199254740992", kind: "post") == nil, "\(start)")
        }
    }
}
