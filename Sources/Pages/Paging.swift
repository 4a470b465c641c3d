package import Catalogue
package import Mustache

/// A list that is split into numbered pages. Pages count from 0.
package struct Paging: Sendable {
    package let count: Int
    package let perPage: Int

    package init(count: Int, perPage: Int) {
        self.count = count
        self.perPage = perPage
    }
}

extension Paging {
    package static let pageOf = TextDeclaration("pageOf", filling: ["number", "pages"])

    package static let pageNumber = Shape(
        "page number",
        .init("number", .number, "the list page's number"),
        .init("path", .text, "the page's path, relative to the language's root"),
        .init("current", .flag, "whether it is the current page"))

    package static let brief = Shape(
        "pages",
        .init("position", .text, "the number of this page and of all pages, as text"),
        .init("first", .flag, "whether this is the first page"),
        .init("several", .flag, "whether there is more than one page"),
        .init("previous", .optional(.object(pageNumber)), "the previous page"),
        .init("next", .optional(.object(pageNumber)), "the next page"),
        .init("numbers", .list(.object(pageNumber)), "the pages near this one, and the first and last"))

    package static let fields: [Shape.Field] =
        [
            .init("count", .text, "the number of entries of the complete list, as text"),
            .init("number", .number, "this page's number"),
        ] + brief.fields

    package var pages: Int { max(1, (count + perPage - 1) / perPage) }

    package func positions(of page: Int) -> Range<Int> { page * perPage..<min((page + 1) * perPage, count) }

    package func position(of page: Int, _ texts: Texts) -> String {
        texts.filled(Self.pageOf, ["number": texts.grouped(page + 1), "pages": texts.grouped(pages)])
    }

    /// The values of `brief`.
    func values(_ page: Int, _ texts: Texts, _ path: (Int) -> SitePath) -> PageFrame.Values {
        [
            "position": position(of: page, texts), "first": page == 0, "several": pages > 1,
            "previous": page > 0 ? Self.number(page - 1, current: page, path) : nil,
            "next": page + 1 < pages ? Self.number(page + 1, current: page, path) : nil,
            "numbers": nearby(page).map { Self.number($0, current: page, path) },
        ]
    }

    package func value(_ page: Int, _ texts: Texts, path: (Int) -> SitePath) -> Value {
        Self.brief(values(page, texts, path))
    }

    /// The pages that the pager links to: the first, the last, and up to two on each side of the current one.
    private func nearby(_ page: Int) -> [Int] {
        let last = pages - 1
        let around = max(0, page - 2)...min(last, page + 2)
        return (around.contains(0) ? [] : [0]) + around + (around.contains(last) ? [] : [last])
    }

    package static func number(_ page: Int, current: Int, _ path: (Int) -> SitePath) -> Value {
        Self.pageNumber(["number": page + 1, "path": path(page), "current": page == current])
    }
}

extension RandomAccessCollection {
    /// The elements on a page; empty after the last page. Pages count from 0.
    package func page(_ page: Int, perPage: Int) -> SubSequence { dropFirst(page * perPage).prefix(perPage) }
}
