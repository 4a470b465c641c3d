import Site
import TestSupport
import Testing

/// docs/templates.md against the code.
struct TemplateReferenceTests {
    @Test func `docs/templates.md lists every name that the page models have`() throws {
        let document = try Document("docs/templates.md")
        let wanted = try document.byHand() + TemplateReference(TemplateFolder("\(Program.root)/Templates")).text
        try document.expect(wanted)
        #expect(Document.brokenLinks(in: wanted) == [])
        #expect(!wanted.contains("| ? |"), "a name without a sentence")
    }
}
