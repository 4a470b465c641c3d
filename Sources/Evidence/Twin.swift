package import Archive
package import Catalogue

/// The paths of a revision's answers below `api/` in its site; an imported state has none.
public struct Twin: Sendable {
    /// A page of a list.
    public struct Page: Sendable {
        package let kind: String
        package let path: SitePath
        /// The path of the request.
        package let asked: String
        package let sha256: SHA256
        package let size: Int
    }

    /// The single records of a kind, by their positions in the API's order.
    public struct Records: Sendable {
        package let kind: String
        let index: NumberIndex
        /// The positions of numbers that came before: only the first record of a number counts.
        let repeated: Set<Int>

        package var numbers: [Int64] { index.numbers }
    }

    package private(set) var pages: [Page] = []
    package private(set) var records: [Records] = []
    private(set) var pictures = PathList()

    package init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        guard reader.revision.imported == nil else { return }
        let lists = catalogue.lists
        try reader.forEachAnswer(as: .page) { answer in
            let place = lists.lazy.compactMap { list in list.page(of: answer.path).map { (list.kind, $0) } }.first
            guard let (kind, number) = place else {
                throw ArchiveError.damaged("the list page \(answer.path) belongs to no list")
            }
            pages.append(
                Page(
                    kind: kind, path: TwinPath.page(number, of: kind), asked: answer.path, sha256: answer.sha256,
                    size: answer.size))
        }
        let counts = try reader.recordCounts()
        for kind in try catalogue.kinds(among: counts.keys).sorted() where counts[kind] != nil {
            let index = try NumberIndex(kind, reader)
            records.append(Records(kind: kind, index: index, repeated: index.repeatedPositions))
        }
        try Self.forEachPicture(reader) { path, _ in try pictures.append(path) }
    }

    static func forEachPicture(_ reader: RevisionReader, _ body: (SitePath, Asset) throws -> Void) throws {
        var named: Set<SHA256> = []
        try reader.forEachAnswer(as: .picture) { answer in
            // An answer that there is no picture cannot be repeated by a file of that name.
            guard let asset = answer.asset else { return }
            let path = TwinPath.picture(answer.path, asset)
            guard !TwinPath.isNamedByDigest(path) || named.insert(asset.sha256).inserted else { return }
            try body(path, asset)
        }
    }
}

extension Twin {
    /// The number of pictures that have paths.
    package var pictureCount: Int { pictures.count }

    package func picturePaths(at positions: Range<Int>) -> [SitePath] { pictures.paths(at: positions) }

    package func pictures(at positions: Range<Int>, from reader: RevisionReader) throws -> [SitePicture] {
        let paths = pictures.paths(at: positions)
        let asked = paths.filter { !TwinPath.isNamedByDigest($0) }.map { TwinPath.asked($0) }
        var assets: [String: Asset] = [:]
        if let first = asked.first, let last = asked.last {
            let asked = Set(asked)
            try reader.forEachPicture(from: first, through: last) { answer in
                if asked.contains(answer.path) { assets[answer.path] = answer.asset }
            }
        }
        return try paths.map { path in
            let asset =
                TwinPath.isNamedByDigest(path)
                ? try TwinPath.digest(path).flatMap { try reader.asset(of: $0) } : assets[TwinPath.asked(path)]
            guard let asset else { throw ArchiveError.damaged("the picture \(path) is not there any more") }
            return SitePicture(path: path, asset: asset)
        }
    }
}

extension Twin.Records {
    /// The paths of the records at these positions, each number once.
    package func paths(at positions: Range<Int>) -> [SitePath] {
        positions.lazy.filter { !repeated.contains($0) }.map { TwinPath.record(RecordKey(kind, numbers[$0])) }
    }

    /// The records at these positions as files, each number once.
    package func files(at positions: Range<Int>, from reader: RevisionReader) throws -> [SiteFile] {
        let records = try reader.records(of: kind, at: positions)
        guard records.map(\.key.id) == Array(numbers[positions]) else {
            throw ArchiveError.damaged("the \(kind) records at \(positions) are not those that were there a moment ago")
        }
        return zip(positions, records).lazy.filter { !repeated.contains($0.0) }.map { _, record in
            SiteFile(path: TwinPath.record(record.key), bytes: record.bytes)
        }
    }
}

extension Twin.Page {
    package func file(from reader: RevisionReader) throws -> SiteFile {
        guard let answer = try reader.answer(for: asked) else {
            throw ArchiveError.damaged("the list page \(asked) is gone")
        }
        return SiteFile(path: path, bytes: try reader.document(of: answer))
    }
}
