package import Archive
package import Catalogue
import Pages
package import Platform

/// How an API is captured, and how its records are shown. catalogue.schema.json describes the keys.
package struct CatalogueDeclaration: Sendable {
    /// The rules for reading a page of a list. Paths are relative to the answer.
    struct List: Sendable {
        typealias KindRule = (member: FieldPath, kinds: [String: String])

        let endpoint: ListEndpoint
        /// The member of a record that says its kind, and the kinds by its values; nil for a list with one kind.
        let kinds: KindRule?
        /// The array of records, or the object whose members they are; nil for the whole answer.
        let records: FieldPath?
        /// The numbers of records and pages that the list claims to have.
        let count: AnswerValue?
        let pages: AnswerValue?
        /// Whether there is another page.
        let more: AnswerValue?
        /// The member that an answer with an error has instead of records.
        let error: String?
        /// The path of a record, with members of its row, or the member with its address; nil if rows are records.
        let detail: TextPattern?
        /// The place of the record in the answer to `detail`; nil for the whole answer.
        let record: FieldPath?
    }

    package let stored: StoredDeclaration
    package let name: String
    package let title: String
    /// The API's own address, without a slash at the end.
    package let api: String
    /// The hosts of pictures besides the API's own; nil if pictures are only below the API's address.
    let hosts: [String]?
    /// The language of the API's texts, such as "en"; empty if unknown.
    let language: String
    /// The languages of the site's pages; empty for all that have shared texts.
    let languages: [String]
    /// The kinds of the lists, and the rules of each list.
    let lists: [String]
    let rules: [List]
    /// The path for requests of single records, with the placeholders `{kind}`, `{ids}` and those of the kind's
    /// parameters, and the maximum number of ids; 0 if records are not requested by their ids.
    let lookup: (path: String, most: Int)
    package let request: RequestDeclaration
    let hasExtension: Bool
    /// The requests from which a capture starts in addition to the lists.
    package let roots: RootDeclaration?
    /// The values for placeholders of the kinds' parameters, by kind.
    let parameters: [String: [String: String]]
    let complete: TextDeclaration
    let root: JSON?
    let notFound: JSON?
    /// The kind whose records the verb `card` can capture; nil for none.
    package let cardKind: String?
    /// The kinds in the order of the lists.
    let kinds: [KindDeclaration]
    let navigation: [String]
    let figures: [FigureDeclaration]
    let relations: [(name: String, kind: KindDeclaration, field: FieldDeclaration)]

    func kind(_ name: String) -> KindDeclaration? { kinds.first { $0.name == name } }

    /// The folder of the lists by a field's values: its name, unless the site or an earlier list uses it.
    func facetFolder(_ field: FieldDeclaration, of kind: KindDeclaration) -> String {
        let earlier = ownLists.prefix { $0.kind !== kind }.lazy.flatMap(\.kind.fields)
        let isUsed = Self.reserved.contains(field.name) || earlier.contains { $0.hasLists && $0.name == field.name }
        return isUsed || self.kind(field.name) != nil ? "\(kind.family)-\(field.name)" : field.name
    }

    /// The first difference between the id rules of this declaration and an earlier one; nil if there is none. Only
    /// these rules are read, so that a stricter version of Amber can still compare them.
    package func change(ofKinds names: some Sequence<String>, since earlier: [UInt8]) throws -> ContentFault? {
        let file = try DeclarationObject(JSON(declaration: earlier), at: "")
        let kinds = try file.object("kinds")
        for name in names.sorted() {
            guard let new = kind(name) else { return ContentFault("kinds", "have no \"\(name)\" any more") }
            if isRoot(new) {
                let path = try file.object("roots")?.optionalText("path") ?? ""
                for parameter in try Self.parameters(file)
                where !(roots?.parameters.contains { $0.covers(parameter) } ?? false) {
                    return ContentFault("parameters.\(parameter.name)", "changed, or lacks an earlier value")
                }
                guard roots?.path != path else { continue }
                return ContentFault("roots.path", "changed from \(path.quoted) to \((roots?.path ?? "").quoted)")
            }
            let old = kinds?.members.first { $0.key == name || $0.key.hasPrefix("\(new.family)-{") }
            let id = try old.flatMap { try DeclarationObject($0.value, at: $0.key).optionalText("id") } ?? "id"
            guard new.id.text != id else { continue }
            return ContentFault("\(new.path).id", "changed from \(id.quoted) to \(new.id.text.quoted)")
        }
        return nil
    }

    /// All texts of requests that can have placeholders for environment variables.
    package var requestTexts: [String] { request.headers.map(\.value) + rules.map(\.endpoint.path) + [lookup.path] }

    func isRoot(_ kind: KindDeclaration) -> Bool { roots?.family == kind.family }

    func results(of root: String) -> KindDeclaration? {
        kind(root)?.fields.first { $0.type == .results }?.target.flatMap(kind)
    }

    func kinds(of list: ListDeclaration) -> [KindDeclaration] { kinds.filter { $0.list?.page == list.page } }
}

/// The rules for all requests to an API.
package struct RequestDeclaration: Sendable {
    /// The rate limit of the public service; nil if it documents none. Requests for pictures do not count. An answer
    /// with this status and no body means that there were too many calls.
    package let rateLimit: (calls: Int, seconds: Double, refusalStatus: Int)?
    /// The maximum number of connections; nil for that of the configuration.
    package let connections: Int?
    /// Fields of the header of each request to the API. Values can have placeholders such as `{env:TOKEN}`.
    package let headers: [Header]

    /// Fields that Amber sets itself.
    private static let ownFields = [
        "accept-encoding", "connection", "content-length", "host", "if-none-match", "range", "transfer-encoding",
        "user-agent",
    ]

    init(_ value: JSON) throws {
        let request = try DeclarationObject(
            value, at: "request", keys: ["perMinute", "perSecond", "refusal", "connections", "headers"])
        let perSecond = try request.integer("perSecond", 1...1_000, default: 0)
        let isOnly = perSecond == 0 || request.value("perMinute") == nil
        try require(isOnly, request.path("perSecond"), "is of no use beside \"perMinute\"")
        let perMinute = try request.integer("perMinute", 1...100_000, default: 60)
        let refusal = try request.integer("refusal", 400...599, default: 429)
        let isLimited = ["perMinute", "perSecond", "refusal"].contains { request.value($0) != nil }
        let (calls, seconds) = perSecond > 0 ? (perSecond, 1.0) : (perMinute, 60)
        rateLimit = isLimited ? (calls, seconds, refusal) : nil
        connections = try request.optionalInteger("connections", 1...64)
        headers = try request.pairs("headers").map { name, value in
            let header = Header(name, value)
            if let fault = Self.fault(of: header) { throw ContentFault("\(request.path("headers")).\(name)", fault) }
            return header
        }
    }

    /// Why a catalogue cannot set a field of the header of requests; nil if it can.
    package static func fault(of header: Header) -> String? {
        let isName = header.name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
        let isFree = !header.name.isEmpty && !ownFields.contains(header.name.lowercased())
        guard isName, isFree else { return "is not a field of a header that a catalogue can set" }
        let isValue = header.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        return isValue ? nil : "has a character that a header cannot have"
    }
}
