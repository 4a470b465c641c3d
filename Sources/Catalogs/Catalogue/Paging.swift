package import Mustache

/// A list cut into numbered pages; pages count from 0.
public struct Paging: Sendable {
    /// How many there are in all.
    package let count: Int
    /// How many stand on a page.
    package let perPage: Int

    /// A list of so many, so many a page.
    package init(count: Int, perPage: Int) {
        self.count = count
        self.perPage = perPage
    }
}

extension Paging {
    /// Says which page of how many it is.
    package static let pageOf = TextNeed("pageOf", filling: ["number", "pages"])

    /// A page as the pager names it.
    package static let pageNumber = Shape(
        "page number",
        [
            .init("number", .number, "the list page's number"),
            .init("path", .text, "where it stands, relative to the edition's root"),
            .init("current", .flag, "whether it is the page shown"),
        ])

    /// What pages of numbered lists have.
    package static let fields: [Shape.Field] = [
        .init("count", .text, "how many there are in all, in words"),
        .init("position", .text, "which page of how many it is, in words"),
        .init("number", .number, "this page's number"),
        .init("first", .flag, "whether this is the first page"),
        .init("several", .flag, "whether there is more than one page"),
        .init("previous", .optional(.object(pageNumber)), "the page before"),
        .init("next", .optional(.object(pageNumber)), "the page behind"),
        .init("numbers", .list(.object(pageNumber)), "pages around this one, and the first and last"),
    ]

    /// The numbered pages of a part of a page.
    package static let brief = Shape(
        "pages of a part", fields.filter { ["several", "previous", "next", "numbers"].contains($0.name) })
}

extension Paging {

    /// At least one, which may be empty.
    package var pages: Int { max(1, (count + perPage - 1) / perPage) }

    /// The positions that a page shows.
    package func positions(of page: Int) -> Range<Int> { page * perPage..<min((page + 1) * perPage, count) }

    /// The rows of a page, each with every page that it has itself.
    package func places(of page: Int, pagesOfRow: (Int) -> Int) -> [(row: Int, page: Int)] {
        positions(of: page).flatMap { row in (0..<pagesOfRow(row)).map { (row, $0) } }
    }

    /// Which page of how many, in words.
    package func position(of page: Int, _ texts: Texts) -> String {
        texts.filled(Self.pageOf, ["number": texts.grouped(page + 1), "pages": texts.grouped(pages)])
    }

    /// The values for `fields`.
    package func values(_ page: Int, counted: TextNeed, _ texts: Texts, path: (Int) -> SitePath) -> KeyValuePairs<
        String, Value
    > {
        [
            "count": .text(texts.plural(counted, count)),
            "position": .text(position(of: page, texts)),
            "number": .integer(page + 1), "first": .flag(page == 0), "several": .flag(pages > 1),
            "previous": page > 0 ? Self.number(page - 1, current: page, path) : .null,
            "next": page + 1 < pages ? Self.number(page + 1, current: page, path) : .null,
            "numbers": .list(nearby(page).map { Self.number($0, current: page, path) }),
        ]
    }

    /// The value for `brief`.
    package func value(_ page: Int, path: (Int) -> SitePath) -> Value {
        Self.brief.value([
            "several": .flag(pages > 1), "previous": page > 0 ? Self.number(page - 1, current: page, path) : .null,
            "next": page + 1 < pages ? Self.number(page + 1, current: page, path) : .null,
            "numbers": .list(nearby(page).map { Self.number($0, current: page, path) }),
        ])
    }

    /// The pages that the pager names: the first, the last, and those up to two away.
    private func nearby(_ page: Int) -> [Int] {
        let last = pages - 1
        let around = max(0, page - 2)...min(last, page + 2)
        return (around.contains(0) ? [] : [0]) + around + (around.contains(last) ? [] : [last])
    }

    /// The value for `pageNumber`.
    package static func number(_ page: Int, current: Int, _ path: (Int) -> SitePath) -> Value {
        Self.pageNumber.value([
            "number": .integer(page + 1), "path": .text(path(page).text), "current": .flag(page == current),
        ])
    }
}
