import Catalogue

/// Site maps of all pages (https://www.sitemaps.org/protocol.html): one, or an index of several where there are many pages.
struct SiteMaps: Sendable {
    /// The protocol allows 50,000.
    private static let pagesPerFile = 40_000

    private let sets: [any PageSet]
    private let baseURL: String
    private let day: String
    /// Where they stand; the first is the one to tell robots of.
    let paths: [SitePath]

    init(_ sets: [any PageSet], baseURL: String, day: String) {
        self.sets = sets
        self.baseURL = baseURL
        self.day = day
        let pages = sets.reduce(0) { sum, set in (0..<set.batchCount).reduce(sum) { $0 + set.pagePaths(inBatch: $1).count } }
        let files = (pages + Self.pagesPerFile - 1) / Self.pagesPerFile
        paths = [SitePath(fixed: "sitemap.xml")] + (files > 1 ? (1...files).map { SitePath("sitemap/", $0, ".xml") } : [])
    }

    func file(_ index: Int) -> SiteFile {
        if index == 0, paths.count > 1 { return SiteFile(path: paths[0], bytes: Array(contents.utf8)) }
        return SiteFile(path: paths[index], bytes: map(paths.count > 1 ? index - 1 : 0))
    }

    private var contents: String {
        let entries = paths.dropFirst().map { "<sitemap><loc>\(escaped("\(baseURL)/\($0)"))</loc><lastmod>\(day)</lastmod></sitemap>\n" }
        return Self.declaration + "<sitemapindex xmlns=\"\(Self.namespace)\">\n\(entries.joined())</sitemapindex>\n"
    }

    private func map(_ number: Int) -> [UInt8] {
        var bytes = Array((Self.declaration + "<urlset xmlns=\"\(Self.namespace)\">\n").utf8)
        var place = 0
        let wanted = number * Self.pagesPerFile..<(number + 1) * Self.pagesPerFile
        let base = escaped(baseURL)
        for set in sets {
            for batch in 0..<set.batchCount {
                let pages = set.pagePaths(inBatch: batch)
                defer { place += pages.count }
                guard place < wanted.upperBound, place + pages.count > wanted.lowerBound else { continue }
                for (offset, page) in pages.enumerated() where wanted.contains(place + offset) && page.text != "404.html" {
                    bytes += "<url><loc>\(base)/\(page.text == "index.html" ? "" : page.text)</loc><lastmod>\(day)</lastmod></url>\n".utf8
                }
            }
        }
        bytes += "</urlset>\n".utf8
        return bytes
    }

    private func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private static let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
}
