public import Archive

/// What Amber has to know of one API to capture it and to make pages of it; the boundary behind which all its names
/// stay.
///
/// A catalogue is a value without state: it reads answers and says what follows from them. Asking, keeping and proving
/// is the capture's work, rendering and publishing the site's.
public protocol Catalogue: Sendable {
    var name: String { get }

    /// The API's own address, without a slash at the end.
    var canonicalAPI: String { get }

    /// The lists that together hold everything, each walked page by page; none where everything follows from `roots`.
    var lists: [ListEndpoint] { get }

    /// Whether there are records of a kind. An archive that has others is not read.
    func has(kind: String) -> Bool

    /// The records that a capture begins with beside the lists, each asked for by itself; without one of them it is not
    /// complete.
    var roots: [RecordKey] { get }

    /// Reads the envelope of a list page and finds its records.
    /// - Throws: what is wrong with the page as a whole; single records are not looked into.
    func listPage(_ body: [UInt8]) throws(ContentFault) -> ListPage

    /// Reads one record's JSON, as far as a capture needs.
    /// - Parameter base: the API's address that was asked, which links in the data may be relative to.
    /// - Throws: what keeps it from being a record of that kind; its key path starts at the record.
    func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws(ContentFault) -> RecordFacts

    /// The same of a record that came where these were asked for: what does not tell its own number has that which was
    /// asked.
    func facts(of record: ArraySlice<UInt8>, askedFor keys: [RecordKey], base: String) throws(ContentFault)
        -> RecordFacts

    /// The same of a record that is archived, and so was looked at as a whole before.
    func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws(ContentFault) -> RecordFacts

    /// Where these records of one kind can be asked for, relative to the API's address: one by one or several at once.
    /// nil where only the record that names one tells where it is (`Reference.path`).
    func path(for keys: [RecordKey]) -> String?

    /// Finds the records in the answer to `path(for:)`.
    func records(in body: [UInt8], askedFor keys: [RecordKey]) throws(ContentFault) -> [Range<Int>]

    /// The most records that one such request may name.
    var recordsPerRequest: Int { get }

    /// How many calls the public service allows; nil where it says nothing of it.
    var allowance: CallAllowance? { get }

    /// The word for several records of a kind, as files are named for it: "characters".
    func plural(of kind: String) -> String

    /// What people call a record; never blank, whatever its bytes are.
    func title(of record: [UInt8], _ key: RecordKey) -> String

    /// The kind whose records can be captured alone as a card; nil for none.
    var cardKind: String? { get }

    func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String]

    /// What tables show of the records; none unless said otherwise.
    var exportTables: [ExportTable] { get }

    /// Which records belong together; none unless said otherwise.
    var exportRelations: [ExportRelation] { get }

    /// The pages and files that a revision makes.
    /// - Throws: `ContentFault`, `ArchiveError`: what the archive holds cannot be read.
    func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan

    /// The page templates with the models that they are rendered from.
    var pageTemplates: [PageTemplate] { get }

    /// The texts that its pages ask for, which every language has to have.
    var texts: [TextNeed] { get }

    /// The references that ought to be answered by one in the other direction.
    var mutualReferences: [MutualReference] { get }

    /// What the API says of itself at its own address, byte for byte; nil where it says nothing. No part of a revision.
    func entry(of source: Source) -> [UInt8]?

    /// What the API answers where it has nothing; nil where that is not known. No part of a revision.
    var nothing: [UInt8]? { get }
}

extension Catalogue {
    package var roots: [RecordKey] { [] }
    package func has(kind: String) -> Bool { lists.contains { $0.kind == kind } || roots.contains { $0.kind == kind } }

    package func facts(of record: ArraySlice<UInt8>, askedFor keys: [RecordKey], base: String) throws(ContentFault)
        -> RecordFacts
    {
        try facts(of: record, kind: keys[0].kind, base: base)
    }

    package func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws(ContentFault) -> RecordFacts {
        try facts(of: record[...], askedFor: [key], base: base)
    }

    package var allowance: CallAllowance? { nil }
    package var cardKind: String? { nil }
    package func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String] { [] }
    package var mutualReferences: [MutualReference] { [] }
    package func entry(of source: Source) -> [UInt8]? { nil }
    package var nothing: [UInt8]? { nil }
    package func plural(of kind: String) -> String { "\(kind)s" }
    package func title(of record: [UInt8], _ key: RecordKey) -> String { "\(key)" }
    package var exportTables: [ExportTable] { [] }
    package var exportRelations: [ExportRelation] { [] }
}

extension Catalogue {
    /// Every kind that there is or should be: those of the lists, then others by name.
    /// - Throws: where one of them is not the catalogue's.
    package func kinds(among found: some Sequence<String>) throws(ArchiveError) -> [String] {
        let listed = lists.map(\.kind)
        let others = Set(found).subtracting(listed).sorted()
        if let unknown = others.first(where: { !has(kind: $0) }) {
            throw .damaged("it has records of the kind \"\(unknown)\", which the catalogue \"\(name)\" does not have")
        }
        return listed + others
    }
}

/// How many calls a service allows in a minute, and how it says that there were too many. Pictures do not count.
public struct CallAllowance: Sendable, Equatable {
    /// The calls in any minute.
    package let callsPerMinute: Int
    /// The status that, without a body, says that there were too many.
    package let refusal: Int

    package init(callsPerMinute: Int, refusal: Int) {
        self.callsPerMinute = callsPerMinute
        self.refusal = refusal
    }
}

/// Two members of two kinds of record that say the same from both sides: where one names a record, that one names it in
/// turn.
public struct MutualReference: Sendable, Hashable {
    /// A member that names records: "episode" of characters.
    public struct Side: Sendable, Hashable {
        package let kind: String
        package let member: String

        package init(_ kind: String, _ member: String) {
            self.kind = kind
            self.member = member
        }
    }

    package let first: Side
    package let second: Side

    package init(_ first: Side, _ second: Side) {
        self.first = first
        self.second = second
    }
}
