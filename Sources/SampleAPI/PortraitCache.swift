import Platform

/// Portraits that have been drawn, a few megabytes of them.
final class PortraitCache: Sendable {
    private static let most = 1000
    private struct Key: Hashable {
        let id: Int
        let generation: Int
    }
    private let drawn = Guarded<[Key: [UInt8]]>([:])

    func portrait(of id: Int, in universe: Universe, generation: Int) -> [UInt8] {
        let id = universe.sitter(ofCharacter: id)
        let key = Key(id: id, generation: generation)
        if let bytes = drawn.withLock({ $0[key] }) { return bytes }

        let bytes = universe.portrait(ofCharacter: id, generation: generation)
        drawn.withLock { drawn in
            if drawn.count >= Self.most { drawn.removeAll(keepingCapacity: true) }
            drawn[key] = bytes
        }
        return bytes
    }
}
