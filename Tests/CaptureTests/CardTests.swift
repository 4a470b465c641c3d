import Archive
import Capture
import Catalogue
import CatalogueEngine
import HTTP
import Testing

/// Cards that show records with cards of their own.
struct CardTests {
    private static let places = """
        {"name":"items","api":"\(FakeAPI.canonical)","card":"location","lists":["location","character"],
        "list":{"path":"{list}","paginator":{"type":"page_number"},"records":"results","count":"info.count"},
        "kinds":{"location":{"fields":{"residents":{"type":"references","to":"character"}}},
        "character":{"fields":{"image":{"type":"image"},
        "location":{"type":"reference","to":"location","path":"location.url"}}}}}
        """

    /// Cards of locations show characters, and characters have pictures. Only two cards are open at the same time.
    private func places(_ api: FakeAPI) throws -> Captures {
        var captures = try Captures(api)
        captures.catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(Self.places.utf8)))
        captures.settings.openCards = 2
        return captures
    }

    @Test func `Cards do not wait for records of their own list, or for chains of records that no list has`()
        async throws
    {
        let json = """
            {"name":"items","api":"https://items.example/v1","card":"book","lists":["book"],
            "list":{"path":"{list}","paginator":{"type":"page_number"},"records":"data","count":"count"},
            "kinds":{"book":{"fields":{"next":{"type":"reference","to":"book"}}}}}
            """
        let books = objects(1...40) { #""name":"n","next":\#($0 < 7 ? 7 : min($0 + 1, 40))"# }
        let api = ItemAPI { path, query in
            if path == "book" { return page(Array(books.prefix(7)), query) }
            return (200, "", books[(Int(path.dropFirst("book/".count)) ?? 1) - 1])
        }
        var captures = try captures(declaration: json, api)
        captures.settings.openCards = 2
        let report = try await captures.run()
        #expect(report.gapTexts == [] && report.records == ["book": 40])
        #expect(try captures.numbers(of: "book") == Array(1...40))
    }

    @Test func `Cards do not wait for records whose list waits for open cards`() async throws {
        let api = FakeAPI()
        for id in Int64(1)...7 { api.add(location: id, residents: [30]) }
        for id in Int64(1)...30 { api.add(character: id, at: 1) }
        api.change { state in
            state.pageSize = 3
            // The first cards are those of locations.
            state.before = { path in
                while path == "character?page=1", !api.requestedPaths.contains("location?page=3") {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
        }
        let captures = try places(api)
        let report = try await captures.run()
        #expect(report.gapTexts == [] && report.records == ["location": 7, "character": 30])
        #expect(try captures.assetCounts() == [30, 0])
    }

    @Test func `One card is captured with the records that it shows, and with their pictures`() async throws {
        let api = FakeAPI()
        api.add(location: 1, residents: [1, 2])
        for id in Int64(1)...3 { api.add(character: id, at: 3) }
        let captures = try places(api)
        let report = try await captures.run(card: RecordKey("location", 1))
        #expect(report.gapTexts == [] && report.records["character"] == 2)
        #expect(
            api.requestedPaths.sorted() == [
                "character/1", "character/2", "character/avatar/1.jpeg", "character/avatar/2.jpeg", "location/1",
            ])
    }

    @Test func `A card waits only for records of lists without cards`() throws {
        let json = """
            {"name":"items","api":"https://items.example/v1","card":"shelf","list":{"paginator":{"type":"single_page"}},
            "lists":["shelf","author","label",{"name":"works","kind":"{type}","kinds":{"F":"film","B":"book"}}],
            "kinds":{"shelf":{"fields":{"next":{"type":"reference","to":"shelf"},
            "author":{"type":"reference","to":"author"},"label":{"type":"reference","to":"label"},
            "film":{"type":"reference","to":"film"},"book":{"type":"reference","to":"book"}}},
            "author":{"fields":{"text":{"type":"html","capture":true}}},
            "film":{"fields":{"trailer":{"type":"file"}}}}}
            """
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let record = Array(#"{"id":1,"name":"n","next":2,"author":3,"label":4,"film":5,"book":6}"#.utf8)
        let facts = try catalogue.facts(of: record[...], kind: "shelf", base: "https://items.example/v1")
        #expect(facts.card.map(\.key) == [RecordKey("label", 4)])
        #expect(facts.references.map(\.key.kind) == ["shelf", "author", "film", "book"])
    }
}
