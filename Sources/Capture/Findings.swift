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
        var extras: [RecordKey: Extra] = [:]
        var pictures: Set<String> = []
        var picturesHad = 0
        var failure: (any Error & Sendable)?
    }

    private let state = Guarded(State())

    var gaps: [Gap] { state.withLock { $0.gaps.sorted() } }
    var extras: [RecordKey: Extra] { state.withLock { $0.extras } }
    var pictureCount: Int { state.withLock { $0.picturesHad } }

    /// The first thing that ended the capture; what fails behind it only follows from it.
    var failure: (any Error & Sendable)? { state.withLock { $0.failure } }

    func note(failure: any Error & Sendable) {
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    func add(_ gap: Gap) {
        state.withLock { _ = $0.gaps.insert(gap) }
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
