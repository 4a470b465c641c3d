package import Catalogue

/// A list of wrong references. Only a limited number is kept; the others are counted.
package struct FindingList: Sendable, Equatable {
    package private(set) var first: [Completeness.Finding] = []
    /// The number of findings that are only counted.
    var omitted = 0

    /// The maximum number of findings that are kept. Each needs about 100 bytes, and a server can cause millions.
    static var maximum: Int { 100_000 }

    package var count: Int { first.count + omitted }
    var hasRoom: Bool { first.count < Self.maximum }

    mutating func append(_ finding: Completeness.Finding) {
        if hasRoom { first.append(finding) } else { omitted += 1 }
    }
}

extension TextColumn {
    /// The paths in these rows.
    package func paths(at positions: Range<Int>) -> [SitePath] { positions.map { SitePath(joined: self[$0]) } }
}
