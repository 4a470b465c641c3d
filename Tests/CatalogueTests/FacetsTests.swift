import Catalogue
import Pages
import Testing

struct FacetsTests {
    private func facets(_ species: [String]) throws -> Facets.Facet {
        var column = ValueColumn()
        for value in species { column.append(value) }
        return try #require(Facets([("species", TextDeclaration("species"), column)]).facets.first)
    }

    @Test func `Values are sorted by count and then by bytes, and rows keep the API's order`() throws {
        let facet = try facets(["b", "a", "c", "c", "a", "c"])
        #expect(facet.values.map(\.value) == ["c", "a", "b"])
        #expect(facet.values.map(\.rows) == [[2, 3, 5], [1, 4], [0]])
    }

    @Test func `A slug has lowercase letters, digits and hyphens, and is unique`() throws {
        let values = [
            "Mythological Creature", "mythological creature!", "../../etc", "Ёж", "", "C-137",
            String(repeating: "x", count: 200),
        ]
        let slugs = try facets(values).values.reduce(into: [String: String]()) { $0[$1.value] = $1.slug }
        #expect(slugs["Mythological Creature"] == "mythological-creature")
        #expect(slugs["mythological creature!"] == "mythological-creature-2")
        #expect(slugs["../../etc"] == "etc" && slugs["C-137"] == "c-137")
        #expect(Set([slugs["Ёж"], slugs[""]]) == ["other", "other-2"])
        #expect(slugs[values[6]]?.count == 64)
        #expect(Set(slugs.values).count == values.count)
    }

    @Test func `A value that Windows reserves as a name gets a number`() throws {
        #expect(
            try facets(["CON", "aux", "Lpt1", "console"]).values.map(\.slug).sorted() == [
                "aux-2", "con-2", "console", "lpt1-2",
            ])
    }

    @Test func `Only the sixty most frequent values have their own list`() throws {
        let values = (0..<100).map { "v\($0)" } + ["v99"]
        let facet = try facets(values)
        #expect(facet.values.count == 60 && facet.values[0].value == "v99")
    }
}
