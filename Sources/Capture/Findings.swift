import Archive
import Catalogue
import Platform

/// What a capture finds on its way: gaps, pictures, and records that no list brought.
final class Findings: Sendable {
    /// A record asked for by its number.
    struct Extra: Sendable {
        let slice: RecordSlice
        let exchange: Exchange
    }

    private struct State {
        var gaps: Set<Gap> = []
        /// The bytes of their texts.
        var gapSize = 0
        /// How many gaps each URL has, those that are only counted included.
        var counts: [String: Int] = [:]
        /// How many faults beyond the limit of bytes are only counted, each of an answer without a named gap.
        var further = 0
        var extras: [RecordKey: Extra] = [:]
        var pictures: Set<SHA256> = []
        var picturesHad = 0
        var failure: (any Error & Sendable)?
    }

    private let state = Guarded(State())

    /// An answer's gaps beyond this many are counted only: the first ones say enough.
    static let mostOfOne = 1_000
    /// Gaps are named up to this many bytes; the others are counted.
    private static let mostBytes = 32 << 20

    var gaps: [Gap] {
        state.withLock { state in
            var named: [String: Int] = [:]
            for gap in state.gaps { named[gap.url, default: 0] += 1 }
            var more = state.counts.filter { $0.value > named[$0.key, default: 0] }.map {
                Gap(
                    url: $0.key,
                    reason: "\($0.value - named[$0.key, default: 0]) further faults in this answer are only counted")
            }
            if state.further > 0, let first = state.gaps.map(\.url).min() {
                more.append(Gap(url: first, reason: "\(state.further) faults of other answers are only counted"))
            }
            return (state.gaps + more).sorted()
        }
    }
    var extras: [RecordKey: Extra] { state.withLock { $0.extras } }
    var pictureCount: Int { state.withLock { $0.picturesHad } }

    /// The first thing that ended the capture; what fails behind it only follows from it.
    var failure: (any Error & Sendable)? { state.withLock { $0.failure } }

    func note(failure: any Error & Sendable) {
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    func add(_ gap: Gap) {
        state.withLock { state in
            guard !state.gaps.contains(gap) else { return }
            let size = gap.url.utf8.count + gap.keyPath.utf8.count + gap.reason.utf8.count
            let hasRoom = state.gapSize + size <= Self.mostBytes
            guard hasRoom || state.counts[gap.url] != nil else {
                state.further += 1
                return
            }
            let count = state.counts[gap.url, default: 0] + 1
            state.counts[gap.url] = count
            guard hasRoom, count <= Self.mostOfOne else { return }
            state.gaps.insert(gap)
            state.gapSize += size
        }
    }

    /// Counts faults of an answer that have gaps named before.
    func count(further: Int, of url: String) {
        guard further > 0 else { return }
        state.withLock { $0.counts[url, default: 0] += further }
    }

    func add(_ key: RecordKey, _ extra: Extra) {
        state.withLock { $0.extras[key] = extra }
    }

    func countPicture() {
        state.withLock { $0.picturesHad += 1 }
    }

    /// - Returns: whether this picture is claimed for the first time, and so is the caller's to ask for.
    func claim(picture path: String) -> Bool {
        let digest = SHA256(of: path.utf8)
        return state.withLock { $0.pictures.insert(digest).inserted }
    }
}
