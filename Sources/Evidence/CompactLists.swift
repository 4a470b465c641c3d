import Archive
package import Catalogue

/// A list of wrong references or gaps. Only a limited number is kept; the others are counted.
public struct FindingList<Finding: Sendable & Equatable>: Sendable, Equatable {
    package private(set) var first: [Finding] = []
    /// The number of findings that are only counted.
    private(set) var omitted = 0

    init(_ all: [Finding] = []) { first = all }

    /// The maximum number of findings that are kept. Each needs about 100 bytes, and a server can cause millions.
    static var maximum: Int { 100_000 }

    package var count: Int { first.count + omitted }
    var hasRoom: Bool { first.count < Self.maximum }

    mutating func append(_ finding: Finding) {
        if hasRoom { first.append(finding) } else { omitted += 1 }
    }

    mutating func addOmitted(_ count: Int) { omitted += count }
}

/// A compact list of paths: their bytes, and the end of each.
package struct PathList: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    package var count: Int { ends.count }

    mutating func append(_ path: SitePath) throws {
        try ArchiveError.require(count < Int32.max, "there are more pictures than can be counted")
        bytes += path.text.utf8
        ends.append(bytes.count)
    }

    package func paths(at positions: Range<Int>) -> [SitePath] { positions.map { self[$0] } }

    subscript(position: Int) -> SitePath {
        let start = position == 0 ? 0 : ends[position - 1]
        return SitePath(joined: String(decoding: bytes[start..<ends[position]], as: UTF8.self))
    }
}
