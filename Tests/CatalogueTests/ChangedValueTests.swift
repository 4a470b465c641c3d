import Archive
import Pages
import TestSupport
import Testing

@testable import Catalogue
@testable import CatalogueEngine

/// The values of records on the pages of changes and in the history of a record.
struct ChangedValueTests {
    private let catalogue: DeclaredCatalogue
    private let texts: Texts

    init() throws {
        let json = #"""
            {"name":"any","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},
            "lists":["place","person"],"kinds":{"place":{"self":"links.self","fields":{
            "photo":{"type":"image","path":"properties.photo"},
            "area":{"type":"number","path":"properties.area_km2","unit":"{number} km²"},
            "open":{"path":"properties.is_open"},"text":{"type":"html","path":"body[type=paragraph].value"},
            "owner":{"type":"reference","to":"person","path":"properties.owner_id"},
            "guide":{"type":"reference","to":"person","path":"guide.url","text":"guide.name"},
            "map":{"type":"url","address":"https://maps.example/{id}"},
            "authors":{"type":"references","to":"person","path":"authors[].author.id"},
            "story":{"type":"html","path":"story.data"},
            "issued":{"type":"date","path":"issued.date-parts"},"made":{"type":"date"},
            "raw":{"type":"hidden","path":"story","history":false}}}}}
            """#
        catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        texts = try Strings.english().adding(standards: catalogue.texts)
    }

    /// The changes between two states of a record as lines such as "Area: 1 km² → 2 km²".
    private func lines(_ old: String, _ new: String) async throws -> [String] {
        let record = { (members: String) in #"{"id":1,\#(members)}"# }
        let people = [#"{"id":7,"name":"Ada"}"#, #"{"id":8,"name":"Bo"}"#]
        let revision = try await PlannedRevision(
            catalogue, [("place", [record(new)]), ("person", people)], texts)
        let presenter = HistoryPresenter(try History(revision.reader, catalogue), try revision.tables())
        let key = RecordKey("place", 1)
        let members = presenter.presenter.members(of: "place")
        return try FieldChange.between(Array(record(old).utf8), Array(record(new).utf8))
            .flatMap { catalogue.parts(of: $0, in: "place") }
            .compactMap { change in
                guard let label = presenter.label(of: change.name, members, texts) else { return nil }
                func names(_ elements: [JSON]) -> String {
                    elements.map { element in
                        presenter.presenter.key(element, of: change.name, in: "place")
                            .flatMap { presenter.presenter.page(of: $0)?.name }
                            ?? presenter.shown([element], of: change.name, in: key, texts)[0].text
                    }.joined(separator: ", ")
                }
                if let list = change.list { return "\(label): +\(names(list.added)) -\(names(list.removed))" }
                let shown = presenter.shown([change.old, change.new], of: change.name, in: key, texts)
                return shown[0] == shown[1] ? label : "\(label): \(shown[0].text) → \(shown[1].text)"
            }
    }

    @Test func `Dates in arrays of numbers change as dates`() async throws {
        #expect(
            try await lines(
                #""issued":{"date-parts":[[2020,5,1]]},"made":[2020,5]"#,
                #""issued":{"date-parts":[[2020,6,1]]},"made":[2021]"#)
                == ["Issued: May 1, 2020 → June 1, 2020", "Made: 2020-05 → 2021"])
    }

    @Test func `Each field below a member has its own change, with its label and unit`() async throws {
        #expect(
            try await lines(
                #""properties":{"area_km2":194,"photo":"a.png","is_open":false,"owner_id":7,"city":"X","geo":{"lat":1}}"#,
                #""properties":{"area_km2":195,"photo":"a.png","is_open":true,"owner_id":8,"city":"Y","geo":{"lat":2}}"#
            )
                == [
                    "Area: 194 km² → 195 km²", "Properties city: X → Y", "Properties geo lat: 1 → 2",
                    "Open: no → yes", "Owner: Ada → Bo",
                ])
        #expect(
            try await lines(#""properties":null"#, #""properties":{"area_km2":12345}"#) == [
                "Area: not specified → 12,345 km²"
            ])
        #expect(try await lines(#""links":{"self":"a"},"b":1"#, #""links":{"self":"b"},"b":1"#) == [])
        // The member is not the field with this name, whose value is an address.
        #expect(
            try await lines(#""map":{"scale":1,"size":2}"#, #""map":{"scale":3,"size":2}"#) == ["Map scale: 1 → 3"])
    }

    @Test func `An object with the address of a reference is one value`() async throws {
        let guide = { (id: Int, name: String) in
            #""guide":{"name":"\#(name)","url":"http://a.example/api/person/\#(id)"}"#
        }
        #expect(try await lines(guide(7, "A. L."), guide(8, "B.")) == ["Guide: A. L. → B."])
        #expect(
            try await lines(
                #""at":{"name":"a","u":"http://b.example/1"}"#, #""at":{"name":"b","u":"http://b.example/2"}"#)
                == ["At: a → b"])
    }

    @Test func `Elements of arrays belong to the fields whose conditions they meet`() async throws {
        #expect(
            try await lines(
                #""body":[{"type":"paragraph","value":"<p>a &amp; b</p>"},{"type":"quote","by":"C","on":true}]"#,
                #""body":[{"type":"paragraph","value":"<p>a &amp; c</p>"},{"type":"quote","by":"C","on":false}]"#)
                == ["Text: a & b → a & c", "Body: +On: no -On: yes"])
        #expect(
            try await lines(#""authors":[{"author":{"id":7},"n":1}]"#, #""authors":[{"author":{"id":8},"n":1}]"#)
                == ["Authors: +Bo -Ada"])
        #expect(
            try await lines(#""authors":[{"author":{"id":7},"n":1}]"#, #""authors":[{"author":{"id":7},"n":2}]"#)
                == ["Authors"], "no page shows what differs")
    }

    @Test func `Of an object in an array, only its name and the members that differ are shown`() async throws {
        let part = { (id: Int, name: String, price: Int) in
            #"{"id":\#(id),"name":"\#(name)","price":\#(price),"size":{"w":1,"h":\#(price)},"end":null,"note":""}"#
        }
        #expect(
            try await lines(
                #""parts":[\#(part(1, "A", 5)),\#(part(2, "B", 6))]"#,
                #""parts":[\#(part(2, "B", 8)),\#(part(1, "A", 5))]"#)
                == ["Parts: +Name: B, Price: 8, Size: H: 8 -Name: B, Price: 6, Size: H: 6"])
        #expect(
            try await lines(#""parts":[{"a":1,"b":2}]"#, #""parts":[{"a":1,"b":3}]"#) == ["Parts: +B: 3 -B: 2"])
        #expect(
            try await lines(#""parts":[{"a":1,"b":2}]"#, #""parts":[{"a":1,"b":3},{"a":1,"b":4}]"#)
                == ["Parts: +A: 1, B: 3, A: 1, B: 4 -A: 1, B: 2"])
    }

    @Test func `A value belongs to the field with the most specific path`() async throws {
        let story = { (data: String, type: String) in #""story":{"data":"\#(data)","type":"\#(type)"}"# }
        #expect(try await lines(story("<p>a</p>", "x"), story("<p>b</p>", "y")) == ["Story: a → b"])
        #expect(try await lines(story("<p>a</p>", "x"), story("<p>a</p>", "y")) == [])
    }

    @Test func `Values that the declaration does not name have the words of pages, and texts have no tags`()
        async throws
    {
        #expect(
            try await lines(
                #""about":null,"isOn":false,"seen":"2020-01-02T10:30:00Z","to":"http://a.example/api/person/7""#,
                #""about":"<p>New &amp; <b>old</b></p>","isOn":true,"seen":"2020-01-03T00:00:00Z","to":"http://a.example/api/person/8""#
            )
                == [
                    "About: not specified → New & old", "Is on: no → yes",
                    "Seen: January 2, 2020, 10:30 UTC → January 3, 2020",
                    "To: Ada → Bo",
                ])
    }

    @Test func `A long text is shown from shortly before its change`() async throws {
        let start = String(repeating: "word ", count: 200)
        let line = try await lines(#""note":"<p>\#(start)old end</p>""#, #""note":"<p>\#(start)new end</p>""#)[0]
        #expect(line.hasPrefix("Note: …") && line.contains("word old end → …") && line.hasSuffix("word new end"))
        #expect(line.utf8.count < 200)
        let longer = try await lines(#""note":"\#(start)""#, #""note":"\#(start)end""#)[0]
        #expect(longer.contains("word → … word") && longer.hasSuffix("word end"), "\(longer)")
    }

    @Test func `An object with a very long name has one change`() throws {
        for (length, count) in [(1_000, 2), (1_001, 1)] {
            let name = String(repeating: "n", count: length)
            let (old, new) = (#"{"\#(name)":{"a":1,"b":2}}"#, #"{"\#(name)":{"a":3,"b":4}}"#)
            let changes = try FieldChange.between(Array(old.utf8), Array(new.utf8))
            let parts = changes.flatMap { catalogue.parts(of: $0, in: "place") }
            #expect(parts.count == count && parts.allSatisfy { $0.name.hasPrefix(name) })
            #expect(changes[0].weight > length)
        }
    }
}
