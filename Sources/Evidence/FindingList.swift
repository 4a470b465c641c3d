/// References that do not lead where they should, or gaps: the first of them, and how many others there are.
public struct FindingList<Finding: Sendable & Equatable>: Sendable, Equatable {
    /// The first ones, in their order.
    public private(set) var first: [Finding] = []
    /// How many are only counted.
    private(set) var leftOut = 0

    /// A list of these, all of them named.
    init(_ all: [Finding] = []) { first = all }

    /// The most findings that are named. Each takes about 100 bytes, and a server can send millions.
    static var most: Int { 100_000 }

    /// How many there are in all.
    public var count: Int { first.count + leftOut }
    var hasRoom: Bool { first.count < Self.most }

    mutating func append(_ finding: @autoclosure () -> Finding) {
        if hasRoom { first.append(finding()) } else { leftOut += 1 }
    }

    /// Adds references that are only counted.
    mutating func leaveOut(_ count: Int) { leftOut += count }
}
