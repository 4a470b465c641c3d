import Archive
import Catalogue
import Dispatch
import Platform

/// Writes web archives as one zip for readers that replay them in a browser (WACZ 1.1.1,
/// https://specs.webrecorder.net/wacz/1.1.1/).
///
/// Records are handed in one after another; what waits to be packed is bounded.
public struct WACZWriter: ~Copyable {
    /// What a WACZ says of itself.
    public struct About: Sendable {
        let title: String
        let description: String
        let software: String
        let created: Int64

        /// - Parameter created: milliseconds since 1970, of the revision, not of the writing.
        public init(title: String, description: String, software: String, created: Int64) {
            self.title = title
            self.description = description
            self.software = software
            self.created = created
        }
    }

    /// A page from which a reader starts.
    public struct Page: Sendable {
        let uri: String
        let title: String
        let received: Int64

        /// - Parameter received: milliseconds since 1970, as its record has them.
        public init(uri: String, title: String, received: Int64) {
            self.uri = uri
            self.title = title
            self.received = received
        }
    }

    private static let warc = "data.warc.gz"

    private let about: About
    private let limit: Int64
    private var zip: ZipWriter
    private var waiting: [WARCRecord] = []
    private var waitingSize: Int64 = 0
    private var size: Int64 = 0
    private var hasher = SHA256Hasher()
    private var index = WACZIndex()

    /// Makes a WACZ that is not there yet.
    /// - Parameter limit: the most bytes of its packed records.
    public init(_ path: String, about: About, limit: Int64? = nil) throws(SnapshotError) {
        let created = PackageTime(milliseconds: about.created)
        let information = WARCEncoder.information(about.fields, file: Self.warc, date: created)
        let zip = try Self.begun(path, time: created, information)
        self.about = about
        self.limit = limit ?? .max
        self.zip = zip
        size = Int64(information.count)
        hasher.update(information)
    }

    private static func begun(_ path: String, time: PackageTime, _ information: [UInt8]) throws(SnapshotError)
        -> ZipWriter
    {
        var zip = try ZipWriter(path, time: time)
        try zip.begin("archive/\(warc)")
        try zip.append(information)
        return zip
    }

    /// Adds a record.
    public mutating func add(_ record: WARCRecord) throws(SnapshotError) {
        let added = record.size
        if added >= WARCEncoder.large {
            try flush()
            let start = size
            let listing = try WARCEncoder.write(record) { packed throws(SnapshotError) in try append(packed) }
            list(listing, from: start)
            return
        }
        waiting.append(record)
        waitingSize += added
        if waiting.count == 256 || waitingSize > 2 * WARCEncoder.large { try flush() }
    }

    /// Ends the web archive, writes its index, the pages and the lists of digests, and closes the file.
    public mutating func finish(pages: [Page]) throws(SnapshotError) {
        try flush()
        try zip.end()
        var whole = SHA256Hasher()
        swap(&whole, &hasher)
        let digest = whole.finish()
        var resources = [WACZResource(path: "archive/\(Self.warc)", size: size, sha256: digest)]
        resources.append(try add("indexes/index.cdx", index.sorted()))
        resources.append(try add("pages/pages.jsonl", Self.list(of: pages)))
        let package = about.package(of: resources, mainPage: pages.first)
        try zip.add("datapackage.json", [package])
        try zip.add("datapackage-digest.json", [about.digest(of: package)])
        try zip.finish()
    }

    private mutating func add(_ path: String, _ lines: some Sequence<[UInt8]>) throws(SnapshotError) -> WACZResource {
        try zip.add(path, lines)
        var size: Int64 = 0
        var hasher = SHA256Hasher()
        for line in lines {
            size += Int64(line.count)
            hasher.update(line)
        }
        return WACZResource(path: path, size: size, sha256: hasher.finish())
    }

    /// Packs what waits, on all cores, and writes it in its order.
    private mutating func flush() throws(SnapshotError) {
        let records = waiting
        waiting = []
        waitingSize = 0
        let made = Guarded<[Int: Result<([UInt8], WARCEncoder.Listing), SnapshotError>]>([:])
        DispatchQueue.concurrentPerform(iterations: records.count) { index in
            let result = Result { () throws(SnapshotError) in
                var bytes: [UInt8] = []
                let listing = try WARCEncoder.write(records[index]) { bytes += $0 }
                return (bytes, listing)
            }
            made.withLock { $0[index] = result }
        }
        let packed = made.withLock { $0 }
        for index in records.indices {
            guard let (bytes, listing) = try packed[index]?.get() else { preconditionFailure("every record is packed") }
            let start = size
            try append(bytes)
            list(listing, from: start)
        }
    }

    private mutating func append(_ bytes: [UInt8]) throws(SnapshotError) {
        size += Int64(bytes.count)
        guard size <= limit else { throw .damaged("its archive makes a web archive of more than \(limit) bytes") }
        hasher.update(bytes)
        try zip.append(bytes)
    }

    /// A line of the index: key, time, and the rest as JSON (CDXJ, https://specs.webrecorder.net/cdxj/0.1.0/).
    private mutating func list(_ listing: WARCEncoder.Listing, from start: Int64) {
        let facts: [(key: String, value: JSON)] = [
            ("url", .text(listing.uri)), ("mime", .text(listing.mediaType)), ("status", .text(listing.status)),
            ("digest", .text(listing.digest)), ("length", .text("\(size - start)")), ("offset", .text("\(start)")),
            ("filename", .text(Self.warc)),
        ]
        index.append(
            key: Array("\(listing.key) \(listing.time.digits) ".utf8),
            facts: JSON.object(facts).bytes + [UInt8(ascii: "\n")])
    }

    /// A line that tells the format, and one for each page.
    private static func list(of pages: [Page]) -> [[UInt8]] {
        let head: [(key: String, value: JSON)] = [
            ("format", .text("json-pages-1.0")), ("id", .text("pages")), ("title", .text("All Pages")),
        ]
        let lines = pages.enumerated().map { number, page -> [(key: String, value: JSON)] in
            [
                ("id", .text("\(number + 1)")), ("url", .text(page.uri)),
                ("ts", .text(PackageTime(milliseconds: page.received).seconds)), ("title", .text(page.title)),
            ]
        }
        return ([head] + lines).map { JSON.object($0).bytes + [UInt8(ascii: "\n")] }
    }
}

extension WARCRecord {
    /// How much memory it takes about.
    fileprivate var size: Int64 {
        switch self {
        // The size is what the archive claims; the bytes are compared with it only when they are read.
        case .response(let response): max(0, response.size)
        case .conversion(let conversion): Int64(conversion.bytes.count)
        }
    }
}
