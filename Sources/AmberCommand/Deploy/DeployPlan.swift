import Archive
import Catalogue
import HTTPServer
import Platform

/// The SHA-256 of a file of the site in hexadecimal, and its size.
typealias SourceFile = (digest: String, size: Int64)

/// Files that one run of rclone sends or deletes.
struct DeployBatch {
    /// The place in the order of a deploy (`DeployPlan.rank`).
    let rank: Int
    /// The headers of the files, one in a line, for targets that store them.
    let headers: String
    var paths: [String] = []
    var bytes: Int64 = 0

    /// An interrupted deploy sends at most this many files and bytes again.
    static let maximumFiles = 1_000
    static let maximumBytes: Int64 = 32 << 20

    var isDeletion: Bool { rank >= DeployPlan.deletionRank }
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

    /// - Parameter hasHeaders: whether the target stores headers for each file.
    init(from deployed: [String: String], to site: [String: SourceFile], hasHeaders: Bool, maximumFiles: Int) {
        let all = Set(deployed.keys).union(site.keys).sorted().map { path in
            DeployManifest.Line(
                path: path, old: deployed[path] ?? DeployManifest.absent,
                new: site[path]?.digest ?? DeployManifest.absent)
        }
        lines = all.filter { $0.old == $0.new }
        let changes = all.filter { $0.old != $0.new }.map { line in
            let rank = Self.rank(line)
            let headers = hasHeaders && rank < Self.deletionRank ? Self.headers(line.path) : ""
            return (line: line, rank: rank, headers: headers)
        }
        // Sorting is stable, so equal ranks and headers keep the order of the paths.
        for (var line, rank, headers) in changes.sorted(by: { ($0.rank, $0.headers) < ($1.rank, $1.headers) }) {
            let size = site[line.path]?.size ?? 0
            let fits = batches.last.map { last in
                last.rank == rank && last.headers == headers && last.paths.count < maximumFiles
                    && last.bytes + size <= DeployBatch.maximumBytes
            }
            if fits != true { batches.append(DeployBatch(rank: rank, headers: headers)) }
            batches[batches.count - 1].paths.append(line.path)
            batches[batches.count - 1].bytes += size
            line.batch = batches.count
            lines.append(line)
        }
    }

    static let deletionRank = 8

    /// The order of the batches. A page is sent after everything that it refers to, and deleted after all pages that
    /// referred to it were replaced.
    ///
    /// New pages refer to each other, but readers find them only through lists and changed pages, which come later.
    private static func rank(_ line: DeployManifest.Line) -> Int {
        let path = line.path
        let isPage = path.hasSuffix(".html")
        let isIndex = path == "index.html" || path.hasSuffix("/index.html")
        let isList = path.hasSuffix(".xml") || ["sw.js", "search-index.js"].contains(path) || path.hasPrefix("search/")
        if line.new == DeployManifest.absent { return isPage ? deletionRank : deletionRank + 1 }
        guard isPage || isList else { return 0 }
        switch line.old {
        case DeployManifest.absent, DeployManifest.unknown:
            return path == "index.html" ? 5 : isList ? 4 : isIndex ? 2 : 1
        // Readers may already reach this page, and it may already refer to any new page.
        case DeployManifest.changing: return path == "index.html" ? 5 : isList ? 4 : 3
        default: return isIndex || isList ? 7 : 6
        }
    }

    private static func headers(_ path: String) -> String {
        let isFixed = SitePath(path).map(MirrorPath.isNamedByDigest) ?? false
        // no-cache: browsers ask whether the file has changed.
        let caching = isFixed ? "public, max-age=31536000, immutable" : "no-cache"
        return "Content-Type: \(MediaType.of(path))\nCache-Control: \(caching)"
    }
}

/// The list of the files that Amber put at a target, with the changes of the last deploy.
///
///     amber-deploy 2 CATALOGUE
///     CONTENT PATH                a file that stays
///     BATCH OLD NEW PATH          a file that a batch sends or deletes
///     end DIGEST                  of all lines before
///
/// Others can write to the target, so every line is checked.
struct DeployManifest {
    struct Line {
        let path: String
        /// The content before and after the deploy: its digest, or `absent`, `changing` or `unknown`.
        let old: String
        let new: String
        /// The number of the batch from 1 on; 0 for a file that stays.
        var batch = 0

        /// What an interruption of its batch leaves at the target.
        var interrupted: String {
            let ends = [old, new]
            return ends.contains(DeployManifest.absent) || ends.contains(DeployManifest.unknown)
                ? DeployManifest.unknown : DeployManifest.changing
        }
    }

    static let absent = "-"
    /// A file that exists, with the old or the new content.
    static let changing = "+"
    /// A file that may be missing.
    static let unknown = "?"
    private static let states = [absent, changing, unknown]
    /// The maximum numbers of bytes and of lines. A line needs about 300 bytes of memory.
    static let limit = 1 << 28
    static let maximumLines = 3_000_000
    private static let format = "amber-deploy 2"

    let catalogue: String
    var lines: [Line]

    init(catalogue: String, lines: [Line]) { (self.catalogue, self.lines) = (catalogue, lines) }

    /// - Returns: nil if it is damaged or of another version.
    init?(_ bytes: [UInt8]) {
        let end = bytes.count - "end \n".utf8.count - 64
        guard end > 0, bytes[end...].elementsEqual("end \(SHA256(of: bytes[..<end]).hex)\n".utf8) else { return nil }
        var start = 0
        /// The words of the next row. All rows at once would need much more memory than the lines. A valid row has at
        /// most four words.
        func nextRow() -> [Substring] {
            let stop = bytes[start..<end].firstIndex(of: "\n") ?? end
            defer { start = stop + 1 }
            return String(decoding: bytes[start..<stop], as: UTF8.self)
                .split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        }
        let head = nextRow()
        guard head.count == 3, head[..<2].joined(separator: " ") == Self.format else { return nil }
        self.init(catalogue: String(head[2]), lines: [])
        var paths: Set<String> = []
        while start < end {
            let row = nextRow()
            guard row.count == 2 || row.count == 4, let path = SitePath(String(row[row.count - 1])) else { return nil }
            let contents = row[(row.count / 2 - 1)..<(row.count - 1)].map(String.init)
            let batch = row.count == 2 ? 0 : Int(row[0]) ?? -1
            guard batch >= row.count / 4, contents.allSatisfy({ Self.states.contains($0) || SHA256(hex: $0) != nil })
            else { return nil }
            guard paths.insert(path.text).inserted else { return nil }
            lines.append(Line(path: path.text, old: contents[0], new: contents[contents.count - 1], batch: batch))
        }
    }

    var bytes: [UInt8] {
        let rows = lines.map {
            $0.batch == 0 ? "\($0.new) \($0.path)\n" : "\($0.batch) \($0.old) \($0.new) \($0.path)\n"
        }
        let text = "\(Self.format) \(catalogue)\n" + rows.joined()
        return Array("\(text)end \(SHA256(of: text.utf8).hex)\n".utf8)
    }

    /// The contents of the files at the target by path, after a number of finished batches.
    func files(done: Int) -> [String: String] {
        let files = lines.map { ($0.path, $0.batch <= done ? $0.new : $0.batch == done + 1 ? $0.interrupted : $0.old) }
        return Dictionary(uniqueKeysWithValues: files).filter { $1 != Self.absent }
    }
}
