import Catalogue
import HTTPServer

/// A file of the site to deploy.
struct SourceFile: Sendable {
    /// The SHA-256 in hexadecimal.
    let digest: String
    let size: Int64
}

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
            // Pages with unknown content can have readers already, so new ones that they refer to come before.
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
