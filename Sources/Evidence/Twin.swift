public import Archive
public import Catalogue

/// Where each answer of a revision stands below `api/` in its site; nothing for an imported state, which has no
/// answers.
public struct Twin: Sendable {
    /// A page of a list.
    public struct Page: Sendable {
        /// The kind of its list.
        public let kind: String
        /// Where it stands.
        public let path: SitePath
        /// What was asked.
        public let asked: String
        /// The digest of the answer.
        public let sha256: SHA256
        /// Its length in bytes.
        public let size: Int
    }

    /// The single records of a kind, by their positions in the API's order.
    public struct Records: Sendable {
        /// Their kind.
        public let kind: String
        let index: NumberIndex
        /// The positions of numbers that came before: of these the first counts.
        let repeated: Set<Int>

        /// The number of each.
        public var numbers: [Int64] { index.numbers }
    }

    /// The pages of all lists.
    public private(set) var pages: [Page] = []
    /// The records by kind.
    public private(set) var records: [Records] = []
    /// Where the pictures stand, in the order of the paths that were asked.
    private(set) var pictures = PathList()

    /// Reads which answers a revision has.
    public init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        guard reader.revision.imported == nil else { return }
        let lists = catalogue.lists
        try reader.forEachAnswer(as: .page) { answer in
            let place = lists.lazy.compactMap { list in
                list.page(of: answer.path).map { (list.kind, TwinPath.page($0, of: list.kind)) }
            }
            .first
            guard let (kind, path) = place else {
                throw ArchiveError.damaged("the list page \(answer.path) belongs to no list")
            }
            pages.append(Page(kind: kind, path: path, asked: answer.path, sha256: answer.sha256, size: answer.size))
        }
        let counts = try reader.recordCounts()
        for kind in try catalogue.kinds(among: counts.keys).sorted() where counts[kind] != nil {
            let index = try NumberIndex(kind, reader)
            records.append(Records(kind: kind, index: index, repeated: index.repeatedPositions))
        }
        try Self.forEachPicture(reader) { path, _ in try pictures.append(path) }
    }

    /// Goes through the pictures that have places, in the order of the paths that were asked.
    static func forEachPicture(_ reader: RevisionReader, _ body: (SitePath, Asset) throws -> Void) throws {
        var named: Set<SHA256> = []
        try reader.forEachAnswer(as: .picture) { answer in
            // That there is no picture is an answer too, but none that a server could give by a file of that name.
            guard let asset = answer.asset else { return }
            let path = TwinPath.picture(answer.path, asset)
            guard !TwinPath.isNamedByDigest(path) || named.insert(asset.sha256).inserted else { return }
            try body(path, asset)
        }
    }
}

extension Twin {
    /// How many pictures have places.
    public var pictureCount: Int { pictures.count }

    /// Where the pictures at these positions stand.
    public func picturePaths(at positions: Range<Int>) -> [SitePath] { pictures.paths(at: positions) }

    /// The pictures at these positions with their places.
    public func pictures(at positions: Range<Int>, from reader: RevisionReader) throws -> [SitePicture] {
        let paths = pictures.paths(at: positions)
        let asked = paths.filter { !TwinPath.isNamedByDigest($0) }.map { TwinPath.asked($0) }
        var assets: [Asset] = []
        if let first = asked.first, let last = asked.last {
            try reader.forEachAnswer(as: .picture, from: first, through: last) { answer in
                guard assets.count < asked.count, answer.path == asked[assets.count], let asset = answer.asset else {
                    return
                }
                assets.append(asset)
            }
        }
        var next = 0
        return try paths.map { path in
            let asset: Asset?
            if TwinPath.isNamedByDigest(path) {
                asset = try TwinPath.digest(path).flatMap { try reader.asset(of: $0) }
            } else {
                asset = next < assets.count ? assets[next] : nil
                next += 1
            }
            guard let asset else { throw ArchiveError.damaged("the picture \(path) is not there any more") }
            return SitePicture(path: path, asset: asset)
        }
    }
}

extension Twin.Records {
    /// Where the records at these positions stand, each number once.
    public func paths(at positions: Range<Int>) -> [SitePath] {
        positions.lazy.filter { !repeated.contains($0) }.map { TwinPath.record(RecordKey(kind, numbers[$0])) }
    }

    /// The records at these positions with their places, each number once.
    public func files(at positions: Range<Int>, from reader: RevisionReader) throws -> [SiteFile] {
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
    /// The page with its place.
    public func file(from reader: RevisionReader) throws -> SiteFile {
        guard let answer = try reader.answer(for: asked) else {
            throw ArchiveError.damaged("the list page \(asked) is gone")
        }
        return SiteFile(path: path, bytes: try reader.document(of: answer))
    }
}
