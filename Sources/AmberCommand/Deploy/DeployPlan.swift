import Archive
import Catalogue
import HTTPServer
import Platform

/// The SHA-256 of a file of the site in hexadecimal, and its size.
typealias SourceFile = (digest: String, size: Int64)

/// Files that one run of rclone sends or deletes.
struct DeployBatch {
    let isDeletion: Bool
    /// The header of the files, for targets that store one.
    let headers: [String]
    var paths: [String] = []
    var bytes: Int64 = 0

    /// An interrupted deploy sends at most this many files and bytes again.
    static let maximumFiles = 1_000
    private static let maximumBytes: Int64 = 32 << 20

    func fits(_ other: DeployBatch) -> Bool {
        isDeletion == other.isDeletion && headers == other.headers && paths.count < Self.maximumFiles
            && bytes + other.bytes <= Self.maximumBytes
    }
}

/// The batches that change the files at a target into those of the site.
struct DeployPlan {
    private(set) var batches: [DeployBatch] = []
    /// Every file at the target or in the site.
    private(set) var lines: [DeployManifest.Line] = []

    var sent: [String] { batches.filter { !$0.isDeletion }.flatMap(\.paths) }
    var deleted: [String] { batches.filter(\.isDeletion).flatMap(\.paths) }
    var kept: Int { lines.count { $0.batch == 0 } }
    var bytes: Int64 { batches.reduce(0) { $0 + $1.bytes } }

    /// - Parameter hasHeaders: whether the target stores a header for each file.
    init(from deployed: [String: String], to site: [String: SourceFile], hasHeaders: Bool) {
        var changes: [(rank: Int, headers: [String], line: DeployManifest.Line)] = []
        for path in Set(deployed.keys).union(site.keys).sorted() {
            let old = deployed[path] ?? DeployManifest.absent
            let new = site[path]?.digest ?? DeployManifest.absent
            let line = DeployManifest.Line(path: path, old: old, new: new)
            guard old != new else {
                lines.append(line)
                continue
            }
            let headers = hasHeaders && new != DeployManifest.absent ? Self.headers(path) : []
            changes.append((Self.rank(line), headers, line))
        }
        changes.sort {
            ($0.rank, $0.headers.first ?? "", $0.headers.last ?? "", $0.line.path)
                < ($1.rank, $1.headers.first ?? "", $1.headers.last ?? "", $1.line.path)
        }
        var rank = -1
        for var change in changes {
            let path = change.line.path
            let batch = DeployBatch(
                isDeletion: change.line.new == DeployManifest.absent, headers: change.headers, paths: [path],
                bytes: site[path]?.size ?? 0)
            if change.rank == rank, batches.last?.fits(batch) == true {
                batches[batches.count - 1].paths.append(path)
                batches[batches.count - 1].bytes += batch.bytes
            } else {
                batches.append(batch)
            }
            rank = change.rank
            change.line.batch = batches.count
            lines.append(change.line)
        }
    }

    /// The order of the batches. A page is sent after everything that it refers to, and deleted after all pages that
    /// referred to it were replaced.
    ///
    /// New pages refer to each other, but readers find them only through changed pages, which come later.
    private static func rank(_ line: DeployManifest.Line) -> Int {
        let path = line.path
        let isPage = path.hasSuffix(".html")
        let isIndex = path == "index.html" || path.hasSuffix("/index.html")
        let isList =
            path.hasSuffix(".xml") || path == "sw.js" || path == "search-index.js" || path.hasPrefix("search/")
        if line.new == DeployManifest.absent { return isPage ? 7 : 8 }
        guard isPage || isList else { return 0 }
        switch line.old {
        case DeployManifest.absent, DeployManifest.unknown:
            // Readers may already reach a page with unknown content, so the new pages come before it.
            return path == "index.html" ? 4 : line.old == DeployManifest.unknown ? 3 : isIndex ? 2 : 1
        default: return isIndex || isList ? 6 : 5
        }
    }

    private static func headers(_ path: String) -> [String] {
        let isFixed = SitePath(path).map(MirrorPath.isNamedByDigest) ?? false
        return [
            "Content-Type: \(MediaType.of(path))",
            // no-cache: browsers ask whether the file has changed.
            "Cache-Control: \(isFixed ? "public, max-age=31536000, immutable" : "no-cache")",
        ]
    }
}

/// The list of the files that Amber put at a target. Amber stores it there twice: as a plan before the first file is
/// sent, and as a manifest after the last one. Each has all files, so one is enough if the other is half-written.
///
///     amber-deploy 1 ID BASE CATALOGUE
///     CONTENT PATH                a file that stays
///     BATCH OLD NEW PATH          a file that a batch sends or deletes
///     end DIGEST                  of all lines before
///
/// Others can write to the target, so every line is checked.
struct DeployManifest {
    struct Line {
        let path: String
        /// The content before and after the deploy: its digest, or `absent` or `unknown`.
        var old: String
        let new: String
        /// The number of the batch from 1 on; 0 for a file that stays.
        var batch = 0
    }

    static let absent = "-"
    /// The content of a file that Amber was sending or deleting when a deploy was interrupted.
    static let unknown = "?"
    static let limit = 1 << 28
    private static let format = "amber-deploy 1"

    /// Identifies the deploy that wrote it.
    let id: String
    /// The id of the previous manifest; "-" if there was none.
    let base: String
    let catalogue: String
    var lines: [Line]

    init(id: String, base: String, catalogue: String, lines: [Line]) {
        (self.id, self.base, self.catalogue, self.lines) = (id, base, catalogue, lines)
    }

    /// - Returns: nil if it is damaged or of another version.
    init?(_ bytes: [UInt8]) {
        let end = bytes.count - "end \n".utf8.count - 64
        guard end > 0, bytes[end...].elementsEqual("end \(SHA256(of: bytes[..<end]).hex)\n".utf8) else { return nil }
        let rows = bytes[..<end].split(separator: "\n").map { row in
            String(decoding: row, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        }
        guard let head = rows.first, head.count == 5, head[..<2].joined(separator: " ") == Self.format else {
            return nil
        }
        self.init(id: String(head[2]), base: String(head[3]), catalogue: String(head[4]), lines: [])
        for row in rows.dropFirst() {
            guard row.count == 2 || row.count == 4, let path = SitePath(String(row[row.count - 1])) else { return nil }
            let contents = row[(row.count / 2 - 1)..<(row.count - 1)].map(String.init)
            let batch = row.count == 2 ? 0 : Int(row[0]) ?? -1
            guard batch >= row.count / 4,
                contents.allSatisfy({ $0 == Self.absent || $0 == Self.unknown || SHA256(hex: $0) != nil })
            else { return nil }
            lines.append(Line(path: path.text, old: contents[0], new: contents[contents.count - 1], batch: batch))
        }
        guard lines.map(\.path).unique().count == lines.count else { return nil }
    }

    var bytes: [UInt8] {
        let rows = lines.map {
            $0.batch == 0 ? "\($0.new) \($0.path)\n" : "\($0.batch) \($0.old) \($0.new) \($0.path)\n"
        }
        let text = "\(Self.format) \(id) \(base) \(catalogue)\n" + rows.joined()
        return Array("\(text)end \(SHA256(of: text.utf8).hex)\n".utf8)
    }

    /// The contents of the files at the target by path.
    /// - Parameter done: the number of finished batches; -1 if no batch was started, nil if it is not known.
    func files(done: Int?) -> [String: String] {
        let files = lines.map { line in
            let isFinished = done.map { line.batch <= $0 || line.batch == 0 } ?? (line.batch == 0)
            let isOpen = done.map { line.batch == $0 + 1 } ?? true
            return (line.path, isFinished ? line.new : isOpen ? Self.unknown : line.old)
        }
        return Dictionary(uniqueKeysWithValues: files).filter { $1 != Self.absent }
    }
}

/// The progress of a deploy, which is also its lock.
struct DeployProgress: Equatable {
    /// The id of the plan whose batches are counted.
    var plan = "-"
    /// The number of finished batches of the plan.
    var done = 0
    /// When the lock ends, in milliseconds since 1970; 0 if it was released.
    var until: Int64 = 0
    /// The id of the deploy that holds the lock.
    var owner = "-"

    init() {}

    /// - Returns: nil if it is damaged.
    init?(_ bytes: [UInt8]) {
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.count == 4, bytes.last == "\n", let done = Int(fields[1]), (0..<Int.max).contains(done),
            let until = Int64(fields[2])
        else { return nil }
        (plan, self.done, self.until, owner) = (String(fields[0]), done, until, String(fields[3].dropLast()))
    }

    var bytes: [UInt8] { Array("\(plan) \(done) \(until) \(owner)\n".utf8) }
}
