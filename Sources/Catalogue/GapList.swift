package import Archive

/// Collects gaps without duplicates. Gaps beyond the limits are counted but not listed.
package struct GapList: Sendable {
    /// The maximum number of listed gaps of one answer.
    package static let maxListedPerAnswer = 1_000
    /// The maximum size of all listed gaps in bytes.
    private static let maxBytes = 32 << 20

    private var gaps: Set<Gap> = []
    /// The size of the listed gaps in bytes.
    private var size = 0
    /// The number of gaps of each URL, including those that are not listed.
    private var counts: [String: Int] = [:]
    /// The number of gaps beyond `maxBytes` in answers that have no listed gap.
    private var unlisted = 0

    package init() {}

    /// - Parameter url: the URL of the answer, or the name of the file.
    package mutating func add(_ fault: ContentFault, at url: String) {
        let gap = Gap(url: url, keyPath: fault.keyPath, reason: fault.reason)
        guard !gaps.contains(gap) else { return }
        let bytes = gap.url.utf8.count + gap.keyPath.utf8.count + gap.reason.utf8.count
        let hasRoom = size + bytes <= Self.maxBytes
        guard hasRoom || counts[url] != nil else {
            unlisted += 1
            return
        }
        counts[url, default: 0] += 1
        guard hasRoom, counts[url, default: 0] <= Self.maxListedPerAnswer else { return }
        gaps.insert(gap)
        size += bytes
    }

    /// Counts gaps of an answer that are not listed. Other gaps of the answer are listed.
    package mutating func count(further: Int, of url: String) { if further > 0 { counts[url, default: 0] += further } }

    package var sorted: [Gap] {
        let listed = Dictionary(grouping: gaps, by: \.url).mapValues(\.count)
        var more = counts.compactMap { url, count -> Gap? in
            let rest = count - listed[url, default: 0]
            return rest > 0 ? Gap(url: url, reason: "\(rest) further faults in this answer are not listed") : nil
        }
        if unlisted > 0, let first = gaps.map(\.url).min() {
            more.append(Gap(url: first, reason: "\(unlisted) faults of other answers are not listed"))
        }
        return (gaps + more).sorted()
    }
}
