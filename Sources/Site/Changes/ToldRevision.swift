import Archive
import Catalogue

/// What a revision changed, cut into pages.
struct ToldRevision: Sendable {
    let changes: RevisionChanges
    /// The pictures that are not those of records that came or went, with the records that show them.
    let pictures: [(difference: PictureDifference, owner: RecordKey?)]
    /// The items of each page, all together in the order in which they are told.
    let pages: [[ChangeItem]]

    /// A page takes so much: each record, member and element of a list counts one.
    private static let perPage = 400

    var revision: Revision { changes.to }

    init(_ changes: RevisionChanges, _ pictures: [(PictureDifference, RecordKey?)], kinds: [String]) {
        self.changes = changes
        let movedIn = Set(changes.added.map(\.key))
        let movedOut = Set(changes.removed.map(\.key))
        self.pictures = pictures.filter { difference, owner in
            guard let owner else { return true }
            return
                !(difference.old == nil && movedIn.contains(owner) || difference.new == nil && movedOut.contains(owner))
        }
        pages = Self.pages(Self.items(changes, pictures: self.pictures.count, kinds))
    }

    /// How many items of a sort there are of a kind; of pictures, of all kinds.
    func count(_ what: ChangeItem.What, of kind: String) -> Int {
        switch what {
        case .added: changes.added.count { $0.key.kind == kind }
        case .removed: changes.removed.count { $0.key.kind == kind }
        case .changed: changes.changed.count { $0.key.kind == kind }
        case .picture: pictures.count
        }
    }

    /// The kind of an item's record; empty for pictures.
    func kind(of item: ChangeItem) -> String {
        switch item {
        case .added(let place): changes.added[place].key.kind
        case .removed(let place): changes.removed[place].key.kind
        case .changed(let place, _): changes.changed[place].key.kind
        case .picture: ""
        }
    }

    private static func items(_ changes: RevisionChanges, pictures: Int, _ kinds: [String]) -> [ChangeItem] {
        let places = Dictionary(kinds.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // Kinds that the catalogue does not name stand last; within a kind the order stays.
        func ordered(_ kinds: [String]) -> [Int] {
            kinds.indices.sorted { one, other in
                let both = (places[kinds[one]] ?? .max, places[kinds[other]] ?? .max)
                return both.0 != both.1 ? both.0 < both.1 : one < other
            }
        }
        let changed = ordered(changes.changed.map(\.key.kind)).flatMap { place -> [ChangeItem] in
            let parts = changes.changed[place].fields.enumerated().flatMap { $1.parts(field: $0, most: perPage - 1) }
            var items: [[ChangeItem.Part]] = [[]]
            var weight = 1
            for part in parts {
                if weight + part.weight > perPage, weight > 1 {
                    items.append([])
                    weight = 1
                }
                items[items.count - 1].append(part)
                weight += part.weight
            }
            return items.map { .changed(place, $0) }
        }
        return ordered(changes.added.map(\.key.kind)).map { .added($0) }
            + ordered(changes.removed.map(\.key.kind)).map { .removed($0) }
            + changed + (0..<pictures).map { .picture($0) }
    }

    private static func pages(_ items: [ChangeItem]) -> [[ChangeItem]] {
        var pages: [[ChangeItem]] = []
        var weight = perPage
        for item in items {
            if weight + item.weight > perPage {
                pages.append([])
                weight = 0
            }
            pages[pages.count - 1].append(item)
            weight += item.weight
        }
        return pages
    }
}
