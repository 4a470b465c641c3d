import Catalogue
import Mustache
import Pages
import Testing

@testable import CatalogueEngine

struct FacetsTests {
    private func facets(_ species: [String], hasLists: Bool = false) throws -> Facets.Facet {
        var column = ValueColumn<String>(hasLists: hasLists)
        for value in species { column.append(value) }
        return try #require(self.facets("species", column).facets.first)
    }

    private func facets(_ name: String, _ column: ValueColumn<String>, isFilter: Bool = true) throws -> Facets {
        let declaration = JSON.object([(isFilter ? "facet" : "lists", .flag(true))])
        return Facets([(try FieldDeclaration(0, name, declaration, at: name, kinds: [], api: ""), name, column)])
    }

    @Test func `Each element of a list is a value, once for each row`() throws {
        let facet = try facets(["b\ta", "a", "", "a\ta\tc"], hasLists: true)
        #expect(facet.values.map(\.value) == ["a", "", "b", "c"])
        #expect(facet.values.map(\.rows) == [[0, 1, 3], [2], [0], [3]])
    }

    @Test func `Values are sorted by count and then by bytes, and rows keep the API's order`() throws {
        let facet = try facets(["b", "a", "c", "c", "a", "c"])
        #expect(facet.values.map(\.value) == ["c", "a", "b"])
        #expect(facet.values.map(\.rows) == [[2, 3, 5], [1, 4], [0]])
    }

    private func slugs(_ values: [String]) throws -> [String: String] {
        try facets(values).values.reduce(into: [:]) { $0[$1.value] = $1.slug }
    }

    @Test func `A slug has lowercase letters, digits and hyphens, and is unique`() throws {
        let long = String(repeating: "x", count: 200)
        let values = ["Mythological Creature", "../../etc", "Ёж", "", "C-137", "Поп", "Beyoncé", "東京", long]
        let slugs = try slugs(values)
        #expect(slugs["Mythological Creature"] == "mythological-creature" && slugs["Beyoncé"] == "beyonce")
        #expect(slugs["../../etc"] == "etc" && slugs["C-137"] == "c-137")
        #expect(slugs["Ёж"] == "yozh" && slugs["Поп"] == "pop" && slugs[""] == "other")
        #expect(slugs["東京"] == "other-1300" && slugs[long]?.count == 64)
        #expect(Set(slugs.values).count == values.count)
    }

    @Test func `Of values with the same words the first in byte order has them, whatever the counts`() throws {
        let values = ["Pop", "Поп", "pop", "pop!"]
        let expected = ["Pop": "pop", "Поп": "pop-c11c", "pop": "pop-de70", "pop!": "pop-cacf"]
        for more in values { #expect(try slugs(values + [more, more]) == expected) }
        #expect(try slugs(["Поп"]) == ["Поп": "pop"])
        // The values without a list count too.
        let others = (0..<60).flatMap { ["v\($0)", "v\($0)"] }
        #expect(try slugs(others + ["Поп", "Поп", "Поп", "Pop"])["Поп"] == "pop-c11c")
    }

    @Test func `A value that Windows reserves as a name gets a part of its digest`() throws {
        #expect(
            try facets(["CON", "aux", "Lpt1", "console"]).values.map(\.slug).sorted() == [
                "aux-321f", "con-a3db", "console", "lpt1-5fe5",
            ])
    }

    @Test func `The former addresses of lists lead to the present ones, unless a list has them`() throws {
        var column = ValueColumn<String>()
        for value in ["Рок", "Рок", "Рок", "Поп", "Поп", "Pop", ""] { column.append(value) }
        let facets = try self.facets("genre", column)
        #expect(
            facets.moved(perPage: 2).map { "\($0.from) \($0.to)" } == [
                "genre/other-2.html genre/pop-c11c.html", "genre/other-3.html genre/other.html",
            ])
        column = ValueColumn<String>()
        for value in ["Рок", "Рок", "Рок", "Поп", "Rock"] { column.append(value) }
        let others = try self.facets("genre", column)
        #expect(
            others.moved(perPage: 2).map { "\($0.from) \($0.to)" } == [
                "genre/other.html genre/rok.html", "genre/other/2.html genre/rok/2.html",
                "genre/other-2.html genre/pop.html",
            ])
    }

    @Test func `A thousand values have lists, a filter shows the most frequent ones and counts the others`() throws {
        let facet = try facets((0..<1_100).map { "v\($0)" } + ["v99"])
        #expect(facet.values.count == 1_000 && facet.values[0].value == "v99")
        var column = ValueColumn<String>()
        for number in 0..<1_100 { column.append("v\(number)") }
        let facets = try self.facets("species", column)
        let texts = try Strings.english()
        for (page, options, more) in [(0, 60, "and 1,040 more"), (1, 12, "and 1,088 more")] {
            guard case .list(let shown) = facets.value(current: nil, page: page, texts),
                case .object(let facet)? = shown.first
            else {
                Issue.record("there is no filter")
                return
            }
            #expect(facet.objects("options").count == options && facet.text("more") == more)
        }
    }

    @Test(arguments: [0, 7, 90])
    func `The filter of a list by value has this value once, as the current one`(place: Int) throws {
        var column = ValueColumn<String>()
        for number in 100..<200 { column.append("v\(number)") }
        let facets = try self.facets("species", column)
        let texts = try Strings.english()
        let own = facets.facets[0].values[place]
        for choice in [own, nil, own] {
            guard case .list(let shown) = facets.value(current: choice, page: 0, texts),
                case .object(let facet)? = shown.first
            else { throw ContentFault("", "there is no filter") }
            let options = facet.objects("options")
            #expect(options.count == (choice != nil && place == 90 ? 61 : 60))
            #expect(Set(options.compactMap { $0.text("value") }).count == options.count)
            let current = options.filter { !$0.isFalse("current") }.map { $0.text("value") }
            #expect(current == (choice == nil ? [] : [own.value]))
        }
    }

    @Test func `A filter of numbers has them in their order`() throws {
        var column = ValueColumn<String>()
        for value in ["2009", "", "1987", "2009", "10.5", "0"] { column.append(value) }
        guard
            case .list(let shown) = try self.facets("year", column).value(current: nil, page: 0, try Strings.english()),
            case .object(let facet)? = shown.first
        else { throw ContentFault("", "there is no filter") }
        #expect(facet.objects("options").map { $0.text("value") } == ["0", "10.5", "1987", "2009", ""])
    }

    @Test func `A property that is no filter has lists of the values of two or more records`() throws {
        var column = ValueColumn<String>()
        for value in ["a", "b", "", "b", "", "c", "c", "c"] + (0..<1_001).flatMap({ ["v\($0)", "v\($0)"] }) {
            column.append(value)
        }
        let facets = try self.facets("artist", column, isFilter: false)
        let values = facets.facets[0].values
        #expect(values.prefix(2).map(\.value) == ["c", "b"] && values.count == 1_000)
        #expect(facets["artist", "a"] == nil && facets["artist", ""] == nil)
        #expect(facets["artist", "b"]?.path().text == "artist/b.html")
        #expect(facets.moved(perPage: 20).isEmpty)
    }
}
