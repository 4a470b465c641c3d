import CatalogueEngine
import Foundation
import Testing

struct PagingExamplesTests {
    /// The declarations in the table "How an API pages". PaginatorTests captures an API of each form.
    @Test func `Each declaration of the table of paginators is accepted`() throws {
        let text = try Document("docs/catalogue.md").text
        let section = try #require(text.components(separatedBy: "## How an API pages\n").last)
        let table = try #require(section.components(separatedBy: "\n- **Records**").first)
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`{") }
        #expect(rows.count == 14)
        for row in rows {
            let list = row.split(separator: "`")[1]
            let json = """
                {"name":"items","api":"https://items.example","list":\(list),"lists":["item"],
                "kinds":{"item":{"count":"items","description":"item","list":{"title":"items"}}}}
                """
            #expect(throws: Never.self, "\(row)") { try CatalogueDeclaration(Array(json.utf8)) }
        }
    }
}
