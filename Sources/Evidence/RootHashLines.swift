import Archive
import Catalogue

/// The lines that a root hash is of, in the order of their bytes. Only so many are held at once: of more, the digests
/// are gone through several times, and each time those of a part of all digests are held and sorted.
struct RootHashLines {
    private let twin: Twin
    private let reader: RevisionReader
    private let most: Int

    /// - Parameter most: how many lines may be held at once, by 40 bytes.
    init(_ twin: Twin, _ reader: RevisionReader, most: Int = 1 << 19) {
        self.twin = twin
        self.reader = reader
        self.most = most
    }

    /// A line to be: a digest, and where the path is that belongs to it.
    private struct Line {
        let digest: SHA256
        let list: Int32
        let position: Int32
    }

    // The lists that paths are in; each kind of records is one from the third on.
    private static let named: Int32 = 0
    private static let pictures: Int32 = 1
    private static let records: Int32 = 2
}

extension RootHashLines {
    /// Hands on each line.
    func forEach(_ body: (String) -> Void) throws {
        let count = twin.pages.count + twin.pictures.count + twin.records.reduce(0) { $0 + $1.numbers.count }
        let parts = max(1, (count + most - 1) / most)
        for part in 0..<parts {
            var lines: [Line] = []
            // A bit more than a part has on average: digests are spread evenly.
            lines.reserveCapacity(parts == 1 ? count : count / parts + most / 64)
            var names: [String] = []
            try collect { digest, list, position, name in
                guard digest.part(of: parts) == part else { return }
                if let name {
                    lines.append(Line(digest: digest, list: list, position: Int32(names.count)))
                    names.append(name)
                } else {
                    lines.append(Line(digest: digest, list: list, position: Int32(position)))
                }
            }
            func path(_ line: Line) -> String {
                switch line.list {
                case Self.named: return names[Int(line.position)]
                case Self.pictures: return twin.pictures[Int(line.position)].text
                default:
                    let records = twin.records[Int(line.list - Self.records)]
                    return TwinPath.record(RecordKey(records.kind, records.numbers[Int(line.position)])).text
                }
            }
            lines.sort { left, right in
                left.digest == right.digest
                    ? path(left).utf8.lexicographicallyPrecedes(path(right).utf8) : left.digest < right.digest
            }
            for line in lines { body("\(line.digest.hex)  \(path(line))\n") }
        }
    }

    /// Goes through all digests: each with its list and its position there, or with the name of its file.
    private func collect(_ add: (_ digest: SHA256, _ list: Int32, _ position: Int, _ name: String?) -> Void) throws {
        // An imported state has no answers; those that a crafted archive gives it are not in its twin.
        guard reader.revision.imported == nil else { return try reader.forEachFile { add($1, Self.named, 0, $0) } }
        for page in twin.pages { add(page.sha256, Self.named, 0, page.path.text) }
        var position = 0
        try Twin.forEachPicture(reader) { _, asset in
            add(asset.sha256, Self.pictures, position, nil)
            position += 1
        }
        for (kind, records) in twin.records.enumerated() {
            var position = 0
            try reader.forEachMember(of: records.kind) { _, sha256 in
                if !records.repeated.contains(position) { add(sha256, Self.records + Int32(kind), position, nil) }
                position += 1
            }
        }
    }
}
