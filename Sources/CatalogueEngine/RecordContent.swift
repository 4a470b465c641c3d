import Archive
import Catalogue
import Mustache
import Pages
import Platform

/// The values of a record that do not depend on the language.
///
/// It is a class, because each page keeps it, and copying a structure copies all its references.
final class RecordContent: Sendable {
    /// A value that is not only a text.
    enum Content: Sendable {
        /// The name that a reference has in this record, and the record that it refers to.
        case reference(name: String, found: RecordRow?)
        /// The records that the field refers to, and their numbers if there are any.
        case rows(RelatedRows, numbers: [String] = [])
        /// The rows of the records that share the most references, with their numbers.
        case together([(row: Int, count: Int)])
        case results(RootAnswer)
    }

    /// The values that the declaration does not name. They are read once for all languages, when a template needs them.
    let undeclared: UndeclaredValues
    let row: Int
    let heading: String
    /// The long text for the description of the page, on one line; empty for none.
    let about: String
    /// The texts of fields; empty for other fields.
    let texts: [String]
    /// The other values, by field; nil for texts and for fields that pages do not show.
    let contents: [Content?]
    let files: RecordFiles
    let briefs: BriefCache

    init(
        of record: StoredRecord, _ fields: JSONFields, at row: Int, in pages: RecordPages, _ files: RecordFiles,
        _ briefs: BriefCache
    ) {
        let (kind, table) = (pages.kind, pages.table)
        let root = table.answers.isEmpty ? nil : table.answers[row].root
        let values = kind.fields.map { $0.from == nil ? $0.valid(fields, of: root) : table.text($0, row) }
        let texts = values.map { $0 ?? "" }
        contents = kind.fields.map { pages.content(of: $0, fields, row) }
        let invalid = Set(values.indices.filter { values[$0] == nil })
        undeclared = pages.undeclared(record, fields, at: row, contents, invalid)
        heading = root.map { $0.fill(kind.rootTitle ?? "") } ?? kind.heading(kind.title(of: fields), table.key(row))
        about = kind.about.map { $0.plain(texts[$0.index]) } ?? ""
        self.row = row
        self.texts = texts
        self.files = files
        self.briefs = briefs
    }
}

/// The models of records on the pages of a batch, because many pages show the same records.
final class BriefCache: Sendable {
    private struct Key: Hashable {
        let shape: Shape
        let row: Int
        let texts: ObjectIdentifier
    }

    private static let maximumCount = 1_000
    private let values = Locked<[Key: Value]>([:])

    /// - Parameter make: makes the model. With a long text it is made for each page, because links in it are relative.
    func value(_ brief: RecordModels.Brief, _ row: Int, _ texts: Texts, _ make: () -> Value) -> Value {
        guard !brief.hasLongText else { return make() }
        let key = Key(shape: brief.shape, row: row, texts: ObjectIdentifier(texts))
        return values.withLock { values in
            if let known = values[key] { return known }
            if values.count >= Self.maximumCount { values.removeAll(keepingCapacity: true) }
            let value = make()
            values[key] = value
            return value
        }
    }
}

extension RecordPages {
    fileprivate func undeclared(
        _ record: StoredRecord, _ fields: JSONFields, at row: Int, _ contents: [RecordContent.Content?],
        _ invalid: Set<Int>
    ) -> UndeclaredValues {
        var missing = invalid
        // Without its picture, a page has the address.
        if table.pictures[row] == nil { missing.formUnion(kind.fields.filter { $0.type == .image }.map(\.index)) }
        // The paths that begin with a text do not link to a record.
        var linked = [(start: "", record: table[row])]
        for case (let field, .reference(let name, let found)?) in zip(kind.fields, contents) {
            if let found, field.path.names.count > 1 {
                linked.append((field.path.names.dropLast().joined(separator: ".") + ".", found))
            } else if found == nil, name.isBlank, !field.none.contains(fields.scalar(field.path)) {
                missing.insert(field.index)
            }
        }
        // References to records that are not captured are shown as served.
        for case (let field, .rows(let related, _)?) in zip(kind.fields, contents)
        where related.missing > 0 || field.showsCards && related.rows.isEmpty {
            missing.insert(field.index)
        }
        return UndeclaredValues(
            record: record.bytes, fields: fields, kind: kind, missing: missing, tables: maker.tables, linked: linked)
    }

    fileprivate func content(of field: FieldDeclaration, _ fields: JSONFields, _ row: Int) -> RecordContent.Content? {
        switch field.type {
        case .reference where field.from != nil:
            return .reference(name: "", found: maker.tables.referenced(by: field, of: table[row]))
        case .reference:
            let found = field.target.flatMap { maker.tables.find(fields.scalar(field.path), $0) }
            return .reference(name: field.text.map { fields.scalar($0) } ?? "", found: found)
        case .references where field.showsCards, .inverse: return table.relatedRows(field, row).map { .rows($0) }
        case .references: return rows(of: field, fields)
        case .roots: return .rows((rows: table.roots[row][...], missing: 0))
        case .results: return .results(table.answers[row])
        case .together:
            guard let source = field.source.flatMap(kind.field), case .rows(let shared, _) = rows(of: source, fields)
            else { return nil }
            return .together(together(row, shared.rows, of: source, most: field.most))
        default: return nil
        }
    }

    private func rows(of field: FieldDeclaration, _ fields: JSONFields) -> RecordContent.Content {
        guard fields.has(field.path) else { return .rows((rows: [], missing: 0)) }
        // `try?`, because the capture reported an invalid list as a gap. It is shown as served.
        guard let links = try? fields.links(field.path) else { return .rows((rows: [], missing: 1)) }
        let found = links.map { maker.tables.find($0, field.target ?? "").map { Int32($0.row) } }
        // A record can list another one twice.
        let first = found.indices.filter { found[$0] != nil }.unique { found[$0] }
        let numbers = field.numbers.map { fields.scalars($0, besides: field.path) } ?? []
        return .rows(
            (rows: first.compactMap { found[$0] }[...], missing: found.count { $0 == nil }),
            numbers: numbers.count == found.count ? first.map { numbers[$0] } : [])
    }

    /// The records that share the most references with a record, at least two if it has two. Only the first cards of
    /// each shared record count. Without this limit the time would grow with the square of the number of references.
    private func together(_ row: Int, _ shared: ArraySlice<Int32>, of field: FieldDeclaration, most: Int)
        -> [(row: Int, count: Int)]
    {
        let target = maker.tables[field.target ?? ""]
        guard let cards = target.kind.cardsField else { return [] }
        var counts: [Int32: Int] = [:]
        for other in shared {
            for partner in target.relatedRows(cards, Int(other))?.rows.prefix(Self.partners) ?? [] {
                counts[partner, default: 0] += 1
            }
        }
        counts[Int32(row)] = nil
        let least = min(2, shared.count)
        let sorted = counts.filter { $0.value >= least }.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
        return sorted.prefix(most).map { (row: Int($0.key), count: $0.value) }
    }

    /// The maximum number of cards of one record that count as partners.
    private static let partners = 200
}
