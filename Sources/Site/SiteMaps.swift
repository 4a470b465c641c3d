import Catalogue

/// Site maps of all pages (https://www.sitemaps.org/protocol.html): one, or an index of several where there are many
/// pages.
struct SiteMaps: Sendable {
    /// The protocol allows 50,000.
    private static let pagesPerFile = 40_000

    private let sets: [any PageSet]
    private let baseURL: String
    private let day: String
    private let starts: [Start]
    /// Where they stand; the first is the one to tell robots of.
    let paths: [SitePath]

    /// Where a file's pages begin: so many of a batch's pages are the file's before.
    private struct Start {
        let set: Int
        let batch: Int
        let skipped: Int
    }

    init(_ sets: [any PageSet], baseURL: String, day: String) {
        self.sets = sets
        self.baseURL = baseURL
        self.day = day
        var pages = 0
        var starts: [Start] = []
        for (set, batches) in sets.enumerated() {
            for batch in 0..<batches.batchCount {
                // A file may begin within a batch, and a batch may hold several files' beginnings.
                let count = batches.pagePaths(inBatch: batch).count
                while starts.count * Self.pagesPerFile < pages + count {
                    starts.append(Start(set: set, batch: batch, skipped: starts.count * Self.pagesPerFile - pages))
                }
                pages += count
            }
        }
        self.starts = starts
        let files = (pages + Self.pagesPerFile - 1) / Self.pagesPerFile
        paths =
            [SitePath(fixed: "sitemap.xml")] + (files > 1 ? (1...files).map { SitePath("sitemap/", $0, ".xml") } : [])
    }

    func file(_ index: Int) -> SiteFile {
        if index == 0, paths.count > 1 { return SiteFile(path: paths[0], bytes: Array(contents.utf8)) }
        return SiteFile(path: paths[index], bytes: map(paths.count > 1 ? index - 1 : 0))
    }

    private var contents: String {
        let entries = paths.dropFirst().map {
            "<sitemap><loc>\(XMLText.escaped("\(baseURL)/\($0)"))</loc><lastmod>\(day)</lastmod></sitemap>\n"
        }
        return Self.declaration + "<sitemapindex xmlns=\"\(Self.namespace)\">\n\(entries.joined())</sitemapindex>\n"
    }

    private func map(_ number: Int) -> [UInt8] {
        var bytes = Array((Self.declaration + "<urlset xmlns=\"\(Self.namespace)\">\n").utf8)
        let base = XMLText.escaped(baseURL)
        for page in pages(of: number) where page.text != "404.html" {
            bytes +=
                "<url><loc>\(base)/\(page.text == "index.html" ? "" : page.text)</loc><lastmod>\(day)</lastmod></url>\n"
                .utf8
        }
        bytes += "</urlset>\n".utf8
        return bytes
    }

    private func pages(of number: Int) -> [SitePath] {
        guard starts.indices.contains(number) else { return [] }
        let start = starts[number]
        var pages: [SitePath] = []
        for set in start.set..<sets.count {
            for batch in (set == start.set ? start.batch : 0)..<sets[set].batchCount {
                let isFirst = set == start.set && batch == start.batch
                pages += sets[set].pagePaths(inBatch: batch).dropFirst(isFirst ? start.skipped : 0)
                guard pages.count < Self.pagesPerFile else { return Array(pages.prefix(Self.pagesPerFile)) }
            }
        }
        return pages
    }

    private static let declaration = XMLText.declaration
    private static let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
}
