public import Archive
public import Catalogue

/// Where each answer of a revision stands below `api/` in its site; nothing for an imported state, which has no answers.
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
    }

    /// The single records of a kind, by their positions in the API's order.
    public struct Records: Sendable {
        /// Their kind.
        public let kind: String
        /// The number of each.
        public internal(set) var numbers: [Int64] = []
        /// The positions of numbers that came before: of these the first counts.
        public internal(set) var repeated: Set<Int> = []
    }

    /// A picture.
    public struct Picture: Sendable {
        /// Where it stands.
        public let path: SitePath
        /// What it is.
        public let asset: Asset
    }

    /// The pages of all lists.
    public private(set) var pages: [Page] = []
    /// The records by kind.
    public private(set) var records: [Records] = []
    /// The pictures.
    public private(set) var pictures: [Picture] = []

    /// Reads which answers a revision has.
    public init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        guard reader.revision.imported == nil else { return }
        let lists = catalogue.lists
        try reader.forEachAnswer(as: .page) { answer in
            let place = lists.lazy.compactMap { list in list.page(of: answer.path).map { (list.kind, TwinPath.page($0, of: list.kind)) } }
                .first
            guard let (kind, path) = place else { throw ArchiveError.damaged("the list page \(answer.path) belongs to no list") }
            pages.append(Page(kind: kind, path: path, asked: answer.path, sha256: answer.sha256))
        }
        for kind in try reader.recordCounts().keys.sorted() { records.append(try Self.records(of: kind, reader)) }
        var named: Set<SHA256> = []
        try reader.forEachAnswer(as: .picture) { answer in
            // That there is no picture is an answer too, but none that a server could give by a file of that name.
            guard let asset = answer.asset else { return }
            let path = TwinPath.picture(answer.path, asset)
            guard !path.text.hasPrefix("api/picture/") || named.insert(asset.sha256).inserted else { return }
            pictures.append(Picture(path: path, asset: asset))
        }
    }

    private static func records(of kind: String, _ reader: RevisionReader) throws -> Records {
        var records = Records(kind: kind)
        var isSorted = true
        try reader.forEachMember(of: kind) { number, _ in
            isSorted = isSorted && number > records.numbers.last ?? 0
            records.numbers.append(number)
        }
        guard !isSorted else { return records }
        var known: Set<Int64> = []
        for (position, number) in records.numbers.enumerated() where !known.insert(number).inserted { records.repeated.insert(position) }
        return records
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
        guard let answer = try reader.answer(for: asked) else { throw ArchiveError.damaged("the list page \(asked) is gone") }
        return SiteFile(path: path, bytes: try reader.document(of: answer))
    }
}
