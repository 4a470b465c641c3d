import Archive
import Catalogue
import Platform
import Site

/// Writes web archives as zips for programs that replay them (WACZ 1.1.1, https://specs.webrecorder.net/wacz/1.1.1/).
///
/// Records are added one at a time. The number of records that wait for compression is limited.
final class WACZWriter {
    /// `created` is the date of the revision in milliseconds since 1970.
    typealias About = (title: String, description: String, software: String, created: Int64)

    private static let recordsFile = "data.warc.gz"

    private let about: About
    private let limit: Int64
    private let zip: ZipWriter
    private var records = ParallelBatches { (record: WARCRecord) in try record.packed() }
    private var lines: [[UInt8]] = []
    private var resources: [JSON] = []
    private var pages: [JSON] = []
    private var size: Int64 = 0
    private var hasher = DigestHasher()

    /// Creates a WACZ, which must not exist yet.
    /// - Parameter limit: the maximum size in bytes of a file in the WACZ; nil for no limit.
    init(_ path: String, about: About, limit: Int64? = nil) throws {
        let created = PackageTime(milliseconds: about.created)
        zip = try ZipWriter(path, time: created)
        self.about = about
        self.limit = limit ?? .max
        let facts = [
            ("software", about.software), ("format", "WARC File Format 1.1"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
            ("description", about.description),
        ]
        try zip.begin("archive/\(Self.recordsFile)")
        let information = WARCRecord.information(facts, file: Self.recordsFile, created: about.created)
        try append(information.packed().bytes)
    }

    // The size comes from the archive's database. When the body is read, its size is compared with this value.
    func add(_ record: WARCRecord) throws { try records.add(record, size: record.size, write) }

    /// Writes a record and its line in the index: key, time and JSON (CDXJ, https://specs.webrecorder.net/cdxj/0.1.0/).
    private func write(_ record: WARCRecord, _ packed: (bytes: [UInt8], key: String)) throws {
        let start = size
        try append(packed.bytes)
        let entry: JSON = [
            "url": .text(record.uri), "mime": .text(record.mediaType), "status": .text(record.status),
            "digest": .text(record.digest), "length": .text("\(size - start)"), "offset": .text("\(start)"),
            "filename": .text(Self.recordsFile),
        ]
        lines.append(packed.key.utf8 + line(entry))
    }

    /// Adds a record to the list of pages from which a reader can start.
    func addPage(_ record: WARCRecord, title: String) {
        pages.append([
            "id": .text("\(pages.count + 1)"), "url": .text(record.uri),
            "ts": .text(timestamp(milliseconds: record.received)), "title": .text(title),
        ])
    }

    /// Ends the records, writes the index, the pages and the digests, and closes the file.
    func finish() throws {
        try records.flush(write)
        try end("archive/\(Self.recordsFile)")
        // Sorted by bytes, as in the C locale. This is the order in the index.
        lines.sort { $0.lexicographicallyPrecedes($1) }
        try add("indexes/index.cdx", lines)
        let head: JSON = ["format": .text("json-pages-1.0"), "id": .text("pages"), "title": .text("All Pages")]
        try add("pages/pages.jsonl", ([head] + pages).map(line))
        let package = line(package)
        try add("datapackage.json", [package])
        let digest = JSON.text("sha256:\(SHA256(of: package).hex)")
        try add("datapackage-digest.json", [line(["path": .text("datapackage.json"), "hash": digest])])
        try zip.finish()
    }

    private func add(_ path: String, _ lines: [[UInt8]]) throws {
        try zip.begin(path)
        for line in lines { try append(line) }
        try end(path)
    }

    private func append(_ bytes: [UInt8]) throws {
        size += Int64(bytes.count)
        guard size <= limit else {
            throw SnapshotError.damaged("its archive produces a web archive of more than \(limit) bytes")
        }
        hasher.update(bytes)
        try zip.append(bytes)
    }

    /// Ends a file of the zip, and adds its size and digest to `resources`.
    private func end(_ path: String) throws {
        try zip.end()
        var fileHasher = DigestHasher()
        swap(&fileHasher, &hasher)
        resources.append([
            "name": .text(PackageFile.name(path)), "path": .text(path),
            "hash": .text("sha256:\(fileHasher.finish().hex)"), "bytes": .integer(Int(size)),
        ])
        size = 0
    }

    /// datapackage.json (Frictionless Data Package 1 with the members of WACZ).
    private var package: JSON {
        [
            "profile": .text("data-package"), "wacz_version": .text("1.1.1"), "title": .text(about.title),
            "description": .text(about.description), "created": .text(timestamp(milliseconds: about.created)),
            "software": .text(about.software), "mainPageUrl": pages.first?["url"], "mainPageDate": pages.first?["ts"],
            "resources": .list(resources),
        ]
    }

    private func line(_ json: JSON) -> [UInt8] { json.bytes + ["\n"] }
}

extension SnapshotBuild {
    /// Writes a revision's answers as a web archive, and each record of a list page as a conversion of that page.
    /// - Parameter limit: the maximum size in bytes of a file in the web archive; nil for no limit.
    func writeWebArchive(_ path: String, about: WACZWriter.About, of reader: RevisionReader, limit: Int64?) throws {
        let writer = try WACZWriter(path, about: about, limit: limit)
        let catalogue = site.catalogue
        let firstPages = Set(
            catalogue.lists.filter { $0.parent == nil }.map(\.firstPath)
                + catalogue.roots.compactMap { catalogue.path(for: [$0]) })
        func url(_ path: String) -> String { Exchange.url(of: path, below: base) }
        for role in [AnswerRole.page, .records, .asset] {
            try reader.forEachAnswer(as: role, withHeaders: true) { exchange in
                let body: PackageContent =
                    try exchange.asset.map { .file(reader.folder.assetPath($0.sha256)) }
                    ?? .bytes(reader.document(of: exchange))
                let response = WARCRecord.response(
                    uri: url(exchange.path), received: exchange.received, status: exchange.status,
                    headers: exchange.headers, body: body, size: Int64(exchange.size), sha256: exchange.sha256)
                try writer.add(response)
                if firstPages.contains(exchange.path) { writer.addPage(response, title: exchange.path) }
                for record in try reader.records(from: exchange) {
                    // A record that was requested alone is already in the web archive, as the answer itself.
                    if case .bytes(let bytes) = body, bytes == record.bytes { continue }
                    guard let path = catalogue.path(for: [record.key]), path != exchange.path else { continue }
                    try writer.add(response.conversion(uri: url(path), bytes: record.bytes))
                }
            }
        }
        try writer.finish()
    }
}
