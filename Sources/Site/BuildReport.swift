import Catalogue

/// What a build did.
public struct BuildReport: Sendable {
    /// Pages rendered and checked.
    public internal(set) var pages = 0
    /// Files written or linked; the others were there already.
    public internal(set) var written = 0
    /// Files of the site in all.
    public internal(set) var files = 0
    /// Bytes of the site in all.
    public internal(set) var bytes: Int64 = 0
    /// The digest of all answers of the API, in hexadecimal; nil for a site that does not tell it.
    public internal(set) var rootHash: String?
    /// Seconds by stage: render, check, publish. Work of several workers side by side counts once.
    public internal(set) var seconds: [String: Double] = [:]

    /// A report of nothing.
    init() {}

    mutating func count(_ file: (Manifest.Entry, TreeWriter.Outcome)) {
        files += 1
        bytes += file.0.size
        if file.1 == .written { written += 1 }
    }

    /// Counts a batch that was not made again.
    /// - Returns: how many pages it has.
    mutating func count(_ kept: ManifestSegment) -> Int {
        var found = 0
        kept.forEach { path, entry in
            count((entry, .kept))
            if UnsafeRawBufferPointer(path).dropLast().reversed().starts(with: ".html".utf8.reversed()) { found += 1 }
            return true
        }
        pages += found
        return found
    }

    mutating func add(_ part: BuildReport, workers: Int) {
        pages += part.pages
        written += part.written
        files += part.files
        bytes += part.bytes
        for (stage, time) in part.seconds { seconds[stage, default: 0] += time / Double(max(1, workers)) }
    }
}
