import Platform

/// What a server keeps for serving media: the library, made when first asked for, pictures that have been drawn, and
/// when calls came.
final class MediaShelf: Sendable {
    private static let most = 600

    private struct Key: Hashable {
        let name: String
        let width: Int
        let height: Int
    }
    private let seed: UInt64
    private let made = Guarded<MediaLibrary?>(nil)
    private let drawn = Guarded<[Key: [UInt8]]>([:])
    private let calls = Guarded<[ContinuousClock.Instant]>([])

    init(seed: UInt64) {
        self.seed = seed
    }

    var library: MediaLibrary {
        made.withLock { made in
            if let library = made { return library }
            let library = MediaLibrary(seed: seed)
            made = library
            return library
        }
    }

    func artwork(_ name: String, width: Int, height: Int) -> [UInt8]? {
        guard let form = library.artworks[name] else { return nil }
        // By the size that is drawn: many boxes have the same one.
        let size = Artwork.size(form, width: width, height: height)
        let key = Key(name: name, width: size.width, height: size.height)
        if let bytes = drawn.withLock({ $0[key] }) { return bytes }
        guard let bytes = library.artwork(name, width: width, height: height) else { return nil }
        drawn.withLock { drawn in
            if drawn.count >= Self.most { drawn.removeAll(keepingCapacity: true) }
            drawn[key] = bytes
        }
        return bytes
    }

    /// Whether one more call is within the limit. It counts in any case.
    func admits(_ limit: (calls: Int, seconds: Double)) -> Bool {
        let now = ContinuousClock.now
        return calls.withLock { calls in
            calls.removeAll { $0 <= now - .seconds(limit.seconds) }
            calls.append(now)
            return calls.count <= limit.calls
        }
    }

    func forgetCalls() { calls.withLock { $0 = [] } }
}
