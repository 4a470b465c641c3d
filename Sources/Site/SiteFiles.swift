import Archive
import Catalogue
import Mustache
import Pages

/// Files that are created one by one. Each batch has one file.
struct FileSet: PageSet {
    let paths: [SitePath]
    private let make: @Sendable (_ index: Int, _ reader: RevisionReader) throws -> PageBatch

    init(
        _ paths: [SitePath],
        reading bytes: @escaping @Sendable (_ index: Int, _ reader: RevisionReader) throws -> [UInt8]
    ) {
        self.paths = paths
        make = { PageBatch(files: [(paths[$0], try bytes($0, $1))]) }
    }

    init(_ files: [SiteFile]) { self.init(files.map(\.path)) { index, _ in files[index].bytes } }

    init(streams: [SiteStream]) {
        paths = streams.map(\.path)
        make = { index, _ in PageBatch(streams: [streams[index]]) }
    }

    var batchCount: Int { paths.count }

    func filePaths(inBatch batch: Int) -> [SitePath] { [paths[batch]] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch { try make(batch, reader) }
}

extension SharedPages {
    /// Files of every site other than pages: texts for scripts, robots.txt and the web manifests.
    /// - Parameters:
    ///   - build: identifies the publication for scripts.
    ///   - style: the style sheet, from which the colours of the web manifests are read.
    func files(_ search: SearchTable, siteMap: SitePath?, build: String, style: String) -> [SiteFile] {
        frame.editions.map { texts($0, search, build) } + [robots(siteMap)] + frame.editions.map { manifest($0, style) }
    }

    /// The script that sets `amber.texts` for the pages of an edition.
    private func texts(_ edition: Edition, _ search: SearchTable, _ build: String) -> SiteFile {
        let texts = edition.texts.forScripts(counts: search.compactMap(\.counted))
        let script = Array("amber.build = \"\(build)\";\namber.texts = ".utf8) + texts.bytes + ";\n".utf8
        return (SitePath(joined: "scripts/texts.\(edition.texts.language).js"), script)
    }

    /// robots.txt allows all robots. It names the site map, except for a sample: its pages forbid indexing.
    private func robots(_ siteMap: SitePath?) -> SiteFile {
        var text = "User-agent: *\nDisallow:\n"
        if !frame.context.isSample, let siteMap, let address = frame.context.address(of: siteMap) {
            text += "\nSitemap: \(address)\n"
        }
        return (SitePath(fixed: "robots.txt"), Array(text.utf8))
    }

    /// The web manifest, with which a device can install the site (https://www.w3.org/TR/appmanifest/).
    private func manifest(_ edition: Edition, _ style: String) -> SiteFile {
        let root = edition.path(SitePath(fixed: "index.html")).root
        func icon(_ name: String, _ sizes: String, _ type: String) -> JSON {
            ["src": .text(root + name), "sizes": .text(sizes), "type": .text(type)]
        }
        let manifest: JSON = [
            "name": .text(edition.texts[frame.title]), "lang": .text(edition.texts.language),
            "start_url": .text("index.html"), "scope": .text(root.isEmpty ? "./" : root),
            "display": .text("minimal-ui"),
            "background_color": Self.lightColour("ground", in: style).map { .text($0) },
            "theme_color": Self.lightColour("accent", in: style).map { .text($0) },
            "icons": .list([icon("favicon.svg", "any", "image/svg+xml"), icon("icon.png", "512x512", "image/png")]),
        ]
        return (edition.path(SitePath(fixed: "manifest.webmanifest")), manifest.bytes)
    }

    /// The first value of `--accent: light-dark(#0a6560, …)` in the style sheet; nil if there is no such value.
    private static func lightColour(_ property: String, in style: String) -> String? {
        guard let value = style.firstRange(of: "--\(property): light-dark(") else { return nil }
        let colour = style[value.upperBound...].prefix { $0 != "," && $0 != ")" }
        return colour.first == "#" && colour.dropFirst().allSatisfy(\.isHexDigit) ? String(colour) : nil
    }
}

/// Site maps of all pages (https://www.sitemaps.org/protocol.html): one file, or an index and several files.
struct SiteMaps: Sendable {
    /// The maximum number of pages in a file. The protocol allows 50,000.
    private static let pagesPerFile = 40_000

    /// The batches with pages, each with the number of pages in the batches before it.
    private var batches: [(set: any PageSet, number: Int, start: Int)] = []
    private let baseURL: String
    private let day: String
    /// The paths of the site maps. The first path is in robots.txt.
    let paths: [SitePath]

    init(_ sets: [any PageSet], baseURL: String, day: String) {
        self.baseURL = baseURL
        self.day = day
        var pages = 0
        for (set, number) in Shard.whole.batches(of: sets) {
            let count = set.pagePaths(inBatch: number).count
            if count > 0 { batches.append((set, number, pages)) }
            pages += count
        }
        let files = (pages + Self.pagesPerFile - 1) / Self.pagesPerFile
        paths =
            [SitePath(fixed: "sitemap.xml")]
            + (files > 1 ? (1...files).map { SitePath(joined: "sitemap/\($0).xml") } : [])
    }

    var files: FileSet { FileSet(paths) { index, _ in bytes(of: index) } }

    func bytes(of index: Int) -> [UInt8] {
        let isIndex = index == 0 && paths.count > 1
        let pagePaths: [String] =
            isIndex
            ? paths.dropFirst().map(\.text)
            : pages(of: max(0, index - 1)).map(\.text).filter { $0 != "404.html" }.map { $0 == "index.html" ? "" : $0 }
        let (list, item) = isIndex ? ("sitemapindex", "sitemap") : ("urlset", "url")
        let base = XMLText.escaped(baseURL)
        let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        var bytes = Array("\(XMLText.declaration)<\(list) xmlns=\"\(namespace)\">\n".utf8)
        for path in pagePaths {
            bytes += "<\(item)><loc>\(base)/\(path)</loc><lastmod>\(day)</lastmod></\(item)>\n".utf8
        }
        return bytes + "</\(list)>\n".utf8
    }

    private func pages(of file: Int) -> [SitePath] {
        let start = file * Self.pagesPerFile
        guard let first = batches.lastIndex(where: { $0.start <= start }) else { return [] }
        let own = batches[first...].prefix { $0.start < start + Self.pagesPerFile }
        let pages = own.flatMap { $0.set.pagePaths(inBatch: $0.number) }
        return Array(pages.dropFirst(start - batches[first].start).prefix(Self.pagesPerFile))
    }
}

enum XMLText {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// The text with markup escaped, for content and attributes. Characters that XML forbids become U+FFFD.
    static func escaped(_ text: String) -> String { Escaping.escaped(text.showable) }
}

extension SiteBuild {
    /// The data as files for other programs. One database has the archive of the revision and its history, and a view
    /// for each table. Each table is also a JSON file, with the records as served, and a CSV file.
    func exports(_ reader: RevisionReader) throws -> [SiteStream] {
        let counts = try reader.recordCounts()
        let listed = Set(catalogue.listedKinds)
        // The tables of kinds with a list, and of other kinds that have records.
        let tables = catalogue.exportTables.filter { listed.contains($0.kind) || counts[$0.kind] != nil }
        let views = tables.map { $0.view(named: catalogue.plural(of: $0.kind)) } + catalogue.exportRelations
        let database = SiteStream(path: SitePath(fixed: "data/archive.sqlite")) { file, willWrite in
            try RevisionReader(revision, in: archive).export(to: file, views: views, willWrite)
        }
        return [database]
            + tables.flatMap { table in
                let name = "data/\(catalogue.plural(of: table.kind))"
                return [
                    SiteStream(path: SitePath(joined: "\(name).json")) { append in
                        // The unchanged bytes of the records, as an array.
                        try append(Array("[\n".utf8))
                        var separator: [UInt8] = []
                        try forEach(table.kind) { record in
                            try append(separator)
                            try append(record.bytes)
                            separator = Array(",\n".utf8)
                        }
                        try append(Array("\n]\n".utf8))
                    },
                    SiteStream(path: SitePath(joined: "\(name).csv")) { append in
                        try append(table.header)
                        let reader = try RevisionReader(revision, in: archive)
                        try forEach(table.kind) { try append(try table.line(of: $0, reader.record)) }
                    },
                ]
            }
    }

    private func forEach(_ kind: String, _ body: (StoredRecord) throws -> Void) throws {
        _ = try RevisionReader(revision, in: archive).records(of: kind, at: 0..<Int.max, convert: body)
    }
}
