import Catalogue
import TestSupport
import Testing

@testable import CatalogueEngine

struct CatalogueReferenceTests {
    @Test func `The reference lists every key of a declaration`() throws {
        let document = try Document("docs/catalogue.md")
        let schema = try Document("catalogue.schema.json").text
        let wanted = try document.byHand() + CatalogueReference(Array(schema.utf8)).text()
        try document.expect(wanted)
        #expect(Document.brokenLinks(in: wanted) == [])
    }
}

/// The keys of a declaration as Markdown, from the schema.
private struct CatalogueReference {
    private let schema: DeclarationObject
    private let definitions: DeclarationObject

    init(_ schema: [UInt8]) throws {
        self.schema = try DeclarationObject(JSON(declaration: schema), at: "")
        definitions = try #require(try self.schema.object("$defs"))
    }

    func text() throws -> String {
        var lines = ["", "### Values", "", "| value | form |", "| --- | --- |"]
        for member in definitions.members where try !hasKeys(member.key) {
            let form = try definition(member.key)
            lines.append("| \(try form.text("title")) | \(try form.text("description")) |")
        }
        for object in try [schema] + definitions.members.map(\.key).filter(hasKeys).map(definition) {
            lines += ["", "### \(try object.text("title"))", "", try object.text("description"), ""]
            lines += ["| key | value | meaning | default |", "| --- | --- | --- | --- |"]
            let required = try object.texts("required")
            for member in try #require(try object.object("properties")).members {
                let key = try DeclarationObject(member.value, at: member.key)
                let standard = required.contains(member.key) ? "required" : try self.standard(of: key)
                lines.append(
                    "| `\(member.key)` | \(try value(of: key)) | \(try key.text("description")) | \(standard) |")
            }
        }
        let names = CatalogueDeclaration.reserved.sorted().map { "`\($0)`" }.joined(separator: ", ")
        lines += ["", "### Names in use", "", "\(Self.names) \(names)."]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let names = """
        The site, the archive or SQL uses some names, so kinds, plurals, folders of lists, relations and exported columns \
        cannot have them. A list with such a name has another kind: `{ "name": "document", "kind": "documents" }`. The \
        names are
        """

    private func definition(_ name: String) throws -> DeclarationObject {
        try #require(try definitions.object(name))
    }

    private func hasKeys(_ name: String) throws -> Bool { try definition(name).value("properties") != nil }

    private func standard(of key: DeclarationObject) throws -> String {
        switch key.value("default") {
        case .text(let text)?: "`\(text)`"
        case .word(let word)?: word
        default: ""
        }
    }

    /// The form of a value, in a few words.
    private func value(of key: DeclarationObject) throws -> String {
        if let reference = try key.optionalText("$ref") {
            let name = String(reference.dropFirst("#/$defs/".count))
            let title = try definition(name).text("title")
            return try hasKeys(name) ? "[\(title)](#\(Document.anchor(title)))" : title
        }
        if key.value("enum") != nil { return try key.texts("enum").map { "`\($0)`" }.joined(separator: ", ") }
        if let constant = try key.optionalText("const") { return "`\(constant)`" }
        switch try key.text("type") {
        case "integer":
            return
                "\(try key.integer("minimum", 0...1_000, default: 0)) to \(try key.integer("maximum", 1...1_000_000, default: 0))"
        case "boolean": return "`true`, `false`"
        case "array": return "array: \(try key.object("items").map(value) ?? "")"
        case "object": return "object: \(try key.object("additionalProperties").map(value) ?? "")"
        default: return "string"
        }
    }
}
