package import Archive
package import Catalogue
import Platform

/// The paths of a revision's answers below `api/` in its site. An imported state has no such paths.
package struct APIMirror: Sendable {
    package struct Page: Sendable {
        package let kind: String
        /// The index of the list in the catalogue.
        let list: Int
        /// The parent of the records in a list of children; nil for other lists.
        let parent: RecordKey?
        /// Pages count from 1.
        let number: Int
        package let path: SitePath
        package let requestPath: String
        package let sha256: SHA256
        package let size: Int
    }

    /// The catalogue for proofs about the revision.
    let catalogue: any Catalogue
    package private(set) var pages: [Page] = []
    /// The records of each kind, by their positions in the API's order.
    package private(set) var records: [NumberIndex] = []
    /// The paths of the pictures and other files.
    package private(set) var pictures = TextColumn()
    /// The times since which only changed records were requested, by kind.
    package private(set) var changes: [String: [String]] = [:]
    /// The number of records whose lists of children are missing, by the kind of the children.
    private(set) var missingLists: [String: Int] = [:]

    package init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        let catalogue = try catalogue.catalogue(of: reader)
        self.catalogue = catalogue
        guard reader.revision.imported == nil else { return }
        let lists = catalogue.lists
        let linked = try linkedPages(reader)
        try reader.forEachAnswer(as: .page) { answer in
            // The answer after the last page of a list without counts.
            if answer.status == 404 { return }
            let location: Location? =
                linked[answer.path]
                ?? lists.indices.lazy.compactMap { list in
                    lists[list].page(of: answer.path).map { (list, nil, $0, "") }
                }.first
            let (list, parent, number, part) = try ArchiveError.require(
                location, "the list page \(answer.path) belongs to no list")
            pages.append(
                Page(
                    kind: lists[list].kind, list: list, parent: parent, number: number,
                    path: MirrorPath.page(number, of: lists[list].name + part, parent: parent),
                    requestPath: answer.path, sha256: answer.sha256, size: answer.size))
        }
        let counts = try reader.recordCounts()
        for kind in try catalogue.kinds(among: counts.keys).sorted() where counts[kind] != nil {
            records.append(try NumberIndex(kind, reader))
        }
        try Self.forEachPicture(reader) { path, _ in pictures.append(path.text) }
        try ArchiveError.require(pictures.count < Int32.max, "there are more pictures than can be counted")
    }

    /// The index of a list, the parent of its records if it is a list of children, the number of a page, and the folder
    /// of a page with changed records: "/changes-1".
    private typealias Location = (list: Int, parent: RecordKey?, number: Int, part: String)

    /// By path, the pages of lists of children, pages with changed records, and pages of lists with cursors or links,
    /// where each page contains the address of the next one.
    private mutating func linkedPages(_ reader: RevisionReader) throws -> [String: Location] {
        var pages: [String: Location] = [:]
        func follow(_ list: ListEndpoint, _ index: Int, of parent: RecordKey?, part: String = "") throws {
            var path: String? = list.firstPath
            var number = 1
            while let own = path, pages[own] == nil, let answer = try reader.answer(for: own) {
                pages[own] = (index, parent, number, part)
                number += 1
                path =
                    list.paginator.isChain && answer.status == 200
                    ? try reader.page(answer, of: list, catalogue).page.next : list.path(page: number)
            }
            try ArchiveError.require(
                number == 1 || path == nil || !list.paginator.isChain,
                "the \(list) list continues with \(path ?? ""), which is missing")
        }
        let lists = catalogue.lists
        for (index, list) in lists.enumerated() where list.parent == nil && list.paginator.isChain {
            try follow(list, index, of: nil)
        }
        for (index, list) in lists.enumerated() {
            guard let rule = list.updated else { continue }
            let prefix = list.changed(since: "", rule).path
            var times: [String] = []
            try reader.forEachAnswer(as: .page) { answer in
                guard answer.path.hasPrefix(prefix) else { return }
                let time = String(answer.path.dropFirst(prefix.count).prefix { $0 != "&" })
                if times.last != time { times.append(time) }
            }
            for time in times where pages[list.at(prefix + time).firstPath] == nil {
                let number = (changes[list.kind]?.count ?? 0) + 1
                try follow(list.at(prefix + time), index, of: nil, part: "/changes-\(number)")
                guard pages[list.at(prefix + time).firstPath] != nil else { continue }
                changes[list.kind, default: []].append(String(decoding: percentDecoded(time.utf8) ?? [], as: UTF8.self))
            }
        }
        for kind in Set(lists.compactMap(\.parent)).sorted() {
            let base = reader.revision.source.api
            let parents = try reader.records(of: kind, at: 0..<Int.max) { record in
                (record.key, try catalogue.archivedFacts(of: record.bytes, record.key, base: base).children)
            }
            for (parent, children) in parents {
                for child in children {
                    let list = lists[child.list].at(child.path)
                    try follow(list, child.list, of: parent)
                    let isStored = list.endStatuses.isSubset(of: [404])
                    if pages[list.firstPath] == nil, isStored { missingLists[list.kind, default: 0] += 1 }
                }
            }
        }
        return pages
    }

    /// The declared place of the next page, if a list of the kind has no page with a value there.
    /// - Parameter known: by list, whether it has no such page. Lists are added here, so that each is read only once.
    func lackedNext(
        of kind: String, _ reader: RevisionReader, _ known: inout [Int: Bool]
    ) throws -> AnswerValue? {
        for (index, list) in catalogue.lists.enumerated() where list.kinds.contains(kind) && list.paginator.isChain {
            let lacksNext = try known[index] ?? lacksNext(list, index, reader)
            known[index] = lacksNext
            if lacksNext { return list.paginator.nextPlace }
        }
        return nil
    }

    private func lacksNext(_ list: ListEndpoint, _ index: Int, _ reader: RevisionReader) throws -> Bool {
        let own = pages.lazy.filter { $0.list == index }
        return try !own.isEmpty
            && own.allSatisfy { try reader.page($0.answer(from: reader), of: list, catalogue).page.lacksNext }
    }

    static func forEachPicture(_ reader: RevisionReader, _ body: (SitePath, Asset) throws -> Void) throws {
        var digests: Set<SHA256> = []
        try reader.forEachAnswer(as: .asset) { answer in
            // A missing picture or file is not in the mirror.
            guard let asset = answer.asset else { return }
            let path = MirrorPath.asset(answer.path, asset)
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
            return (path, try ArchiveError.require(asset, "the picture \(path) no longer exists"))
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
        try ArchiveError.require(
            records.map(\.key.id) == Array(numbers[positions]),
            "the \(kind) records at \(positions) changed while they were read")
        return zip(positions, records).lazy.filter { !repeatedPositions.contains($0.0) }.map { _, record in
            (MirrorPath.record(record.key), record.bytes)
        }
    }
}

extension APIMirror.Page {
    package func file(from reader: RevisionReader) throws -> SiteFile {
        (path, try reader.document(of: answer(from: reader)))
    }

    fileprivate func answer(from reader: RevisionReader) throws -> Exchange {
        try ArchiveError.require(reader.answer(for: requestPath), "the list page \(requestPath) no longer exists")
    }

    func read(from reader: RevisionReader, _ catalogue: any Catalogue) throws -> (page: ListPage, keys: [RecordKey?]) {
        let (list, base) = (catalogue.lists[list], reader.revision.source.api)
        let (page, body) = try reader.page(answer(from: reader), of: list, catalogue)
        let keys = page.records.map { row in
            // `try?`, because a row that cannot be read is a gap of the capture. It has no key.
            try? list.hasDetail
                ? catalogue.detail(of: body[row], in: list, base: base).key
                : catalogue.facts(of: body[row], in: list, base: base).key
        }
        return (page, keys)
    }
}

extension APIMirror {
    /// For each list, a digest of its records in their order. It does not cover the rest of its pages, such as cursors
    /// and times. A list has no digest if only its changed records were requested.
    package static func listDigests(of reader: RevisionReader, _ catalogue: any Catalogue) throws -> [String: SHA256] {
        let mirror = try APIMirror(of: reader, catalogue)
        let catalogue = mirror.catalogue
        let lists = catalogue.lists.filter { mirror.changes[$0.kind] == nil }
        var digests = Dictionary(lists.map { ($0.name, SHA256(of: [])) }) { first, _ in first }
        func order(_ page: Page) -> (Int64, Int) { (page.parent?.id ?? 0, page.number) }
        for page in mirror.pages.sorted(by: { order($0) < order($1) }) {
            let list = catalogue.lists[page.list]
            guard let digest = digests[list.name] else { continue }
            let rows = try page.read(from: reader, catalogue).keys.map { key in
                "\(page.parent?.id ?? 0) \(list.kinds.count > 1 ? "\(key?.kind ?? "") " : "")\(key?.id ?? 0)\n"
            }
            digests[list.name] = rows.reduce(digest) { SHA256(of: Array($0.hex.utf8) + $1.utf8) }
        }
        return digests
    }
}

extension RevisionReader {
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

extension TextColumn {
    /// The paths in these rows.
    package func paths(at positions: Range<Int>) -> [SitePath] { positions.map { SitePath(joined: self[$0]) } }
}
