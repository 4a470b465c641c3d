package import Archive
package import Catalogue

/// The paths of a revision's answers below `api/` in its site. An imported state has no such paths.
public struct APIMirror: Sendable {
    /// A page of a list.
    public struct Page: Sendable {
        package let kind: String
        package let path: SitePath
        /// The path of the request.
        package let requestPath: String
        package let sha256: SHA256
        package let size: Int
    }

    package private(set) var pages: [Page] = []
    /// The records of each kind, by their positions in the API's order.
    package private(set) var records: [NumberIndex] = []
    package private(set) var pictures = PathList()

    package init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        guard reader.revision.imported == nil else { return }
        let catalogue = try catalogue.catalogue(of: reader)
        let lists = catalogue.lists
        let chained = try Self.chainedPages(reader, catalogue)
        try reader.forEachAnswer(as: .page) { answer in
            // The answer after the last page of a list without counts.
            if answer.status == 404 { return }
            let location =
                chained[answer.path]
                ?? lists.lazy.compactMap { list in list.page(of: answer.path).map { (list.kind, $0) } }.first
            guard let (kind, number) = location else {
                throw ArchiveError.damaged("the list page \(answer.path) belongs to no list")
            }
            pages.append(
                Page(
                    kind: kind, path: MirrorPath.page(number, of: kind), requestPath: answer.path,
                    sha256: answer.sha256,
                    size: answer.size))
        }
        let counts = try reader.recordCounts()
        for kind in try catalogue.kinds(among: counts.keys).sorted() where counts[kind] != nil {
            records.append(try NumberIndex(kind, reader))
        }
        try Self.forEachPicture(reader) { path, _ in try pictures.append(path) }
    }

    /// The kinds and numbers of the pages of lists with cursors or links, by path. Each page contains the address of the
    /// next one.
    private static func chainedPages(
        _ reader: RevisionReader, _ catalogue: any Catalogue
    ) throws -> [String: (kind: String, number: Int)] {
        var pages: [String: (kind: String, number: Int)] = [:]
        for list in catalogue.lists where list.paginator.isChain {
            var path: String? = list.firstPath
            var number = 1
            while let own = path, pages[own] == nil, let answer = try reader.answer(for: own) {
                pages[own] = (list.kind, number)
                number += 1
                path = try reader.page(answer, of: list, catalogue).page.next
            }
            guard number == 1 || path == nil else {
                throw ArchiveError.damaged("the \(list.kind) list continues with \(path ?? ""), which is missing")
            }
        }
        return pages
    }

    static func forEachPicture(_ reader: RevisionReader, _ body: (SitePath, Asset) throws -> Void) throws {
        var digests: Set<SHA256> = []
        try reader.forEachAnswer(as: .picture) { answer in
            // A missing picture has no file in the mirror.
            guard let asset = answer.asset else { return }
            let path = MirrorPath.picture(answer.path, asset)
            guard !MirrorPath.isNamedByDigest(path) || digests.insert(asset.sha256).inserted else { return }
            try body(path, asset)
        }
    }
}

extension APIMirror {
    package func pictures(at positions: Range<Int>, from reader: RevisionReader) throws -> [SitePicture] {
        try pictures.paths(at: positions).map { path in
            let asset =
                try MirrorPath.isNamedByDigest(path)
                ? MirrorPath.digest(path).flatMap { try reader.asset(of: $0) }
                : reader.answer(for: MirrorPath.requestedPath(path), withHeaders: false)?.asset
            guard let asset else { throw ArchiveError.damaged("the picture \(path) no longer exists") }
            return SitePicture(path: path, asset: asset)
        }
    }
}

extension NumberIndex {
    /// The paths of the records at these positions. If a number is repeated, only its first record has a path.
    package func paths(at positions: Range<Int>) -> [SitePath] {
        positions.lazy.filter { !repeatedPositions.contains($0) }.map {
            MirrorPath.record(RecordKey(kind, numbers[$0]))
        }
    }

    /// The records at these positions as files. If a number is repeated, only its first record has a file.
    package func files(at positions: Range<Int>, from reader: RevisionReader) throws -> [SiteFile] {
        let records = try reader.records(of: kind, at: positions)
        guard records.map(\.key.id) == Array(numbers[positions]) else {
            throw ArchiveError.damaged("the \(kind) records at \(positions) changed while they were read")
        }
        return zip(positions, records).lazy.filter { !repeatedPositions.contains($0.0) }.map { _, record in
            SiteFile(path: MirrorPath.record(record.key), bytes: record.bytes)
        }
    }
}

extension APIMirror.Page {
    package func file(from reader: RevisionReader) throws -> SiteFile {
        guard let answer = try reader.answer(for: requestPath) else {
            throw ArchiveError.damaged("the list page \(requestPath) no longer exists")
        }
        return SiteFile(path: path, bytes: try reader.document(of: answer))
    }
}

extension RevisionReader {
    /// Reads an archived page of a list.
    func page(
        _ answer: Exchange, of list: ListEndpoint, _ catalogue: any Catalogue
    ) throws -> (page: ListPage, body: [UInt8]) {
        let body = try document(of: answer)
        let base = revision.source.api
        do {
            let answer = PageAnswer(path: answer.path, headers: answer.headers, body: body, base: base)
            return (try catalogue.page(answer, of: list), body)
        } catch {
            throw ArchiveError.damaged("the list page \(answer.path): \(error)")
        }
    }
}
