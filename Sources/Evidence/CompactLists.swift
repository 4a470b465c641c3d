public import Archive
import Catalogue

/// A list of wrong references or gaps: the first ones, and the number of the others.
public struct FindingList<Finding: Sendable & Equatable>: Sendable, Equatable {
    package private(set) var first: [Finding] = []
    /// The number of findings that are only counted.
    private(set) var leftOut = 0

    init(_ all: [Finding] = []) { first = all }

    /// The most findings that are kept. Each takes about 100 bytes, and a server can cause millions.
    static var most: Int { 100_000 }

    package var count: Int { first.count + leftOut }
    var hasRoom: Bool { first.count < Self.most }

    mutating func append(_ finding: @autoclosure () -> Finding) {
        if hasRoom { first.append(finding()) } else { leftOut += 1 }
    }

    mutating func leaveOut(_ count: Int) { leftOut += count }
}

/// Records in the order of their kinds. Each record takes eight bytes, and each kind is stored once.
public struct RecordList: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable, Equatable {
    private var kinds: [String] = []
    /// The end of each kind's numbers.
    private var ends: [Int] = []
    private var numbers: [Int64] = []

    /// A list of these records.
    public init(arrayLiteral records: RecordKey...) {
        for record in records { append(record) }
    }

    mutating func append(_ key: RecordKey) {
        numbers.append(key.id)
        if kinds.last == key.kind {
            ends[ends.count - 1] = numbers.count
        } else {
            kinds.append(key.kind)
            ends.append(numbers.count)
        }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of records.
    public var endIndex: Int { numbers.count }

    /// The record at an index.
    public subscript(place: Int) -> RecordKey {
        // Usually there is one kind.
        let index = ends.firstIndex { place < $0 } ?? 0
        return RecordKey(kinds[index], numbers[place])
    }
}

/// Paths in an order in which neighbours begin with the same bytes. Each is stored as its difference from the path
/// before, which takes about ten bytes.
struct PathList: Sendable {
    private(set) var count = 0
    /// For each path, the number of bytes that it shares with the path before, the number of its other bytes, and those
    /// bytes.
    private var bytes: [UInt8] = []
    /// The start of each run of `stride` paths, whose first is stored whole.
    private var starts: [Int] = []
    private var last: [UInt8] = []

    private static let stride = 64

    mutating func append(_ path: SitePath) throws {
        let text = Array(path.text.utf8)
        guard text.count <= UInt8.max else { throw ArchiveError.damaged("the path \(path) is longer than 255 bytes") }
        guard count < Int32.max else { throw ArchiveError.damaged("there are more pictures than can be counted") }
        var shared = 0
        if count % Self.stride == 0 {
            starts.append(bytes.count)
        } else {
            while shared < min(last.count, text.count), last[shared] == text[shared] { shared += 1 }
        }
        bytes.append(UInt8(shared))
        bytes.append(UInt8(text.count - shared))
        bytes += text[shared...]
        last = text
        count += 1
    }

    func paths(at positions: Range<Int>) -> [SitePath] {
        guard !positions.isEmpty else { return [] }
        var paths: [SitePath] = []
        paths.reserveCapacity(positions.count)
        let first = positions.lowerBound / Self.stride
        var place = starts[first]
        var text: [UInt8] = []
        for position in first * Self.stride..<positions.upperBound {
            let end = place + 2 + Int(bytes[place + 1])
            text.removeLast(text.count - Int(bytes[place]))
            text += bytes[place + 2..<end]
            if position >= positions.lowerBound {
                paths.append(SitePath(joined: String(decoding: text, as: UTF8.self)))
            }
            place = end
        }
        return paths
    }

    subscript(position: Int) -> SitePath { paths(at: position..<position + 1)[0] }
}
