import Archive
import Catalogue
import Mustache
import Pages

/// The values of a record that do not depend on the language.
struct RecordContent: Sendable {
    /// The values that the declaration does not name. They are read once for all languages, when a template needs them.
    let undeclared: UndeclaredValues
    let heading: String
    /// The texts of fields; empty for other fields.
    let texts: [String]
    /// The names that references have in this record, and the records that they refer to; nil for other fields.
    let references: [(name: String, found: (table: RecordTable, row: Int)?)?]
    /// The rows of the records that lists refer to, each once, and the number of records that are not captured.
    let lists: [(rows: [Int], missing: Int)]
    /// The elements of lists, and the links that an extension finds; empty for other fields.
    let elements: [[String]]
    let links: [ArtistAlbums.Album]
    /// The rows of the records that share the most references, with their numbers; empty for other fields.
    let together: [[(row: Int, count: Int)]]
}

extension RecordPages {
    func content(of record: StoredRecord, at row: Int) throws -> RecordContent {
        let tables = maker.tables
        let fields = try JSONFields(record.bytes)
        let root = table.answers.isEmpty ? nil : table.answers[row].root
        let hasLinks = kind.fields.contains { $0.type == .links }
        let country = tables.declaration.parameters[kind.name]?["country"] ?? ""
        let lists = try kind.fields.map { field -> (rows: [Int], missing: Int) in
            guard field.type == .references, field.display == .rows, let target = field.target.map({ tables[$0] }),
                fields.has(field.path)
            else { return ([], 0) }
            let found = try fields.links(field.path).map { link in
                tables.links.key(link, kind: target.kind.name).flatMap { target.row(of: $0.id) }
            }
            // A record can list another one twice.
            var known: Set<Int> = []
            return (found.compactMap(\.self).filter { known.insert($0).inserted }, found.count { $0 == nil })
        }
        return RecordContent(
            undeclared: UndeclaredValues(of: record.bytes, kind),
            heading: root.map { $0.fill(kind.rootTitle ?? "") }
                ?? kind.heading(kind.title(of: fields), table.key(row)),
            texts: kind.fields.map { $0.shown(fields, of: root) },
            references: kind.fields.map { field in
                guard field.type == .reference, let target = field.target else { return nil }
                return (
                    field.text.map { fields.scalar($0) } ?? "", tables.find(fields.scalar(field.path), target)
                )
            },
            lists: lists,
            elements: kind.fields.map { $0.type == .list ? $0.shownElements(fields) : [] },
            links: hasLinks ? ArtistAlbums.others(tables.albums[country] ?? [:], for: fields) : [],
            together: kind.fields.map { field in
                guard field.type == .together, let source = field.source.flatMap(kind.field) else { return [] }
                return together(row, lists[source].rows, of: kind.fields[source], most: field.most)
            })
    }

    /// The records that share the most references with a record, at least two if it has two. Only the first records of
    /// each cast count. Without this limit the time would grow with the square of the number of references.
    private func together(_ row: Int, _ shared: [Int], of field: FieldDeclaration, most: Int) -> [(
        row: Int, count: Int
    )] {
        let target = maker.tables[field.target ?? ""]
        guard let cast = target.kind.cast else { return [] }
        var counts: [Int32: Int] = [:]
        for other in shared {
            for partner in target.cast(cast, other)?.rows.prefix(Self.partners) ?? [] {
                counts[partner, default: 0] += 1
            }
        }
        counts[Int32(row)] = nil
        let least = min(2, shared.count)
        let sorted = counts.filter { $0.value >= least }.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
        return sorted.prefix(most).map { (row: Int($0.key), count: $0.value) }
    }

    /// The maximum number of records of one cast that count as partners.
    private static let partners = 200
}
