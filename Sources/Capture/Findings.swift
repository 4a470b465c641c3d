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
        /// How many gaps each URL has, those that are only counted included.
        var counts: [String: Int] = [:]
        var extras: [RecordKey: Extra] = [:]
        var pictures: Set<String> = []
        var picturesHad = 0
        var failure: (any Error & Sendable)?
    }

    private let state = Guarded(State())

    /// An answer's gaps beyond this many are counted only: the first ones say enough.
    private static let mostOfOne = 1_000

    var gaps: [Gap] {
        state.withLock { state in
            let more = state.counts.filter { $0.value > Self.mostOfOne }.map {
                Gap(url: $0.key, reason: "\($0.value - Self.mostOfOne) further faults in this answer are only counted")
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
            let count = state.counts[gap.url, default: 0] + 1
            state.counts[gap.url] = count
            if count <= Self.mostOfOne { state.gaps.insert(gap) }
        }
    }

    func add(_ key: RecordKey, _ extra: Extra) {
        state.withLock { $0.extras[key] = extra }
    }

    func countPicture() {
        state.withLock { $0.picturesHad += 1 }
    }

    /// - Returns: whether this picture is claimed for the first time, and so is the caller's to ask for.
    func claim(picture path: String) -> Bool {
        state.withLock { $0.pictures.insert(path).inserted }
    }
}
