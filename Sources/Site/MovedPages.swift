import Archive
import Catalogue
import Mustache
import Pages

/// A small page at each former address, which forwards to the present one.
struct MovedPages: PageSet, FramedPages {
    let frame: PageFrame
    let moved: [MovedPage]

    private static let perBatch = 100

    var batchCount: Int { (moved.count + Self.perBatch - 1) / Self.perBatch }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        pages(of: batch).flatMap { page in editions.map { $0.path(page.from) } }
    }

    func batch(_ batch: Int, from reader: RevisionReader) -> PageBatch {
        let pages = pages(of: batch).flatMap { page in
            editions.map { edition -> DeferredPage in { self.page(page, edition) } }
        }
        return PageBatch(pages: pages)
    }

    private func pages(of batch: Int) -> ArraySlice<MovedPage> {
        moved.dropFirst(batch * Self.perBatch).prefix(Self.perBatch)
    }

    private func page(_ page: MovedPage, _ edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(page.from, title: texts[Self.title], description: texts[Self.title], section: "moved")
        let path = edition.path(page.to)
        let address = frame.context.address(of: path) ?? edition.path(page.from).root + path.text
        return self.page(
            "moved", Self.shape, head, in: edition, ["path": .text(page.to.text), "address": .text(address)])
    }

    private static let shape = Shape(
        "moved",
        PageFrame.fields + [
            .init("path", .text, "the page's present path, relative to the language's root"),
            .init("address", .text, "the same page for links in the head; absolute if a base URL is configured"),
        ])
    static let template = PageTemplate("moved", shape)
    static let title = TextDeclaration("moved")
}
