import Archive
import Catalogue

/// One change of a revision, as a page shows it.
struct ChangeItem: Sendable {
    /// The types of change, in the order in which they are shown.
    enum ChangeType: Int, Sendable, CaseIterable { case added, removed, changed, picture }

    /// A changed member, or a part of one: for a list, the elements that the page shows.
    struct Part: Sendable {
        /// The index among the record's changed members.
        let field: Int
        let added: Range<Int>
        let removed: Range<Int>

        var weight: Int { 1 + added.count + removed.count }
    }

    let type: ChangeType
    /// The kind of the record; empty for a picture.
    let kind: String
    /// The index among the revision's changes of this type.
    let index: Int
    /// The members of a changed record that the page shows.
    var parts: [Part] = []

    /// The size of the item on a page, in units of `RevisionSummary.perPage`.
    var weight: Int { parts.reduce(1) { $0 + $1.weight } }
}

/// The changes of a revision, divided into pages.
struct RevisionSummary: Sendable {
    let changes: RevisionChanges
    /// The changed pictures with the records that show them, without those of new or removed records.
    let pictures: [(difference: PictureDifference, owner: RecordKey?)]
    /// The items of each page, in the order in which they are shown.
    let pages: [[ChangeItem]]

    /// The maximum number of units on a page. Each record, member and list element is one unit.
    private static let perPage = 400

    var revision: Revision { changes.to }

    init(_ changes: RevisionChanges, _ pictures: [(PictureDifference, RecordKey?)], kinds: [String]) {
        self.changes = changes
        let added = Set(changes.added.map(\.key))
        let removed = Set(changes.removed.map(\.key))
        self.pictures = pictures.filter { difference, owner in
            guard let owner else { return true }
            return !(difference.old == nil && added.contains(owner) || difference.new == nil && removed.contains(owner))
        }
        var items = changes.added.enumerated().map { ChangeItem(type: .added, kind: $1.key.kind, index: $0) }
        items += changes.removed.enumerated().map { ChangeItem(type: .removed, kind: $1.key.kind, index: $0) }
        for (index, record) in changes.changed.enumerated() {
            let parts = record.fields.enumerated().flatMap { Self.parts(of: $1, at: $0) }
            let runs = Self.runs(of: parts, from: 1, \.weight)
            items += (runs.isEmpty ? [[]] : runs).map {
                ChangeItem(type: .changed, kind: record.key.kind, index: index, parts: $0)
            }
        }
        items += self.pictures.indices.map { ChangeItem(type: .picture, kind: "", index: $0) }
        // Kinds that the catalogue does not know come last. Sorting is stable, so a kind's items keep their order.
        let ranks = Dictionary(kinds.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        items.sort { ($0.type.rawValue, ranks[$0.kind] ?? .max) < ($1.type.rawValue, ranks[$1.kind] ?? .max) }
        pages = Self.runs(of: items, from: 0, \.weight)
    }

    /// The number of records of a kind with this change; for pictures, the number of all pictures.
    func count(_ type: ChangeItem.ChangeType, of kind: String) -> Int {
        switch type {
        case .added: changes.added.count { $0.key.kind == kind }
        case .removed: changes.removed.count { $0.key.kind == kind }
        case .changed: changes.changed.count { $0.key.kind == kind }
        case .picture: pictures.count
        }
    }

    /// Divides a changed member into parts that each fit on a page.
    private static func parts(of change: FieldChange, at field: Int) -> [ChangeItem.Part] {
        let added = change.list?.added.count ?? 0
        let total = added + (change.list?.removed.count ?? 0)
        let limit = perPage - 2
        return stride(from: 0, to: max(1, total), by: limit).map { start in
            let end = min(total, start + limit)
            return ChangeItem.Part(
                field: field, added: min(start, added)..<min(end, added),
                removed: max(start, added) - added..<max(end, added) - added)
        }
    }

    /// Divides elements into runs that each fit on a page.
    /// - Parameter base: the size of an empty run.
    private static func runs<Element>(of elements: [Element], from base: Int, _ weight: (Element) -> Int) -> [[Element]]
    {
        var runs: [[Element]] = []
        var size = perPage
        for element in elements {
            if size + weight(element) > perPage {
                runs.append([])
                size = base
            }
            runs[runs.count - 1].append(element)
            size += weight(element)
        }
        return runs
    }
}
