import Archive
import Catalogue
import Foundation
import Platform
import TestSupport

/// A catalogue of things that belong to boxes. Its records are
/// `{"id":1,"boxes":["box/2"],"picture":"picture/of/1.png"}` and `{"id":2,"things":["thing/1"]}`.
struct Things: Catalogue {
    var name: String { "things" }
    var lists: [ListEndpoint] {
        ["thing", "box"].map {
            ListEndpoint(kind: $0, path: "\($0)s", paginator: .pageNumber(parameter: "page", first: 1))
        }
    }
    var recordsPerRequest: Int { 1 }
    var mutualReferences: [MutualReference] { [(("thing", "boxes"), ("box", "things"))] }

    func plural(of kind: String) -> String { kind == "box" ? "boxes" : "\(kind)s" }
    func page(_ answer: PageAnswer, of list: ListEndpoint) throws -> ListPage {
        throw ContentFault("", "is not used in these tests")
    }
    func path(for keys: [RecordKey]) -> String? { "" }
    func records(in body: [UInt8], requested keys: [RecordKey]) throws -> [Range<Int>] { [] }

    func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws -> RecordFacts {
        let fields = try JSONFields(Array(record))
        let (name, other) = kind == "thing" ? ("boxes", "box") : ("things", "thing")
        var references: [Reference] = []
        var refused: [ContentFault] = []
        for (index, link) in try fields.texts(FieldPath(name)).enumerated() {
            let parts = link.split(separator: "/")
            if parts.count == 2, parts[0] == other, let id = Int64(parts[1]) {
                references.append(Reference(RecordKey(other, id), at: "\(name)[\(index)]"))
            } else {
                refused.append(ContentFault("\(name)[\(index)]", "is not a link to a record"))
            }
        }
        var facts = RecordFacts(RecordKey(kind, try fields.integer("id")), card: references, refused: refused)
        if let picture = fields.optionalText("picture"), !picture.isEmpty { facts.pictures = [picture] }
        return facts
    }
}

/// A catalogue with one list of things and boxes. It counts the pages that it reads.
struct SharedList: Catalogue {
    let isChain: Bool
    let pagesRead = Locked(0)
    var name: String { "things" }
    var recordsPerRequest: Int { 1 }
    var lists: [ListEndpoint] {
        var list = ListEndpoint(
            kind: "thing", path: isChain ? "alls?page=1" : "alls",
            paginator: isChain ? .jsonLink(.body(FieldPath("next"))) : .pageNumber(parameter: "page", first: 1))
        list.kinds = ["thing", "box"]
        list.name = "all"
        return [list]
    }

    func plural(of kind: String) -> String { "\(kind)s" }
    func path(for keys: [RecordKey]) -> String? { "" }
    func records(in body: [UInt8], requested keys: [RecordKey]) throws -> [Range<Int>] { [] }

    func page(_ answer: PageAnswer, of list: ListEndpoint) throws -> ListPage {
        pagesRead.withLock { $0 += 1 }
        var page = ListPage(try JSONSlices.elements(of: answer.body), at: "")
        page.claim = (page.records.count, 1)
        page.lacksNext = isChain
        return page
    }

    func kind(of row: ArraySlice<UInt8>, in list: ListEndpoint) throws -> String {
        String(decoding: row, as: UTF8.self).contains("things") ? "box" : "thing"
    }

    func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws -> RecordFacts {
        try Things().facts(of: record, kind: kind, base: base)
    }
}

/// An archive with one revision of things.
struct ThingArchive {
    let scratch: ScratchFolder
    var folder: ArchiveFolder { ArchiveFolder("\(scratch.path)/archive") }

    init() throws {
        scratch = try ScratchFolder()
    }

    struct Page {
        let kind: String
        let number: Int
        let records: [(id: Int64, json: String)]
        var pictures: [Int64: String] = [:]
        /// By id, the kinds of the records in a list of several kinds. Other records are not stored.
        var kinds: [Int64: String]?

        var bytes: [UInt8] { Array("[\(records.map(\.json).joined(separator: ","))]".utf8) }

        var slices: [RecordSlice] {
            let bytes = bytes
            var start = 1
            return records.compactMap { id, json in
                defer { start += json.utf8.count + 1 }
                guard let kind = kinds.map({ $0[id] }) ?? kind else { return nil }
                return RecordSlice(
                    key: RecordKey(kind, id), range: start..<start + json.utf8.count, in: bytes, picture: pictures[id])
            }
        }
    }

    /// Captures pages, claims and pictures. The text of a picture is nil if the server does not have it.
    func capture(
        _ pages: [Page], claims: [String: (count: Int, pages: Int)] = [:], pictures: [String: String?] = [:],
        gaps: [Gap] = []
    ) async throws -> RevisionReader {
        let writer = try ArchiveWriter(folder)
        let source = Source(catalogue: "things", api: "http://127.0.0.1/things", origin: .live)
        let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
        var positions: [String: Int] = [:]
        for page in pages {
            let exchange = try await revision.accept(
                NewExchange(
                    path: "\(page.kind)s?page=\(page.number)", role: .page, status: 200, headers: [], received: 1,
                    body: page.bytes, asset: nil
                ))
            for (kind, slices) in Dictionary(grouping: page.slices, by: \.key.kind) {
                try await revision.addRecords(slices, of: exchange, at: positions[kind, default: 0])
                positions[kind, default: 0] += slices.count
            }
        }
        for (kind, claim) in claims {
            try await revision.setClaim(ofList: kind, count: claim.count, pages: claim.pages)
        }
        for (path, text) in pictures {
            _ = try await revision.accept(
                NewExchange(
                    path: path, role: .asset, status: text == nil ? 404 : 200, headers: [], received: 1,
                    body: Array((text ?? "nothing").utf8), asset: text.map { _ in (.png, width: 1, height: 1) }))
        }
        return try await reader(of: try await revision.finish(gaps: gaps), writer)
    }

    /// Imports files of one kind each, and empty files for the other lists.
    /// - Parameter select: returns the records of a file to store.
    func importFiles(
        _ files: [(name: String, page: Page)], gaps: [Gap] = [], select: ([RecordSlice]) -> [RecordSlice] = { $0 }
    ) async throws -> RevisionReader {
        let writer = try ArchiveWriter(folder)
        let source = Source(catalogue: "things", api: "http://127.0.0.1/things", origin: .live)
        let others = ["things.json", "boxes.json"].filter { name in !files.contains { $0.name == name } }
        let outcome = try await writer.importState(
            of: source, date: 5,
            files.map { name, page in
                ImportedFile(name: name, bytes: page.bytes, records: select(page.slices))
            }
                + others.map { ImportedFile(name: $0, bytes: Array("[]".utf8), records: []) }, gaps: gaps)
        return try await reader(of: outcome, writer)
    }

    private func reader(of outcome: RevisionWriter.Outcome, _ writer: ArchiveWriter) async throws -> RevisionReader {
        try await writer.close()
        return try RevisionReader(outcome.revision, in: folder)
    }

    /// The output of a command of `/bin/sh` in a folder.
    static func shell(_ command: String, in folder: String) async throws -> String {
        try await Running("/bin/sh", ["-c", "cd '\(folder)' && \(command)"]).wait().output
    }
}
