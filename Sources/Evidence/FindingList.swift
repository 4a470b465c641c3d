/// References that do not lead where they should: the first of them, and how many others there are.
public struct FindingList: Sendable, Equatable {
    /// The first ones, in their order.
    public private(set) var first: [Completeness.Finding] = []
    /// How many are only counted.
    private(set) var leftOut = 0

    /// The most references that are named. Each takes about 100 bytes, and a server can send millions.
    static let most = 100_000

    /// How many there are in all.
    public var count: Int { first.count + leftOut }
    var hasRoom: Bool { first.count < Self.most }

    mutating func append(_ finding: @autoclosure () -> Completeness.Finding) {
        if hasRoom { first.append(finding()) } else { leftOut += 1 }
    }

    /// Adds references that are only counted.
    mutating func leaveOut(_ count: Int) { leftOut += count }
}
