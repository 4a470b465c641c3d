public import Archive
import Catalogue

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

    mutating func append(_ finding: @autoclosure () -> Finding) {
        if hasRoom { first.append(finding()) } else { omitted += 1 }
    }

    mutating func addOmitted(_ count: Int) { omitted += count }
}

/// Records in the order of their kinds. Each record needs eight bytes, and each kind is stored once.
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
    public subscript(position: Int) -> RecordKey {
        // Usually there is one kind.
        let index = ends.firstIndex { position < $0 } ?? 0
        return RecordKey(kinds[index], numbers[position])
    }
}

/// A compact list of paths. Each path is stored as its difference from the previous path, which needs about ten bytes
/// if neighbours begin with the same bytes.
struct PathList: Sendable {
    private(set) var count = 0
    /// For each path: the number of first bytes that it shares with the previous path, the number of its other bytes,
    /// and these other bytes.
    private var bytes: [UInt8] = []
    /// The start of each run of `stride` paths in `bytes`. The first path of a run is stored completely.
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
        var offset = starts[first]
        var text: [UInt8] = []
        for position in first * Self.stride..<positions.upperBound {
            let end = offset + 2 + Int(bytes[offset + 1])
            text.removeLast(text.count - Int(bytes[offset]))
            text += bytes[offset + 2..<end]
            if position >= positions.lowerBound {
                paths.append(SitePath(joined: String(decoding: text, as: UTF8.self)))
            }
            offset = end
        }
        return paths
    }

    subscript(position: Int) -> SitePath { paths(at: position..<position + 1)[0] }
}
