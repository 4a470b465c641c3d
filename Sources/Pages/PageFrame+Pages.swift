package import Archive
package import Catalogue
package import Mustache

extension PageFrame {
    package typealias Values = KeyValuePairs<String, any TemplateValue>

    package var editions: [Edition] { context.editions }

    /// The page of a section, with the template of the same name.
    package func page(
        _ section: Section, _ description: TextDeclaration, _ shape: Shape, in edition: Edition,
        type: String = "WebPage", jsonLD: [JSON.Member] = [], _ own: Values
    ) -> Page {
        let (title, description) = (edition.texts[section.label], edition.texts[description])
        return page(
            section.name, shape, section.path, title: title, description: description, section: section.name,
            type: type, jsonLD: jsonLD, in: edition, own)
    }

    /// The numbered pages of a list, in the section with the name of the template.
    /// - Parameters:
    ///   - shape: its last fields are `Paging.fields`.
    ///   - content: returns a page's title without the page number, its description and its own values.
    package func list(
        _ template: String, _ shape: Shape, _ paging: Paging, counted: TextDeclaration,
        path: @escaping @Sendable (Int) -> SitePath,
        _ content: @escaping @Sendable (_ page: Int, Texts) -> (title: String, description: String, own: Values)
    ) -> ListPages {
        ListPages(paging.pages, in: editions, path: path) { page, edition in
            let texts = edition.texts
            let (title, description, own) = content(page, texts)
            return self.page(
                template, shape, path(page), number: page, title: title, description: description, section: template,
                type: "CollectionPage", in: edition, own,
                ["count": texts.plural(counted, paging.count), "number": page + 1], paging.values(page, texts, path))
        }
    }
}

/// Numbered pages that are created from data in memory. Each batch has one page.
package struct ListPages: PageSet {
    package let batchCount: Int
    private let editions: [Edition]
    private let path: @Sendable (_ page: Int) -> SitePath
    private let make: @Sendable (_ page: Int, Edition) -> Page

    package init(
        _ count: Int, in editions: [Edition], path: @escaping @Sendable (Int) -> SitePath,
        make: @escaping @Sendable (Int, Edition) -> Page
    ) {
        batchCount = count
        self.editions = editions
        self.path = path
        self.make = make
    }

    package func pagePaths(inBatch batch: Int) -> [SitePath] { editions.map { $0.path(path(batch)) } }

    package func batch(_ batch: Int, from reader: RevisionReader) -> PageBatch {
        PageBatch(pages: editions.map { edition in { make(batch, edition) } })
    }
}
