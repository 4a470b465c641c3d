import Catalogue

/// One thing that a revision changed, as a page shows it; numbers are places in the revision's changes.
enum ChangeItem: Sendable {
    /// A record that came.
    case added(Int)
    /// A record that is gone.
    case removed(Int)
    /// A record whose members changed: those of them that the page shows.
    case changed(Int, [Part])
    /// A picture.
    case picture(Int)

    /// A member that changed; of a list, the elements that the page shows.
    struct Part: Sendable {
        let field: Int
        let added: Range<Int>
        let removed: Range<Int>

        /// How much of a page it takes.
        var weight: Int { 1 + added.count + removed.count }
    }

    /// What happened; the order in which it is told.
    enum What: Int, Sendable {
        case added, removed, changed, picture
    }

    var what: What {
        switch self {
        case .added: .added
        case .removed: .removed
        case .changed: .changed
        case .picture: .picture
        }
    }

    /// How much of a page it takes.
    var weight: Int {
        switch self {
        case .added, .removed, .picture: 1
        case .changed(_, let parts): parts.reduce(1) { $0 + $1.weight }
        }
    }
}

extension FieldChange {
    /// All of it in parts of at most so much weight.
    func parts(field: Int, most: Int) -> [ChangeItem.Part] {
        guard let list, list.added.count + list.removed.count > 0 else {
            return [.init(field: field, added: 0..<0, removed: 0..<0)]
        }
        var parts: [ChangeItem.Part] = []
        var place = 0
        let total = list.added.count + list.removed.count
        while place < total {
            let end = min(total, place + most - 1)
            let count = list.added.count
            parts.append(
                .init(
                    field: field, added: min(place, count)..<min(end, count),
                    removed: max(place, count) - count..<max(end, count) - count))
            place = end
        }
        return parts
    }
}
