import Catalogue
import Mustache

/// A list cut into numbered pages; pages count from 0.
struct Paging: Sendable {
    let count: Int
    let perPage: Int

    /// At least one, which may be empty.
    var pages: Int { max(1, (count + perPage - 1) / perPage) }

    func positions(of page: Int) -> Range<Int> { page * perPage..<min((page + 1) * perPage, count) }

    /// The rows of a page, each with every page that it has itself.
    func places(of page: Int, pagesOfRow: (Int) -> Int) -> [(row: Int, page: Int)] {
        positions(of: page).flatMap { row in (0..<pagesOfRow(row)).map { (row, $0) } }
    }

    /// Which page of how many, in words.
    func position(of page: Int, _ texts: Texts) -> String {
        texts.filled(Words.pageOf, ["number": texts.grouped(page + 1), "pages": texts.grouped(pages)])
    }

    /// The values for the fields that numbered lists have.
    func values(_ page: Int, counted: TextNeed, _ texts: Texts, path: (Int) -> SitePath) -> KeyValuePairs<String, Value> {
        [
            "count": .text(texts.plural(counted, count)),
            "position": .text(position(of: page, texts)),
            "number": .integer(page + 1), "first": .flag(page == 0), "several": .flag(pages > 1),
            "previous": page > 0 ? Self.number(page - 1, current: page, path) : .null,
            "next": page + 1 < pages ? Self.number(page + 1, current: page, path) : .null,
            "numbers": .list(nearby(page).map { Self.number($0, current: page, path) }),
        ]
    }

    /// The values for `Models.castPaging`.
    func value(_ page: Int, path: (Int) -> SitePath) -> Value {
        Models.castPaging.value([
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

    static func number(_ page: Int, current: Int, _ path: (Int) -> SitePath) -> Value {
        Models.pageNumber.value(["number": .integer(page + 1), "path": .text(path(page).text), "current": .flag(page == current)])
    }
}
