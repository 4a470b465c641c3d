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
    /// Seconds by stage: render, check, publish. Work of several workers side by side counts once.
    public internal(set) var seconds: [String: Double] = [:]

    /// A report of nothing.
    init() {}

    mutating func take(_ file: (Manifest.Entry, TreeWriter.Outcome), _ path: SitePath, into manifest: inout Manifest) {
        manifest.entries[path.text] = file.0
        count(file)
    }

    mutating func count(_ file: (Manifest.Entry, TreeWriter.Outcome)) {
        files += 1
        bytes += file.0.size
        if file.1 == .written { written += 1 }
    }

    mutating func add(_ part: BuildReport, workers: Int) {
        pages += part.pages
        written += part.written
        files += part.files
        bytes += part.bytes
        for (stage, time) in part.seconds { seconds[stage, default: 0] += time / Double(max(1, workers)) }
    }
}
