import Site
import TestSupport
import Testing

struct TemplateReferenceTests {
    @Test func `The reference lists every name in the page models`() throws {
        let document = try Document("docs/templates.md")
        let wanted = try document.byHand() + TemplateReference().text
        try document.expect(wanted)
        #expect(Document.brokenLinks(in: wanted) == [])
        #expect(!wanted.contains("| ? |"), "a name has no description")
    }
}
