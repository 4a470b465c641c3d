import Archive
import Catalogue

/// Paths in an order in which neighbours begin alike, each kept as what it has other than the one before: about ten
/// bytes a path.
struct PathList: Sendable {
    private(set) var count = 0
    /// Of each path how many bytes are those of the one before, how many are its own, and these.
    private var bytes: [UInt8] = []
    /// Where each run of `stride` paths begins, whose first is kept whole.
    private var starts: [Int] = []
    private var last: [UInt8] = []

    private static let stride = 64
}

extension PathList {
    mutating func append(_ path: SitePath) throws(ArchiveError) {
        let text = Array(path.text.utf8)
        guard text.count <= UInt8.max else { throw .damaged("the path \(path) is longer than 255 bytes") }
        guard count < Int32.max else { throw .damaged("it has more pictures than can be counted") }
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

    /// The paths at these positions.
    func paths(at positions: Range<Int>) -> [SitePath] {
        guard !positions.isEmpty else { return [] }
        var paths: [SitePath] = []
        paths.reserveCapacity(positions.count)
        var position = positions.lowerBound - positions.lowerBound % Self.stride
        var place = starts[position / Self.stride]
        var text: [UInt8] = []
        while position < positions.upperBound {
            let end = place + 2 + Int(bytes[place + 1])
            text.removeLast(text.count - Int(bytes[place]))
            text += bytes[place + 2..<end]
            if position >= positions.lowerBound {
                paths.append(SitePath(joined: String(decoding: text, as: UTF8.self)))
            }
            place = end
            position += 1
        }
        return paths
    }

    subscript(position: Int) -> SitePath { paths(at: position..<position + 1)[0] }
}
