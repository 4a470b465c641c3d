import Archive
import Catalogue

/// The files that every site has beside its pages: texts for scripts, robots.txt, the web manifest, and site maps where
/// a base URL is configured.
struct SiteFiles: PageSet {
    private let frame: PageFrame
    private let siteMaps: SiteMaps?
    /// What scripts tell one publication from another by.
    private let build: String
    /// style.css of the templates.
    private let style: String

    /// - Parameters:
    ///   - sets: all page sets, for the site maps.
    ///   - build: the digest of what the site is made from.
    ///   - style: the style sheet, which has the colours that devices show around the pages.
    init(_ frame: PageFrame, _ sets: [any PageSet], build: String, style: [UInt8]) {
        self.frame = frame
        self.style = String(decoding: style, as: UTF8.self)
        self.build = build
        siteMaps = frame.context.baseURL.map { SiteMaps(sets, baseURL: $0, day: frame.context.captured) }
    }

    /// One for the small files, one for each site map.
    var batchCount: Int { 1 + (siteMaps?.paths.count ?? 0) }

    func pagePaths(inBatch batch: Int) -> [SitePath] { [] }

    func filePaths(inBatch batch: Int) -> [SitePath] {
        guard batch == 0 else { return siteMaps.map { [$0.paths[batch - 1]] } ?? [] }
        return frame.context.editions.map(Self.textsPath) + [Self.robotsPath]
            + frame.context.editions.map(Self.manifestPath)
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        if let siteMaps, batch > 0 { return PageBatch(files: [siteMaps.file(batch - 1)]) }
        let editions = frame.context.editions
        return PageBatch(files: editions.map(texts) + [robots] + editions.map(manifest))
    }
}

extension SiteFiles {
    private static let robotsPath = SitePath(fixed: "robots.txt")

    private static func textsPath(_ edition: Edition) -> SitePath {
        SitePath(joined: "scripts/texts.\(edition.texts.language).js")
    }

    private static func manifestPath(_ edition: Edition) -> SitePath {
        edition.path(SitePath(fixed: "manifest.webmanifest"))
    }

    /// `amber.texts` for an edition's pages.
    private func texts(_ edition: Edition) -> SiteFile {
        var bytes = Array("amber.build = \"\(build)\";\namber.texts = ".utf8)
        edition.texts.forScripts.append(to: &bytes)
        bytes += ";\n".utf8
        return SiteFile(path: Self.textsPath(edition), bytes: bytes)
    }

    /// All may look; pages of an invented universe say themselves that they are not to be listed, so they are not named
    /// here.
    private var robots: SiteFile {
        var text = "User-agent: *\nDisallow:\n"
        if !frame.context.isSample, let siteMaps, let address = frame.context.address(of: siteMaps.paths[0]) {
            text += "\nSitemap: \(address)\n"
        }
        return SiteFile(path: Self.robotsPath, bytes: Array(text.utf8))
    }

    /// What a device needs to keep the site beside its programs (https://www.w3.org/TR/appmanifest/).
    private func manifest(_ edition: Edition) -> SiteFile {
        let root = edition.path(SitePath(fixed: "index.html")).root
        func icon(_ name: String, _ sizes: String, _ type: String) -> JSON {
            .object([("src", .text(root + name)), ("sizes", .text(sizes)), ("type", .text(type))])
        }
        var members: [(key: String, value: JSON)] = [
            ("name", .text(edition.texts[frame.outline.title])), ("lang", .text(edition.texts.language)),
            ("start_url", .text("index.html")),
            ("scope", .text(root.isEmpty ? "./" : root)), ("display", .text("minimal-ui")),
        ]
        for (key, property) in [("background_color", "ground"), ("theme_color", "accent")] {
            if let colour = lightColour(property) { members.append((key, .text(colour))) }
        }
        members.append(
            ("icons", .list([icon("favicon.svg", "any", "image/svg+xml"), icon("icon.png", "512x512", "image/png")])))
        return SiteFile(path: Self.manifestPath(edition), bytes: JSON.object(members).bytes)
    }

    /// The first value of `--accent: light-dark(#0a6560, …)` in the style sheet; nil where it has none of that form.
    private func lightColour(_ property: String) -> String? {
        guard let value = style.firstRange(of: "--\(property): light-dark(") else { return nil }
        let colour = style[value.upperBound...].prefix { $0 != "," && $0 != ")" }
        return colour.first == "#" && colour.dropFirst().allSatisfy(\.isHexDigit) ? String(colour) : nil
    }
}

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

/// Text as it stands in XML files of the site.
enum XMLText {
    /// What such a file begins with.
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// The text with what XML reads as markup escaped, for content and attributes; what XML forbids is U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.showable.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
