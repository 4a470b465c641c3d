import Catalogue
import Mustache
import Pages
import Platform

/// The home page of a site without a list of the page `index`: all lists with their first records.
enum HomePage {
    fileprivate static let path = SitePath(fixed: "index.html")
    /// The maximum number of records with a picture that are searched for different pictures.
    fileprivate static let mostSearched = 300

    fileprivate static let record = Shape(
        "home record",
        .init("name", .text, "the name"),
        .init("note", .text, "the last value of its row; empty for none"),
        .init("path", .text, "the record's page, relative to the language's root"),
        .init("picture", .object(PageParts.picture), "the picture, or a placeholder"))
    fileprivate static let list = Shape(
        "home list",
        .init("label", .text, "the title of the list"),
        .init("path", .text, "its first page, relative to the language's root"),
        .init("count", .text, "the number of its records, in words"),
        .init("hasPictures", .flag, "whether the records have pictures"),
        .init("records", .list(.object(record)), "its first records; those with pictures if there are any"))
    static let shape = Shape(
        page: "home",
        .init("lists", .list(.object(list)), "the lists that have records, in the order of the declaration"),
        .init("asOf", .text, "the day of the capture in words"),
        .init("gaps", .text, "the number of the capture's gaps, as text; empty for none"))
}

extension PageMaker {
    func home() -> ListPages {
        ListPages(1, in: frame.editions, path: { _ in HomePage.path }) { _, edition in
            let texts = edition.texts
            let count = tables.lists.map { texts.plural($0.list.count, $0.count) }.prefix(5).joined(separator: ", ")
            let title = texts[EngineTexts.title]
            return frame.page(
                "home", HomePage.shape, HomePage.path, title: title, description: "\(title): \(count)",
                section: "index", type: "CollectionPage", in: edition,
                [
                    "lists": tables.lists.filter { $0.count > 0 }.map { list(of: $0, texts) }, "asOf": asOf(texts),
                    "gaps": gaps(texts),
                ])
        }
    }

    private func list(of rows: ListRows, _ texts: Texts) -> Value {
        let table = rows.tables[0]
        let most = rows.list.onHome
        let searched = (0..<table.count).lazy.filter { tables.picturePath(table[$0]) != nil }
        let found = Array(searched.prefix(most > 0 ? HomePage.mostSearched : 0))
        // Records can share a picture, such as the songs of an album. Each picture is first shown once.
        let first = found.unique { tables.picturePath(table[$0]) }
        let pictured = (first + found.filter { !first.contains($0) }).prefix(most)
        let shown = pictured.isEmpty ? Array(0..<min(table.count, most)) : Array(pictured)
        return HomePage.list([
            "label": texts[rows.list.title], "path": rows.list.path(page: 0),
            "count": texts.plural(rows.list.count, rows.count), "hasPictures": !pictured.isEmpty,
            "records": shown.map { row in
                HomePage.record([
                    "name": table.names[row], "note": tables.row(of: table[row], texts).last ?? "",
                    "path": table.path(row), "picture": tables.picture(table[row]),
                ])
            },
        ])
    }
}
