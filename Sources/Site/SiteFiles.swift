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
