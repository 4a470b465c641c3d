/// The lines of a web archive's index, in little memory: each has the API's address twice.
///
/// A key and its facts are kept as the number of bytes that they share with those of the first line, and the rest.
struct WACZIndex {
    private struct Part {
        let shared: Int
        let rest: [UInt8]
    }

    private var firstKey: [UInt8] = []
    private var firstFacts: [UInt8] = []
    private var lines: [(key: Part, facts: Part)] = []

    /// Adds a line.
    /// - Parameter key: ends in a byte that tells it from longer ones, so that no key is the beginning of another.
    mutating func append(key: [UInt8], facts: [UInt8]) {
        if lines.isEmpty { (firstKey, firstFacts) = (key, facts) }
        lines.append((Self.part(key, firstKey), Self.part(facts, firstFacts)))
    }

    /// The lines, sorted as the C locale sorts: output order. Each is put together when it is asked for.
    mutating func sorted() -> some Sequence<[UInt8]> {
        lines.sort { [firstKey, firstFacts] left, right in
            let order = Self.order(left.key, right.key, firstKey)
            return order != 0 ? order < 0 : Self.order(left.facts, right.facts, firstFacts) < 0
        }
        return lines.lazy.map { [firstKey, firstFacts] key, facts in
            var line = Array(firstKey[..<key.shared])
            line += key.rest
            line += firstFacts[..<facts.shared]
            line += facts.rest
            return line
        }
    }

    private static func part(_ bytes: [UInt8], _ first: [UInt8]) -> Part {
        var shared = 0
        while shared < min(bytes.count, first.count), bytes[shared] == first[shared] { shared += 1 }
        return Part(shared: shared, rest: Array(bytes[shared...]))
    }

    /// Below 0 where the left one comes first, 0 where both are the same.
    private static func order(_ left: Part, _ right: Part, _ first: [UInt8]) -> Int {
        // The one that shares more has the first line's byte at this place. The other one has another byte.
        if left.shared > right.shared { return -order(right, left, first) }
        if left.shared < right.shared {
            guard let byte = left.rest.first else { return -1 }
            return byte < first[left.shared] ? -1 : 1
        }
        if left.rest.lexicographicallyPrecedes(right.rest) { return -1 }
        return right.rest.lexicographicallyPrecedes(left.rest) ? 1 : 0
    }
}
