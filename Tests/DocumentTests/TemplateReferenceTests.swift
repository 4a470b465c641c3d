import Catalogue
import KnownCatalogues
import Mustache
import Site
import TestSupport
import Testing

@testable import CatalogueEngine

struct TemplateReferenceTests {
    @Test func `The reference lists every name in the page models`() throws {
        let document = try Document("docs/templates.md")
        let wanted = try document.byHand() + TemplateReference().text
        try document.expect(wanted)
        #expect(Document.brokenLinks(in: wanted) == [])
        #expect(!wanted.contains("| ? |"), "a name has no description")
    }

    @Test func `The table of the types of fields has the names of each type`() throws {
        let table = try #require(try Document("docs/templates.md").byHand().split(separator: "| type | names |").last)
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        func words(_ text: Substring) -> [String] {
            text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
                .map { String($0.element) }
        }
        func names(_ type: String, _ more: String = "") throws -> Set<String> {
            let row = rows.first { row in
                let cell = row.split(separator: "|")[0]
                return words(cell).contains(type) && cell.contains(more)
            }
            return Set(words(try #require(row).split(separator: "|", maxSplits: 1)[1]))
        }
        for type in FieldDeclaration.FieldType.allCases where type.isText || type == .prose || type == .html {
            let declared: JSON = ["type": .text(type.rawValue), "votes": type == .rating ? .text("votes") : nil]
            let field = try FieldDeclaration(0, "a", declared, at: "", kinds: [], api: "http://a.example")
            #expect(try Set(RecordModels.value(field).fields.map(\.name)).isSubset(of: names(type.rawValue)))
        }
        let models = try DeclaredCatalogue.rickAndMorty().models
        let declaration = try DeclaredCatalogue.rickAndMorty().declaration
        for (kind, field, type, more) in [
            ("character", "origin", "reference", ""), ("character", "episode", "references", "inverse"),
            ("location", "residents", "references", "cards"), ("character", "companions", "together", ""),
            ("location", "natives", "inverse", ""),
        ] {
            let fields = models[try #require(declaration.kind(kind))].fields.fields
            var shape = try #require(fields.first { $0.name == field }).kind
            if case .optional(let inner) = shape { shape = inner }
            guard case .object(let object) = shape else { continue }
            #expect(try Set(object.fields.map(\.name)).isSubset(of: names(type, more)), "\(field)")
        }
    }
}
