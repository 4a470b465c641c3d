package import Archive
import Platform

/// The rules for the capture of one API, and for the proofs about its records.
///
/// It has no state, sends no requests and writes no files. It reports what records and references an answer contains.
package protocol Catalogue: Sendable {
    var name: String { get }

    /// The API's lists. A capture reads each list page by page.
    var lists: [ListEndpoint] { get }

    /// Whether a kind belongs to this catalogue. An archive with records of another kind is rejected.
    func has(kind: String) -> Bool

    /// The records that a capture requests one by one in addition to the lists. Without one of them it is incomplete.
    var roots: [RecordKey] { get }

    /// Reads the envelope of a list page, and finds its records and the next page.
    /// - Throws: `ContentFault` if the envelope is invalid. Single records are not checked.
    func page(_ answer: PageAnswer, of list: ListEndpoint) throws -> ListPage

    /// The record that a row of a list refers to, and the path of its request. Other lists have no rows.
    func detail(of row: ArraySlice<UInt8>, in list: ListEndpoint, base: String) throws -> Reference

    /// The kind of a record or row of a list.
    /// - Throws: `ContentFault` if the list has several kinds, and this is none of them.
    func kind(of row: ArraySlice<UInt8>, in list: ListEndpoint) throws -> String

    /// Reads the part of a record's JSON that a capture needs.
    /// - Parameter base: the address of the API that was requested. Links in the data may be relative to it.
    /// - Throws: the reason why this is not a record of that kind. The key path starts at the record.
    func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws -> RecordFacts

    /// Reads a record from the answer to a request for `keys`. A record without an id gets the requested one.
    func facts(of record: ArraySlice<UInt8>, requested keys: [RecordKey], base: String) throws -> RecordFacts

    /// Reads a record from the archive. It was checked completely when it was captured.
    func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws -> RecordFacts

    /// The catalogue for proofs about a revision: that of the declaration it was captured with, if the capture digest
    /// differs. An archive can be from elsewhere, so a capture never uses it.
    func catalogue(of revision: RevisionReader) throws -> any Catalogue

    /// The path of a request for one or more records of one kind, relative to the API's address. nil if the path is
    /// only known from the record that refers to them (`Reference.path`).
    func path(for keys: [RecordKey]) -> String?

    /// Finds the records in the answer to `path(for:)`.
    func records(in body: [UInt8], requested keys: [RecordKey]) throws -> [Range<Int>]

    /// The maximum number of records in one such request. If it is 0, records that only have an id are not requested.
    var recordsPerRequest: Int { get }

    /// The plural of a kind, for file names: "characters".
    func plural(of kind: String) -> String

    /// The key of an archived record, with its id as the API has it. The archive's own keys lack ids that are texts.
    func key(of record: [UInt8], _ key: RecordKey) -> RecordKey

    /// The title of a record for people. It is never blank, even if the record cannot be read.
    func title(of record: [UInt8], _ key: RecordKey) -> String

    /// The changes of the values in a changed member that pages show separately. The default is the member as a whole.
    func parts(of change: FieldChange, in kind: String) -> [FieldChange]

    /// The tables of the exported data. The default is none.
    var exportTables: [ExportTable] { get }

    /// The SQL of the views of links between records in the exported data. The default is none.
    var exportRelations: [String] { get }

    /// The references that should exist in both directions.
    var mutualReferences: [MutualReference] { get }

    /// The known answers at the API's root and with status 404, as files below `api/`. They are not part of a revision.
    func ownFiles(of source: Source) -> [SiteFile]
}

extension Catalogue {
    package var roots: [RecordKey] { [] }
    package func has(kind: String) -> Bool { listedKinds.contains(kind) || roots.contains { $0.kind == kind } }

    package func detail(of row: ArraySlice<UInt8>, in list: ListEndpoint, base: String) throws -> Reference {
        throw ContentFault("", "is a row, but the catalogue has no lists of rows")
    }

    package func kind(of row: ArraySlice<UInt8>, in list: ListEndpoint) throws -> String { list.kind }

    package func facts(of record: ArraySlice<UInt8>, in list: ListEndpoint, base: String) throws -> RecordFacts {
        try facts(of: record, kind: kind(of: record, in: list), base: base)
    }

    package func facts(of record: ArraySlice<UInt8>, requested keys: [RecordKey], base: String) throws -> RecordFacts {
        try facts(of: record, kind: keys[0].kind, base: base)
    }

    package func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws -> RecordFacts {
        try facts(of: record[...], requested: [key], base: base)
    }

    package func catalogue(of revision: RevisionReader) throws -> any Catalogue { self }
    package var mutualReferences: [MutualReference] { [] }
    package func ownFiles(of source: Source) -> [SiteFile] { [] }
    package func key(of record: [UInt8], _ key: RecordKey) -> RecordKey { key }
    package func title(of record: [UInt8], _ key: RecordKey) -> String { "\(key)" }
    package func parts(of change: FieldChange, in kind: String) -> [FieldChange] { [change] }
    package var exportTables: [ExportTable] { [] }
    package var exportRelations: [String] { [] }

    /// The kinds of the lists, each once.
    package var listedKinds: [String] { lists.flatMap(\.kinds).unique() }

    /// The kinds of the lists, then the other kinds of a revision's records, sorted by name.
    /// - Throws: `ArchiveError.damaged` if a kind does not belong to the catalogue.
    package func kinds(among recordKinds: some Sequence<String>) throws(ArchiveError) -> [String] {
        let listed = listedKinds
        let others = Set(recordKinds).subtracting(listed).sorted()
        if let unknown = others.first(where: { !has(kind: $0) }) {
            throw .damaged("it has records of the kind \"\(unknown)\", which the catalogue \"\(name)\" does not have")
        }
        return listed + others
    }
}

/// The maximum number of records in a file of an imported state.
private let maximumImportedRecords = 5_000_000

extension Catalogue {
    /// Reads a file of an imported state. The file is a JSON array of records.
    /// - Parameters:
    ///   - base: the address of the API.
    ///   - gaps: receives a gap for each link that a capture would not follow.
    /// - Throws: `ContentFault` if the file is not such an array, or a record cannot be read or is a duplicate.
    package func importedFile(
        _ name: String, _ bytes: [UInt8], of kind: String, base: String, addingTo gaps: inout GapList
    ) throws -> ImportedFile {
        var records: [RecordSlice] = []
        var known: Set<Int64> = []
        for (index, range) in try JSONSlices.elements(of: bytes, limit: maximumImportedRecords).enumerated() {
            try ContentFault.inside("[\(index)]") {
                let facts = try facts(of: bytes[range], kind: kind, base: base)
                guard known.insert(facts.id).inserted else {
                    throw ContentFault("", "is a duplicate of \(facts.key) in this file")
                }
                records.append(RecordSlice(key: facts.key, range: range, in: bytes, picture: facts.pictures.first))
                for refused in facts.refused { gaps.add(refused.inside("[\(index)]"), at: name) }
            }
        }
        return (name, bytes, records)
    }
}

/// Two members for the directions of a relation. A record to which one refers should refer back in the other member.
package typealias MutualReference = (first: ReferenceSide, second: ReferenceSide)

/// A member that refers to records, such as "episode" of characters.
package typealias ReferenceSide = (kind: String, member: String)

extension RecordKey {
    /// The id as the API has it: a number or a text.
    package var idJSON: JSON { text.map { .text($0) } ?? .integer(Int(id)) }
}
