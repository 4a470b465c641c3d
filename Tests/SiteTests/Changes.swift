import Archive
import Foundation
import Mustache
import Pages
import TestSupport

@testable import Catalogue
@testable import Site

/// Imported revisions of a catalogue of named things, and their changes.
struct Changes {
    let scratch: ScratchFolder
    let history: History
    let reader: RevisionReader
    let catalogue: any SiteCatalogue = Things()

    /// - Parameter states: the things of each day by number, as JSON members without braces.
    /// - Parameter memory: the approximate limit of changed values and names in bytes.
    init(_ states: [(day: Int64, things: [Int64: String])], memory: Int = 192 << 20) async throws {
        scratch = try ScratchFolder()
        let folder = ArchiveFolder("\(scratch.path)/archive")
        let writer = try ArchiveWriter(folder)
        var last: Revision?
        for (index, state) in states.enumerated() {
            var bytes: [UInt8] = []
            var slices: [(key: RecordKey, range: Range<Int>)] = []
            for (id, members) in state.things.sorted(by: { $0.key < $1.key }) {
                let start = bytes.count
                bytes += "{\"id\":\(id),\(members)}".utf8
                slices.append((RecordKey("thing", id), start..<bytes.count))
                bytes += "\n".utf8
            }
            let records = slices.map { RecordSlice(key: $0.key, range: $0.range, in: bytes) }
            let outcome = try await writer.importState(
                of: Source(catalogue: "made", api: "http://made.example/api", origin: .live),
                date: state.day * 86_400_000 + Int64(states[..<index].count { $0.day == state.day }) * 60_000,
                [ImportedFile(name: "things.json", bytes: bytes, records: records)], gaps: [])
            if outcome.isNew { last = outcome.revision }
        }
        try await writer.close()
        guard let last else { throw CocoaError(.fileReadUnknown) }
        reader = try RevisionReader(last, in: folder)
        history = try History(reader, Things(), memory: memory)
    }

    func changes(baseURL: String? = nil) throws -> ChangePresenter {
        let presenter = ThingPresenter(gone: Set(history.changes.flatMap { $0.removed.map(\.key) }))
        return try ChangePresenter(frame(baseURL: baseURL), presenter, reader, catalogue)
    }

    private func frame(baseURL: String?) throws -> PageFrame {
        let editions = try ["en", "ru"].enumerated().map { index, language in
            func bytes(_ folder: String) throws -> [UInt8] {
                let file = "\(Program.root)/\(folder)/strings/\(language).json"
                return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
            }
            let texts = try Texts(bytes("Templates"), language: language).adding(bytes("Catalogues/rickandmorty"))
            return Edition(texts, index: index)
        }
        let context = SiteContext(
            reader.revision, history, gaps: [], generator: "Amber test", editions: editions, baseURL: baseURL)
        return PageFrame(
            context, title: TextDeclaration("siteTitle"), language: "en", sections: [], counts: [], picture: nil,
            searchLabel: TextDeclaration("searchLabel"))
    }

    /// - Parameter records: a feed of records instead of the changes.
    func feeds(baseURL: String? = nil, records: RecordFeed? = nil) throws -> [String: String] {
        let changes = try changes(baseURL: baseURL)
        let feeds = Feed.files([records], changes)
        var files: [String: String] = [:]
        for batch in 0..<feeds.batchCount {
            for file in try feeds.batch(batch, from: reader).files {
                files[file.path.text] = String(decoding: file.bytes, as: UTF8.self)
            }
        }
        return files
    }
}

private struct Things: UncapturedCatalogue {
    var pageTemplates: [PageTemplate] { [] }

    func title(of record: [UInt8], _ key: RecordKey) -> String {
        do {
            return try JSONFields(record).optionalText("name")?.shortened ?? "\(key)"
        } catch {
            return "\(key)"
        }
    }

    func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan { ([], nil) }
}

/// Things with a page each until they are removed; `friends` are links to others by number.
private struct ThingPresenter: RecordPresenter {
    let gone: Set<RecordKey>

    var kinds: [(name: String, count: TextDeclaration)] { [("thing", TextDeclaration(plural: "characterCount"))] }

    func page(of key: RecordKey) -> RecordPage? {
        gone.contains(key) ? nil : (SitePath(joined: "thing/\(key.id).html"), "Thing \(key.id)", nil)
    }
    func members(of kind: String) -> [FieldLabel] {
        [("name", TextDeclaration("personName")), ("url", nil)]
    }
    func words(_ member: String) -> String { member }
    func key(_ element: JSON, of member: String, in kind: String) -> RecordKey? {
        element.text.flatMap { Int64($0) }.map { RecordKey("thing", $0) }
    }
    func shown(_ value: JSON, of member: String, in record: RecordKey, _ texts: Texts) -> ShownValue? {
        ShownValue(value.shown, isServed: true)
    }
}
