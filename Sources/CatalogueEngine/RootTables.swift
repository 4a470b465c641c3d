import Archive
import Catalogue
import Pages
import Platform

/// The record that contains a row of a table.
enum RecordSource: Sendable {
    /// The record at a position in the archive.
    case record(Int)
    /// A result in the answer of a root, because the lookup did not return the record.
    case result(Int, ofRoot: Int)
}

/// The answer of a root, such as the results of a search.
struct RootAnswer: Sendable {
    enum Entry: Sendable {
        case row(Int)
        /// A result that cannot be shown, with the reason.
        case broken(title: String, ContentFault)
    }

    let root: Root
    let path: SitePath
    let entries: [Entry]
    /// The number of results that the root's parameters exclude.
    let leftOut: Int
}

extension CatalogueDeclaration {
    /// The roots of a revision, which can differ from those that are configured now.
    func roots(of reader: RevisionReader) throws -> [Root] {
        guard let roots else { return [] }
        let counts = try reader.recordCounts()
        return try kinds.filter(isRoot).flatMap { kind in
            let count = min(counts[kind.name] ?? 0, RootDeclaration.most)
            return try reader.origins(of: kind.name, at: 0..<count).compactMap { $0.path.flatMap(roots.root(path:)) }
        }.unique { $0.key }
    }
}

extension RecordTables {
    /// Reads the answers of the roots. The tables of results have the records that roots show, in their order.
    func loadRoots(_ roots: RootDeclaration, _ reader: RevisionReader, _ counts: [String: Int]) throws {
        var paths = RootPaths(words: SitePath.words)
        var keys: Set<RecordKey> = []
        for kind in declaration.kinds where declaration.isRoot(kind) {
            let count = counts[kind.name] ?? 0
            guard count <= RootDeclaration.most else {
                throw ArchiveError.damaged(
                    "revision \(reader.revision.number) has \(count) records of the kind \(kind.name), more than "
                        + "the \(RootDeclaration.most) that are allowed")
            }
            guard let target = declaration.results(of: kind.name) else { continue }
            let known = try records(of: target, reader)
            let table = self[kind.name]
            var origins = try reader.origins(of: kind.name, at: 0..<count)[...]
            _ = try reader.records(of: kind.name, at: 0..<count) { record in
                // The number is a digest of the path, which detects an answer with a wrong path.
                guard let path = origins.popFirst()?.path, let root = roots.root(path: path),
                    root.key == record.key
                else { throw ArchiveError.damaged("\(record.key) does not come from an answer to its request") }
                // Each further copy would get a longer path, so thousands of copies would take hours.
                guard keys.insert(root.key).inserted else {
                    throw ArchiveError.damaged(
                        "revision \(reader.revision.number) has the record \(root.key) twice")
                }
                let row = table.count
                let results = try SearchResults(
                    record.bytes, target,
                    limit: root.values["limit"].flatMap { Int($0) } ?? CatalogueExtension.mostResults)
                let (entries, leftOut) = try self.entries(of: results, known, self[target.name], root, row)
                table.append(
                    table.entry(of: try JSONFields(record.bytes), record.key, root, links),
                    RootAnswer(root: root, path: paths.path(of: root, kind), entries: entries, leftOut: leftOut))
            }
        }
        for kind in declaration.kinds where kind.list != nil { self[kind.name].finish() }
    }

    private typealias Known = (entry: RecordTable.Entry, picture: Asset?, position: Int)

    /// The records from lookups. One record is in memory at a time.
    private func records(of kind: KindDeclaration, _ reader: RevisionReader) throws -> [Int64: Known] {
        let table = self[kind.name]
        let found = try reader.records(of: kind.name, at: 0..<Int.max) { record in
            (try table.entry(of: record.bytes, links), record.picture)
        }
        return Dictionary(found.enumerated().map { ($1.0.key.id, ($1.0, $1.1, $0)) }) { $1 }
    }

    private func entries(
        of found: SearchResults, _ known: [Int64: Known], _ table: RecordTable, _ root: Root, _ row: Int
    ) throws -> (entries: [RootAnswer.Entry], leftOut: Int) {
        var entries: [RootAnswer.Entry] = []
        var leftOut = 0
        let explicit = table.kind.field("explicit")
        for (index, result) in found.results.enumerated() {
            switch result {
            case .odd: continue
            case .broken(let fault, let title): entries.append(.broken(title: title.shortened, fault))
            case .record(let id, let fields):
                let entry = known[id]?.entry ?? table.entry(of: fields, RecordKey(table.kind.name, id), nil, links)
                if case .text(let text)? = explicit.flatMap({ entry.values[$0.index] }),
                    CatalogueExtension.isLeftOut(text, of: root)
                {
                    leftOut += 1
                    continue
                }
                let place = table.rowsByID[id] ?? table.count
                if place == table.count {
                    let source = known[id].map { RecordSource.record($0.position) } ?? .result(index, ofRoot: row)
                    table.append(entry, known[id]?.picture, from: source)
                }
                table.add(root: Int32(row), to: place)
                entries.append(.row(place))
            }
        }
        return (entries, leftOut)
    }
}

/// Gives addresses to the roots of a revision, in their order.
private struct RootPaths {
    let words: (String, Int) -> String
    var used: Set<String> = []

    /// The path of a root's page: its words. Its number is added if there are none, or if the path is used or reserved.
    mutating func path(of root: Root, _ kind: KindDeclaration) -> SitePath {
        let id = root.key.id
        guard let page = kind.page else { return kind.path("\(id)") }
        let values = root.values.mapValues { value -> String in
            let words = words(value, 48)
            return words.isEmpty ? "\(id)" : words
        }
        var slug = TextPattern(page).filled(with: values)
        if PortableName.reserved.contains(String(slug.split(separator: "/").last ?? "")) { slug += "-\(id)" }
        while !used.insert(slug).inserted { slug += "-\(id)" }
        return SitePath(joined: "\(slug).html")
    }
}

extension RecordTables {
    /// The addresses that the present roots had in this revision or an earlier one, also when letters outside ASCII
    /// separated words. An address that several roots had leads to the latest of them.
    func movedRoots(_ reader: RevisionReader) throws -> [MovedPage] {
        guard declaration.roots != nil else { return [] }
        let answers = declaration.kinds.filter(declaration.isRoot).flatMap { self[$0.name].answers }
        let present = Dictionary(answers.map { ($0.root.key, $0.path) }, uniquingKeysWith: { first, _ in first })
        var used = Set(present.values)
        var moved: [MovedPage] = []
        var last: [RecordKey] = []
        for revision in try reader.history().reversed() {
            let own = revision == reader.revision ? reader : try RevisionReader(revision, in: reader.folder)
            let roots = try declaration.roots(of: own)
            // Most revisions have the roots of the one before.
            guard roots.map(\.key) != last else { continue }
            last = roots.map(\.key)
            for words in [SitePath.words, SitePath.asciiWords] {
                var paths = RootPaths(words: words)
                for root in roots {
                    guard let kind = declaration.kind(root.kind) else { continue }
                    let former = paths.path(of: root, kind)
                    guard let path = present[root.key], used.insert(former).inserted else { continue }
                    moved.append((former, path))
                }
            }
        }
        return moved
    }
}

extension RecordTables {
    typealias Found = (record: StoredRecord, origin: RecordOrigin)

    /// The records of some rows, with their origins, their keys and pictures.
    func records(of table: RecordTable, at rows: Range<Int>, from reader: RevisionReader) throws -> [Found] {
        let kind = table.kind
        var answer: (row: Int, found: Found, results: [Range<Int>])?
        let found: [Found] =
            table.sources.isEmpty
            ? try Self.records(of: kind, at: rows, reader)
            : try rows.compactMap { row in
                switch table.sources[row] {
                case .record(let position): return try Self.records(of: kind, at: position..<position + 1, reader).first
                case .result(let index, let row):
                    if answer?.row != row {
                        answer = try self.answer(of: row, kind, reader).map { found in
                            (row, found, try SearchAnswer(found.record.bytes).rows)
                        }
                    }
                    guard let (_, found, results) = answer, results.indices.contains(index) else { return nil }
                    let bytes = Array(found.record.bytes[results[index]])
                    let id = try kind.key(of: try JSONFields(bytes)).id
                    return ((RecordKey(kind.name, id), bytes, SHA256(of: bytes), nil), found.origin)
                }
            }
        guard found.map(\.record.key.id) == Array(table.ids[rows]) else {
            throw ArchiveError.damaged("the \(kind.plural) at \(rows) changed while the revision was read")
        }
        return found
    }

    private static func records(of kind: KindDeclaration, at rows: Range<Int>, _ reader: RevisionReader) throws
        -> [Found]
    {
        Array(zip(try reader.records(of: kind.name, at: rows), try reader.origins(of: kind.name, at: rows)))
    }

    /// The answer of a root with results of a kind.
    private func answer(of row: Int, _ kind: KindDeclaration, _ reader: RevisionReader) throws -> Found? {
        let root = declaration.kinds.first { declaration.results(of: $0.name) === kind }
        return try root.flatMap { try Self.records(of: $0, at: row..<row + 1, reader).first }
    }

    /// The albums of all artists, by country.
    static func albums(_ declaration: CatalogueDeclaration, _ reader: RevisionReader) throws
        -> [String: [Int64: [ArtistAlbums.Album]]]
    {
        var albums: [String: [Int64: [ArtistAlbums.Album]]] = [:]
        for kind in declaration.kinds where kind.isWholeAnswer {
            let country = declaration.parameters[kind.name]?["country"] ?? ""
            _ = try reader.records(of: kind.name, at: 0..<Int.max) { record in
                // Another search can have fewer albums of an artist, so the first ones are kept.
                let own = try ArtistAlbums(record.bytes).byArtist
                albums[country, default: [:]].merge(own) { $1.count > $0.count ? $1 : $0 }
            }
        }
        return albums
    }
}
