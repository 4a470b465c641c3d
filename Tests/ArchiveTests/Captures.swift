import Archive
import Platform
import SQLite
import TestSupport
import Testing

/// A small API: list pages of named records, and pictures.
struct Captured: Sendable {
    var pages: [[(id: Int64, name: String)]] = [[(1, "Ada"), (2, "Ben")], [(3, "Cid")]]
    var pictures: [String: [UInt8]] = [
        "avatar/1.png": Array("picture one".utf8), "avatar/2.png": Array("picture two".utf8),
    ]
    var gaps: [Gap] = []
    /// The folder of the records' pictures; nil if the records have no pictures.
    var folder: String? = "avatar"

    /// A page's JSON, and the byte range of each record in it.
    static func page(_ records: [(id: Int64, name: String)], folder: String? = "avatar") -> (
        bytes: [UInt8], slices: [RecordSlice]
    ) {
        var bytes = Array("[".utf8)
        var ranges: [Range<Int>] = []
        for (index, record) in records.enumerated() {
            if index > 0 { bytes += Array(", ".utf8) }
            let start = bytes.count
            bytes += Array(json(record).utf8)
            ranges.append(start..<bytes.count)
        }
        bytes += Array("]".utf8)
        return (
            bytes,
            zip(records, ranges).map { record, range in
                RecordSlice(
                    key: RecordKey("character", record.id), range: range, in: bytes,
                    picture: folder.map { "\($0)/\(record.id).png" })
            }
        )
    }

    private static func json(_ record: (id: Int64, name: String)) -> String {
        #"{"id":\#(record.id),"name":"\#(record.name)"}"#
    }
}

extension RevisionWriter {
    func store(_ state: Captured, backwards: Bool = false) async throws {
        var position = 0
        var pages: [(path: String, bytes: [UInt8], slices: [RecordSlice], position: Int)] = []
        for (index, records) in state.pages.enumerated() {
            let (bytes, slices) = Captured.page(records, folder: state.folder)
            pages.append(("character?page=\(index + 1)", bytes, slices, position))
            position += records.count
        }
        let pictures = state.pictures.sorted { $0.key < $1.key }
        for picture in backwards ? pictures.reversed() : pictures {
            _ = try await accept(newPicture(at: picture.key, picture.value))
        }
        for page in backwards ? pages.reversed() : pages {
            let kept = try await accept(newPage(at: page.path, page.bytes))
            try await addRecords(page.slices, of: kept, at: page.position)
        }
        try await setClaim(ofList: "character", count: position, pages: state.pages.count)
    }
}

func newPage(at path: String, _ bytes: [UInt8], status: Int = 200) -> NewExchange {
    (path, .page, status, Array("HTTP/1.1 \(status) OK\r\n\r\n".utf8), 1_000, bytes, nil)
}

func newPicture(at path: String, _ bytes: [UInt8]) -> NewExchange {
    (path, .asset, 200, [], 1_000, bytes, (.png, width: 3, height: 2))
}

struct TestArchive: Sendable {
    let folder: ScratchFolder
    let archive: ArchiveFolder

    static let source = Source(catalogue: "test", api: "http://127.0.0.1/api", origin: .live)

    init() throws {
        folder = try ScratchFolder()
        archive = ArchiveFolder(folder["archive"])
    }

    /// Opens a revision. It continues an interrupted capture that began after `resumeAfter`.
    func revision(_ writer: ArchiveWriter, of source: Source = source, resumeAfter: Int64 = 0) async throws
        -> RevisionWriter
    {
        try await RevisionWriter(of: source, in: archive, through: writer, resumeAfter: resumeAfter)
    }

    @discardableResult
    func capture(_ state: Captured = Captured(), of source: Source = source, backwards: Bool = false) async throws
        -> RevisionWriter.Outcome
    {
        let writer = try ArchiveWriter(archive)
        let revision = try await revision(writer, of: source)
        try await revision.store(state, backwards: backwards)
        let outcome = try await revision.finish(gaps: state.gaps)
        try await writer.close()
        return outcome
    }

    func execute(_ sql: String) throws { try Connection(archive.database, .readWrite).execute(sql) }

    func faults() -> [String] { archive.proofs(hasDigestFile: false).compactMap(\.fault) }

    func rows() throws -> [String: Int] {
        let db = try Connection(archive.database, .readOnly)
        var rows: [String: Int] = [:]
        for table in try db.all("SELECT name FROM sqlite_schema WHERE type = 'table'", read: { $0.text(0) }) {
            rows[table] = try db.first("SELECT count(*) FROM \(table)") { $0.int(0) }
        }
        return rows
    }

    func records(_ revision: Revision) throws -> [String] {
        try RevisionReader(revision, in: archive).records(of: "character", at: 0..<1_000).map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    func newest(of source: Source = source) throws -> Revision? {
        try RevisionReader.newest(in: archive) { $0 == source }
    }
}

extension RevisionReader {
    func answers(as role: AnswerRole) throws -> [Exchange] {
        var answers: [Exchange] = []
        try forEachAnswer(as: role, withHeaders: true) { answers.append($0) }
        return answers
    }
}
